// Contracts in force, seen by clients that know nothing of them: the access patterns of the five documents through the
// AWS SDK, what is refused, and what comes with a write.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { SQS } from '@aws-sdk/client-sqs';
import { clientConfig, ours, startServer, unique } from './harness.mjs';

const contracts = fileURLToPath(new URL('../../contracts', import.meta.url));

describe('contracts in force', ours, () => {
  let server, db, doc, sqs;
  const connect = () => {
    db = new DynamoDB(clientConfig({ endpoint: server.endpoint }));
    doc = DynamoDBDocument.from(db, { marshallOptions: { removeUndefinedValues: true } });
    sqs = new SQS(clientConfig({ endpoint: server.endpoint }));
  };
  before(async () => {
    server = await startServer({ args: ['--contracts', contracts] });
    connect();
  });
  after(() => server.stop());

  const photos = 'photoeditor-dev-jobs';
  const photo = (more = {}) => ({
    jobId: unique('01HF9G'), userId: 'user-12345', status: 'QUEUED', createdAt: Date.now(), updatedAt: Date.now(),
    fileSize: 1024, fileType: 'image/jpeg', provider: 'stub', ttl: Math.floor(Date.now() / 1000) + 90 * 24 * 60 * 60, ...more,
  });
  const move = (TableName, Key, from, to, field = 'status') => doc.update({
    TableName, Key, UpdateExpression: 'SET #s = :to', ConditionExpression: '#s = :from',
    ExpressionAttributeNames: { '#s': field }, ExpressionAttributeValues: { ':from': from, ':to': to }, ReturnValues: 'ALL_NEW',
  });
  const history = async (queue) => {
    const { QueueUrl } = await sqs.getQueueUrl({ QueueName: queue });
    const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 1 });
    return Messages.map((message) => JSON.parse(message.Body));
  };

  test('P1, I1, O1, A1, T1: the tables of the documents are there, and none of the system\'s own', async () => {
    const { TableNames } = await db.listTables({});
    assert.deepEqual(TableNames, ['ImageMetadata', 'asset_creator', 'lifebook-orchestrator-jobs', photos, 'text-analyzer-history']);
    const { Table } = await db.describeTable({ TableName: 'lifebook-orchestrator-jobs' });
    const [index] = Table.GlobalSecondaryIndexes;
    assert.equal(index.IndexName, 'workspace_created_at');
    assert.deepEqual(index.Projection, {
      ProjectionType: 'INCLUDE', NonKeyAttributes: ['status', 'workflow_id', 'trigger_type', 'credits_estimate'],
    });
    for (const name of ['waybill:journal', 'arn:aws:dynamodb:us-east-1:000000000000:table/waybill:journal']) {
      await assert.rejects(db.scan({ TableName: name }), /ValidationException|ResourceNotFound/);
    }
    for (const Statement of ['SELECT * FROM "waybill:journal"', `INSERT INTO "waybill:trails" VALUE {'trail': 'x'}`, `DELETE FROM "waybill:keys" WHERE "key" = 'x'`]) {
      await assert.rejects(db.executeStatement({ Statement }), { name: 'ResourceNotFoundException' }, Statement);
    }
  });

  test('P3, P4: the five access patterns as the document writes them', async () => {
    const userId = unique('user');
    const begun = Date.now();
    const jobs = [1, 2, 3].map((n) => photo({ userId, createdAt: begun + n }));
    for (const Item of jobs) await doc.put({ TableName: photos, Item });
    assert.deepEqual((await doc.get({ TableName: photos, Key: { jobId: jobs[0].jobId } })).Item, { ...jobs[0], ttl: Math.floor((begun + 1) / 1000) + 90 * 86400 });
    const mine = await doc.query({
      TableName: photos, IndexName: 'userId-createdAt-index', KeyConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': userId }, ScanIndexForward: false, Limit: 20,
    });
    assert.deepEqual(mine.Items.map((item) => item.jobId), jobs.map((job) => job.jobId).reverse());
    const done = await doc.update({
      TableName: photos, Key: { jobId: jobs[0].jobId }, UpdateExpression: 'SET #status = :newStatus, updatedAt = :now',
      ConditionExpression: '#status = :expectedStatus', ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':newStatus': 'PROCESSING', ':expectedStatus': 'QUEUED', ':now': 1_800_000_000_000 },
      ReturnValues: 'ALL_NEW',
    });
    assert.equal(done.Attributes.updatedAt, 1_800_000_000_000);
    assert.equal(typeof done.Attributes.processingStartedAt, 'number');
    await doc.delete({ TableName: photos, Key: { jobId: jobs[1].jobId } });
    assert.equal((await doc.get({ TableName: photos, Key: { jobId: jobs[1].jobId } })).Item, undefined);
  });

  test('P5: QUEUED to PROCESSING to EDITING to COMPLETED or FAILED, and nothing else', async () => {
    const states = ['QUEUED', 'PROCESSING', 'EDITING', 'COMPLETED', 'FAILED'];
    const allowed = new Set(['QUEUED PROCESSING', 'PROCESSING EDITING', 'EDITING COMPLETED', 'EDITING FAILED']);
    const ways = { QUEUED: [], PROCESSING: ['PROCESSING'], EDITING: ['PROCESSING', 'EDITING'], COMPLETED: ['PROCESSING', 'EDITING', 'COMPLETED'], FAILED: ['PROCESSING', 'EDITING', 'FAILED'] };
    for (const from of states) {
      for (const to of states.filter((state) => state !== from)) {
        const Item = photo();
        await doc.put({ TableName: photos, Item });
        let at = 'QUEUED';
        for (const step of ways[from]) (await move(photos, { jobId: Item.jobId }, at, step), (at = step));
        const trial = move(photos, { jobId: Item.jobId }, from, to);
        if (allowed.has(`${from} ${to}`)) await trial;
        else await assert.rejects(trial, { name: 'ConditionalCheckFailedException', message: new RegExp(`status may not go from ${from} to ${to}; .*\\(rule moves\\)`) });
      }
    }
  });

  test('P6: of many workers racing for one job exactly one wins', async () => {
    const Item = photo();
    await doc.put({ TableName: photos, Item });
    const trials = await Promise.allSettled(Array.from({ length: 64 }, () => move(photos, { jobId: Item.jobId }, 'QUEUED', 'PROCESSING')));
    assert.equal(trials.filter((trial) => trial.status === 'fulfilled').length, 1);
    for (const trial of trials.filter((one) => one.status === 'rejected')) assert.equal(trial.reason.name, 'ConditionalCheckFailedException');
  });

  test('P2: a wrong type or an unknown word is refused with the field\'s path, through every way of writing', async () => {
    const Item = photo({ error: { code: 'E', message: 7 } });
    const refused = { name: 'ValidationException', message: 'Contract photo-editor, job: error.message is 7, and must be a string (rule type)' };
    await assert.rejects(doc.put({ TableName: photos, Item }), refused);
    await assert.rejects(doc.batchWrite({ RequestItems: { [photos]: [{ PutRequest: { Item } }] } }), refused);
    await assert.rejects(doc.transactWrite({ TransactItems: [{ Put: { TableName: photos, Item } }] }), (error) => {
      assert.equal(error.name, 'TransactionCanceledException');
      assert.equal(error.CancellationReasons[0].Code, 'ValidationError');
      assert.equal(error.CancellationReasons[0].Message, refused.message);
      return true;
    });
    await assert.rejects(db.executeStatement({ Statement: `INSERT INTO "${photos}" VALUE {'jobId': 'x', 'provider': 'dalle'}` }), { name: 'ValidationException' });
    assert.equal((await doc.get({ TableName: photos, Key: { jobId: Item.jobId } })).Item, undefined);
  });

  test('I2, I4: computed attributes, optimistic locking, deletion by the owner', async () => {
    const id = unique('01J');
    const Key = { PK: `IMAGE#${id}`, SK: 'METADATA' };
    await doc.put({ TableName: 'ImageMetadata', Item: { ...Key, userId: 'u1', originalFilename: 'a.jpg', mimeType: 'image/jpeg', fileSize: 10, width: 1600, height: 900 } });
    const { Item } = await doc.get({ TableName: 'ImageMetadata', Key });
    assert.equal(Item.aspectRatio, 1600 / 900);
    assert.equal(Item.GSI1PK, 'USER#u1');
    assert.equal(Item.version, 1);
    const update = () => doc.update({
      TableName: 'ImageMetadata', Key, UpdateExpression: 'SET title = :t, version = version + :one', ConditionExpression: 'version = :v',
      ExpressionAttributeValues: { ':t': 'x', ':one': 1, ':v': 1 }, ReturnValues: 'ALL_NEW',
    });
    assert.equal((await update()).Attributes.version, 2);
    await assert.rejects(update(), { name: 'ConditionalCheckFailedException' });
    const drop = (user) => doc.delete({ TableName: 'ImageMetadata', Key, ConditionExpression: 'userId = :u', ExpressionAttributeValues: { ':u': user }, ReturnValues: 'ALL_OLD' });
    await assert.rejects(drop('u2'), { name: 'ConditionalCheckFailedException' });
    assert.equal((await drop('u1')).Attributes.title, 'x');
  });

  test('O4, O7, O8: a queued job is announced with the whole envelope; its key is good for one job', async () => {
    const job = { job_id: unique(), workspace_id: unique('ws'), user_id: 'u', workflow_id: 'f', trigger_type: 'webhook', idempotency_key: unique('key'), trace_id: 't-1', status: 'queued' };
    await doc.put({ TableName: 'lifebook-orchestrator-jobs', Item: job, ConditionExpression: 'attribute_not_exists(job_id)' });
    const mine = (await history('lifebook-orchestrator-queue')).filter((body) => body.job_id === job.job_id);
    assert.deepEqual(mine, [{ v: 1, job_id: job.job_id, workspace_id: job.workspace_id, trigger_type: 'webhook', attempt: 1, max_attempts: 5, trace_id: 't-1', idempotency_key: job.idempotency_key }]);
    await assert.rejects(doc.put({ TableName: 'lifebook-orchestrator-jobs', Item: { ...job, job_id: unique() } }),
      { name: 'ConditionalCheckFailedException', message: new RegExp(`its idempotency key is that of ${job.job_id}`) });
  });

  test('T1, T2: file and history agree after every move, whoever makes it', async () => {
    const fileId = unique();
    const Key = { PK: `FILE#${fileId}`, SK: 'META' };
    await doc.put({ TableName: 'text-analyzer-history', Item: { ...Key, fileId, ownerId: 'o1', s3Bucket: 'b', s3Key: 'k', originalFileName: 'a.txt', status: 'PENDING' } });
    const mirror = async () => (await doc.get({ TableName: 'text-analyzer-history', Key: { PK: 'OWNER#o1', SK: `FILE#${fileId}` } })).Item;
    assert.equal((await mirror()).status, 'PENDING');
    await move('text-analyzer-history', Key, 'PENDING', 'IN_PROGRESS');
    const { Attributes } = await move('text-analyzer-history', Key, 'IN_PROGRESS', 'COMPLETED');
    assert.deepEqual(await mirror(), Object.fromEntries(Object.entries({ ...Attributes, PK: 'OWNER#o1', SK: `FILE#${fileId}` })));
    await assert.rejects(move('text-analyzer-history', Key, 'COMPLETED', 'IN_PROGRESS'), /none, it is an end/);
  });

  test('A2, A3: index keys are the system\'s; a job written as in the document is found by its status', async () => {
    const project = unique('prj');
    await doc.put({ TableName: 'asset_creator', Item: { PK: `PROJECT#${project}`, SK: 'JOB#job_123', asset_type: '3D_CHARACTER', status: 'queued', created_at: '2026-01-29T08:00:00Z', updated_at: '2026-01-29T08:15:00Z' } });
    await move('asset_creator', { PK: `PROJECT#${project}`, SK: 'JOB#job_123' }, 'queued', 'running');
    const { Items } = await doc.query({
      TableName: 'asset_creator', IndexName: 'GSI1', KeyConditionExpression: 'GSI1PK = :s',
      FilterExpression: 'project_id = :p', ExpressionAttributeValues: { ':s': 'JOB_STATUS#running', ':p': project },
    });
    assert.equal(Items.length, 1);
    assert.equal(Items[0].GSI1SK, Items[0].updated_at);
  });

  test('a contract\'s table is not deleted under it', async () => {
    await assert.rejects(db.deleteTable({ TableName: photos }), /is the table of a contract/);
  });

  test('after a kill the contracts hold again, without being named', async () => {
    const Item = photo();
    await doc.put({ TableName: photos, Item });
    await server.stop('SIGKILL');
    server = await startServer({ data: server.data });
    connect();
    await assert.rejects(move(photos, { jobId: Item.jobId }, 'QUEUED', 'COMPLETED'), /may not go from QUEUED to COMPLETED/);
    await move(photos, { jobId: Item.jobId }, 'QUEUED', 'PROCESSING');
  });
});
