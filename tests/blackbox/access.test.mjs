// Tenants (A10): keys with policies. One project's key cannot read or write another's items, through any operation
// of any service, any index, any stream; what is denied leaves nothing behind and does not tell what is there. The
// tables are laid out as document 003 has them: jobs and assets under PROJECT#id, steps under JOB#id with a project_id.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ApplicationAutoScaling } from '@aws-sdk/client-application-auto-scaling';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams';
import { SQS } from '@aws-sdk/client-sqs';
import { N, S, active, clientConfig, fails, freePort, ours, pages, runBinary, scratchDir, startServer, tableShape, until } from './harness.mjs';

const ASSETS = 'asset_creator'; // items of all projects; limits by partition key and by attribute
const NOTES = 'notes'; // limits by partition key alone
const SECRETS = 'secrets'; // in no policy but the root's
const account = '000000000000';
const tableArn = (name) => `arn:aws:dynamodb:us-east-1:${account}:table/${name}`;
const queueArn = (name) => `arn:aws:sqs:us-east-1:${account}:${name}`;

const policies = {
  project: [
    { tables: [ASSETS], contracts: ['asset-creator'], verbs: ['read', 'write'], partition_keys: ['PROJECT#{tenant}'] },
    { tables: [ASSETS], contracts: ['asset-creator'], verbs: ['read', 'write'], partition_keys: ['JOB#*'], attributes: { project_id: ['{tenant}'] } },
    { tables: [NOTES], verbs: ['read', 'write'], partition_keys: ['{tenant}', '{tenant}#*'] },
    { tables: ['styles'], verbs: ['read'] },
    { tables: ['{tenant}-*'], queues: ['{tenant}-*'], verbs: ['read', 'write', 'admin'] },
  ],
  watcher: [{ tables: [ASSETS], queues: ['prj_001-*'], verbs: ['read'], partition_keys: ['PROJECT#{tenant}'] }],
  sender: { queues: ['prj_001-*'], verbs: ['write'] },
};
const key = (id, more) => ({ id, secret: `secret-of-${id}-0123456789`, ...more });
const keys = [
  key('ROOT'),
  key('ONE', { tenant: 'prj_001', policy: 'project' }),
  key('TWO', { tenant: 'prj_002', policy: 'project' }),
  key('LONG', { tenant: 'prj_0010', policy: 'project' }), // its name begins with another's
  key('WATCHER', { tenant: 'prj_001', policy: 'watcher' }),
  key('SENDER', { policy: 'sender' }),
  key('ALL', { policy: { tables: ['*'], queues: ['*'], verbs: ['read', 'write', 'admin'] } }),
];

let server;
let buckets;
const clients = {};
const clientsOf = (id) => {
  const { secret } = keys.find((one) => one.id === id);
  const config = clientConfig({ endpoint: server.endpoint, credentials: { accessKeyId: id, secretAccessKey: secret } });
  return { db: new DynamoDB(config), streams: new DynamoDBStreams(config), scaling: new ApplicationAutoScaling(config), sqs: new SQS(config) };
};
const writeKeys = (file, content) => writeFileSync(file, JSON.stringify(content), { mode: 0o600 });

before(async () => {
  if (ours.skip) return;
  const dir = scratchDir();
  buckets = join(dir, 'buckets');
  mkdirSync(join(buckets, 'exports'), { recursive: true });
  writeKeys(join(dir, 'keys.json'), { policies, keys });
  server = await startServer({ args: ['--keys', join(dir, 'keys.json'), '--buckets', buckets] });
  for (const { id } of keys) clients[id.toLowerCase()] = clientsOf(id);
  const { db, sqs } = clients.root;
  const gsi = { GSI1: 'GSI1PK:S GSI1SK:S', GSI2: 'GSI2PK:S GSI2SK:S', Thin: 'GSI1PK:S SK:S' };
  await db.createTable({
    TableName: ASSETS, BillingMode: 'PAY_PER_REQUEST', ...tableShape('PK:S SK:S', { gsi, lsi: { ByName: 'PK:S name:S' }, projection: { Thin: 'KEYS_ONLY', GSI2: ['status'] } }),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  await db.createTable({ TableName: NOTES, BillingMode: 'PAY_PER_REQUEST', ...tableShape('owner:S at:N'), StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } });
  await db.createTable({ TableName: SECRETS, BillingMode: 'PAY_PER_REQUEST', ...tableShape('pk:S') });
  await db.createTable({ TableName: 'styles', BillingMode: 'PAY_PER_REQUEST', ...tableShape('pk:S') });
  await db.createTable({ TableName: 'prj_001-own', BillingMode: 'PAY_PER_REQUEST', ...tableShape('pk:S') });
  for (const name of [ASSETS, NOTES, SECRETS, 'styles', 'prj_001-own']) await active(name, db);
  await db.updateContinuousBackups({ TableName: ASSETS, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
  for (const project of ['prj_001', 'prj_002', 'prj_0010']) {
    for (let i = 0; i < 10; ++i) await db.putItem({ TableName: ASSETS, Item: job(project, i) });
    for (let i = 0; i < 10; ++i) await db.putItem({ TableName: ASSETS, Item: step(project, i) });
    await db.putItem({ TableName: NOTES, Item: { owner: S(project), at: N(1), text: S(`of ${project}`) } });
    await db.putItem({ TableName: NOTES, Item: { owner: S(`${project}#drafts`), at: N(1), text: S(`draft of ${project}`) } });
  }
  await db.putItem({ TableName: SECRETS, Item: { pk: S('a'), secret: S('hush') } });
  await db.putItem({ TableName: 'styles', Item: { pk: S('noir') } });
  await db.putItem({ TableName: 'prj_001-own', Item: { pk: S('mine') } });
  await sqs.createQueue({ QueueName: 'prj_001-dead' });
  await sqs.createQueue({ QueueName: 'prj_001-work', Attributes: { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queueArn('prj_001-dead'), maxReceiveCount: 3 }) } });
  await sqs.createQueue({ QueueName: 'prj_002-work' });
  await sqs.sendMessage({ QueueUrl: url('prj_001-work'), MessageBody: 'first' });
});
after(() => server?.stop());

const url = (name) => `${server.endpoint}/${account}/${name}`;
const job = (project, i) => ({ PK: S(`PROJECT#${project}`), SK: S(`JOB#${i}`), name: S(`job ${i}`), status: S('running'), GSI1PK: S('JOB_STATUS#running'), GSI1SK: S(`2026-01-0${i % 10}#${project}`) });
const step = (project, i) => ({ PK: S(`JOB#${project}-${i}`), SK: S('STEP#refine#1'), project_id: S(project), status: S('paused'), GSI2PK: S('STEP_STATUS#paused'), GSI2SK: S(`2026-01-0${i % 10}#${project}`) });
const jobKey = (project, i) => ({ PK: S(`PROJECT#${project}`), SK: S(`JOB#${i}`) });
const stepKey = (project, i) => ({ PK: S(`JOB#${project}-${i}`), SK: S('STEP#refine#1') });
const noteKey = (owner) => ({ owner: S(owner), at: N(1) });

const denial = (id, action, resource) => `User: arn:aws:iam::${account}:user/${id} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
const denied = (promise, id, action, resource) => fails(promise, 'AccessDeniedException', action ? denial(id, action, resource) : /is not authorized to perform: /);
const sqsDenied = (promise, pattern = /is not authorized to perform: sqs:/) =>
  promise.then(
    () => assert.fail('expected AccessDenied, but the call succeeded'),
    (error) => (assert.match(`${error.name} ${error.Code ?? ''}`, /AccessDenied/), assert.match(error.message, pattern)),
  );

const projectsIn = (items) => [...new Set(items.map((item) => item.project_id?.S ?? item.PK.S.replace(/^(PROJECT#|JOB#)/, '').replace(/-\d+$/, '')))].sort();

// All that is kept, as the root sees it.
async function everything() {
  const { db, sqs } = clients.root;
  const { TableNames } = await db.listTables({});
  const tables = {};
  for (const TableName of TableNames) {
    const { items } = await pages('scan', { TableName }, { client: db });
    const { Table } = await db.describeTable({ TableName });
    const { Tags } = await db.listTagsOfResource({ ResourceArn: Table.TableArn });
    tables[TableName] = { items: items.map((item) => JSON.stringify(item)).sort(), status: Table.TableStatus, indexes: Table.GlobalSecondaryIndexes?.length, stream: Table.LatestStreamLabel, Tags, ttl: (await db.describeTimeToLive({ TableName })).TimeToLiveDescription };
  }
  const { QueueUrls = [] } = await sqs.listQueues({});
  const queues = {};
  for (const QueueUrl of QueueUrls) {
    const { Attributes } = await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
    const { Tags } = await sqs.listQueueTags({ QueueUrl });
    queues[QueueUrl] = { ...Attributes, Tags };
  }
  return { tables, queues, backups: (await db.listBackups({})).BackupSummaries.length, exports: (await db.listExports({})).ExportSummaries.length };
}

// ------------------------------------------------------------------------------------- every operation there is

const setting = {};

// What TWO tries against what is ONE's or nobody's. Each must be denied, or answer as if nothing were there.
const empty = (field) => (answer) => assert.deepEqual(answer[field] ?? [], []);
const missing = (name) => ({ fails: name });
const other = { TableName: SECRETS };
const otherKey = { TableName: SECRETS, Key: { pk: S('a') } };
const attempts = {
  dynamodb: {
    BatchExecuteStatement: [{ Statements: [{ Statement: `SELECT * FROM "${SECRETS}" WHERE pk = 'a'` }] }, (answer) => assert.equal(answer.Responses[0].Error.Code, 'AccessDenied')],
    BatchGetItem: [{ RequestItems: { [SECRETS]: { Keys: [otherKey.Key] } } }],
    BatchWriteItem: [{ RequestItems: { [SECRETS]: [{ PutRequest: { Item: { pk: S('b') } } }] } }],
    CreateBackup: [{ TableName: ASSETS, BackupName: 'stolen' }],
    CreateTable: [{ TableName: 'prj_001-new', BillingMode: 'PAY_PER_REQUEST', ...tableShape('pk:S') }],
    DeleteBackup: [() => ({ BackupArn: setting.backupArn })],
    DeleteItem: [otherKey],
    DeleteTable: [{ TableName: ASSETS }],
    DescribeBackup: [() => ({ BackupArn: setting.backupArn }), missing('BackupNotFoundException')],
    DescribeContinuousBackups: [other],
    DescribeContributorInsights: [other],
    DescribeEndpoints: [{}, (answer) => assert.equal(answer.Endpoints.length, 1)],
    DescribeExport: [() => ({ ExportArn: setting.exportArn })],
    DescribeImport: [() => ({ ImportArn: setting.exportArn.replace('/export/', '/import/') })],
    DescribeKinesisStreamingDestination: [other],
    DescribeLimits: [{}, (answer) => assert.ok(answer.AccountMaxReadCapacityUnits)],
    DescribeTable: [other],
    DescribeTableReplicaAutoScaling: [other],
    DescribeTimeToLive: [other],
    ExecuteStatement: [{ Statement: `SELECT * FROM "${SECRETS}"` }],
    ExecuteTransaction: [{ TransactStatements: [{ Statement: `INSERT INTO "${SECRETS}" VALUE {'pk': 'b'}` }] }],
    ExportTableToPointInTime: [{ TableArn: tableArn(ASSETS), S3Bucket: 'exports' }],
    GetItem: [otherKey],
    GetResourcePolicy: [{ ResourceArn: tableArn(SECRETS) }],
    ImportTable: [{ S3BucketSource: { S3Bucket: 'exports' }, InputFormat: 'DYNAMODB_JSON', TableCreationParameters: { TableName: 'prj_002-taken', BillingMode: 'PAY_PER_REQUEST', ...tableShape('pk:S') } }],
    ListBackups: [{}, empty('BackupSummaries')],
    ListExports: [{}],
    ListImports: [{}],
    ListTables: [{}, (answer) => assert.deepEqual(answer.TableNames, [ASSETS, NOTES, 'styles'])],
    ListTagsOfResource: [{ ResourceArn: tableArn(SECRETS) }],
    PutItem: [{ ...other, Item: { pk: S('b') } }],
    Query: [{ ...other, KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: { ':a': S('a') } }],
    RestoreTableFromBackup: [() => ({ BackupArn: setting.backupArn, TargetTableName: 'prj_002-restored' })],
    RestoreTableToPointInTime: [{ SourceTableName: ASSETS, TargetTableName: 'prj_002-restored', UseLatestRestorableTime: true }],
    Scan: [other],
    TagResource: [{ ResourceArn: tableArn(ASSETS), Tags: [{ Key: 'a', Value: 'b' }] }],
    TransactGetItems: [{ TransactItems: [{ Get: otherKey }] }],
    TransactWriteItems: [{ TransactItems: [{ Delete: otherKey }] }],
    UntagResource: [{ ResourceArn: tableArn(ASSETS), TagKeys: ['a'] }],
    UpdateContinuousBackups: [{ TableName: ASSETS, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } }],
    UpdateItem: [{ ...otherKey, UpdateExpression: 'SET secret = :s', ExpressionAttributeValues: { ':s': S('told') } }],
    UpdateTable: [{ TableName: ASSETS, StreamSpecification: { StreamEnabled: false } }],
    UpdateTableReplicaAutoScaling: [{ TableName: ASSETS, ProvisionedWriteCapacityAutoScalingUpdate: { MinimumUnits: 1, MaximumUnits: 2 } }],
    UpdateTimeToLive: [{ TableName: ASSETS, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } }],
  },
  streams: {
    DescribeStream: [() => ({ StreamArn: setting.ownStreamArn })],
    GetRecords: [() => ({ ShardIterator: setting.ownIterator })],
    GetShardIterator: [() => ({ StreamArn: setting.ownStreamArn, ShardId: setting.ownShard, ShardIteratorType: 'TRIM_HORIZON' })],
    ListStreams: [{}, (answer) => assert.deepEqual(answer.Streams.map((stream) => stream.TableName), [ASSETS, NOTES])],
  },
  autoscaling: {
    DeleteScalingPolicy: [{ ...target(ASSETS), PolicyName: 'p' }],
    DeregisterScalableTarget: [target(ASSETS)],
    DescribeScalableTargets: [{ ServiceNamespace: 'dynamodb' }, empty('ScalableTargets')],
    DescribeScalingPolicies: [{ ServiceNamespace: 'dynamodb' }, empty('ScalingPolicies')],
    ListTagsForResource: [{ ResourceARN: `arn:aws:application-autoscaling:us-east-1:${account}:scalable-target/0000` }, missing('ResourceNotFoundException')],
    PutScalingPolicy: [{ ...target(ASSETS), PolicyName: 'p', PolicyType: 'TargetTrackingScaling', TargetTrackingScalingPolicyConfiguration: { TargetValue: 70, PredefinedMetricSpecification: { PredefinedMetricType: 'DynamoDBReadCapacityUtilization' } } }],
    RegisterScalableTarget: [{ ...target(ASSETS), MinCapacity: 1, MaxCapacity: 2 }],
  },
  sqs: {
    AddPermission: [() => ({ ...work(), Label: 'l', AWSAccountIds: ['111111111111'], Actions: ['*'] })],
    CancelMessageMoveTask: [{ TaskHandle: '01731742800123-1a2b3c4d' }, missing('ResourceNotFoundException')],
    ChangeMessageVisibility: [() => ({ ...work(), ReceiptHandle: setting.handle, VisibilityTimeout: 0 })],
    ChangeMessageVisibilityBatch: [() => ({ ...work(), Entries: [{ Id: 'a', ReceiptHandle: setting.handle, VisibilityTimeout: 0 }] })],
    CreateQueue: [{ QueueName: 'prj_001-more' }],
    DeleteMessage: [() => ({ ...work(), ReceiptHandle: setting.handle })],
    DeleteMessageBatch: [() => ({ ...work(), Entries: [{ Id: 'a', ReceiptHandle: setting.handle }] })],
    DeleteQueue: [work],
    GetQueueAttributes: [() => ({ ...work(), AttributeNames: ['All'] })],
    GetQueueUrl: [{ QueueName: 'prj_001-work' }],
    ListDeadLetterSourceQueues: [() => ({ QueueUrl: url('prj_001-dead') })],
    ListMessageMoveTasks: [{ SourceArn: queueArn('prj_001-dead') }],
    ListQueueTags: [work],
    ListQueues: [{}, (answer) => assert.deepEqual(answer.QueueUrls.map((one) => one.split('/').at(-1)), ['prj_002-work'])],
    PurgeQueue: [work],
    ReceiveMessage: [work],
    RemovePermission: [() => ({ ...work(), Label: 'l' })],
    SendMessage: [() => ({ ...work(), MessageBody: 'x' })],
    SendMessageBatch: [() => ({ ...work(), Entries: [{ Id: 'a', MessageBody: 'x' }] })],
    SetQueueAttributes: [() => ({ ...work(), Attributes: { DelaySeconds: '5' } })],
    StartMessageMoveTask: [{ SourceArn: queueArn('prj_001-dead') }],
    TagQueue: [() => ({ ...work(), Tags: { a: 'b' } })],
    UntagQueue: [() => ({ ...work(), TagKeys: ['a'] })],
  },
};
function work() {
  return { QueueUrl: url('prj_001-work') };
}
function target(name) {
  return { ServiceNamespace: 'dynamodb', ResourceId: `table/${name}`, ScalableDimension: 'dynamodb:table:ReadCapacityUnits' };
}
const clientNames = { dynamodb: 'db', streams: 'streams', autoscaling: 'scaling', sqs: 'sqs' };


// What the attempts are about, made by those who may.
async function makeSetting() {
  const { db, streams, sqs } = clients.root;
  const made = await db.createBackup({ TableName: ASSETS, BackupName: 'kept' });
  setting.backupArn = made.BackupDetails.BackupArn;
  await until('the backup is there', async () => (await db.describeBackup({ BackupArn: setting.backupArn })).BackupDescription.BackupDetails.BackupStatus === 'AVAILABLE');
  const exported = await db.exportTableToPointInTime({ TableArn: tableArn(ASSETS), S3Bucket: 'exports' });
  setting.exportArn = exported.ExportDescription.ExportArn;
  await until('the export is there', async () => (await db.describeExport({ ExportArn: setting.exportArn })).ExportDescription.ExportStatus === 'COMPLETED');
  await clients.one.db.updateTable({ TableName: 'prj_001-own', StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } });
  setting.ownStreamArn = (await db.describeTable({ TableName: 'prj_001-own' })).Table.LatestStreamArn;
  const { StreamDescription } = await streams.describeStream({ StreamArn: setting.ownStreamArn });
  setting.ownShard = StreamDescription.Shards[0].ShardId;
  setting.ownIterator = (await streams.getShardIterator({ StreamArn: setting.ownStreamArn, ShardId: setting.ownShard, ShardIteratorType: 'TRIM_HORIZON' })).ShardIterator;
  const { Messages } = await sqs.receiveMessage({ QueueUrl: url('prj_001-work'), VisibilityTimeout: 600 });
  setting.handle = Messages[0].ReceiptHandle;
}

test('A10: no operation of any service reaches what is another tenant’s, and none leaves a trace', ours, async () => {
  await makeSetting();
  const before = await everything();
  for (const [room, tried] of Object.entries(attempts)) {
    const source = readFileSync(new URL(`../../src/api/${room}/operations.cc`, import.meta.url), 'utf8');
    const listed = [...source.matchAll(/^ {4}\{"(\w+)", /gm)].map((match) => match[1]);
    assert.deepEqual(listed.filter((name) => !(name in tried)), [], `operations of ${room} that nobody tries: add them to the attempts`);
    for (const [name, [given, expected]] of Object.entries(tried)) {
      const request = typeof given === 'function' ? given() : given;
      const method = name[0].toLowerCase() + name.slice(1);
      const answer = clients.two[clientNames[room]][method](request);
      await (async () => {
        if (typeof expected === 'function') expected(await answer);
        else if (expected) await fails(answer, expected.fails);
        else if (room === 'sqs') await sqsDenied(answer);
        else await denied(answer);
      })().catch((error) => assert.fail(`${room} ${name}: ${error.message}`));
    }
  }
  assert.deepEqual(await everything(), before);
});

test('A10: the same operations are open to a key that may do everything', ours, async () => {
  const { db, streams, sqs, scaling } = clients.all;
  assert.equal((await db.scan({ TableName: SECRETS })).Count, 1);
  assert.equal((await db.listBackups({ TableName: ASSETS })).BackupSummaries.length, (await clients.root.db.listBackups({ TableName: ASSETS })).BackupSummaries.length);
  assert.ok((await db.listExports({})).ExportSummaries.length > 0);
  assert.ok((await streams.listStreams({})).Streams.length >= 2);
  assert.ok((await sqs.listQueues({})).QueueUrls.length >= 3);
  await scaling.describeScalableTargets({ ServiceNamespace: 'dynamodb' });
  assert.equal((await db.describeTable({ TableName: ASSETS })).Table.ItemCount, (await clients.root.db.describeTable({ TableName: ASSETS })).Table.ItemCount);
});

// ---------------------------------------------------------------------------------------------------- reads

test('A10: reads of one’s own items work, by key prefix and by attribute', ours, async () => {
  const { db } = clients.one;
  assert.equal((await db.getItem({ TableName: ASSETS, Key: jobKey('prj_001', 3) })).Item.name.S, 'job 3');
  assert.equal((await db.getItem({ TableName: ASSETS, Key: stepKey('prj_001', 3) })).Item.status.S, 'paused');
  assert.equal((await db.getItem({ TableName: NOTES, Key: noteKey('prj_001#drafts') })).Item.text.S, 'draft of prj_001');
  assert.equal((await db.getItem({ TableName: 'styles', Key: { pk: S('noir') } })).Item.pk.S, 'noir');
  const { Items } = await db.query({ TableName: ASSETS, KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': S('PROJECT#prj_001') } });
  assert.equal(Items.length, 10);
});

test('A10: GetItem, BatchGetItem and TransactGetItems do not show another’s items', ours, async () => {
  for (const id of ['two', 'long']) {
    const { db } = clients[id];
    // A key that can be nobody else's is denied; what depends on the item is not there.
    await denied(db.getItem({ TableName: NOTES, Key: noteKey('prj_001') }), id.toUpperCase(), 'dynamodb:GetItem', tableArn(NOTES));
    await denied(db.batchGetItem({ RequestItems: { [NOTES]: { Keys: [noteKey('prj_001'), noteKey(id === 'two' ? 'prj_002' : 'prj_0010')] } } }), id.toUpperCase(), 'dynamodb:BatchGetItem', tableArn(NOTES));
    await denied(db.transactGetItems({ TransactItems: [{ Get: { TableName: NOTES, Key: noteKey('prj_001') } }] }));
    await denied(db.getItem({ TableName: ASSETS, Key: jobKey('prj_001', 1) }));
    const Key = stepKey('prj_001', 1);
    assert.deepEqual((await db.getItem({ TableName: ASSETS, Key, ConsistentRead: true })).Item, undefined);
    assert.deepEqual((await db.batchGetItem({ RequestItems: { [ASSETS]: { Keys: [Key] } } })).Responses[ASSETS], []);
    assert.deepEqual((await db.transactGetItems({ TransactItems: [{ Get: { TableName: ASSETS, Key } }] })).Responses, [{}]);
  }
});

test('A10: Query and Scan of table and indexes show one’s own items alone, and count no others', ours, async () => {
  for (const [id, project] of [['one', 'prj_001'], ['two', 'prj_002'], ['long', 'prj_0010']]) {
    const { db } = clients[id];
    const scanned = await db.scan({ TableName: ASSETS, ReturnConsumedCapacity: 'TOTAL' });
    assert.equal(scanned.Count, 20);
    assert.equal(scanned.ScannedCount, 20);
    assert.deepEqual(projectsIn(scanned.Items), [project]);
    const alone = await clients.root.db.scan({ TableName: ASSETS, ReturnConsumedCapacity: 'TOTAL' });
    assert.ok(scanned.ConsumedCapacity.CapacityUnits < alone.ConsumedCapacity.CapacityUnits);
    for (const Select of ['COUNT', undefined]) {
      const byStatus = await db.query({ TableName: ASSETS, IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :p', ExpressionAttributeValues: { ':p': S('JOB_STATUS#running') }, Select });
      assert.equal(byStatus.Count, 10);
      assert.equal(byStatus.ScannedCount, 10);
      if (!Select) assert.deepEqual(projectsIn(byStatus.Items), [project]);
    }
    // The index does not hold project_id: the item itself is asked.
    const steps = await db.query({ TableName: ASSETS, IndexName: 'GSI2', KeyConditionExpression: 'GSI2PK = :p', ExpressionAttributeValues: { ':p': S('STEP_STATUS#paused') } });
    assert.equal(steps.Count, 10);
    assert.equal(steps.ScannedCount, 10);
    assert.deepEqual(projectsIn(steps.Items), [project]);
    const thin = await db.scan({ TableName: ASSETS, IndexName: 'Thin' });
    assert.deepEqual(projectsIn(thin.Items), [project]);
    assert.equal((await db.scan({ TableName: ASSETS, IndexName: 'GSI2', Select: 'COUNT' })).ScannedCount, 10);
    const another = await db.query({ TableName: ASSETS, KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': S(project === 'prj_001' ? 'PROJECT#prj_002' : 'PROJECT#prj_001') } });
    assert.deepEqual([another.Count, another.ScannedCount, another.LastEvaluatedKey], [0, 0, undefined]);
    const local = await db.query({ TableName: ASSETS, IndexName: 'ByName', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': S(project === 'prj_001' ? 'PROJECT#prj_002' : 'PROJECT#prj_001') } });
    assert.equal(local.ScannedCount, 0);
    assert.equal((await db.scan({ TableName: NOTES })).ScannedCount, 2);
  }
});

test('A10: a filter or a projection cannot ask about another’s items', ours, async () => {
  const { db } = clients.two;
  const found = await db.scan({ TableName: ASSETS, FilterExpression: 'project_id = :p OR begins_with(PK, :k)', ExpressionAttributeValues: { ':p': S('prj_001'), ':k': S('PROJECT#prj_001') } });
  assert.equal(found.Count, 0);
  assert.equal(found.ScannedCount, 20);
  // What a read shows of an item does not decide whether it may be read.
  const shown = await db.scan({ TableName: ASSETS, IndexName: 'GSI2', ProjectionExpression: 'GSI2SK' });
  assert.deepEqual(shown.Items.filter((item) => !item.GSI2SK.S.endsWith('prj_002')), []);
});

test('A10: pages go on over what is not shown, and no page ends at another’s item', ours, async () => {
  const { db } = clients.two;
  for (const request of [
    { TableName: ASSETS, Limit: 3 },
    { TableName: ASSETS, IndexName: 'GSI1', Limit: 3 },
    { TableName: ASSETS, IndexName: 'GSI2', Limit: 3 },
    { TableName: ASSETS, Limit: 3, Segment: 0, TotalSegments: 1 },
  ]) {
    const { pages: all, items } = await pages('scan', request, { client: db });
    assert.equal(items.length, request.IndexName ? 10 : 20);
    assert.deepEqual(projectsIn(items), ['prj_002']);
    for (const page of all) {
      assert.ok(page.ScannedCount <= 3);
      if (page.LastEvaluatedKey) assert.deepEqual(projectsIn([page.LastEvaluatedKey]), ['prj_002']);
    }
  }
  for (const ScanIndexForward of [true, false]) {
    const query = { TableName: ASSETS, IndexName: 'GSI2', Limit: 4, ScanIndexForward, KeyConditionExpression: 'GSI2PK = :p', ExpressionAttributeValues: { ':p': S('STEP_STATUS#paused') } };
    const { items } = await pages('query', query, { client: db });
    assert.equal(items.length, 10);
    assert.deepEqual(projectsIn(items), ['prj_002']);
  }
});

test('A10: DescribeTable tells no totals of a table that is shared', ours, async () => {
  const { Table } = await clients.two.db.describeTable({ TableName: ASSETS });
  assert.deepEqual([Table.ItemCount, Table.TableSizeBytes], [0, 0]);
  assert.ok(Table.GlobalSecondaryIndexes.every((index) => index.ItemCount === 0 && index.IndexSizeBytes === 0));
  assert.equal((await clients.one.db.describeTable({ TableName: 'prj_001-own' })).Table.ItemCount, 1);
});

// --------------------------------------------------------------------------------------------------- writes

const setName = (text) => ({ UpdateExpression: 'SET #n = :n', ExpressionAttributeNames: { '#n': 'name' }, ExpressionAttributeValues: { ':n': S(text) } });

test('A10: one’s own items can be put, updated and deleted', ours, async () => {
  const { db } = clients.one;
  const Item = { PK: S('PROJECT#prj_001'), SK: S('JOB#new'), name: S('n') };
  const { PK, SK } = Item;
  await db.putItem({ TableName: ASSETS, Item });
  assert.equal((await db.updateItem({ TableName: ASSETS, Key: { PK, SK }, ReturnValues: 'ALL_NEW', ...setName('m') })).Attributes.name.S, 'm');
  await db.deleteItem({ TableName: ASSETS, Key: { PK, SK } });
  await db.deleteItem({ TableName: ASSETS, Key: { PK, SK } });
  const mine = { PK: S('JOB#fresh'), SK: S('STEP#a#1'), project_id: S('prj_001') };
  await db.putItem({ TableName: ASSETS, Item: mine });
  await db.updateItem({ TableName: ASSETS, Key: { PK: mine.PK, SK: mine.SK }, ...setName('x') });
  await db.updateItem({ TableName: ASSETS, Key: { PK: S('JOB#fresh'), SK: S('STEP#b#1') }, UpdateExpression: 'SET project_id = :p', ExpressionAttributeValues: { ':p': S('prj_001') } });
  await db.batchWriteItem({ RequestItems: { [ASSETS]: [{ DeleteRequest: { Key: { PK: mine.PK, SK: mine.SK } } }, { DeleteRequest: { Key: { PK: mine.PK, SK: S('STEP#b#1') } } }] } });
  await db.transactWriteItems({ TransactItems: [{ Put: { TableName: ASSETS, Item } }, { Put: { TableName: ASSETS, Item: mine } }] });
  await db.transactWriteItems({ TransactItems: [{ Delete: { TableName: ASSETS, Key: { PK, SK } } }, { Delete: { TableName: ASSETS, Key: { PK: mine.PK, SK: mine.SK } } }] });
  assert.equal((await db.scan({ TableName: ASSETS })).Count, 20);
});

test('A10: no write changes, replaces, removes or makes an item that is another’s', ours, async () => {
  const before = await everything();
  const { db } = clients.two;
  for (const Key of [jobKey('prj_001', 1), stepKey('prj_001', 1)]) {
    const taken = { ...Key, project_id: S('prj_002') };
    const put = { TableName: ASSETS, Item: taken };
    const mine = { Put: { TableName: ASSETS, Item: { PK: S('PROJECT#prj_002'), SK: S('JOB#side') } } };
    const isStep = Key.PK.S.startsWith('JOB#');
    const writes = [
      () => db.updateItem({ TableName: ASSETS, Key, ...setName('stolen') }),
      () => db.updateItem({ TableName: ASSETS, Key, UpdateExpression: 'SET project_id = :p', ExpressionAttributeValues: { ':p': S('prj_002') } }),
      () => db.updateItem({ TableName: ASSETS, Key, UpdateExpression: 'REMOVE #n', ExpressionAttributeNames: { '#n': 'name' }, ReturnValues: 'ALL_OLD' }),
      () => db.updateItem({ TableName: ASSETS, Key, AttributeUpdates: { name: { Action: 'PUT', Value: S('stolen') } } }),
      () => db.deleteItem({ TableName: ASSETS, Key, ReturnValues: 'ALL_OLD' }),
      () => db.putItem(put),
      () => db.putItem({ ...put, ReturnValues: 'ALL_OLD' }),
      () => db.putItem({ TableName: ASSETS, Item: { ...Key, name: S('not mine') } }),
      () => db.batchWriteItem({ RequestItems: { [ASSETS]: [mine, put].map((one) => ({ PutRequest: { Item: (one.Put ?? one).Item } })) } }),
      () => db.batchWriteItem({ RequestItems: { [ASSETS]: [{ PutRequest: { Item: mine.Put.Item } }, { DeleteRequest: { Key } }] } }),
      () => db.transactWriteItems({ TransactItems: [mine, { Put: put }] }),
      () => db.transactWriteItems({ TransactItems: [mine, { Delete: { TableName: ASSETS, Key } }] }),
      () => db.transactWriteItems({ TransactItems: [mine, { Update: { TableName: ASSETS, Key, ...setName('stolen') } }] }),
      () => db.executeStatement({ Statement: `DELETE FROM "${ASSETS}" WHERE PK = ? AND SK = ?`, Parameters: [Key.PK, Key.SK] }),
      () => db.executeTransaction({ TransactStatements: [{ Statement: `DELETE FROM "${ASSETS}" WHERE PK = ? AND SK = ?`, Parameters: [Key.PK, Key.SK] }] }),
    ];
    for (const [i, write] of writes.entries()) await denied(write()).catch((error) => assert.fail(`write ${i} of ${isStep ? 'a step' : 'a job'}: ${error.message}`));
    const [{ Error: told }] = (await db.batchExecuteStatement({ Statements: [{ Statement: `DELETE FROM "${ASSETS}" WHERE PK = ? AND SK = ?`, Parameters: [Key.PK, Key.SK] }] })).Responses;
    assert.equal(told.Code, 'AccessDenied');
    assert.match(told.Message, /^User: arn:aws:iam::000000000000:user\/TWO is not authorized to perform: dynamodb:BatchExecuteStatement on resource: /);
  }
  await denied(db.putItem({ TableName: NOTES, Item: { ...noteKey('prj_001'), text: S('x') } }), 'TWO', 'dynamodb:PutItem', tableArn(NOTES));
  await denied(db.batchWriteItem({ RequestItems: { [NOTES]: [{ PutRequest: { Item: { owner: S('prj_002'), at: N(9) } } }, { PutRequest: { Item: { owner: S('prj_001'), at: N(9) } } }] } }), 'TWO', 'dynamodb:BatchWriteItem', tableArn(NOTES));
  await denied(clients.long.db.putItem({ TableName: NOTES, Item: { owner: S('prj_001'), at: N(9) } }));
  await denied(clients.one.db.putItem({ TableName: NOTES, Item: { owner: S('prj_0010'), at: N(9) } }));
  await denied(db.putItem({ TableName: 'styles', Item: { pk: S('mine') } }), 'TWO', 'dynamodb:PutItem', tableArn('styles'));
  assert.deepEqual(await everything(), before);
});

test('A10: nothing can be planted in another’s project', ours, async () => {
  const Item = { PK: S('PROJECT#prj_001'), SK: S('JOB#planted'), project_id: S('prj_002') };
  await denied(clients.two.db.putItem({ TableName: ASSETS, Item }), 'TWO', 'dynamodb:PutItem', tableArn(ASSETS));
  await denied(clients.two.db.putItem({ TableName: ASSETS, Item: { ...Item, PK: S('OUTBOX#1') } }));
  // A job's steps are told apart by their project alone: what another puts beside them is not seen.
  const beside = { PK: stepKey('prj_001', 1).PK, SK: S('STEP#planted#1'), project_id: S('prj_002') };
  await clients.two.db.putItem({ TableName: ASSETS, Item: beside });
  const { Count } = await clients.one.db.query({ TableName: ASSETS, KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': beside.PK } });
  assert.equal(Count, 1);
  await clients.two.db.deleteItem({ TableName: ASSETS, Key: { PK: beside.PK, SK: beside.SK } });
});

test('A10: one’s own item cannot be given away', ours, async () => {
  const { db } = clients.one;
  const before = await everything();
  const away = { UpdateExpression: 'SET project_id = :p', ExpressionAttributeValues: { ':p': S('prj_002') } };
  await denied(db.updateItem({ TableName: ASSETS, Key: stepKey('prj_001', 2), ...away }));
  await denied(db.updateItem({ TableName: ASSETS, Key: stepKey('prj_001', 2), UpdateExpression: 'REMOVE project_id' }));
  await denied(db.putItem({ TableName: ASSETS, Item: { ...stepKey('prj_001', 2), project_id: S('prj_002') } }));
  await denied(db.putItem({ TableName: ASSETS, Item: { ...stepKey('prj_001', 2), project_id: { L: [S('prj_001')] } } }));
  assert.deepEqual(await everything(), before);
});

// Two answers that differ in nothing but what names the request.
async function answersOf(promise) {
  return promise.then(
    ({ $metadata: _, ...answer }) => answer,
    (error) => ({ name: error.name, message: error.message, Item: error.Item, reasons: error.CancellationReasons }),
  );
}

test('A10: an answer does not tell whether another’s item is there', ours, async () => {
  const { db } = clients.two;
  const there = [jobKey('prj_001', 1), stepKey('prj_001', 1)];
  const absent = [{ PK: S('PROJECT#prj_001'), SK: S('JOB#77') }, { PK: S('JOB#prj_001-77'), SK: S('STEP#refine#1') }];
  const on = { TableName: ASSETS, ReturnConsumedCapacity: 'INDEXES' };
  const exists = { ConditionExpression: 'attribute_exists(PK)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
  const requests = [
    (Key) => db.getItem({ ...on, Key }),
    (Key) => db.batchGetItem({ RequestItems: { [ASSETS]: { Keys: [Key] } }, ReturnConsumedCapacity: 'INDEXES' }),
    (Key) => db.transactGetItems({ TransactItems: [{ Get: { TableName: ASSETS, Key } }], ReturnConsumedCapacity: 'INDEXES' }),
    (Key) => db.query({ ...on, KeyConditionExpression: 'PK = :p AND SK = :s', ExpressionAttributeValues: { ':p': Key.PK, ':s': Key.SK } }),
    (Key) => db.deleteItem({ ...on, Key }),
    (Key) => db.deleteItem({ ...on, Key, ...exists }),
    (Key) => db.updateItem({ ...on, Key, ...setName('x') }),
    (Key) => db.updateItem({ ...on, Key, ...setName('x'), ...exists }),
    (Key) => db.updateItem({ ...on, Key, UpdateExpression: 'SET a.b = :x', ExpressionAttributeValues: { ':x': S('x') } }),
    (Key) => db.updateItem({ ...on, Key, UpdateExpression: 'SET n = size', ConditionExpression: 'attribute_exists(PK)' }).catch((error) => error),
    (Key) => db.putItem({ ...on, Item: { ...Key, name: S('x') } }),
    (Key) => db.putItem({ ...on, Item: { ...Key, project_id: S('prj_002') }, ...exists }),
    (Key) => db.transactWriteItems({ TransactItems: [{ ConditionCheck: { TableName: ASSETS, Key, ConditionExpression: 'attribute_exists(PK)', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } }] }),
    (Key) => db.transactWriteItems({ TransactItems: [{ ConditionCheck: { TableName: ASSETS, Key, ConditionExpression: 'attribute_not_exists(PK)' } }], ReturnConsumedCapacity: 'INDEXES' }),
    (Key) => db.executeStatement({ Statement: `SELECT * FROM "${ASSETS}" WHERE PK = ? AND SK = ?`, Parameters: [Key.PK, Key.SK] }),
    (Key) => db.executeStatement({ Statement: `UPDATE "${ASSETS}" SET x = 1 WHERE PK = ? AND SK = ?`, Parameters: [Key.PK, Key.SK] }),
    (Key) => db.executeStatement({ Statement: `DELETE FROM "${ASSETS}" WHERE PK = ? AND SK = ?`, Parameters: [Key.PK, Key.SK] }),
    (Key) => db.executeTransaction({ TransactStatements: [{ Statement: `EXISTS(SELECT * FROM "${ASSETS}" WHERE PK = ? AND SK = ? AND attribute_type(PK, 'S'))`, Parameters: [Key.PK, Key.SK] }] }),
  ];
  for (const [i, request] of requests.entries()) {
    for (const [j, Key] of there.entries()) {
      assert.deepEqual(await answersOf(request(Key)), await answersOf(request(absent[j])), `request ${i} for ${Key.PK.S}`);
    }
  }
  // The same for tables, indexes of them and queues.
  for (const request of [(TableName) => ({ TableName }), (TableName) => ({ TableName, IndexName: 'none' })]) {
    const [known, unknown] = [await answersOf(db.scan(request(SECRETS))), await answersOf(db.scan(request('nowhere')))];
    assert.deepEqual(known, { ...unknown, message: unknown.message.replaceAll('nowhere', SECRETS) });
  }
  const [known, unknown] = [await answersOf(clients.two.sqs.getQueueUrl({ QueueName: 'prj_001-work' })), await answersOf(clients.two.sqs.getQueueUrl({ QueueName: 'prj_001-none' }))];
  assert.deepEqual(known, { ...unknown, message: unknown.message.replaceAll('prj_001-none', 'prj_001-work') });
});

test('A10: request tokens are one’s own', ours, async () => {
  const ClientRequestToken = 'the-same-token-for-both';
  const put = (project) => ({ ClientRequestToken, TransactItems: [{ Put: { TableName: NOTES, Item: { owner: S(project), at: N(50) } } }] });
  await clients.one.db.transactWriteItems(put('prj_001'));
  await clients.two.db.transactWriteItems(put('prj_002'));
  await clients.two.db.transactWriteItems(put('prj_002'));
  await denied(clients.two.db.transactWriteItems(put('prj_001')));
  for (const project of ['prj_001', 'prj_002']) {
    assert.ok((await clients.root.db.getItem({ TableName: NOTES, Key: { owner: S(project), at: N(50) } })).Item);
    await clients.root.db.deleteItem({ TableName: NOTES, Key: { owner: S(project), at: N(50) } });
  }
});

test('A10: whose an item is is judged in the commit: a change of owner cannot be raced', ours, async () => {
  const Key = { PK: S('JOB#contested'), SK: S('STEP#a#1') };
  const { db, streams } = clients.root;
  const owners = ['prj_001', 'prj_002'];
  await db.putItem({ TableName: ASSETS, Item: { ...Key, project_id: S(owners[0]), by: S('root') } });
  let stop = false;
  let refusals = 0;
  let writes = 0;
  const write = async (client, name) => {
    while (!stop) {
      await client.updateItem({ TableName: ASSETS, Key, UpdateExpression: 'SET #b = :b', ExpressionAttributeNames: { '#b': 'by' }, ExpressionAttributeValues: { ':b': S(name) } })
        .then(() => ++writes, (error) => (assert.equal(error.name, 'AccessDeniedException'), ++refusals));
    }
  };
  const writers = [write(clients.one.db, owners[0]), write(clients.one.db, owners[0]), write(clients.two.db, owners[1]), write(clients.two.db, owners[1])];
  for (let i = 1; i <= 200; ++i) {
    await db.updateItem({ TableName: ASSETS, Key, UpdateExpression: 'SET project_id = :p, #b = :r', ExpressionAttributeNames: { '#b': 'by' }, ExpressionAttributeValues: { ':p': S(owners[i % 2]), ':r': S('root') } });
  }
  stop = true;
  await Promise.all(writers);
  assert.ok(writes > 0 && refusals > 0, `${writes} writes, ${refusals} refusals`);
  const changes = (await recordsOf(streams, await streamOf(ASSETS))).filter((one) => one.dynamodb.Keys.PK.S === Key.PK.S && one.eventName === 'MODIFY');
  for (const { dynamodb: { OldImage, NewImage } } of changes) {
    if (NewImage.by.S !== 'root') assert.equal(OldImage.project_id.S, NewImage.by.S);
  }
  await db.deleteItem({ TableName: ASSETS, Key });
});

// -------------------------------------------------------------------------------------------------- PartiQL

test('A10: PartiQL shows and changes one’s own items alone', ours, async () => {
  const { db } = clients.two;
  const all = await db.executeStatement({ Statement: `SELECT * FROM "${ASSETS}"` });
  assert.equal(all.Items.length, 20);
  assert.deepEqual(projectsIn(all.Items), ['prj_002']);
  const byIndex = await db.executeStatement({ Statement: `SELECT * FROM "${ASSETS}"."GSI1" WHERE GSI1PK = 'JOB_STATUS#running'` });
  assert.deepEqual(projectsIn(byIndex.Items), ['prj_002']);
  const found = [];
  let NextToken;
  do {
    const page = await db.executeStatement({ Statement: `SELECT * FROM "${ASSETS}"`, Limit: 3, NextToken });
    found.push(...page.Items);
    NextToken = page.NextToken;
  } while (NextToken);
  assert.equal(found.length, 20);
  const own = jobKey('prj_002', 4);
  await db.executeStatement({ Statement: `UPDATE "${ASSETS}" SET touched = true WHERE PK = ? AND SK = ?`, Parameters: [own.PK, own.SK] });
  await db.executeStatement({ Statement: `UPDATE "${ASSETS}" REMOVE touched WHERE PK = ? AND SK = ?`, Parameters: [own.PK, own.SK] });
  const { Responses } = await db.batchExecuteStatement({ Statements: [stepKey('prj_001', 1), own].map(({ PK, SK }) => ({ Statement: `SELECT * FROM "${ASSETS}" WHERE PK = ? AND SK = ?`, Parameters: [PK, SK] })) });
  assert.deepEqual([Responses[0].Item, Responses[1].Item.name.S], [undefined, 'job 4']);
  const notes = await db.batchExecuteStatement({ Statements: ['prj_001', 'prj_002'].map((owner) => ({ Statement: `SELECT * FROM "${NOTES}" WHERE owner = ? AND "at" = 1`, Parameters: [S(owner)] })) });
  assert.deepEqual([notes.Responses[0].Error?.Code, notes.Responses[1].Item?.owner.S], ['AccessDenied', 'prj_002']);
  await denied(db.executeStatement({ Statement: `INSERT INTO "${NOTES}" VALUE {'owner': 'prj_001', 'at': 7}` }));
  await denied(db.executeStatement({ Statement: `SELECT * FROM "${SECRETS}"` }), 'TWO', 'dynamodb:ExecuteStatement', tableArn(SECRETS));
});

// -------------------------------------------------------------------------------------------------- streams

const streamOf = async (TableName) => (await clients.root.db.describeTable({ TableName })).Table.LatestStreamArn;

async function recordsOf(streams, StreamArn, Limit) {
  const { StreamDescription } = await streams.describeStream({ StreamArn });
  const records = [];
  for (const { ShardId } of StreamDescription.Shards) {
    let { ShardIterator } = await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
    for (let quiet = 0; ShardIterator && quiet < 2;) {
      const page = await streams.getRecords({ ShardIterator, Limit });
      records.push(...page.Records);
      quiet = page.Records.length ? 0 : quiet + 1;
      ShardIterator = page.NextShardIterator;
    }
  }
  return records;
}

test('A10: streams show the changes of one’s own items alone', ours, async () => {
  await clients.root.db.putItem({ TableName: ASSETS, Item: { ...step('prj_002', 99) } });
  await clients.root.db.updateItem({ TableName: ASSETS, Key: stepKey('prj_002', 99), UpdateExpression: 'SET project_id = :p', ExpressionAttributeValues: { ':p': S('prj_001') } });
  await clients.root.db.deleteItem({ TableName: ASSETS, Key: stepKey('prj_002', 99) });
  const arn = await streamOf(ASSETS);
  const all = await recordsOf(clients.root.streams, arn);
  for (const [id, project] of [['one', 'prj_001'], ['two', 'prj_002']]) {
    const isOwn = (image) => !image || image.project_id?.S === project || image.PK.S === `PROJECT#${project}`;
    const expected = all.filter(({ dynamodb: { OldImage, NewImage } }) => isOwn(OldImage) && isOwn(NewImage)).map((one) => one.eventID);
    assert.ok(expected.length >= 20);
    for (const limit of [undefined, 1, 7]) {
      const seen = await recordsOf(clients[id].streams, arn, limit);
      assert.deepEqual(seen.map((one) => one.eventID), expected);
    }
  }
  // A log without images is judged by its keys.
  const notes = await recordsOf(clients.two.streams, await streamOf(NOTES));
  assert.ok(notes.length >= 2);
  assert.ok(notes.every((one) => /^prj_002(#|$)/.test(one.dynamodb.Keys.owner.S)));
  await denied(clients.sender.streams.listStreams({}));
});

// ---------------------------------------------------------------------------------------------- verbs, queues

test('A10: verbs are kept apart', ours, async () => {
  const { db, sqs } = clients.watcher;
  assert.equal((await db.scan({ TableName: ASSETS })).Count, 10); // its policy names no attribute
  await denied(db.putItem({ TableName: ASSETS, Item: { ...jobKey('prj_001', 1) } }), 'WATCHER', 'dynamodb:PutItem', '*');
  await denied(db.transactWriteItems({ TransactItems: [{ Delete: { TableName: ASSETS, Key: jobKey('prj_001', 1) } }] }), 'WATCHER', 'dynamodb:TransactWriteItems', tableArn(ASSETS));
  await denied(db.executeStatement({ Statement: `DELETE FROM "${ASSETS}" WHERE PK = 'PROJECT#prj_001' AND SK = 'JOB#1'` }));
  await db.transactWriteItems({ TransactItems: [{ ConditionCheck: { TableName: ASSETS, Key: jobKey('prj_001', 1), ConditionExpression: 'attribute_exists(PK)' } }] });
  await denied(db.getItem({ TableName: ASSETS, Key: stepKey('prj_001', 1) }), 'WATCHER', 'dynamodb:GetItem', tableArn(ASSETS));
  await sqsDenied(sqs.sendMessage({ QueueUrl: url('prj_001-work'), MessageBody: 'x' }), /sqs:sendmessage on resource: /);
  await sqsDenied(sqs.purgeQueue({ QueueUrl: url('prj_001-work') }));
  assert.deepEqual((await sqs.receiveMessage({ QueueUrl: url('prj_001-dead') })).Messages ?? [], []);
  await clients.sender.sqs.sendMessage({ QueueUrl: url('prj_001-dead'), MessageBody: 'x' });
  await sqsDenied(clients.sender.sqs.receiveMessage({ QueueUrl: url('prj_001-dead') }));
  const { Messages } = await sqs.receiveMessage({ QueueUrl: url('prj_001-dead') });
  const handle = { QueueUrl: url('prj_001-dead'), ReceiptHandle: Messages[0].ReceiptHandle };
  await sqsDenied(sqs.deleteMessage(handle));
  await sqs.changeMessageVisibility({ ...handle, VisibilityTimeout: 60 });
  await clients.sender.sqs.deleteMessage(handle);
});

test('A10: queues by name: one’s own work whole, another’s cannot be named as a target either', ours, async () => {
  const { sqs, db } = clients.two;
  const { QueueUrl } = await sqs.createQueue({ QueueName: 'prj_002-more' });
  await sqs.sendMessage({ QueueUrl, MessageBody: 'mine' });
  const { Messages } = await sqs.receiveMessage({ QueueUrl });
  assert.equal(Messages[0].Body, 'mine');
  // A receipt of another's queue means nothing here.
  await sqs.deleteMessage({ QueueUrl, ReceiptHandle: setting.handle });
  await assert.rejects(sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle: setting.handle, VisibilityTimeout: 0 }));
  assert.equal((await clients.root.sqs.getQueueAttributes({ ...work(), AttributeNames: ['All'] })).Attributes.ApproximateNumberOfMessagesNotVisible, '1');
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: queueArn('prj_001-dead'), maxReceiveCount: 1 });
  await assert.rejects(sqs.setQueueAttributes({ QueueUrl, Attributes: { RedrivePolicy } }));
  await assert.rejects(sqs.createQueue({ QueueName: 'prj_002-third', Attributes: { RedrivePolicy } }));
  assert.equal((await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] })).Attributes.RedrivePolicy, undefined);
  // Messages in transactions.
  const send = (queue) => ({ Put: { TableName: `queue:${queue}`, Item: { MessageBody: S('by transaction') } } });
  await denied(db.transactWriteItems({ TransactItems: [send('prj_001-work')] }), 'TWO', 'dynamodb:TransactWriteItems', queueArn('prj_001-work'));
  await db.transactWriteItems({ TransactItems: [send('prj_002-more')] });
  await denied(db.transactWriteItems({ TransactItems: [{ Delete: { TableName: 'queue:prj_001-work', Key: { ReceiptHandle: S(setting.handle) } } }] }));
  await sqs.deleteQueue({ QueueUrl });
});

test('A10: messages move between one’s own queues alone', ours, async () => {
  const { sqs } = clients.one;
  await sqs.sendMessage({ QueueUrl: url('prj_001-dead'), MessageBody: 'dead' });
  await sqsDenied(sqs.startMessageMoveTask({ SourceArn: queueArn('prj_001-dead') }));
  await sqsDenied(sqs.startMessageMoveTask({ SourceArn: queueArn('prj_001-dead'), DestinationArn: queueArn('prj_002-work') }));
  await sqs.startMessageMoveTask({ SourceArn: queueArn('prj_001-dead'), DestinationArn: queueArn('prj_001-work'), MaxNumberOfMessagesPerSecond: 1 });
  const { Results } = await sqs.listMessageMoveTasks({ SourceArn: queueArn('prj_001-dead') });
  if (Results[0].TaskHandle) await fails(clients.two.sqs.cancelMessageMoveTask({ TaskHandle: Results[0].TaskHandle }), 'ResourceNotFoundException');
});

test('A10: administration of what is one’s own', ours, async () => {
  const { db, streams } = clients.two;
  await db.createTable({ TableName: 'prj_002-own', BillingMode: 'PAY_PER_REQUEST', ...tableShape('pk:S'), StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } });
  await active('prj_002-own', db);
  await db.putItem({ TableName: 'prj_002-own', Item: { pk: S('a') } });
  assert.equal((await recordsOf(streams, await streamOf('prj_002-own'))).length, 1);
  await db.updateTimeToLive({ TableName: 'prj_002-own', TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } });
  const { BackupDetails } = await db.createBackup({ TableName: 'prj_002-own', BackupName: 'mine' });
  await until('the backup is there', async () => (await db.describeBackup({ BackupArn: BackupDetails.BackupArn })).BackupDescription.BackupDetails.BackupStatus === 'AVAILABLE');
  await fails(clients.one.db.describeBackup({ BackupArn: BackupDetails.BackupArn }), 'BackupNotFoundException');
  await denied(db.restoreTableFromBackup({ BackupArn: BackupDetails.BackupArn, TargetTableName: 'prj_001-planted' }), 'TWO', 'dynamodb:RestoreTableFromBackup', tableArn('prj_001-planted'));
  await denied(clients.one.db.restoreTableFromBackup({ BackupArn: BackupDetails.BackupArn, TargetTableName: 'prj_001-copied' }));
  await db.restoreTableFromBackup({ BackupArn: BackupDetails.BackupArn, TargetTableName: 'prj_002-again' });
  await active('prj_002-again', db);
  await db.deleteBackup({ BackupArn: BackupDetails.BackupArn });
  for (const TableName of ['prj_002-own', 'prj_002-again']) await db.deleteTable({ TableName });
});

// ------------------------------------------------------------------------------------------------- keys file

test('A10: a policy that cannot be meant is refused at start, with what to write instead', ours, async () => {
  const file = join(scratchDir(), 'keys.json');
  const cases = [
    [{ tenant: 'prj_001' }, /key K: it has a "tenant" and no "policy"/],
    [{ tenant: '*', policy: {} }, /"tenant" must have 1 to 128 letters/],
    [{ policy: 'none' }, /there is no policy of the name "none"; write it under "policies"/],
    [{ policy: { tables: ['a'] } }, /"verbs" is missing; write one or more of "read", "write" and "admin"/],
    [{ policy: { tables: ['a'], verbs: ['delete'] } }, /"verbs" has "delete"/],
    [{ policy: { tables: [], verbs: ['read'] } }, /"tables" must be a list of at least one text/],
    [{ policy: { verbs: ['read'] } }, /nothing is named; give "tables", "contracts", "queues" or "buckets"/],
    [{ policy: { tables: ['a*b'], verbs: ['read'] } }, /'\*' that is not its end/],
    [{ policy: { tables: ['a/b'], verbs: ['read'] } }, /cannot be a name/],
    [{ policy: { tables: ['a'], verbs: ['read'], key_prefixes: ['P#1'] } }, /there is no "key_prefixes"; write "partition_keys"/],
    [{ policy: { tables: ['a'], verbs: ['read'], partition_key: ['P#1'] } }, /there is no "partition_key"/],
    [{ policy: { tables: ['a'], verbs: ['read'], partition_keys: ['*'] } }, /leave "partition_keys" out/],
    [{ policy: { tables: ['a'], verbs: ['read'], partition_keys: ['P#{tenant}'] } }, /asks for a tenant; give the key one/],
    [{ policy: { tables: ['a'], verbs: ['admin'], partition_keys: ['P#1'] } }, /"admin" cannot be limited/],
    [{ policy: { queues: ['a'], verbs: ['read'], partition_keys: ['P#1'] } }, /limit tables and contracts, and none is named/],
    [{ policy: [{ tables: ['a'], verbs: ['read'] }, { tables: ['a'] }] }, /grant 2: "verbs" is missing/],
    [{ polcy: {} }, /"polcy" means nothing here/],
  ];
  for (const [more, message] of cases) {
    writeKeys(file, { keys: [key('K', more)] });
    const run = runBinary(['serve', '--listen', `127.0.0.1:${await freePort()}`, '--data', scratchDir(), '--keys', file], { within_ms: 10_000 });
    assert.notEqual(await run.exited, 0);
    assert.match(run.output, message);
    assert.doesNotMatch(run.output, /secret-of-K/);
  }
});
