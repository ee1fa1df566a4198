// Tables are made and read by tools (Terraform, SDK waiters, migrations) that compare every field and every
// error text. What they see must be what DynamoDB shows them, and the counts must be right, not hours old.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntilTableExists, waitUntilTableNotExists } from '@aws-sdk/client-dynamodb';
import { S, active, call, createTable, db, differs, fails, fill, invalid, ours, refused, tableShape, unique } from './harness.mjs';

const arn = (name) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;
const onDemand = { BillingMode: 'PAY_PER_REQUEST' };
const create = (request) => db.createTable({ TableName: unique(), ...request });
const throughput = (ReadCapacityUnits, WriteCapacityUnits) => ({ ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits } });

// ---------------------------------------------------------------------------------- create and describe

test('CreateTable answers CREATING, the table becomes ACTIVE, and both describe the same table', async () => {
  const TableName = unique();
  const { TableDescription } = await db.createTable({ TableName, ...onDemand, ...tableShape('pk:S sk:N') });
  assert.equal(TableDescription.TableStatus, 'CREATING');
  const Table = await active(TableName);
  assert.equal(Table.TableName, TableName);
  assert.deepEqual(Table.KeySchema, [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }]);
  assert.deepEqual(Table.AttributeDefinitions.toSorted((a, b) => (a.AttributeName < b.AttributeName ? -1 : 1)), [
    { AttributeName: 'pk', AttributeType: 'S' }, { AttributeName: 'sk', AttributeType: 'N' },
  ]);
  assert.equal(Table.TableId, TableDescription.TableId);
  assert.match(Table.TableId, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  assert.ok(Math.abs(Table.CreationDateTime - Date.now()) < 60_000);
  assert.equal(Table.ItemCount, 0);
  assert.equal(Table.TableSizeBytes, 0);
  assert.equal(Table.DeletionProtectionEnabled, false);
});

test('TableArn names us-east-1 and account 000000000000; WarmThroughput is ACTIVE', ours, async () => {
  const name = await createTable('pk:S', { gsi: { byG: 'g:S' } });
  const { Table } = await db.describeTable({ TableName: name });
  assert.equal(Table.TableArn, arn(name));
  assert.equal(Table.WarmThroughput.Status, 'ACTIVE');
  assert.equal(Table.GlobalSecondaryIndexes[0].IndexArn, `${arn(name)}/index/byG`);
});

test('a table can be named by its ARN', ours, async () => {
  const name = await createTable();
  await db.putItem({ TableName: arn(name), Item: { pk: S('a') } });
  assert.deepEqual((await db.getItem({ TableName: arn(name), Key: { pk: S('a') } })).Item, { pk: S('a') });
  assert.equal((await db.describeTable({ TableName: arn(name) })).Table.TableName, name);
});

test('TableId is stable across DescribeTable and UpdateTable', async () => {
  const TableName = await createTable();
  const first = (await db.describeTable({ TableName })).Table.TableId;
  await db.updateTable({ TableName, DeletionProtectionEnabled: true });
  await db.updateTable({ TableName, DeletionProtectionEnabled: false });
  assert.equal((await active(TableName)).TableId, first);
});

test('on-demand billing is described with zero units and a BillingModeSummary', async () => {
  const { Table } = await db.describeTable({ TableName: await createTable() });
  assert.equal(Table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
  assert.deepEqual([Table.ProvisionedThroughput.ReadCapacityUnits, Table.ProvisionedThroughput.WriteCapacityUnits], [0, 0]);
  assert.equal(Table.ProvisionedThroughput.NumberOfDecreasesToday, 0);
});

test('provisioned billing keeps the units of the table and of each index', async () => {
  const shape = tableShape('pk:S', { gsi: { byG: 'g:S' } });
  Object.assign(shape.GlobalSecondaryIndexes[0], throughput(3, 4));
  const TableName = unique();
  await db.createTable({ TableName, ...shape, ...throughput(5, 6) });
  const Table = await active(TableName);
  assert.deepEqual([Table.ProvisionedThroughput.ReadCapacityUnits, Table.ProvisionedThroughput.WriteCapacityUnits], [5, 6]);
  const index = Table.GlobalSecondaryIndexes[0].ProvisionedThroughput;
  assert.deepEqual([index.ReadCapacityUnits, index.WriteCapacityUnits], [3, 4]);
});

test('secondary indexes are described with keys, projection and status', async () => {
  const TableName = await createTable('pk:S sk:S', {
    gsi: { gs1: 'g:S h:N', gs2: 'h:N' }, lsi: { ls1: 'pk:S l:B' }, projection: { gs1: ['x', 'y'], ls1: 'KEYS_ONLY' },
  });
  const { Table } = await db.describeTable({ TableName });
  const g1 = Table.GlobalSecondaryIndexes.find((i) => i.IndexName === 'gs1');
  assert.equal(g1.IndexStatus, 'ACTIVE');
  assert.deepEqual(g1.KeySchema, [{ AttributeName: 'g', KeyType: 'HASH' }, { AttributeName: 'h', KeyType: 'RANGE' }]);
  assert.equal(g1.Projection.ProjectionType, 'INCLUDE');
  assert.deepEqual(g1.Projection.NonKeyAttributes.toSorted(), ['x', 'y']);
  assert.deepEqual(Table.GlobalSecondaryIndexes.find((i) => i.IndexName === 'gs2').Projection, { ProjectionType: 'ALL' });
  const [l1] = Table.LocalSecondaryIndexes;
  assert.deepEqual(l1.KeySchema, [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'l', KeyType: 'RANGE' }]);
  assert.deepEqual(l1.Projection, { ProjectionType: 'KEYS_ONLY' });
});

test('ItemCount and TableSizeBytes of table and indexes are exact at once', ours, async () => {
  const TableName = await createTable('pk:S', { gsi: { all: 'g:S', keys: 'g:S' }, projection: { keys: 'KEYS_ONLY' } });
  const counts = async () => {
    const { Table } = await db.describeTable({ TableName });
    const index = (name) => Table.GlobalSecondaryIndexes.find((i) => i.IndexName === name);
    return [Table.ItemCount, Table.TableSizeBytes, index('all').ItemCount, index('all').IndexSizeBytes, index('keys').IndexSizeBytes];
  };
  await db.putItem({ TableName, Item: { pk: S('a'), x: S('hello') } }); // 2+1 + 1+5
  assert.deepEqual(await counts(), [1, 9, 0, 0, 0]);
  await db.putItem({ TableName, Item: { pk: S('b'), g: S('gg'), x: S('ü') } }); // 2+1 + 1+2 + 1+2
  assert.deepEqual(await counts(), [2, 18, 1, 9, 6]);
  await db.updateItem({ TableName, Key: { pk: S('b') }, UpdateExpression: 'SET x = :x', ExpressionAttributeValues: { ':x': S('12345') } });
  assert.deepEqual(await counts(), [2, 21, 1, 12, 6]);
  await db.updateItem({ TableName, Key: { pk: S('b') }, UpdateExpression: 'REMOVE g' });
  assert.deepEqual(await counts(), [2, 18, 0, 0, 0]);
  await db.deleteItem({ TableName, Key: { pk: S('a') } });
  await db.deleteItem({ TableName, Key: { pk: S('nobody') } });
  assert.deepEqual(await counts(), [1, 9, 0, 0, 0]);
});

test('the SDK\'s waiters see a table come and go', async () => {
  const TableName = unique();
  const wait = { client: db, maxWaitTime: 20, minDelay: 1, maxDelay: 1 };
  await db.createTable({ TableName, ...onDemand, ...tableShape('pk:S') });
  assert.equal((await waitUntilTableExists(wait, { TableName })).state, 'SUCCESS');
  assert.equal((await db.deleteTable({ TableName })).TableDescription.TableStatus, 'DELETING');
  assert.equal((await waitUntilTableNotExists(wait, { TableName })).state, 'SUCCESS');
  await fails(db.describeTable({ TableName }), 'ResourceNotFoundException', `Requested resource not found: Table: ${TableName} not found`);
});

test('a table made again under a deleted name is empty and has a new TableId', async () => {
  const TableName = await createTable('pk:S', { gsi: { byG: 'g:S' } });
  const before = (await db.describeTable({ TableName })).Table.TableId;
  await fill(TableName, Array.from({ length: 30 }, (_, i) => ({ pk: S(`${i}`), g: S('g') })));
  await db.deleteTable({ TableName });
  await waitUntilTableNotExists({ client: db, maxWaitTime: 20, minDelay: 1, maxDelay: 1 }, { TableName });
  await db.createTable({ TableName, ...onDemand, ...tableShape('pk:S', { gsi: { byG: 'g:S' } }) });
  assert.notEqual((await active(TableName)).TableId, before);
  assert.equal((await db.scan({ TableName })).Count, 0);
  assert.equal((await db.scan({ TableName, IndexName: 'byG' })).Count, 0);
});

test('table names from 3 to 255 characters of a-zA-Z0-9_.- are taken', async () => {
  for (const TableName of ['a.b', `_-.${'x'.repeat(252)}`]) {
    await db.createTable({ TableName, ...onDemand, ...tableShape('pk:S') });
    await active(TableName);
    await db.deleteTable({ TableName });
  }
});

// ------------------------------------------------------------------------------------------ refusals

test('CreateTable of a name in use: ResourceInUseException', async () => {
  const TableName = await createTable();
  await fails(create({ TableName, ...onDemand, ...tableShape('pk:S') }), 'ResourceInUseException', `Table already exists: ${TableName}`);
});

test('a missing table: ResourceNotFoundException with the control plane\'s and the data plane\'s text', async () => {
  const TableName = unique('missing');
  const named = `Requested resource not found: Table: ${TableName} not found`;
  await fails(db.describeTable({ TableName }), 'ResourceNotFoundException', named);
  await fails(db.deleteTable({ TableName }), 'ResourceNotFoundException', named);
  await fails(db.updateTable({ TableName, ...onDemand }), 'ResourceNotFoundException', named);
  await fails(db.describeTimeToLive({ TableName }), 'ResourceNotFoundException', named);
  const plain = 'Requested resource not found';
  await fails(db.getItem({ TableName, Key: { pk: S('a') } }), 'ResourceNotFoundException', plain);
  await fails(db.putItem({ TableName, Item: { pk: S('a') } }), 'ResourceNotFoundException', plain);
  await fails(db.updateItem({ TableName, Key: { pk: S('a') } }), 'ResourceNotFoundException', plain);
  await fails(db.deleteItem({ TableName, Key: { pk: S('a') } }), 'ResourceNotFoundException', plain);
  await fails(db.scan({ TableName }), 'ResourceNotFoundException', plain);
  await fails(db.query({ TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('a') } }), 'ResourceNotFoundException', plain);
  await fails(db.batchGetItem({ RequestItems: { [TableName]: { Keys: [{ pk: S('a') }] } } }), 'ResourceNotFoundException', plain);
  await fails(db.batchWriteItem({ RequestItems: { [TableName]: [{ DeleteRequest: { Key: { pk: S('a') } } }] } }), 'ResourceNotFoundException', plain);
  await fails(db.transactGetItems({ TransactItems: [{ Get: { TableName, Key: { pk: S('a') } } }] }), 'ResourceNotFoundException', plain);
  await fails(db.transactWriteItems({ TransactItems: [{ Delete: { TableName, Key: { pk: S('a') } } }] }), 'ResourceNotFoundException', plain);
});

const attributes = (...pairs) => pairs.map((pair) => ({ AttributeName: pair.split(':')[0], AttributeType: pair.split(':')[1] }));
const keys = (...pairs) => pairs.map((pair) => ({ AttributeName: pair.split(':')[0], KeyType: pair.split(':')[1] }));
const good = { ...onDemand, ...tableShape('pk:S') };
const ranged = { ...onDemand, ...tableShape('pk:S sk:S') };
const gsi = (overrides = {}) => ({ IndexName: 'gix', KeySchema: keys('pk:HASH'), Projection: { ProjectionType: 'ALL' }, ...overrides });
const bad = 'One or more parameter values were invalid: ';

for (const [what, request, message, options = {}] of [
  ['a name of 2 characters', { ...good, TableName: 'ab' }, /Member must have length greater than or equal to 3/],
  ['a name of 256 characters', { ...good, TableName: 'a'.repeat(256) }, /Member must have length less than or equal to 255/],
  ['a name with a blank', { ...good, TableName: 'a b' }, "1 validation error detected: Value 'a b' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"],
  ['a first key that is RANGE', { ...good, KeySchema: keys('pk:RANGE') }, 'Invalid KeySchema: The first KeySchemaElement is not a HASH key type'],
  ['two HASH keys', { ...ranged, KeySchema: keys('pk:HASH', 'sk:HASH') }, 'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type'],
  ['a key without a definition', { ...good, KeySchema: keys('pk:HASH', 'sk:RANGE') }, 'Invalid KeySchema: Some index key attribute have no definition'],
  ['a definition no key uses', { ...good, AttributeDefinitions: attributes('pk:S', 'x:S') }, `${bad}Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions`],
  ['a definition no index uses', { ...good, AttributeDefinitions: attributes('pk:S', 'x:S'), GlobalSecondaryIndexes: [gsi()] }, /Some AttributeDefinitions are not used/, differs('says what it says without indexes')],
  ['a key type that is not S, N or B', { ...good, AttributeDefinitions: attributes('pk:BOOL') }, /Value 'BOOL' at 'attributeDefinitions\.1\.member\.attributeType' failed to satisfy constraint: Member must satisfy enum value set: \[B, N, S\]/],
  ['an unknown billing mode', { ...good, BillingMode: 'FREE' }, "1 validation error detected: Value 'FREE' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"],
  ['units on demand', { ...good, ...throughput(1, 1) }, `${bad}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`],
  ['PROVISIONED without units', { ...good, BillingMode: 'PROVISIONED' }, `${bad}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`],
  ['neither billing mode nor units', { ...good, BillingMode: undefined }, `${bad}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`, differs('makes the table')],
  ['zero units', { ...good, BillingMode: undefined, ...throughput(0, 1) }, "1 validation error detected: Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1"],
  ['an LSI without a table range key', { ...good, AttributeDefinitions: attributes('pk:S', 'x:S'), LocalSecondaryIndexes: [gsi({ KeySchema: keys('pk:HASH', 'x:RANGE') })] }, `${bad}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex`],
  ['an LSI with another hash key', { ...ranged, LocalSecondaryIndexes: [gsi({ IndexName: 'lix', KeySchema: keys('sk:HASH', 'pk:RANGE') })] }, `${bad}Index KeySchema does not have the same leading hash key as table KeySchema for index: lix. index hash key: sk, table hash key: pk`],
  ['an empty list of GSIs', { ...good, GlobalSecondaryIndexes: [] }, `${bad}List of GlobalSecondaryIndexes is empty`],
  ['a GSI key without a definition', { ...good, GlobalSecondaryIndexes: [gsi({ KeySchema: keys('x:HASH') })] }, `${bad}Some index key attributes are not defined in AttributeDefinitions. Keys: [x], AttributeDefinitions: [pk]`],
  ['NonKeyAttributes with ALL', { ...good, GlobalSecondaryIndexes: [gsi({ Projection: { ProjectionType: 'ALL', NonKeyAttributes: ['a'] } })] }, `${bad}ProjectionType is ALL, but NonKeyAttributes is specified`],
  ['INCLUDE without NonKeyAttributes', { ...good, GlobalSecondaryIndexes: [gsi({ Projection: { ProjectionType: 'INCLUDE' } })] }, `${bad}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`],
  ['a projection without a type', { ...good, GlobalSecondaryIndexes: [gsi({ Projection: {} })] }, `${bad}Unknown ProjectionType: null`],
  ['two indexes of one name', { ...good, GlobalSecondaryIndexes: [gsi(), gsi()] }, `${bad}Duplicate index name: gix`],
  ['21 GSIs', { ...good, GlobalSecondaryIndexes: Array.from({ length: 21 }, (_, i) => gsi({ IndexName: `gix${i}` })) }, `${bad}GlobalSecondaryIndex count exceeds the per-table limit of 20`],
  ['6 LSIs', { ...ranged, LocalSecondaryIndexes: Array.from({ length: 6 }, (_, i) => gsi({ IndexName: `lix${i}`, KeySchema: keys('pk:HASH', 'sk:RANGE') })) }, `${bad}Number of LocalSecondaryIndexes exceeds per-table limit of 5`],
  ['units for an index on demand', { ...good, GlobalSecondaryIndexes: [gsi(throughput(1, 1))] }, `${bad}ProvisionedThroughput should not be specified for index: gix when BillingMode is PAY_PER_REQUEST`],
  ['an index name of 2 characters', { ...good, GlobalSecondaryIndexes: [gsi({ IndexName: 'gi' })] }, /Member must have length greater than or equal to 3/],
]) {
  test(`CreateTable refuses ${what}`, options, async () => {
    await invalid(create(request), message);
  });
}

test('a refused CreateTable leaves nothing behind', async () => {
  const TableName = unique();
  await invalid(create({ TableName, ...good, KeySchema: keys('pk:RANGE') }));
  await fails(db.describeTable({ TableName }), 'ResourceNotFoundException');
});

// --------------------------------------------------------------------------------- list, update, delete

test('ListTables pages in name order, exclusive of its start', async () => {
  const prefix = unique('list');
  const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${prefix}-${letter}`);
  for (const TableName of names.toReversed()) await db.createTable({ TableName, ...good });
  const first = await db.listTables({ ExclusiveStartTableName: prefix, Limit: 2 });
  assert.deepEqual(first.TableNames, names.slice(0, 2));
  assert.equal(first.LastEvaluatedTableName, names[1]);
  const second = await db.listTables({ ExclusiveStartTableName: first.LastEvaluatedTableName, Limit: 3 });
  assert.deepEqual(second.TableNames, names.slice(2));
});

test('ListTables refuses limits outside 1 to 100', async () => {
  await invalid(db.listTables({ Limit: 0 }), "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1");
  await invalid(db.listTables({ Limit: 101 }), "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100");
});

test('UpdateTable switches billing both ways', async () => {
  const TableName = await createTable();
  await db.updateTable({ TableName, BillingMode: 'PROVISIONED', ...throughput(7, 8) });
  let Table = await active(TableName);
  assert.deepEqual([Table.ProvisionedThroughput.ReadCapacityUnits, Table.ProvisionedThroughput.WriteCapacityUnits], [7, 8]);
  await db.updateTable({ TableName, ...throughput(9, 8) });
  Table = await active(TableName);
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 9);
  await db.updateTable({ TableName, BillingMode: 'PAY_PER_REQUEST' });
  Table = await active(TableName);
  assert.equal(Table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 0);
});

test('UpdateTable refuses what makes no sense', async () => {
  const TableName = await createTable();
  await invalid(db.updateTable({ TableName }), /^At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required$/);
  await invalid(db.updateTable({ TableName, ...throughput(1, 1) }), `${bad}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`);
  await invalid(db.updateTable({ TableName, BillingMode: 'PROVISIONED' }), `${bad}ProvisionedThroughput must be specified when BillingMode is PROVISIONED`);
});

test('deletion protection refuses DeleteTable until it is lifted', async () => {
  const TableName = await createTable('pk:S', { DeletionProtectionEnabled: true });
  assert.equal((await db.describeTable({ TableName })).Table.DeletionProtectionEnabled, true);
  await invalid(db.deleteTable({ TableName }), /Resource cannot be deleted as it is currently protected against deletion\. Disable deletion protection first\.$/);
  await db.updateTable({ TableName, DeletionProtectionEnabled: false });
  await active(TableName);
  await db.deleteTable({ TableName });
});

// --------------------------------------------------------------------------------------- tags and TTL

test('tags are set at creation, added, replaced, removed and listed', async () => {
  const TableName = await createTable('pk:S', { Tags: [{ Key: 'env', Value: 'dev' }] });
  const ResourceArn = (await db.describeTable({ TableName })).Table.TableArn;
  const tags = async () => Object.fromEntries((await db.listTagsOfResource({ ResourceArn })).Tags.map((t) => [t.Key, t.Value]));
  assert.deepEqual(await tags(), { env: 'dev' });
  await db.tagResource({ ResourceArn, Tags: [{ Key: 'env', Value: 'prod' }, { Key: 'Name', Value: '' }] });
  assert.deepEqual(await tags(), { env: 'prod', Name: '' });
  await db.untagResource({ ResourceArn, TagKeys: ['env', 'never-there'] });
  assert.deepEqual(await tags(), { Name: '' });
});

test('tag calls on what is not a table', async () => {
  const Tags = [{ Key: 'k', Value: 'v' }];
  const missing = arn(unique('missing'));
  await fails(db.tagResource({ ResourceArn: missing, Tags }), 'ResourceNotFoundException', `Requested resource not found: ResourcArn: ${missing} not found`);
  await invalid(db.tagResource({ ResourceArn: 'nope', Tags }), /Invalid TableArn: Invalid ResourceArn provided as input nope/);
});

test('ListTagsOfResource of a missing table of our account', differs('answers as for another account'), async () => {
  const missing = arn(unique('missing'));
  await fails(db.listTagsOfResource({ ResourceArn: missing }), 'ResourceNotFoundException', `Requested resource not found: ResourcArn: ${missing} not found`);
});

test('UpdateTimeToLive enables, and DescribeTimeToLive tells', async () => {
  const TableName = await createTable();
  assert.deepEqual((await db.describeTimeToLive({ TableName })).TimeToLiveDescription, { TimeToLiveStatus: 'DISABLED' });
  const { TimeToLiveSpecification } = await db.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } });
  assert.deepEqual(TimeToLiveSpecification, { AttributeName: 'ttl', Enabled: true });
  assert.deepEqual((await db.describeTimeToLive({ TableName })).TimeToLiveDescription, { TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
  await db.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: false } });
  assert.deepEqual((await db.describeTimeToLive({ TableName })).TimeToLiveDescription, { TimeToLiveStatus: 'DISABLED' });
});

test('UpdateTimeToLive is not idempotent', differs('takes a repetition'), async () => {
  const TableName = await createTable();
  const set = (AttributeName, Enabled) => db.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName, Enabled } });
  await invalid(set('ttl', false), 'TimeToLive is already disabled');
  await set('ttl', true);
  await invalid(set('ttl', true), 'TimeToLive is already enabled');
  await invalid(set('other', true), 'TimeToLive is active on a different AttributeName: current AttributeName is ttl');
});

// ------------------------------------------------------------------ what Terraform's aws provider reads

test('DescribeContinuousBackups: backups on, point-in-time recovery off', ours, async () => {
  const { ContinuousBackupsDescription } = await db.describeContinuousBackups({ TableName: await createTable() });
  assert.equal(ContinuousBackupsDescription.ContinuousBackupsStatus, 'ENABLED');
  assert.equal(ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus, 'DISABLED');
  await fails(db.describeContinuousBackups({ TableName: 'missing-table' }), 'TableNotFoundException', /Table not found: missing-table/);
});

test('DescribeTableReplicaAutoScaling: a table without replicas', ours, async () => {
  const TableName = await createTable();
  const { TableAutoScalingDescription } = await db.describeTableReplicaAutoScaling({ TableName });
  assert.equal(TableAutoScalingDescription.TableName, TableName);
  assert.equal(TableAutoScalingDescription.TableStatus, 'ACTIVE');
  assert.deepEqual(TableAutoScalingDescription.Replicas ?? [], []);
});

test('DescribeContributorInsights: disabled', ours, async () => {
  const TableName = await createTable();
  const insights = await db.describeContributorInsights({ TableName });
  assert.equal(insights.TableName, TableName);
  assert.equal(insights.ContributorInsightsStatus, 'DISABLED');
});

test('DescribeKinesisStreamingDestination: none', ours, async () => {
  const TableName = await createTable();
  const answer = await db.describeKinesisStreamingDestination({ TableName });
  assert.equal(answer.TableName, TableName);
  assert.deepEqual(answer.KinesisDataStreamDestinations, []);
});

test('GetResourcePolicy: PolicyNotFoundException', ours, async () => {
  await fails(db.getResourcePolicy({ ResourceArn: arn(await createTable()) }), 'PolicyNotFoundException');
});

test('DescribeLimits and DescribeEndpoints answer in DynamoDB\'s shape', ours, async () => {
  const limits = await db.describeLimits({});
  for (const name of ['AccountMaxReadCapacityUnits', 'AccountMaxWriteCapacityUnits', 'TableMaxReadCapacityUnits', 'TableMaxWriteCapacityUnits']) {
    assert.ok(limits[name] >= 10_000, name);
  }
  const { Endpoints } = await db.describeEndpoints({});
  assert.equal(Endpoints.length, 1);
  assert.ok(Endpoints[0].Address.length > 0);
  assert.equal(Endpoints[0].CachePeriodInMinutes, 1440);
});

test('an operation that is not there answers UnknownOperationException', async () => {
  for (const operation of ['Nope', '', 'putitem', 'CreateTable2']) {
    const answer = await call(operation, {});
    assert.equal(answer.status, 400);
    assert.equal(answer.json.__type, 'com.amazon.coral.service#UnknownOperationException');
  }
});

test('a missing or foreign X-Amz-Target is an unknown operation too', async () => {
  for (const target of ['DynamoDB_20111205.PutItem', 'PutItem', 'DynamoDB_20120810', 'Kinesis_20131202.PutRecord']) {
    const answer = await call('x', {}, { headers: { 'x-amz-target': target } });
    refused(answer, 'UnknownOperationException');
  }
});
