// Recovery to a point in time and backups (P8): the calls of the SDK, what they answer, and what comes back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { N, S, active, ahead, clientConfig, createTable, db, fails, fill, ours, pages, sleep, startServer, unique, until } from './harness.mjs';

const enable = (TableName, more = {}, client = db) =>
  client.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, ...more } });
const all = async (TableName, more = {}) =>
  (await pages('scan', { TableName, ...more })).items.map((item) => JSON.stringify(Object.entries(item).sort())).sort();
const available = (BackupArn, client = db) =>
  until(`${BackupArn} is AVAILABLE`, async () => {
    const { BackupDescription } = await client.describeBackup({ BackupArn });
    return BackupDescription.BackupDetails.BackupStatus === 'AVAILABLE' && BackupDescription;
  });

test('P8: continuous backups are described, switched on with a period, and off', async () => {
  const TableName = await createTable('pk:S');
  const describe = async () => (await db.describeContinuousBackups({ TableName })).ContinuousBackupsDescription;
  assert.deepEqual(await describe(), { ContinuousBackupsStatus: 'ENABLED', PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' } });
  const before = Date.now();
  const { ContinuousBackupsDescription } = await enable(TableName);
  const on = ContinuousBackupsDescription.PointInTimeRecoveryDescription;
  assert.equal(on.PointInTimeRecoveryStatus, 'ENABLED');
  assert.equal(on.RecoveryPeriodInDays, 35);
  assert.ok(on.EarliestRestorableDateTime >= before - 2 && on.EarliestRestorableDateTime <= on.LatestRestorableDateTime);
  await enable(TableName, { RecoveryPeriodInDays: 7 });
  const changed = (await describe()).PointInTimeRecoveryDescription;
  assert.equal(changed.RecoveryPeriodInDays, 7);
  assert.deepEqual(changed.EarliestRestorableDateTime, on.EarliestRestorableDateTime);
  await fails(enable(TableName, { RecoveryPeriodInDays: 36 }), 'ValidationException');
  await fails(enable(TableName, { RecoveryPeriodInDays: 0 }), 'ValidationException');
  await fails(enable(unique()), 'TableNotFoundException');
  await db.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } });
  assert.equal((await describe()).PointInTimeRecoveryDescription.PointInTimeRecoveryStatus, 'DISABLED');
});

test('P8: a table comes back as it was at a second, with its indexes, into a new table', ours, async () => {
  const SourceTableName = await createTable('pk:S sk:N', {
    gsi: { byOwner: 'owner:S sk:N', keys: 'owner:S' }, lsi: { byAt: 'pk:S at:N' }, projection: { keys: 'KEYS_ONLY' },
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' }, Tags: [{ Key: 'k', Value: 'v' }],
  });
  const TableName = SourceTableName;
  await enable(TableName);
  const item = (i, v) => ({ pk: S(`p${i % 7}`), sk: N(i), owner: S(`o${i % 3}`), at: N(-i), v: S(v) });
  await fill(TableName, Array.from({ length: 200 }, (_, i) => item(i, 'first')));
  const expected = await all(TableName);
  await sleep(1100 - (Date.now() % 1000)); // to the next whole second: the wire carries no less
  const RestoreDateTime = new Date(Math.floor(Date.now() / 1000) * 1000);
  await sleep(20);
  for (let i = 0; i < 60; i++) await db.putItem({ TableName, Item: item(i, 'second') });
  for (let i = 100; i < 150; i++) await db.deleteItem({ TableName, Key: { pk: S(`p${i % 7}`), sk: N(i) } });
  await fill(TableName, Array.from({ length: 100 }, (_, i) => item(1000 + i, 'new')));
  const TargetTableName = unique('restored');
  const { TableDescription } = await db.restoreTableToPointInTime({ SourceTableName, TargetTableName, RestoreDateTime });
  assert.equal(TableDescription.TableStatus, 'CREATING');
  assert.deepEqual(TableDescription.RestoreSummary.RestoreDateTime, RestoreDateTime);
  assert.equal(TableDescription.RestoreSummary.RestoreInProgress, true);
  const table = await active(TargetTableName);
  const source = (await db.describeTable({ TableName })).Table;
  assert.equal(table.RestoreSummary.SourceTableArn, source.TableArn);
  assert.equal(table.RestoreSummary.RestoreInProgress, false);
  assert.equal(table.ItemCount, 200);
  assert.deepEqual(table.KeySchema, source.KeySchema);
  assert.deepEqual(table.GlobalSecondaryIndexes.map((i) => [i.IndexName, i.ItemCount]), [['byOwner', 200], ['keys', 200]]);
  assert.equal(table.StreamSpecification, undefined, 'streams are not restored');
  assert.deepEqual((await db.listTagsOfResource({ ResourceArn: table.TableArn })).Tags, []);
  assert.deepEqual(await all(TargetTableName), expected);
  assert.deepEqual(await all(TargetTableName, { IndexName: 'byOwner' }), expected);
  assert.deepEqual(await all(TargetTableName, { IndexName: 'byAt' }), expected);
  const newest = await db.query({ TableName: TargetTableName, IndexName: 'byOwner', ScanIndexForward: false, Limit: 2, KeyConditionExpression: '#o = :o', ExpressionAttributeNames: { '#o': 'owner' }, ExpressionAttributeValues: { ':o': S('o1') } });
  assert.deepEqual(newest.Items.map((i) => i.sk.N), ['199', '196']);

  const latest = unique('latest');
  const wanted = { IndexName: 'keys', KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }], Projection: { ProjectionType: 'KEYS_ONLY' } };
  await db.restoreTableToPointInTime({
    SourceTableArn: source.TableArn, TargetTableName: latest, UseLatestRestorableTime: true, GlobalSecondaryIndexOverride: [wanted], LocalSecondaryIndexOverride: [],
    BillingModeOverride: 'PROVISIONED', ProvisionedThroughputOverride: { ReadCapacityUnits: 3, WriteCapacityUnits: 4 },
  }).then(() => assert.fail('the index has no throughput'), (error) => assert.equal(error.name, 'ValidationException'));
  await db.restoreTableToPointInTime({ SourceTableArn: source.TableArn, TargetTableName: latest, UseLatestRestorableTime: true, GlobalSecondaryIndexOverride: [wanted], LocalSecondaryIndexOverride: [] });
  const made = await active(latest);
  assert.deepEqual(made.GlobalSecondaryIndexes.map((i) => i.IndexName), ['keys']);
  assert.equal(made.LocalSecondaryIndexes, undefined);
  assert.deepEqual(made.AttributeDefinitions.map((a) => a.AttributeName).sort(), ['owner', 'pk', 'sk']);
  assert.deepEqual(await all(latest), await all(TableName));
});

test('what is wrong with a restore is said', ours, async () => {
  const SourceTableName = await createTable('pk:S');
  const TargetTableName = unique();
  const latest = { SourceTableName, TargetTableName, UseLatestRestorableTime: true };
  await fails(db.restoreTableToPointInTime(latest), 'PointInTimeRecoveryUnavailableException');
  await enable(SourceTableName);
  await fails(db.restoreTableToPointInTime({ ...latest, SourceTableName: unique() }), 'TableNotFoundException');
  await fails(db.restoreTableToPointInTime({ ...latest, TargetTableName: SourceTableName }), 'TableAlreadyExistsException');
  await fails(db.restoreTableToPointInTime({ SourceTableName, TargetTableName, RestoreDateTime: new Date(Date.now() - 86400_000) }), 'InvalidRestoreTimeException');
  await fails(db.restoreTableToPointInTime({ SourceTableName, TargetTableName, RestoreDateTime: new Date(Date.now() + 60_000) }), 'InvalidRestoreTimeException');
  await fails(db.restoreTableToPointInTime({ SourceTableName, TargetTableName }), 'ValidationException');
  await fails(db.restoreTableToPointInTime({ ...latest, TargetTableName: 'a b' }), 'ValidationException');
  const GlobalSecondaryIndexOverride = [{ IndexName: 'other', KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' } }];
  await fails(db.restoreTableToPointInTime({ ...latest, GlobalSecondaryIndexOverride }), 'ValidationException', /is not in the source/);
});

test('backups are made, described, listed, restored and deleted', ours, async () => {
  const TableName = await createTable('pk:S', { gsi: { byOwner: 'owner:S' } });
  await fill(TableName, Array.from({ length: 150 }, (_, i) => ({ pk: S(`k${i}`), owner: S(`o${i % 5}`) })));
  const expected = await all(TableName);
  const { BackupDetails } = await db.createBackup({ TableName, BackupName: 'nightly' });
  assert.match(BackupDetails.BackupStatus, /CREATING|AVAILABLE/);
  assert.equal(BackupDetails.BackupType, 'USER');
  await db.putItem({ TableName, Item: { pk: S('later') } });
  const { BackupArn } = BackupDetails;
  const description = await available(BackupArn);
  assert.equal(description.SourceTableDetails.TableName, TableName);
  assert.equal(description.SourceTableDetails.ItemCount, 150);
  assert.equal(description.SourceTableDetails.BillingMode, 'PAY_PER_REQUEST');
  assert.deepEqual(description.SourceTableDetails.KeySchema, [{ AttributeName: 'pk', KeyType: 'HASH' }]);
  assert.deepEqual(description.SourceTableFeatureDetails.GlobalSecondaryIndexes.map((i) => i.IndexName), ['byOwner']);

  const second = (await db.createBackup({ TableName, BackupName: 'second' })).BackupDetails.BackupArn;
  await available(second);
  const names = async (more) => (await db.listBackups({ TableName, ...more })).BackupSummaries.map((b) => b.BackupName);
  assert.deepEqual(await names(), ['nightly', 'second']);
  const page = await db.listBackups({ TableName, Limit: 1 });
  assert.equal(page.LastEvaluatedBackupArn, BackupArn);
  assert.deepEqual(await names({ ExclusiveStartBackupArn: page.LastEvaluatedBackupArn }), ['second']);
  assert.deepEqual(await names({ BackupType: 'SYSTEM' }), []);
  assert.deepEqual(await names({ TimeRangeLowerBound: new Date(Date.now() + 60_000) }), []);

  await db.deleteTable({ TableName });
  const TargetTableName = unique('restored');
  await db.restoreTableFromBackup({ BackupArn, TargetTableName });
  const { RestoreSummary } = await active(TargetTableName);
  assert.equal(RestoreSummary.SourceBackupArn, BackupArn);
  assert.deepEqual(await all(TargetTableName), expected);
  assert.deepEqual(await all(TargetTableName, { IndexName: 'byOwner' }), expected);
  await fails(db.restoreTableFromBackup({ BackupArn, TargetTableName }), 'TableAlreadyExistsException');

  const gone = await db.deleteBackup({ BackupArn });
  assert.equal(gone.BackupDescription.BackupDetails.BackupStatus, 'DELETED');
  await fails(db.describeBackup({ BackupArn }), 'BackupNotFoundException');
  await fails(db.deleteBackup({ BackupArn }), 'BackupNotFoundException');
  await fails(db.restoreTableFromBackup({ BackupArn, TargetTableName: unique() }), 'BackupNotFoundException');
  await fails(db.createBackup({ TableName: unique(), BackupName: 'none' }), 'TableNotFoundException');
  await fails(db.createBackup({ TableName: TargetTableName, BackupName: 'a b' }), 'ValidationException');
});

test('a deleted table with recovery leaves a backup for 35 days', ours, async () => {
  let server = await startServer();
  let client = new DynamoDB(clientConfig({ endpoint: server.endpoint }));
  const TableName = await createTable('pk:S', { client });
  await enable(TableName, {}, client);
  await client.putItem({ TableName, Item: { pk: S('a') } });
  assert.equal((await client.deleteTable({ TableName })).TableDescription.TableStatus, 'DELETING');
  await until('the table is gone', async () => (await client.listTables({})).TableNames.length === 0);
  const [backup] = (await client.listBackups({ BackupType: 'SYSTEM' })).BackupSummaries;
  assert.equal(backup.BackupName, `${TableName}$DeletedTableBackup`);
  assert.equal(Math.round((backup.BackupExpiryDateTime - backup.BackupCreationDateTime) / 86400_000), 35);
  await client.restoreTableFromBackup({ BackupArn: backup.BackupArn, TargetTableName: TableName });
  await active(TableName, client);
  assert.deepEqual((await client.scan({ TableName })).Items, [{ pk: S('a') }]);
  for (const [days, count] of [[34, 1], [36, 0]]) {
    await server.stop();
    server = await startServer({ data: server.data, env: ahead(days * 86400) });
    client = new DynamoDB(clientConfig({ endpoint: server.endpoint }));
    await until(`${count} backups after ${days} days`, async () => (await client.listBackups({})).BackupSummaries.length === count);
  }
  await server.stop();
});

test('P8: the jobs of a photo editor can be had again as they were on any of the last 35 days, and from a backup a year later', ours, async () => {
  const day_s = 86_400;
  const TableName = 'photoeditor-dev-jobs';
  const contracts = fileURLToPath(new URL('../../contracts', import.meta.url));
  let server = await startServer({ args: ['--contracts', contracts] });
  let client = new DynamoDB(clientConfig({ endpoint: server.endpoint }));
  const after = async (days) => {
    await server.stop();
    server = await startServer({ data: server.data, env: ahead(days * day_s) });
    client = new DynamoDB(clientConfig({ endpoint: server.endpoint }));
  };
  const put = (jobId, provider) => client.putItem({ TableName, Item: { jobId: S(jobId), userId: S('u'), fileSize: N(1), fileType: S('image/png'), provider: S(provider) } });
  const restored = async (RestoreDateTime) => {
    const TargetTableName = unique('restored');
    await client.restoreTableToPointInTime({ SourceTableName: TableName, TargetTableName, RestoreDateTime });
    await active(TargetTableName, client);
    return (await client.scan({ TableName: TargetTableName })).Items.map((item) => `${item.jobId.S} ${item.provider.S}`).sort();
  };
  const recovery = async () => (await client.describeContinuousBackups({ TableName })).ContinuousBackupsDescription.PointInTimeRecoveryDescription;
  assert.deepEqual([(await recovery()).PointInTimeRecoveryStatus, (await recovery()).RecoveryPeriodInDays], ['ENABLED', 35]);

  await put('one', 'stub');
  await put('two', 'stub');
  const { BackupArn } = (await client.createBackup({ TableName, BackupName: 'for-a-year' })).BackupDetails;
  await available(BackupArn, client);
  await sleep(1100);
  const first = new Date(Math.floor(Date.now() / 1000) * 1000);
  await after(20);
  await put('one', 'gemini');
  await put('three', 'stub');
  await client.deleteItem({ TableName, Key: { jobId: S('two') } });
  await after(34);
  assert.deepEqual(await restored(first), ['one stub', 'two stub']);
  assert.deepEqual(await restored(new Date(first.getTime() + 21 * day_s * 1000)), ['one gemini', 'three stub']);
  await after(36);
  const earliest = (await recovery()).EarliestRestorableDateTime;
  assert.ok(Math.abs(earliest - (Date.now() + day_s * 1000)) < 120_000, `${earliest}: 35 days before the 36th`);
  await fails(client.restoreTableToPointInTime({ SourceTableName: TableName, TargetTableName: unique(), RestoreDateTime: first }), 'InvalidRestoreTimeException');
  assert.deepEqual(await restored(new Date(first.getTime() + 21 * day_s * 1000)), ['one gemini', 'three stub']);

  await after(366);
  const { BackupDetails } = (await client.describeBackup({ BackupArn })).BackupDescription;
  assert.deepEqual([BackupDetails.BackupStatus, BackupDetails.BackupExpiryDateTime], ['AVAILABLE', undefined], 'nobody takes it away but its owner');
  const TargetTableName = unique('restored');
  await client.restoreTableFromBackup({ BackupArn, TargetTableName });
  await active(TargetTableName, client);
  assert.deepEqual((await client.scan({ TableName: TargetTableName })).Items.map((item) => item.jobId.S).sort(), ['one', 'two']);
  await client.deleteBackup({ BackupArn });
  await fails(client.describeBackup({ BackupArn }), 'BackupNotFoundException');
  await server.stop();
});
