// Workers that know SQS and DynamoDB and nothing else, written as documents 000, 002 and 004 write them: they get the same
// envelope and the same guarantees as workers of the jobs API, beside them on one queue.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { SQS } from '@aws-sdk/client-sqs';
import { clientConfig, ours, unique, until } from './harness.mjs';
import { clientOf, newPhoto, newRun, ok, startJobs } from './jobs_client.mjs';

describe('plain workers', ours, () => {
  let server, api, doc, sqs;
  before(async () => {
    server = await startJobs();
    api = clientOf(server.endpoint);
    doc = DynamoDBDocument.from(new DynamoDB(clientConfig({ endpoint: server.endpoint })), { marshallOptions: { removeUndefinedValues: true } });
    sqs = new SQS(clientConfig({ endpoint: server.endpoint }));
  });
  after(() => server.stop());

  const urlOf = (name) => `${server.endpoint}/000000000000/${name}`;
  const receive = async (name, { VisibilityTimeout = 30, WaitTimeSeconds = 0, max = 1 } = {}) =>
    (await sqs.receiveMessage({ QueueUrl: urlOf(name), MaxNumberOfMessages: max, VisibilityTimeout, WaitTimeSeconds, MessageSystemAttributeNames: ['All'] })).Messages ?? [];
  const remove = (name, { ReceiptHandle }) => sqs.deleteMessage({ QueueUrl: urlOf(name), ReceiptHandle });
  const hide = (name, { ReceiptHandle }, VisibilityTimeout) => sqs.changeMessageVisibility({ QueueUrl: urlOf(name), ReceiptHandle, VisibilityTimeout });
  const depth = async (name) => {
    const { Attributes } = await sqs.getQueueAttributes({ QueueUrl: urlOf(name), AttributeNames: ['All'] });
    return Number(Attributes.ApproximateNumberOfMessages) + Number(Attributes.ApproximateNumberOfMessagesNotVisible);
  };
  const isNoOp = (error) => {
    if (error.name !== 'ConditionalCheckFailedException') throw error;
    return null;
  };
  const historyOf = async (path) => (await ok(api('GET', `${path}:history`))).items;

  describe('002, the orchestrator', () => {
    const TableName = 'lifebook-orchestrator-jobs';
    const queue = 'lifebook-orchestrator-queue';
    const dlq = 'lifebook-orchestrator-dlq';
    const backoff_s = [30, 120, 600, 1800];
    const get = async (job_id) => (await doc.get({ TableName, Key: { job_id }, ConsistentRead: true })).Item;
    const create = (fields) => ok(api('POST', 'orchestrator/job', newRun(fields)), 201);

    // The conditional update that locks a job; null where another has it, or it has ended.
    const lock = (job_id) => doc.update({
      TableName, Key: { job_id }, UpdateExpression: 'SET #s = :running, updated_at = :now', ConditionExpression: '#s IN (:queued, :failed)',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':running': 'running', ':queued': 'queued', ':failed': 'failed', ':now': new Date().toISOString() }, ReturnValues: 'ALL_NEW',
    }).then(({ Attributes }) => Attributes, isNoOp);
    const stepDone = (job) => doc.update({
      TableName, Key: { job_id: job.job_id }, UpdateExpression: 'SET step_cursor = :next, updated_at = :now', ConditionExpression: 'step_cursor = :at AND #s = :running',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':next': job.step_cursor + 1, ':at': job.step_cursor, ':running': 'running', ':now': new Date().toISOString() }, ReturnValues: 'ALL_NEW',
    }).then(({ Attributes }) => Attributes);
    const complete = (job) => doc.update({
      TableName, Key: { job_id: job.job_id }, UpdateExpression: 'SET #s = :completed, completed_at = :now, updated_at = :now', ConditionExpression: '#s = :running',
      ExpressionAttributeNames: { '#s': 'status' }, ExpressionAttributeValues: { ':completed': 'completed', ':running': 'running', ':now': new Date().toISOString() },
    });
    const fail = async (job, code) => {
      const attempts = job.attempts + 1;
      const isDead = attempts >= job.max_attempts;
      await doc.update({
        TableName, Key: { job_id: job.job_id },
        UpdateExpression: `SET #s = :to, attempts = :a, last_error_code = :c, last_error_message = :m, updated_at = :now${isDead ? ', completed_at = :now' : ''}`,
        ConditionExpression: '#s = :running', ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: { ':to': isDead ? 'dead' : 'failed', ':a': attempts, ':c': code, ':m': 'it broke', ':running': 'running', ':now': new Date().toISOString() },
      });
      return { attempts, isDead, wait_s: backoff_s[Math.min(attempts, backoff_s.length) - 1] };
    };

    // One message from beginning to end. `breaks(job)`: the step at the cursor fails.
    async function work(message, { breaks = () => false, ran = [] } = {}) {
      const { job_id } = JSON.parse(message.Body);
      const seen = await get(job_id);
      if (!seen || ['completed', 'dead', 'canceled'].includes(seen.status)) return remove(queue, message).then(() => 'no-op');
      let job = await lock(job_id);
      if (!job) return remove(queue, message).then(() => 'no-op');
      while (job.step_cursor < job.steps_total) {
        if (breaks(job)) {
          const { isDead, wait_s } = await fail(job, 'STEP_FAILED');
          await hide(queue, message, isDead ? 0 : wait_s);
          return isDead ? 'dead' : 'failed';
        }
        ran.push(`${job_id} ${job.step_cursor}`);
        job = await stepDone(job);
      }
      await complete(job);
      await remove(queue, message);
      return 'completed';
    }
    // Messages of the queue are anybody's: this one's, where it is there now.
    const messageOf = (job_id, options) => until(`the message of ${job_id}`, async () => (await receive(queue, { max: 10, ...options })).find(({ Body }) => JSON.parse(Body).job_id === job_id));

    test('O4_a plain worker gets the v1 envelope, and its job is as one of the jobs API in the end', async () => {
      const job = await create({ trace_id: 't-1' });
      const message = await messageOf(job.job_id);
      assert.deepEqual(JSON.parse(message.Body), {
        v: 1, job_id: job.job_id, workspace_id: job.workspace_id, trigger_type: 'manual', attempt: 1, max_attempts: 5, trace_id: 't-1', idempotency_key: job.idempotency_key,
      });
      assert.equal(await work(message), 'completed');
      const record = await ok(api('GET', `orchestrator/job/${job.job_id}`));
      assert.equal(record.status, 'completed');
      assert.equal(record.step_cursor, 3);
      assert.ok(record.started_at && record.completed_at);
      assert.ok(record.ttl_at > Date.now() / 1000 + 89 * 86400, 'kept for 90 days from its end, though the worker said nothing of it');
      const events = (await historyOf(`orchestrator/job/${job.job_id}`)).map((row) => row.event).filter(Boolean);
      assert.deepEqual(events, ['workflow_run_created', 'workflow_run_started', 'workflow_run_completed']);
    });

    test('O12_a run that is put with an estimate has it reserved, and its end by a plain worker releases it', async () => {
      const job = { job_id: unique(), workspace_id: unique('ws'), user_id: 'u', workflow_id: 'wf', trigger_type: 'manual', idempotency_key: unique('key'), steps_total: 1, credits_estimate: 7.5, status: 'queued' };
      await doc.put({ TableName, Item: job });
      assert.equal((await get(job.job_id)).credits_reserved, 7.5);
      assert.equal(await work(await messageOf(job.job_id)), 'completed');
      assert.equal((await get(job.job_id)).credits_reserved, 0);
      const given = { ...job, job_id: unique(), idempotency_key: unique('key'), credits_reserved: 2 };
      await doc.put({ TableName, Item: given });
      assert.equal((await get(given.job_id)).credits_reserved, 2, 'whoever says it himself has his way');
    });

    test('O7_a job put with a conditional write, pending and then queued, is announced once, and its key is good for one', async () => {
      const job = { job_id: unique(), workspace_id: unique('ws'), user_id: 'u', workflow_id: 'wf', trigger_type: 'schedule', idempotency_key: unique('key'), steps_total: 1, status: 'pending' };
      await doc.put({ TableName, Item: job, ConditionExpression: 'attribute_not_exists(job_id)' });
      assert.equal(await doc.put({ TableName, Item: job, ConditionExpression: 'attribute_not_exists(job_id)' }).catch(isNoOp), null);
      assert.equal(await doc.put({ TableName, Item: { ...job, job_id: unique() }, ConditionExpression: 'attribute_not_exists(job_id)' }).catch(isNoOp), null);
      await doc.update({ TableName, Key: { job_id: job.job_id }, UpdateExpression: 'SET #s = :q', ExpressionAttributeNames: { '#s': 'status' }, ExpressionAttributeValues: { ':q': 'queued' } });
      assert.equal(await work(await messageOf(job.job_id)), 'completed');
      assert.equal((await receive(queue, { max: 10, VisibilityTimeout: 0 })).filter(({ Body }) => JSON.parse(Body).job_id === job.job_id).length, 0);
      const created = await api('POST', 'orchestrator/job', newRun({ workspace_id: job.workspace_id, idempotency_key: job.idempotency_key }));
      assert.equal(created.body.job_id, job.job_id, created.text);
    });

    test('O5, O6, O9_failures by hand-written updates: backoff by visibility timeout, resume, dead at the maximum, and one event', async () => {
      const { job_id } = await create({ max_attempts: 2 });
      const ran = [];
      const first = await messageOf(job_id);
      assert.equal(await work(first, { ran, breaks: (job) => job.step_cursor === 1 }), 'failed');
      const failed = await get(job_id);
      assert.deepEqual([failed.status, failed.attempts, failed.last_error_code, failed.step_cursor], ['failed', 1, 'STEP_FAILED', 1]);
      assert.equal((await receive(queue, { max: 10, VisibilityTimeout: 0 })).some(({ Body }) => JSON.parse(Body).job_id === job_id), false, 'hidden for its backoff');
      await hide(queue, first, 0);
      assert.equal(await work(await messageOf(job_id), { ran, breaks: (job) => job.step_cursor === 2 }), 'dead');
      assert.deepEqual(ran, [`${job_id} 0`, `${job_id} 1`], 'no step twice');
      const dead = await get(job_id);
      assert.ok(dead.completed_at && dead.ttl_at);
      assert.equal(dead.attempts, 2);
      const ends = (await historyOf(`orchestrator/job/${job_id}`)).filter((row) => row.event === 'workflow_run_completed');
      assert.deepEqual(ends.map((row) => row.to), ['dead']);
      // What is received too often the queue gives up by itself, as the document says; nothing happens to the record.
      await until('its message is a dead letter', async () => {
        await receive(queue, { max: 10, VisibilityTimeout: 0 });
        return (await receive(dlq, { max: 10, VisibilityTimeout: 0 })).some(({ Body }) => JSON.parse(Body).job_id === job_id);
      });
      assert.equal((await get(job_id)).updated_at, dead.updated_at);
      // Replayed through the jobs API, and done by a plain worker again: from where it was.
      await ok(api('POST', `orchestrator/job/${job_id}:replay`, { why: 'fixed' }));
      assert.equal((await receive(dlq, { max: 10, VisibilityTimeout: 0 })).some(({ Body }) => JSON.parse(Body).job_id === job_id), false);
      assert.equal(await work(await messageOf(job_id), { ran }), 'completed');
      assert.deepEqual(ran, [`${job_id} 0`, `${job_id} 1`, `${job_id} 2`]);
    });

    test('O5_a job whose workers die one after the other is dead once the queue gives it up', async () => {
      const { job_id } = await create();
      assert.ok(await lock(JSON.parse((await messageOf(job_id, { VisibilityTimeout: 0 })).Body).job_id));
      const dead = await until('it is dead', async () => {
        await receive(queue, { max: 10, VisibilityTimeout: 0 });
        const record = await get(job_id);
        return record.status === 'dead' && record;
      });
      assert.equal(dead.attempts, 1);
      assert.equal(dead.last_error_code, 'LEASE_LOST');
      assert.ok(dead.completed_at && dead.ttl_at);
      const rows = await historyOf(`orchestrator/job/${job_id}`);
      assert.deepEqual(rows.filter((row) => row.event === 'workflow_run_completed').map((row) => [row.actor, row.action]), [['waybill', 'give_up']]);
      assert.ok((await receive(dlq, { max: 10, VisibilityTimeout: 0 })).some(({ Body }) => JSON.parse(Body).job_id === job_id));
      await ok(api('POST', `orchestrator/job/${job_id}:replay`, {}));
      assert.equal(await work(await messageOf(job_id)), 'completed');
    });

    test('O8, O13_a message for a canceled job is a no-op, and its worker cannot bring it back', async () => {
      const { job_id } = await create();
      const message = await messageOf(job_id);
      const job = await lock(job_id);
      await ok(api('POST', `orchestrator/job/${job_id}:cancel`, { why: 'not wanted' }));
      await assert.rejects(stepDone(job), { name: 'ConditionalCheckFailedException' });
      await assert.rejects(doc.update({ TableName, Key: { job_id }, UpdateExpression: 'SET #s = :c', ExpressionAttributeNames: { '#s': 'status' }, ExpressionAttributeValues: { ':c': 'completed' } }),
        { name: 'ConditionalCheckFailedException', message: /may not go from canceled to completed; .*\(rule moves\)/ });
      await hide(queue, message, 0);
      assert.equal(await work(await messageOf(job_id)), 'no-op');
      assert.equal((await get(job_id)).status, 'canceled');
    });

    test('P6_of 64 plain workers for one job one wins, and the others see a no-op', async () => {
      const { job_id } = await create();
      const won = await Promise.all(Array.from({ length: 64 }, () => lock(job_id)));
      assert.equal(won.filter(Boolean).length, 1);
    });

    test('plain workers and workers of the jobs API on one queue do each step of each job once', async () => {
      const workspace_id = unique('ws');
      const ids = (await Promise.all(Array.from({ length: 40 }, () => create({ workspace_id, steps_total: 2 })))).map((job) => job.job_id);
      const ran = [];
      const left = async () => (await ok(api('GET', `orchestrator/job?workspace_id=${workspace_id}&limit=100`))).items.filter((job) => job.status !== 'completed').length;
      const plain = async () => {
        while (await left()) for (const message of await receive(queue, { max: 3 })) await work(message, { ran });
      };
      const ofApi = async (worker) => {
        while (await left()) {
          for (const { id, lease, record } of (await ok(api('POST', 'orchestrator/job:claim', { worker, max: 3 }))).jobs) {
            for (let step = record.step_cursor; step < record.steps_total; step++) {
              ran.push(`${id} ${step}`);
              await ok(api('POST', `orchestrator/job/${id}:step`, { lease: lease.token, step }));
            }
            await ok(api('POST', `orchestrator/job/${id}:finish`, { lease: lease.token }));
          }
        }
      };
      await Promise.all([plain(), plain(), plain(), ofApi('a'), ofApi('b'), ofApi('c')]);
      assert.deepEqual(ran.filter((one) => ids.includes(one.split(' ')[0])).sort(), ids.flatMap((id) => [`${id} 0`, `${id} 1`]).sort());
      assert.equal((await ok(api('GET', `orchestrator/job:counts?tenant=${workspace_id}`))).completed, 40);
      for (const id of ids) assert.deepEqual((await historyOf(`orchestrator/job/${id}`)).filter((row) => row.to).map((row) => row.to), ['queued', 'running', 'completed']);
    });

    test('a plain worker takes over what a worker of the jobs API dropped, and the other way round', async () => {
      const one = await create({ steps_total: 2 });
      const held = await until('it is claimed', async () => (await ok(api('POST', 'orchestrator/job:claim', { worker: 'a', max: 10, lease_s: 1 }))).jobs.find((job) => job.id === one.job_id));
      await ok(api('POST', `orchestrator/job/${one.job_id}:step`, { lease: held.lease.token, step: 0 }));
      const message = await messageOf(one.job_id);
      assert.equal(message.Attributes.ApproximateReceiveCount, '2');
      const { Item } = await doc.get({ TableName, Key: { job_id: one.job_id } });
      await complete(await stepDone(Item));
      await remove(queue, message);
      assert.equal((await api('POST', `orchestrator/job/${one.job_id}:step`, { lease: held.lease.token, step: 1 })).status, 409);

      const other = await create({ steps_total: 1 });
      const dropped = await messageOf(other.job_id, { VisibilityTimeout: 1 });
      assert.ok(await lock(JSON.parse(dropped.Body).job_id));
      const again = await until('it is claimed', async () => (await ok(api('POST', 'orchestrator/job:claim', { worker: 'b', max: 10, wait_s: 1 }))).jobs.find((job) => job.id === other.job_id));
      assert.equal(again.attempt, 2);
      await ok(api('POST', `orchestrator/job/${other.job_id}:step`, { lease: again.lease.token, step: 0 }));
      await ok(api('POST', `orchestrator/job/${other.job_id}:finish`, { lease: again.lease.token }));
      assert.equal((await get(other.job_id)).status, 'completed');
    });
  });

  describe('000, the photo editor', () => {
    const TableName = 'photoeditor-dev-jobs';
    const queue = 'photoeditor-dev-jobs-queue';
    const dlq = 'photoeditor-dev-jobs-dlq';
    // As the document writes it.
    const move = (jobId, expectedStatus, newStatus, more = {}) => doc.update({
      TableName, Key: { jobId },
      UpdateExpression: `SET #status = :newStatus, updatedAt = :now${Object.keys(more).map((name) => `, #${name} = :${name}`).join('')}`,
      ConditionExpression: '#status = :expectedStatus',
      ExpressionAttributeNames: { '#status': 'status', ...Object.fromEntries(Object.keys(more).map((name) => [`#${name}`, name])) },
      ExpressionAttributeValues: { ':newStatus': newStatus, ':expectedStatus': expectedStatus, ':now': Date.now(), ...Object.fromEntries(Object.entries(more).map(([name, value]) => [`:${name}`, value])) },
      ReturnValues: 'ALL_NEW',
    }).then(({ Attributes }) => Attributes, isNoOp);
    const messageOf = (jobId, options) => until(`the message of ${jobId}`, async () => (await receive(queue, { max: 10, ...options })).find(({ Body }) => JSON.parse(Body).jobId === jobId));

    test('P5, P6, P13_a photo goes its way by conditional updates, with its correlation id in the message', async () => {
      const photo = await ok(api('POST', 'photo-editor/job', newPhoto({ correlationId: 'c-1', traceId: 't-1' })), 201);
      const message = await messageOf(photo.jobId);
      assert.deepEqual(JSON.parse(message.Body), { jobId: photo.jobId, userId: photo.userId, correlationId: 'c-1', traceId: 't-1' });
      const won = await Promise.all(Array.from({ length: 20 }, () => move(photo.jobId, 'QUEUED', 'PROCESSING')));
      assert.equal(won.filter(Boolean).length, 1);
      assert.ok(await move(photo.jobId, 'PROCESSING', 'EDITING'));
      assert.ok(await move(photo.jobId, 'EDITING', 'COMPLETED', { s3FinalKey: 'final/1.png' }));
      await remove(queue, message);
      const record = await ok(api('GET', `photo-editor/job/${photo.jobId}`));
      assert.equal(record.s3FinalKey, 'final/1.png');
      assert.ok(record.processingStartedAt && record.processingCompletedAt);
      assert.equal(await move(photo.jobId, 'QUEUED', 'PROCESSING'), null);
    });

    test('P5_a FAILED photo is in the dead-letter queue after its last receive, and is replayed by hand', async () => {
      const { jobId } = await ok(api('POST', 'photo-editor/job', newPhoto()), 201);
      await messageOf(jobId, { VisibilityTimeout: 0 });
      await move(jobId, 'QUEUED', 'PROCESSING');
      await move(jobId, 'PROCESSING', 'EDITING');
      await move(jobId, 'EDITING', 'FAILED', { error: { code: 'PROVIDER_TIMEOUT', message: 'no answer', retryCount: 3 } });
      await until('it is a dead letter', async () => {
        await receive(queue, { max: 10, VisibilityTimeout: 0 });
        return (await receive(dlq, { max: 10, VisibilityTimeout: 0 })).some(({ Body }) => JSON.parse(Body).jobId === jobId);
      });
      assert.equal((await ok(api('POST', `photo-editor/job/${jobId}:replay`, { why: 'provider is back' }))).status, 'QUEUED');
      const again = await messageOf(jobId);
      assert.equal(again.Attributes.ApproximateReceiveCount, '1');
      assert.ok(await move(jobId, 'QUEUED', 'PROCESSING'));
      await remove(queue, again);
    });

    test('P5_a photo whose workers die is FAILED by the keeper, by the machine\'s own way', async () => {
      const { jobId } = await ok(api('POST', 'photo-editor/job', newPhoto()), 201);
      await messageOf(jobId, { VisibilityTimeout: 0 });
      await move(jobId, 'QUEUED', 'PROCESSING');
      await until('it is FAILED', async () => {
        await receive(queue, { max: 10, VisibilityTimeout: 0 });
        return (await ok(api('GET', `photo-editor/job/${jobId}`))).status === 'FAILED';
      });
      assert.deepEqual((await historyOf(`photo-editor/job/${jobId}`)).map((row) => row.to), ['QUEUED', 'PROCESSING', 'EDITING', 'FAILED']);
      await until('one dead letter is left', async () => (await depth(queue)) === 0);
    });
  });

  describe('004, the text analyzer', () => {
    const TableName = 'text-analyzer-history';
    const queue = 'text-analyzer-queue';
    const keyOf = (fileId) => ({ PK: `FILE#${fileId}`, SK: 'META' });
    const presign = async (ownerId) => {
      const fileId = unique('file');
      const now = Date.now();
      await doc.put({ TableName, Item: { ...keyOf(fileId), fileId, ownerId, s3Bucket: 'b', s3Key: `uploads/${fileId}`, originalFileName: 'a.txt', status: 'PENDING', createdAt: now, updatedAt: now } });
      return fileId;
    };
    const move = (fileId, from, to, more = '', values = {}) => doc.update({
      TableName, Key: keyOf(fileId), UpdateExpression: `SET #s = :to, updatedAt = :now${more}`, ConditionExpression: '#s = :from',
      ExpressionAttributeNames: { '#s': 'status', ...(more.includes('#r') ? { '#r': 'result' } : {}) },
      ExpressionAttributeValues: { ':to': to, ':from': from, ':now': Date.now(), ...values },
    });
    const result = { totalWords: 3, uniqueWords: 2, avgWordLength: 3.5, top10Words: [{ word: 'the', count: 2 }] };

    // The worker of the document: looks first, then claims by a conditional update.
    async function work(message) {
      const { fileId } = JSON.parse(message.Body);
      const { Item } = await doc.get({ TableName, Key: keyOf(fileId) });
      const mine = Item.status === 'PENDING' && (await move(fileId, 'PENDING', 'IN_PROGRESS').catch(isNoOp));
      if (mine) await move(fileId, 'IN_PROGRESS', 'COMPLETED', ', #r = :r', { ':r': result });
      await remove(queue, message);
      return mine ? 'done' : 'no-op';
    }
    const arrives = (fileId) => sqs.sendMessage({ QueueUrl: urlOf(queue), MessageBody: JSON.stringify({ fileId }) });
    const messageOf = (fileId) => until(`the message of ${fileId}`, async () => (await receive(queue, { max: 10 })).find(({ Body }) => JSON.parse(Body).fileId === fileId));

    test('T1, T2_a file is analysed once, however often its upload is announced, and the owner\'s item agrees', async () => {
      const ownerId = unique('owner');
      const fileId = await presign(ownerId);
      await arrives(fileId);
      assert.equal(await work(await messageOf(fileId)), 'done');
      await arrives(fileId);
      assert.equal(await work(await messageOf(fileId)), 'no-op');
      const { Item } = await doc.get({ TableName, Key: keyOf(fileId) });
      assert.deepEqual(Item.result, result);
      const { Items } = await doc.query({ TableName, KeyConditionExpression: 'PK = :o', ExpressionAttributeValues: { ':o': `OWNER#${ownerId}` } });
      assert.deepEqual(Items.map((item) => [item.fileId, item.status, item.updatedAt]), [[fileId, 'COMPLETED', Item.updatedAt]]);
      await assert.rejects(move(fileId, 'COMPLETED', 'IN_PROGRESS'), { name: 'ConditionalCheckFailedException' });
    });

    test('T5_errorMessage comes with FAILED alone', async () => {
      const fileId = await presign(unique('owner'));
      await assert.rejects(move(fileId, 'PENDING', 'IN_PROGRESS', ', errorMessage = :e', { ':e': 'early' }), /errorMessage/);
      await move(fileId, 'PENDING', 'IN_PROGRESS');
      await move(fileId, 'IN_PROGRESS', 'FAILED', ', errorMessage = :e', { ':e': 'no text' });
      assert.equal((await doc.get({ TableName, Key: keyOf(fileId) })).Item.errorMessage, 'no text');
    });
  });
});
