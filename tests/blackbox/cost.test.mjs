// Capacity and cost (P12): what requests consume is kept by the minute, auto-scaling bounds are kept and told again,
// and `waybill cost` says what the measured load would cost.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ApplicationAutoScaling } from '@aws-sdk/client-application-auto-scaling';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { S, active, ahead, clientConfig, createTable, fails, ours, runBinary, scratchDir, sleep, startServer, tableShape, unique } from './harness.mjs';

const clientOf = (server) => new DynamoDB(clientConfig({ endpoint: server.endpoint }));
const scalingOf = (server) => new ApplicationAutoScaling(clientConfig({ endpoint: server.endpoint }));

async function waybill(...args) {
  const run = runBinary(args, { within_ms: 60_000 });
  return { code: await run.exited, output: run.output };
}

async function cost(server, TableName, ...more) {
  const { code, output } = await waybill('cost', '--data', server.data, '--json', ...(TableName ? ['--table', TableName] : []), ...more);
  assert.equal(code, 0, output);
  return JSON.parse(output);
}

// Of each part of the table: its minutes as [minute, read units, requests, peak, write units, requests, peak].
async function minutes(server, TableName) {
  const { parts } = await cost(server, TableName, '--minutes');
  return Object.fromEntries(parts.map(({ name, minutes: rows }) => [name, rows]));
}

// What was used of each part, whichever minutes it fell into: [read units, requests, write units, requests].
async function used(server, TableName) {
  const sums = {};
  for (const [name, rows] of Object.entries(await minutes(server, TableName))) {
    sums[name] = rows.reduce(([r, rn, w, wn], row) => [r + row[1], rn + row[2], w + row[4], wn + row[5]], [0, 0, 0, 0]);
  }
  return sums;
}

const item = (pk, bytes = 0, owner = 'o') => ({ pk: S(pk), owner: S(owner), v: S('x'.repeat(bytes)) });

test('P12: every operation is counted, for table and index, asked or not', ours, async () => {
  const server = await startServer();
  const db = clientOf(server);
  const TableName = await createTable('pk:S', { client: db, gsi: { byOwner: 'owner:S' } });
  const expected = { [TableName]: [0, 0, 0, 0], byOwner: [0, 0, 0, 0] };
  const counts = async (what, table, index = [0, 0, 0, 0]) => {
    await what;
    table.forEach((value, i) => (expected[TableName][i] += value));
    index.forEach((value, i) => (expected.byOwner[i] += value));
    assert.deepEqual(await used(server, TableName), expected);
  };
  await counts(db.putItem({ TableName, Item: item('a', 2000) }), [0, 0, 2, 1], [0, 0, 2, 1]);
  await counts(db.getItem({ TableName, Key: { pk: S('a') } }), [0.5, 1, 0, 0]);
  await counts(db.getItem({ TableName, Key: { pk: S('a') }, ConsistentRead: true }), [1, 1, 0, 0]);
  await counts(db.getItem({ TableName, Key: { pk: S('none') } }), [0.5, 1, 0, 0]);
  await counts(db.putItem({ TableName, Item: item('big', 9000) }), [0, 0, 9, 1], [0, 0, 9, 1]);
  await counts(db.getItem({ TableName, Key: { pk: S('big') }, ConsistentRead: true }), [3, 1, 0, 0]);
  await counts(db.query({ TableName, IndexName: 'byOwner', KeyConditionExpression: '#o = :o', ExpressionAttributeNames: { '#o': 'owner' }, ExpressionAttributeValues: { ':o': S('o') } }), [0, 0, 0, 0], [1.5, 1, 0, 0]);
  await counts(db.query({ TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('a') } }), [0.5, 1, 0, 0]);
  await counts(db.scan({ TableName, ConsistentRead: true }), [3, 1, 0, 0]);
  await counts(db.updateItem({ TableName, Key: { pk: S('a') }, UpdateExpression: 'SET #o = :p', ExpressionAttributeNames: { '#o': 'owner' }, ExpressionAttributeValues: { ':p': S('p') } }), [0, 0, 2, 1], [0, 0, 4, 1]);
  await counts(db.deleteItem({ TableName, Key: { pk: S('none') } }), [0, 0, 1, 1]);
  await counts(fails(db.deleteItem({ TableName, Key: { pk: S('a') }, ConditionExpression: 'attribute_not_exists(pk)' }), 'ConditionalCheckFailedException'), [0, 0, 2, 1]);
  await counts(fails(db.putItem({ TableName, Item: { other: S('x') } }), 'ValidationException'), [0, 0, 0, 0]);
  const RequestItems = { [TableName]: [{ PutRequest: { Item: item('b') } }, { PutRequest: { Item: item('c') } }, { DeleteRequest: { Key: { pk: S('big') } } }] };
  await counts(db.batchWriteItem({ RequestItems }), [0, 0, 11, 3], [0, 0, 11, 3]);
  await counts(db.batchGetItem({ RequestItems: { [TableName]: { Keys: [{ pk: S('b') }, { pk: S('c') }, { pk: S('none') }] } } }), [1.5, 3, 0, 0]);
  await counts(db.transactGetItems({ TransactItems: [{ Get: { TableName, Key: { pk: S('b') } } }, { Get: { TableName, Key: { pk: S('c') } } }] }), [4, 2, 0, 0]);
  const transaction = { ClientRequestToken: unique(), TransactItems: [
    { Put: { TableName, Item: item('d') } },
    { ConditionCheck: { TableName, Key: { pk: S('b') }, ConditionExpression: 'attribute_exists(pk)' } },
  ] };
  await counts(db.transactWriteItems(transaction), [0, 0, 4, 2], [0, 0, 1, 1]);
  await counts(db.transactWriteItems(transaction), [4, 2, 0, 0]);
  await counts(db.executeStatement({ Statement: `SELECT * FROM "${TableName}" WHERE pk = 'a'` }), [0.5, 1, 0, 0]);
  await counts(db.executeStatement({ Statement: `SELECT * FROM "${TableName}"."byOwner" WHERE owner = 'p'` }), [0, 0, 0, 0], [0.5, 1, 0, 0]);
  await counts(db.executeStatement({ Statement: `INSERT INTO "${TableName}" VALUE {'pk':'f','owner':'o'}` }), [0, 0, 1, 1], [0, 0, 1, 1]);
  await counts(db.batchExecuteStatement({ Statements: [{ Statement: `SELECT * FROM "${TableName}" WHERE pk = 'a'`, ConsistentRead: true }] }), [1, 1, 0, 0]);
  await counts(db.executeTransaction({ TransactStatements: [{ Statement: `UPDATE "${TableName}" SET x = 1 WHERE pk = 'f'` }] }), [0, 0, 2, 1], [0, 0, 1, 1]);
  await counts(db.executeTransaction({ TransactStatements: [{ Statement: `SELECT * FROM "${TableName}" WHERE pk = 'f'` }] }), [2, 1, 0, 0]);
  await counts(fails(db.transactWriteItems({ TransactItems: [{ Put: { TableName, Item: item('e'), ConditionExpression: 'attribute_exists(pk)' } }] }), 'TransactionCanceledException'), [0, 0, 1, 1]);
  await server.stop();
});

test('P12: what was counted is what answers say was consumed', ours, async () => {
  const server = await startServer();
  const db = clientOf(server);
  const TableName = await createTable('pk:S', { client: db, gsi: { byOwner: 'owner:S' }, projection: { byOwner: 'KEYS_ONLY' } });
  const told = { reads: 0, writes: 0 };
  const ReturnConsumedCapacity = 'TOTAL';
  for (let i = 0; i < 40; i++) {
    const put = await db.putItem({ TableName, ReturnConsumedCapacity, Item: item(`k${i % 7}`, i * 150, `o${i % 3}`) });
    told.writes += put.ConsumedCapacity.CapacityUnits;
    const got = await db.getItem({ TableName, ReturnConsumedCapacity, Key: { pk: S(`k${i % 9}`) }, ConsistentRead: i % 2 === 0 });
    told.reads += got.ConsumedCapacity.CapacityUnits;
  }
  const sums = Object.values(await used(server, TableName));
  assert.equal(sums.reduce((sum, [reads]) => sum + reads, 0), told.reads);
  assert.equal(sums.reduce((sum, [, , writes]) => sum + writes, 0), told.writes);
  await server.stop();
});

test('P12: each minute stands for itself, through restarts and days, and goes after 35 of them', ours, async () => {
  let server = await startServer();
  const data = server.data;
  const TableName = await createTable('pk:S', { client: clientOf(server) });
  const put = () => clientOf(server).putItem({ TableName, Item: item('a') });
  const startedAt = Math.floor(Date.now() / 60_000);
  await put();
  await put();
  await server.stop();
  server = await startServer({ data, env: ahead(600) });
  await put();
  assert.equal((await minutes(server, TableName))[TableName].reduce((sum, row) => sum + row[4], 0), 3);
  await server.stop('SIGKILL');
  server = await startServer({ data, env: ahead(30 * 86_400) });
  await put();
  const rows = (await minutes(server, TableName))[TableName];
  assert.equal(rows.reduce((sum, row) => sum + row[4], 0), 4);
  const early = rows.filter(([minute]) => minute < startedAt + 5);
  assert.deepEqual(early.reduce(([w, n], row) => [w + row[4], n + row[5]], [0, 0]), [2, 2]);
  assert.ok(rows.some(([minute]) => minute >= startedAt + 10 && minute <= startedAt + 12));
  assert.ok(rows.some(([minute]) => minute >= startedAt + 30 * 1440));
  const { tables: [table] } = await cost(server, TableName);
  assert.ok(Math.abs(table.measured.minutes - 30 * 1440) <= 3, `${table.measured.minutes}`);
  assert.equal(table.measured.is_short, false);
  assert.equal(table.parts[0].writes.units, 4);
  const { tables: [today] } = await cost(server, TableName, '--days', '1');
  assert.equal(today.measured.minutes, 1440);
  assert.equal(today.parts[0].writes.units, 1);
  await server.stop();
  server = await startServer({ data, env: ahead(36 * 86_400) });
  assert.deepEqual((await minutes(server, TableName))[TableName].map((row) => row[4]), [1]);
  await server.stop();
});

test('P12: a minute that is over survives kill -9', ours, async () => {
  // The server's clock begins four seconds before the end of a minute.
  const seconds = 60 - (Math.floor(Date.now() / 1000) % 60) + 60 - 4;
  let server = await startServer({ env: ahead(seconds) });
  const data = server.data;
  const db = clientOf(server);
  const TableName = await createTable('pk:S', { client: db });
  await db.putItem({ TableName, Item: item('a', 1500) });
  await sleep(6000);
  await server.stop('SIGKILL');
  server = await startServer({ data, env: ahead(seconds) });
  assert.deepEqual(await used(server, TableName), { [TableName]: [0, 0, 2, 1] });
  await server.stop();
});

test('P12: a table that is made again begins at nothing', ours, async () => {
  const server = await startServer();
  const db = clientOf(server);
  const TableName = await createTable('pk:S', { client: db });
  await db.putItem({ TableName, Item: item('a') });
  assert.deepEqual(await used(server, TableName), { [TableName]: [0, 0, 1, 1] });
  await db.putItem({ TableName, Item: item('b') });
  await db.deleteTable({ TableName });
  await db.createTable({ TableName, BillingMode: 'PAY_PER_REQUEST', ...tableShape('pk:S') });
  await active(TableName, db);
  assert.deepEqual(await used(server, TableName), { [TableName]: [0, 0, 0, 0] });
  await server.stop();
});

test('P12: auto-scaling bounds are registered, described, changed and gone', ours, async () => {
  let server = await startServer();
  const data = server.data;
  const db = clientOf(server);
  const scaling = scalingOf(server);
  const TableName = await createTable('pk:S', { client: db, gsi: { byOwner: 'owner:S' } });
  const ServiceNamespace = 'dynamodb';
  const reads = { ServiceNamespace, ResourceId: `table/${TableName}`, ScalableDimension: 'dynamodb:table:ReadCapacityUnits' };
  const writes = { ServiceNamespace, ResourceId: `table/${TableName}/index/byOwner`, ScalableDimension: 'dynamodb:index:WriteCapacityUnits' };
  const { ScalableTargetARN } = await scaling.registerScalableTarget({ ...reads, MinCapacity: 25, MaxCapacity: 100 });
  assert.match(ScalableTargetARN, /^arn:aws:application-autoscaling:us-east-1:000000000000:scalable-target\/[0-9a-f]{26}$/);
  await scaling.registerScalableTarget({ ...writes, MinCapacity: 10, MaxCapacity: 50, RoleARN: 'arn:aws:iam::1:role/r', SuspendedState: { DynamicScalingInSuspended: true } });
  assert.equal((await scaling.registerScalableTarget({ ...reads, MaxCapacity: 200 })).ScalableTargetARN, ScalableTargetARN);
  const { ScalableTargets } = await scaling.describeScalableTargets({ ServiceNamespace });
  assert.deepEqual(ScalableTargets.map(({ CreationTime, ScalableTargetARN: arn, ...rest }) => rest), [
    { ...reads, MinCapacity: 25, MaxCapacity: 200,
      RoleARN: 'arn:aws:iam::000000000000:role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/AWSServiceRoleForApplicationAutoScaling_DynamoDBTable',
      SuspendedState: { DynamicScalingInSuspended: false, DynamicScalingOutSuspended: false, ScheduledScalingSuspended: false } },
    { ...writes, MinCapacity: 10, MaxCapacity: 50, RoleARN: 'arn:aws:iam::1:role/r',
      SuspendedState: { DynamicScalingInSuspended: true, DynamicScalingOutSuspended: false, ScheduledScalingSuspended: false } },
  ]);
  assert.ok(Math.abs(ScalableTargets[0].CreationTime - Date.now()) < 60_000);
  assert.deepEqual((await scaling.listTagsForResource({ ResourceARN: ScalableTargetARN })).Tags, {});

  const one = await scaling.describeScalableTargets({ ServiceNamespace, MaxResults: 1 });
  assert.equal(one.ScalableTargets.length, 1);
  const rest = await scaling.describeScalableTargets({ ServiceNamespace, NextToken: one.NextToken });
  assert.deepEqual(rest.ScalableTargets.map((target) => target.ResourceId), [writes.ResourceId]);
  assert.equal(rest.NextToken, undefined);
  await fails(scaling.describeScalableTargets({ ServiceNamespace, NextToken: 'nonsense' }), 'InvalidNextTokenException');
  const named = await scaling.describeScalableTargets({ ServiceNamespace, ResourceIds: [reads.ResourceId], ScalableDimension: reads.ScalableDimension });
  assert.equal(named.ScalableTargets.length, 1);

  const TargetTrackingScalingPolicyConfiguration = {
    TargetValue: 70, PredefinedMetricSpecification: { PredefinedMetricType: 'DynamoDBReadCapacityUtilization' }, ScaleOutCooldown: 30, ScaleInCooldown: 60, DisableScaleIn: false,
  };
  const policy = { PolicyName: 'keep-seventy', PolicyType: 'TargetTrackingScaling', ...reads, TargetTrackingScalingPolicyConfiguration };
  const made = await scaling.putScalingPolicy(policy);
  assert.match(made.PolicyARN, new RegExp(`^arn:aws:autoscaling:us-east-1:000000000000:scalingPolicy:[0-9a-f-]{36}:resource/dynamodb/table/${TableName}:policyName/keep-seventy$`));
  assert.deepEqual(made.Alarms, []);
  assert.equal((await scaling.putScalingPolicy({ ...policy, TargetTrackingScalingPolicyConfiguration: { ...TargetTrackingScalingPolicyConfiguration, TargetValue: 62.5 } })).PolicyARN, made.PolicyARN);
  await fails(scaling.putScalingPolicy({ ...policy, PolicyName: 'second' }), 'ValidationException', 'Only one TargetTrackingScaling policy for a given metric specification is allowed.');
  const { ScalingPolicies: [described] } = await scaling.describeScalingPolicies({ ServiceNamespace, PolicyNames: ['keep-seventy'] });
  assert.deepEqual({ ...described, CreationTime: undefined }, {
    PolicyARN: made.PolicyARN, PolicyName: 'keep-seventy', PolicyType: 'TargetTrackingScaling', ...reads, Alarms: [], CreationTime: undefined,
    TargetTrackingScalingPolicyConfiguration: { ...TargetTrackingScalingPolicyConfiguration, TargetValue: 62.5 },
  });

  await fails(scaling.putScalingPolicy({ ...policy, TargetTrackingScalingPolicyConfiguration: { ...TargetTrackingScalingPolicyConfiguration, TargetValue: 95 } }), 'ValidationException');
  await fails(scaling.putScalingPolicy({ ...policy, PolicyType: 'StepScaling' }), 'ValidationException');
  const unregistered = { ...writes, ScalableDimension: 'dynamodb:index:ReadCapacityUnits' };
  await fails(scaling.putScalingPolicy({ ...policy, ...unregistered }), 'ObjectNotFoundException',
    `No scalable target registered for service namespace: dynamodb, resource ID: ${writes.ResourceId}, scalable dimension: dynamodb:index:ReadCapacityUnits`);
  await fails(scaling.deregisterScalableTarget(unregistered), 'ObjectNotFoundException', /^No scalable target found for service namespace: dynamodb, resource ID: /);
  await fails(scaling.registerScalableTarget({ ...unregistered, MinCapacity: 5 }), 'ValidationException');
  await fails(scaling.registerScalableTarget({ ...reads, MinCapacity: 500 }), 'ValidationException', 'Maximum capacity cannot be less than minimum capacity');
  await fails(scaling.registerScalableTarget({ ...reads, ResourceId: 'table/none', MinCapacity: 1, MaxCapacity: 2 }), 'ValidationException', 'DynamoDB table does not exist: table/none');
  await fails(scaling.registerScalableTarget({ ...reads, ResourceId: writes.ResourceId, MinCapacity: 1, MaxCapacity: 2 }), 'ValidationException', 'Unsupported service namespace, resource type or scalable dimension');
  await fails(scaling.registerScalableTarget({ ...reads, ServiceNamespace: 'ecs', MinCapacity: 1, MaxCapacity: 2 }), 'ValidationException');
  await fails(scaling.deleteScalingPolicy({ ...reads, PolicyName: 'other' }), 'ObjectNotFoundException', /^No scaling policy found for /);

  const { TableAutoScalingDescription } = await db.describeTableReplicaAutoScaling({ TableName });
  const [replica] = TableAutoScalingDescription.Replicas;
  assert.equal(replica.RegionName, 'us-east-1');
  assert.deepEqual(replica.ReplicaProvisionedReadCapacityAutoScalingSettings, {
    MinimumUnits: 25, MaximumUnits: 200,
    ScalingPolicies: [{ PolicyName: 'keep-seventy', TargetTrackingScalingPolicyConfiguration: { DisableScaleIn: false, ScaleInCooldown: 60, ScaleOutCooldown: 30, TargetValue: 62.5 } }],
  });
  assert.equal(replica.GlobalSecondaryIndexes[0].ProvisionedWriteCapacityAutoScalingSettings.MaximumUnits, 50);
  const changed = await db.updateTableReplicaAutoScaling({
    TableName,
    ProvisionedWriteCapacityAutoScalingUpdate: { MinimumUnits: 3, MaximumUnits: 30, ScalingPolicyUpdate: { TargetTrackingScalingPolicyConfiguration: { TargetValue: 50 } } },
    ReplicaUpdates: [{ RegionName: 'us-east-1', ReplicaProvisionedReadCapacityAutoScalingUpdate: { AutoScalingDisabled: true } }],
  });
  assert.deepEqual(changed.TableAutoScalingDescription.Replicas[0].ReplicaProvisionedReadCapacityAutoScalingSettings, { AutoScalingDisabled: true });
  const targets = (await scaling.describeScalableTargets({ ServiceNamespace, ResourceIds: [reads.ResourceId] })).ScalableTargets;
  assert.deepEqual(targets.map((target) => [target.ScalableDimension, target.MinCapacity, target.MaxCapacity]), [['dynamodb:table:WriteCapacityUnits', 3, 30]]);

  await server.stop('SIGKILL');
  server = await startServer({ data });
  const again = scalingOf(server);
  assert.equal((await again.describeScalableTargets({ ServiceNamespace })).ScalableTargets.length, 2);
  await again.deregisterScalableTarget(writes);
  assert.equal((await again.describeScalableTargets({ ServiceNamespace })).ScalableTargets.length, 1);
  await clientOf(server).deleteTable({ TableName });
  assert.deepEqual((await again.describeScalableTargets({ ServiceNamespace })).ScalableTargets, []);
  await server.stop();
});

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9 * Math.max(1, Math.abs(expected)), `${actual}, not ${expected}`);

test('P12: waybill cost says what the load costs a month, by prices of one\'s own', ours, async () => {
  const server = await startServer();
  const db = clientOf(server);
  const scaling = scalingOf(server);
  const TableName = unique('jobs');
  await db.createTable({ TableName, ...tableShape('pk:S'), ProvisionedThroughput: { ReadCapacityUnits: 25, WriteCapacityUnits: 10 } });
  await active(TableName, db);
  const target = (dimension) => ({ ServiceNamespace: 'dynamodb', ResourceId: `table/${TableName}`, ScalableDimension: `dynamodb:table:${dimension}CapacityUnits` });
  await scaling.registerScalableTarget({ ...target('Read'), MinCapacity: 25, MaxCapacity: 100 });
  await scaling.registerScalableTarget({ ...target('Write'), MinCapacity: 10, MaxCapacity: 50 });
  for (let i = 0; i < 12; i++) await db.putItem({ TableName, Item: item(`k${i}`, 1500) });
  for (let i = 0; i < 8; i++) await db.getItem({ TableName, Key: { pk: S('k1') }, ConsistentRead: true });
  const bytes = (await db.describeTable({ TableName })).Table.TableSizeBytes + 12 * 100;

  const file = join(scratchDir(), 'prices.json');
  const prices = { region: 'eu-central-1', currency: 'EUR', date: '2026-07-01', classes: { STANDARD: {
    on_demand_read_million: 2, on_demand_write_million: 10, provisioned_read_unit_hour: 0.001, provisioned_write_unit_hour: 0.005, storage_gb_month: 1024 } } };
  writeFileSync(file, JSON.stringify(prices));
  const { tables: [table], total, prices: shown } = await cost(server, TableName, '--prices', file);
  assert.deepEqual(shown, { source: file, region: 'eu-central-1', currency: 'EUR', date: '2026-07-01' });
  const { minutes: period } = table.measured;
  assert.ok(period >= 1 && period <= 3);
  assert.equal(table.measured.is_short, true);
  assert.equal(table.stored_bytes, bytes);
  const { month } = table;
  near(month.on_demand.writes, (24 / period) * 43_800 / 1e6 * 10);
  near(month.on_demand.reads, (8 / period) * 43_800 / 1e6 * 2);
  near(month.provisioned_scaled.reads, 25 * 730 * 0.001);
  near(month.provisioned_scaled.writes, 10 * 730 * 0.005);
  near(month.provisioned_fixed.total, 25 * 730 * 0.001 + 10 * 730 * 0.005 + (bytes / 2 ** 30) * 1024);
  near(month.on_demand.storage, (bytes / 2 ** 30) * 1024);
  assert.equal(month.cheapest, 'on_demand');
  near(month.saves, month.provisioned_scaled.total - month.on_demand.total);
  near(total.on_demand.total, month.on_demand.total);
  const { reads, writes } = table.parts[0];
  assert.deepEqual([reads.units, reads.requests, writes.units, writes.requests], [8, 8, 24, 12]);
  assert.deepEqual([writes.scaled.units_min, writes.scaled.units_max, writes.scaled.target_utilisation, writes.scaled.bounds_registered], [10, 50, 0.7, true]);

  const { code, output } = await waybill('cost', '--data', server.data, '--table', TableName);
  assert.equal(code, 0);
  assert.match(output, /Prices: us-east-1, USD, of \d{4}-\d\d-\d\d \(built in\)/);
  assert.match(output, new RegExp(`^Table ${TableName}, provisioned, class STANDARD$`, 'm'));
  assert.match(output, /That is less than a week/);
  assert.match(output, /^ {2}provisioned, fixed +2\.37 +4\.75 +(< 0\.01|0\.00) +7\.12$/m);
  assert.match(output, /^ {2}Cheapest: on-demand, by /m);

  writeFileSync(file, JSON.stringify({ ...prices, classes: { STANDARD: { ...prices.classes.STANDARD, storage_gb_month: 'free' } } }));
  const wrong = await waybill('cost', '--data', server.data, '--prices', file);
  assert.equal(wrong.code, 1);
  assert.equal(wrong.output, `waybill: the price file ${file}: classes.STANDARD.storage_gb_month must be a number of 0 or more\n`);
  const none = await waybill('cost', '--data', server.data, '--table', 'none');
  assert.deepEqual(none, { code: 1, output: 'waybill: there is no table none\n' });
  await server.stop();
  const stopped = await waybill('cost', '--data', server.data);
  assert.equal(stopped.code, 1);
  assert.match(stopped.output, /^waybill: no server runs on /);
});

test('P12: the largest second of a minute is kept beside its sum', ours, async () => {
  const server = await startServer();
  const db = clientOf(server);
  const TableName = await createTable('pk:S', { client: db });
  const toNextSecond = () => sleep(1020 - (Date.now() % 1000));
  await toNextSecond();
  for (let i = 0; i < 5; i++) await db.putItem({ TableName, Item: item('a') });
  await toNextSecond();
  await db.putItem({ TableName, Item: item('a') });
  await toNextSecond();
  const rows = (await minutes(server, TableName))[TableName];
  assert.equal(rows.reduce((sum, row) => sum + row[4], 0), 6);
  assert.equal(Math.max(...rows.map((row) => row[6])), 5);
  await server.stop();
});

test('P12: bounds need a signature of their own service where keys are used', ours, async () => {
  const keys = join(scratchDir(), 'keys.json');
  writeFileSync(keys, JSON.stringify({ keys: [{ id: 'AKIDTEST', secret: 'sixteen-characters' }] }), { mode: 0o600 });
  const server = await startServer({ args: ['--keys', keys] });
  const credentials = { accessKeyId: 'AKIDTEST', secretAccessKey: 'sixteen-characters' };
  const scaling = new ApplicationAutoScaling(clientConfig({ endpoint: server.endpoint, credentials }));
  assert.deepEqual((await scaling.describeScalableTargets({ ServiceNamespace: 'dynamodb' })).ScalableTargets, []);
  await fails(scalingOf(server).describeScalableTargets({ ServiceNamespace: 'dynamodb' }), 'UnrecognizedClientException');
  await server.stop();
});
