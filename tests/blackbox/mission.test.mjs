// One test for each requirement of the mission that is about contracts and jobs, under its own number, through HTTP. What a
// requirement means in detail is tried in the files of the features.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { SQS } from '@aws-sdk/client-sqs';
import { ahead, clientConfig, ours, runBinary, scratchDir, startServer, unique, until } from './harness.mjs';
import { clientOf, contracts, newImage, newPhoto, newRun, ok, refused, startJobs } from './jobs_client.mjs';

const day_s = 86_400;
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

describe('the mission', ours, () => {
  let server, api, db, doc, sqs;
  before(async () => {
    server = await startJobs();
    api = clientOf(server.endpoint);
    db = new DynamoDB(clientConfig({ endpoint: server.endpoint }));
    doc = DynamoDBDocument.from(db);
    sqs = new SQS(clientConfig({ endpoint: server.endpoint }));
  });
  after(() => server.stop());

  const create = (records, fields, headers) => ok(api('POST', records, fields, headers), 201);
  const post = (path, body = {}, headers = {}) => ok(api('POST', path, body, headers));
  const get = (path) => ok(api('GET', path));
  const claimOf = (records, id, body = {}) => until(`${id} is claimed`, async () =>
    (await post(`${records}:claim`, { worker: 'w', max: 10, wait_s: 1, ...body })).jobs.find((job) => job.id === id));
  // A run of a workflow in the hands of a worker, and what the worker may send.
  async function run(fields = {}, body) {
    const { job_id: id } = await create('orchestrator/job', newRun(fields));
    const { lease, attempt, record } = await claimOf('orchestrator/job', id, body);
    const send = (verb, more = {}) => api('POST', `orchestrator/job/${id}:${verb}`, { lease: lease.token, ...more });
    return { id, path: `orchestrator/job/${id}`, attempt, record, lease, send, must: (verb, more) => ok(send(verb, more)) };
  }
  async function asset(project_id = unique('prj')) {
    const { job_id } = await create('asset-creator/job', { project_id, asset_type: '3D_CHARACTER' });
    const id = `${project_id},${job_id}`;
    const { lease } = await claimOf('asset-creator/job', id);
    const path = `asset-creator/job/${id}`;
    return { id, project_id, job_id, path, lease, must: (verb, more) => post(`${path}:${verb}`, { lease: lease.token, ...more }) };
  }
  const events = async (path) => (await get(`${path}:history`)).items.filter((row) => row.event).map((row) => row.event);
  const attributes = async (queue) => (await sqs.getQueueAttributes({ QueueUrl: `${server.endpoint}/000000000000/${queue}`, AttributeNames: ['All'] })).Attributes;
  const receive = async (queue) => ((await sqs.receiveMessage({ QueueUrl: `${server.endpoint}/000000000000/${queue}`, MaxNumberOfMessages: 10, VisibilityTimeout: 0 })).Messages ?? []).map(({ Body }) => JSON.parse(Body));

  describe('P, photo editor', () => {
    test('P2_the whole schema is typed, and what is wrong is named by its path', async () => {
      const whole = {
        s3TempKey: 't', analysisResult: { labels: [{ name: 'sea', confidence: 0.93 }], description: 'd', safeSearch: { adult: 'UNLIKELY', violence: 'VERY_UNLIKELY' } },
        editResult: { s3Key: 'k', width: 1, height: 2, format: 'webp', size: 3 }, error: { code: 'E', message: 'm', stack: 's', retryCount: 1 }, originalFileName: 'a.jpg',
      };
      const made = await create('photo-editor/job', newPhoto(whole));
      for (const [name, value] of Object.entries(whole)) assert.deepEqual(made[name], value);
      await refused(api('POST', 'photo-editor/job', newPhoto({ provider: 'dalle' })), 422, 'invalid', { field: 'provider' });
      await refused(api('POST', 'photo-editor/job', newPhoto({ fileSize: 'big' })), 422, 'invalid', { field: 'fileSize' });
      const label = await api('POST', 'photo-editor/job', newPhoto({ analysisResult: { labels: [{ name: 'sea', confidence: 2 }] } }));
      assert.equal(label.status, 422);
      assert.match(label.body.detail, /analysisResult\.labels\[0\]\.confidence/);
      const { userId, ...without } = newPhoto();
      await refused(api('POST', 'photo-editor/job', without), 422, 'invalid', { field: 'userId' });
    });

    test('P5_QUEUED, PROCESSING, EDITING, FAILED; a failed job is a dead letter and is replayed by hand', async () => {
      const { jobId } = await create('photo-editor/job', newPhoto());
      const path = `photo-editor/job/${jobId}`;
      await refused(api('PATCH', path, { status: 'COMPLETED' }), 409, 'conflict', { rule: 'moves' });
      const { lease } = await claimOf('photo-editor/job', jobId);
      await post(`${path}:progress`, { lease: lease.token, fields: { status: 'EDITING' } });
      assert.equal((await post(`${path}:fail`, { lease: lease.token, code: 'PROVIDER_TIMEOUT', message: 'no answer' })).record.status, 'FAILED');
      assert.ok((await receive('photoeditor-dev-jobs-dlq')).some((letter) => letter.jobId === jobId));
      assert.equal((await post(`${path}:replay`, { why: 'provider is back' }, { 'waybill-actor': 'anna' })).status, 'QUEUED');
      assert.equal((await receive('photoeditor-dev-jobs-dlq')).some((letter) => letter.jobId === jobId), false);
      const last = (await get(`${path}:history`)).items.at(-1);
      assert.deepEqual([last.actor, last.action, last.why], ['anna', 'replay', 'provider is back']);
    });

    test('P6_of many workers racing for one job exactly one wins, the others get nothing', async () => {
      const { jobId } = await create('photo-editor/job', newPhoto());
      const answers = await Promise.all(Array.from({ length: 64 }, () => post('photo-editor/job:claim', { max: 10 })));
      assert.equal(answers.flatMap(({ jobs }) => jobs).filter((job) => job.id === jobId).length, 1);
    });

    test('P7_ttl is 90 days from creation', async () => {
      const { ttl, createdAt } = await create('photo-editor/job', newPhoto({ ttl: 5 }));
      assert.equal(ttl, Math.floor(createdAt / 1000) + 90 * day_s);
      const { TimeToLiveDescription } = await db.describeTimeToLive({ TableName: 'photoeditor-dev-jobs' });
      assert.deepEqual(TimeToLiveDescription, { AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' });
    });

    test('P11_a field is renamed on a live table by the playbook, and readers see it under its new name', async () => {
      const own = await startJobs();
      const api = clientOf(own.endpoint);
      const made = [];
      for (let i = 0; i < 20; i++) made.push((await ok(api('POST', 'photo-editor/job', newPhoto({ label: `l${i}` })), 201)).jobId);
      const migrate = async (...args) => {
        const run = runBinary(['migrate', ...args, '--data', own.data], { within_ms: 60_000 });
        assert.equal(await run.exited, 0, run.output);
        return run.output;
      };
      await migrate('start', 'photoeditor-dev-jobs', '--rename', 'label=caption');
      const both = await ok(api('POST', 'photo-editor/job', newPhoto({ label: 'new' })), 201);
      assert.deepEqual([both.label, both.caption], ['new', 'new']);
      for (const step of ['backfill', 'verify', 'switch', 'stop', 'drop']) await migrate(step, 'photoeditor-dev-jobs');
      for (const [i, id] of made.entries()) {
        const { label, caption } = await ok(api('GET', `photo-editor/job/${id}`));
        assert.deepEqual([label, caption], [undefined, `l${i}`]);
      }
      await own.stop();
    });

    test('P13_retryCount counts, the stack is dropped in prod, correlationId goes with record, message, event and log', async (t) => {
      const failIn = async (client) => {
        const made = await ok(client('POST', 'photo-editor/job', newPhoto({ correlationId: 'c-1', traceId: 't-1' })), 201);
        const job = await until('the photo is claimed', async () =>
          (await ok(client('POST', 'photo-editor/job:claim', { wait_s: 1, max: 10 }))).jobs.find(({ id }) => id === made.jobId));
        assert.deepEqual([job.message.correlationId, job.message.traceId], ['c-1', 't-1']);
        const { record } = await ok(client('POST', `photo-editor/job/${job.id}:fail`, { lease: job.lease.token, code: 'E', message: 'm', stack: 'at x.js:1' }));
        assert.deepEqual([record.error.retryCount, record.correlationId, record.traceId], [1, 'c-1', 't-1']);
        return record.error.stack;
      };
      assert.equal(await failIn(api), 'at x.js:1');
      const prod = await startJobs({ args: ['--parameter', 'env=prod'] });
      t.after(() => prod.stop());
      assert.equal(await failIn(clientOf(prod.endpoint)), undefined);

      const told = await publishing(t, 'photo-editor', async (client) => {
        const { jobId } = await ok(client('POST', 'photo-editor/job', newPhoto({ correlationId: 'c-2', traceId: 't-2' })), 201);
        await refused(client('PATCH', `photo-editor/job/${jobId}`, { status: 'COMPLETED' }), 409, 'conflict');
        return jobId;
      }, 1);
      for (const { data } of told.events) assert.deepEqual([data.jobId, data.correlationId, data.traceId], [told.result, 'c-2', 't-2']);
      await until('the log names them', () => told.own.run.output.includes(`of photo-editor/job/${told.result} (correlationId c-2, traceId t-2)`));
    });
  });

  describe('I, image service', () => {
    test('I1_ImageMetadata with its key, stream and recovery, and room for other items under an image', async () => {
      const { Table } = await db.describeTable({ TableName: 'ImageMetadata' });
      assert.deepEqual(Table.KeySchema, [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }]);
      assert.deepEqual(Table.StreamSpecification, { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
      const { ContinuousBackupsDescription } = await db.describeContinuousBackups({ TableName: 'ImageMetadata' });
      assert.equal(ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus, 'ENABLED');
      const { id } = await create('image-service/image', newImage());
      await create('image-service/version', { id, number: 2, s3Key: 'v2' });
      await create('image-service/tags', { id, tags: ['a'] });
      const { Items } = await doc.query({ TableName: 'ImageMetadata', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': `IMAGE#${id}` } });
      assert.deepEqual(Items.map(({ SK }) => SK), ['METADATA', 'TAGS', 'VERSION#00000002']);
      await refused(api('POST', 'image-service/version', { id, number: 0, s3Key: 'v0' }), 422, 'invalid', { field: 'number' });
    });

    test('I2_computed attributes are computed by the system', async () => {
      const image = await create('image-service/image', newImage({ width: 1600, height: 900, albumId: 'al', imageUrl: 'http://elsewhere' }));
      assert.equal(image.aspectRatio, 1600 / 900);
      assert.equal(image.imageUrl, `https://d123.cloudfront.net/images/${image.userId}/${image.id}.webp`);
      assert.equal(image.thumbnailUrl, `https://d123.cloudfront.net/images/${image.userId}/thumbnails/${image.id}.webp`);
      assert.deepEqual([image.GSI1PK, image.GSI2PK, image.quality, image.version], [`USER#${image.userId}`, 'ALBUM#al', 85, 1]);
    });

    test('I3_images by user, and by album where they have one', async () => {
      const [userId, albumId] = [unique('user'), unique('album')];
      const one = await create('image-service/image', newImage({ userId }));
      const two = await create('image-service/image', newImage({ userId, albumId }));
      assert.deepEqual((await get(`image-service/image?userId=${userId}`)).items.map((image) => image.id), [two.id, one.id]);
      assert.deepEqual((await get(`image-service/image?albumId=${albumId}`)).items.map((image) => image.id), [two.id]);
    });

    test('I4_get, list in pages, update with optimistic locking, delete by the owner', async () => {
      const userId = unique('user');
      const images = [];
      for (let i = 0; i < 5; i++) images.push(await create('image-service/image', newImage({ userId })));
      const first = await get(`image-service/image?userId=${userId}&limit=3`);
      const second = await get(`image-service/image?userId=${userId}&limit=3&cursor=${encodeURIComponent(first.next)}`);
      assert.deepEqual([...first.items, ...second.items].map((image) => image.id), images.map((image) => image.id).reverse());
      const path = `image-service/image/${images[0].id}`;
      const { headers } = await api('GET', path);
      const updated = await ok(api('PATCH', path, { title: 'x' }, { 'if-match': headers.get('etag') }));
      assert.deepEqual([updated.title, updated.version], ['x', 2]);
      await refused(api('PATCH', path, { title: 'y' }, { 'if-match': headers.get('etag') }), 412, 'changed');
      await refused(api('DELETE', `${path}?owner=somebody`), 403, 'forbidden');
      assert.equal((await api('DELETE', `${path}?owner=${userId}`)).status, 204);
      await refused(api('GET', path), 404, 'not-found');
    });

    test('I5_images of a user by tags, any of them or all, newest first, without a scan', async () => {
      const userId = unique('user');
      const tagged = (tags) => create('image-service/image', newImage({ userId, tags }));
      const [red, both, blue] = [await tagged(['red']), await tagged(['red', 'blue']), await tagged(['blue'])];
      await create('image-service/image', newImage({ tags: ['red'] }));
      const found = async (query) => (await get(`image-service/image?userId=${userId}&${query}`)).items.map((image) => image.id);
      assert.deepEqual(await found('tag=red'), [both.id, red.id]);
      assert.deepEqual(await found('tag=red&tag=blue&match=any'), [blue.id, both.id, red.id]);
      assert.deepEqual(await found('tag=red&tag=blue&match=all'), [both.id]);
      await ok(api('PATCH', `image-service/image/${both.id}`, { tags: ['blue'] }));
      assert.deepEqual(await found('tag=red'), [red.id]);
    });

    test('I6_ids are ULIDs whose order is that of creation, also within one millisecond', async () => {
      const ids = [];
      for (let i = 0; i < 30; i++) ids.push((await create('image-service/image', newImage())).id);
      for (const id of ids) assert.match(id, ulid);
      assert.deepEqual([...ids].sort(), ids);
      const together = await Promise.all(Array.from({ length: 30 }, () => create('image-service/image', newImage())));
      assert.equal(new Set(together.map((image) => image.id)).size, 30);
      assert.ok(together.every((image) => image.id > ids.at(-1)));
    });

    test('I7_a temporary upload is gone after its hour', async () => {
      const image = await create('image-service/image', newImage({ ttl: Math.floor(Date.now() / 1000) - 1 }));
      await refused(api('GET', `image-service/image/${image.id}`), 404, 'not-found');
      const kept = await create('image-service/image', newImage({ ttl: Math.floor(Date.now() / 1000) + 3600 }));
      await get(`image-service/image/${kept.id}`);
    });

    // The documents' figures at p95, the best of five rounds. What a busy machine takes by itself at that time is none of the
    // server's: a call that asks for next to nothing is made beside each, and a file beside the store is synced, twice for a write.
    test('I10_get, list, album, update and delete are far within the documents\' figures', async (t) => {
      const TableName = 'ImageMetadata';
      const [userId, albumId] = [unique('user'), unique('album')];
      const ids = [];
      for (let i = 0; i < 600; i += 20) {
        const made = await Promise.all(Array.from({ length: 20 }, () => create('image-service/image', newImage({ userId, albumId }))));
        ids.push(...made.map((image) => image.id));
      }
      const Key = (id) => ({ PK: `IMAGE#${id}`, SK: 'METADATA' });
      const page = (IndexName, name, value, Limit) => doc.query({
        TableName, IndexName, KeyConditionExpression: '#k = :v', ExpressionAttributeNames: { '#k': name }, ExpressionAttributeValues: { ':v': value }, ScanIndexForward: false, Limit,
      });
      const measured = {
        get: [5, async (id) => assert.equal((await doc.get({ TableName, Key: Key(id) })).Item.userId, userId)],
        list: [15, async () => assert.equal((await page('UserIndex', 'GSI1PK', `USER#${userId}`, 20)).Items.length, 20)],
        album: [20, async () => assert.equal((await page('AlbumIndex', 'GSI2PK', `ALBUM#${albumId}`, 50)).Items.length, 50)],
        update: [10, async (id, round) => assert.equal((await doc.update({
          TableName, Key: Key(id), UpdateExpression: 'SET title = :t', ConditionExpression: 'userId = :u', ExpressionAttributeValues: { ':t': `t${round}`, ':u': userId }, ReturnValues: 'ALL_NEW',
        })).Attributes.title, `t${round}`)],
        delete: [10, async (id) => assert.equal((await doc.delete({
          TableName, Key: Key(id), ConditionExpression: 'userId = :u', ExpressionAttributeValues: { ':u': userId }, ReturnValues: 'ALL_OLD',
        })).Attributes.userId, userId)],
      };
      const probe = openSync(join(server.data, 'probe'), 'w');
      t.after(() => closeSync(probe));
      const timed = async (work) => {
        const begun = performance.now();
        await work();
        return performance.now() - begun;
      };
      const p95 = (times) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95) - 1];
      for (const [what, [limit_ms, operation]] of Object.entries(measured)) {
        const rounds = [];
        for (let round = 0; round < 5 && !rounds.some(([took, own]) => took - own <= limit_ms / 2); round++) {
          const [took, calls, syncs] = [[], [], []];
          for (let i = 0; i < 100; i++) {
            const id = what === 'delete' ? ids.pop() : ids[(i * 7) % ids.length];
            took.push(await timed(() => operation(id, round)));
            calls.push(await timed(() => db.listTables({ Limit: 1 })));
            if (limit_ms === 10) syncs.push(await timed(() => (writeSync(probe, Buffer.alloc(4096)), fdatasyncSync(probe))));
          }
          rounds.push([p95(took), p95(calls) + (syncs.length ? 2 * p95(syncs) : 0)]);
        }
        const words = rounds.map(([took, own]) => `${took.toFixed(2)} (${own.toFixed(2)} of the machine's own)`).join(', ');
        t.diagnostic(`${what}: p95 ${words} ms, of at most ${limit_ms} ms`);
        assert.ok(rounds.some(([took, own]) => took - own <= limit_ms), `${what}: p95 of ${words} ms, and the document says ${limit_ms} ms`);
      }
    });

    test('I8_attributes that no contract names yet are kept', async () => {
      const image = await create('image-service/image', newImage({ dominantColor: '#aabbcc' }));
      assert.equal((await get(`image-service/image/${image.id}`)).dominantColor, '#aabbcc');
      await ok(api('PATCH', `image-service/image/${image.id}`, { dominantColor: null }));
      assert.equal((await get(`image-service/image/${image.id}`)).dominantColor, undefined);
    });
  });

  describe('O, orchestrator', () => {
    test('O1_the table, UUIDv4 keys, and the index with the projection of the document', async () => {
      const workspace_id = unique('ws');
      const made = await create('orchestrator/job', newRun({ workspace_id, credits_estimate: 3 }));
      assert.match(made.job_id, uuid4);
      const { items: [listed] } = await get(`orchestrator/job?workspace_id=${workspace_id}`);
      assert.deepEqual(Object.keys(listed).sort(), ['created_at', 'credits_estimate', 'job_id', 'status', 'trigger_type', 'workflow_id', 'workspace_id']);
      const { Table } = await db.describeTable({ TableName: 'lifebook-orchestrator-jobs' });
      assert.deepEqual(Table.KeySchema, [{ AttributeName: 'job_id', KeyType: 'HASH' }]);
      assert.equal(Table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
    });

    test('O2_all fields of the floor, with their defaults', async () => {
      const { steps_total, ...without } = newRun();
      const job = await create('orchestrator/job', without);
      const floor = ['job_id', 'workspace_id', 'user_id', 'workflow_id', 'trigger_type', 'status', 'attempts', 'max_attempts', 'step_cursor', 'steps_total',
        'credits_estimate', 'credits_reserved', 'credits_spent', 'idempotency_key', 'created_at', 'updated_at'];
      for (const name of floor) assert.notEqual(job[name], undefined, name);
      assert.deepEqual([job.attempts, job.max_attempts, job.step_cursor, job.steps_total, job.credits_spent], [0, 5, 0, 0, 0]);
    });

    test('O3_an invalid transition is rejected, noted in the history and counted', async () => {
      const job = await run({ trace_id: 't-3', steps_total: 0 });
      await job.must('finish');
      const metric = async () => Number(/waybill_refused_changes_total\{contract="orchestrator",record="job",rule="moves"\} (\d+)/.exec(await (await fetch(`${server.endpoint}/metrics`)).text())?.[1] ?? 0);
      const before = await metric();
      await refused(api('PATCH', job.path, { status: 'queued' }), 409, 'conflict', { rule: 'moves' });
      assert.equal((await get(job.path)).status, 'completed');
      const noted = (await get(`${job.path}:history`)).items.at(-1);
      assert.deepEqual([noted.rule, noted.from, noted.to], ['moves', 'completed', 'queued']);
      assert.equal(await metric(), before + 1);
      const line = new RegExp(`may not go from completed to queued; .*, of orchestrator/job/${job.id} \\(trace_id t-3\\)`);
      await until('it is in the log', () => line.test(server.run.output));
    });

    test('O4_queue, dead-letter queue, maxReceiveCount 5, and the envelope with its eight fields', async () => {
      const { RedrivePolicy } = await attributes('lifebook-orchestrator-queue');
      const policy = JSON.parse(RedrivePolicy);
      assert.equal(Number(policy.maxReceiveCount), 5);
      assert.match(policy.deadLetterTargetArn, /:lifebook-orchestrator-dlq$/);
      const { job_id: id, ...made } = await create('orchestrator/job', newRun({ trace_id: 't' }));
      const { message } = await claimOf('orchestrator/job', id);
      assert.deepEqual(message, { v: 1, job_id: id, workspace_id: made.workspace_id, trigger_type: 'manual', attempt: 1, max_attempts: 5, trace_id: 't', idempotency_key: made.idempotency_key });
    });

    test('O5_a failure counts and says why; at the maximum it is dead, with completed_at and its event', async () => {
      const job = await run({ max_attempts: 1 });
      const { record, gave_up } = await job.must('fail', { code: 'E1', message: 'broken' });
      assert.deepEqual([gave_up, record.status, record.attempts, record.last_error_code, record.last_error_message], [true, 'dead', 1, 'E1', 'broken']);
      assert.ok(record.completed_at);
      assert.deepEqual(await events(job.path), ['workflow_run_created', 'workflow_run_started', 'workflow_run_completed']);
    });

    test('O6_the backoff is 30, 120, 600 and 1800 seconds, in next_attempt_at and in the queue', async () => {
      const data = scratchDir();
      let own = await startJobs({ data });
      const { job_id: id } = await ok(clientOf(own.endpoint)('POST', 'orchestrator/job', newRun({ max_attempts: 9 })), 201);
      let passed_s = 0;
      for (const wait_s of [30, 120, 600, 1800]) {
        const client = clientOf(own.endpoint);
        const { jobs: [job] } = await ok(client('POST', 'orchestrator/job:claim', { wait_s: 5 }));
        assert.equal(job?.id, id, `claimed ${passed_s} s later`);
        const { record, retry_at } = await ok(client('POST', `orchestrator/job/${id}:fail`, { lease: job.lease.token, code: 'E', message: 'm' }));
        const in_s = (new Date(retry_at) - new Date(record.updated_at)) / 1000;
        assert.ok(Math.abs(in_s - wait_s) < 1, `${in_s} s`);
        assert.equal(record.next_attempt_at, retry_at);
        assert.deepEqual((await ok(client('POST', 'orchestrator/job:claim', {}))).jobs, []);
        await own.stop();
        passed_s += wait_s + 2;
        own = await startServer({ data, env: ahead(passed_s) });
      }
      await own.stop();
    });

    test('O7_the same logical run twice is one job, of 64 at once as well', async () => {
      const wish = newRun();
      const answers = await Promise.all(Array.from({ length: 64 }, () => api('POST', 'orchestrator/job', wish)));
      assert.equal(new Set(answers.map((answer) => answer.body.job_id)).size, 1);
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [...Array(63).fill(200), 201]);
      assert.equal((await get(`orchestrator/job?workspace_id=${wish.workspace_id}`)).items.length, 1);
    });

    test('O7_a key is good for 72 hours, and makes a new job then', async () => {
      let own = await startJobs();
      const wish = newRun();
      const first = await ok(clientOf(own.endpoint)('POST', 'orchestrator/job', wish), 201);
      for (const [hours, status] of [[71, 200], [73, 201]]) {
        await own.stop();
        own = await startServer({ data: own.data, env: ahead(hours * 3600) });
        const { job_id } = await ok(clientOf(own.endpoint)('POST', 'orchestrator/job', wish), status);
        assert.equal(job_id === first.job_id, status === 200);
      }
      await own.stop();
    });

    test('O8_a message for a terminal job is a no-op', async () => {
      const { job_id, workspace_id } = await create('orchestrator/job', newRun());
      await post(`orchestrator/job/${job_id}:cancel`);
      const before = await get(`orchestrator/job/${job_id}`);
      const { jobs } = await post('orchestrator/job:claim', { max: 10 });
      assert.equal(jobs.some((job) => job.id === job_id), false);
      assert.deepEqual(await get(`orchestrator/job/${job_id}`), before);
      assert.equal((await receive('lifebook-orchestrator-queue')).some((body) => body.workspace_id === workspace_id), false);
    });

    test('O9_a retry skips steps that are done, also after the worker and the server were killed', async () => {
      let own = await startJobs();
      const client = () => clientOf(own.endpoint);
      const { job_id: id } = await ok(client()('POST', 'orchestrator/job', newRun({ steps_total: 3 })), 201);
      const { jobs: [job] } = await ok(client()('POST', 'orchestrator/job:claim', { lease_s: 1 }));
      await ok(client()('POST', `orchestrator/job/${id}:step`, { lease: job.lease.token, step: 0 }));
      await own.stop('SIGKILL');
      own = await startServer({ data: own.data });
      const again = await until('it is handed out again', async () => (await ok(client()('POST', 'orchestrator/job:claim', { wait_s: 2 }))).jobs[0]);
      assert.deepEqual([again.id, again.attempt, again.record.step_cursor], [id, 2, 1]);
      const repeated = await client()('POST', `orchestrator/job/${id}:step`, { lease: again.lease.token, step: 0 });
      assert.equal(repeated.headers.get('idempotency-replayed'), 'true');
      for (const step of [1, 2]) await ok(client()('POST', `orchestrator/job/${id}:step`, { lease: again.lease.token, step }));
      assert.equal((await ok(client()('POST', `orchestrator/job/${id}:finish`, { lease: again.lease.token }))).step_cursor, 3);
      await own.stop();
    });

    test('O10_ttl_at is set at the terminal state, by the retention of that state', async () => {
      const job = await run({ steps_total: 0 });
      assert.equal(job.record.ttl_at, undefined);
      const done = await job.must('finish');
      assert.ok(Math.abs(done.ttl_at - Date.parse(done.completed_at) / 1000 - 90 * day_s) < 2);
      const { job_id } = await create('orchestrator/job', newRun());
      const canceled = await post(`orchestrator/job/${job_id}:cancel`);
      assert.ok(Math.abs(canceled.ttl_at - Date.parse(canceled.completed_at) / 1000 - 30 * day_s) < 2);
    });

    test('O11_the depth of the dead-letter queue is a metric, with an alarm', async (t) => {
      const own = await startJobs({ args: ['--dead-letter-alarm-depth', '0'] });
      t.after(() => own.stop());
      const client = clientOf(own.endpoint);
      const metrics = async () => (await fetch(`${own.endpoint}/metrics`)).text();
      const alarm = /waybill_queue_alarm\{[^}]*queue="lifebook-orchestrator-dlq"[^}]*\} 1/;
      assert.doesNotMatch(await metrics(), alarm);
      const { job_id: id } = await ok(client('POST', 'orchestrator/job', newRun()), 201);
      const { jobs: [job] } = await ok(client('POST', 'orchestrator/job:claim', { wait_s: 5 }));
      await ok(client('POST', `orchestrator/job/${id}:fail`, { lease: job.lease.token, code: 'E', message: 'm', retry: false }));
      const text = await until('the alarm is raised', async () => alarm.test(await metrics()) && metrics());
      assert.match(text, /waybill_queue_messages_visible\{[^}]*queue="lifebook-orchestrator-dlq"[^}]*\} 1/);
    });

    test('O12_credits are reserved, spent with the steps, and released at the end', async () => {
      const job = await run({ credits_estimate: 10, steps_total: 2 });
      assert.deepEqual([job.record.credits_reserved, job.record.credits_spent], [10, 0]);
      await job.must('step', { step: 0, spend: { credits: 2.5 } });
      await job.must('step', { step: 0, spend: { credits: 2.5 } });
      const second = await job.must('step', { step: 1, spend: { credits: 4 } });
      assert.deepEqual([second.credits_reserved, second.credits_spent], [10, 6.5]);
      const done = await job.must('finish');
      assert.deepEqual([done.credits_estimate, done.credits_reserved, done.credits_spent], [10, 0, 6.5]);
    });

    test('O13_a job is canceled at any point before its end, and its worker no-ops', async () => {
      const { job_id: queued } = await create('orchestrator/job', newRun());
      const running = await run();
      const failed = await run();
      await failed.must('fail', { code: 'E', message: 'm' });
      for (const id of [queued, running.id, failed.id]) {
        assert.equal((await post(`orchestrator/job/${id}:cancel`, { why: 'not wanted' })).status, 'canceled');
        assert.equal((await events(`orchestrator/job/${id}`)).filter((event) => event === 'workflow_run_canceled').length, 1);
      }
      for (const verb of ['heartbeat', 'finish']) await refused(running.send(verb), 409, 'conflict');
      const done = await run({ steps_total: 0 });
      await done.must('finish');
      await refused(api('POST', `${done.path}:cancel`, {}), 409, 'conflict', { rule: 'ends' });
    });

    test('O14_events share job_id', async (t) => {
      const told = await publishing(t, 'orchestrator', async (client) => {
        const { job_id: id } = await ok(client('POST', 'orchestrator/job', newRun()), 201);
        await ok(client('POST', `orchestrator/job/${id}:cancel`, {}));
        return id;
      }, 2);
      for (const event of told.events) assert.deepEqual([event.subject, event.data.job_id], [told.result, told.result]);
    });
  });

  // A contract that is published to a webhook of ours: what it was told while `act` was done, `count` events of it.
  async function publishing(t, name, act, count) {
    const events = [];
    const hook = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        events.push(JSON.parse(body));
        response.writeHead(events.length === 1 ? 503 : 204).end(); // the first is told again
      });
    });
    await new Promise((resolve) => hook.listen(0, '127.0.0.1', resolve));
    t.after(() => hook.close());
    const file = join(scratchDir(), `${name}.yaml`);
    writeFileSync(file, `${readFileSync(join(contracts, `${name}.yaml`), 'utf8')}\npublish:\n  - {to: webhook, url: "http://127.0.0.1:${hook.address().port}/"}\n`);
    const own = await startServer({ args: ['--contracts', file] });
    t.after(() => own.stop());
    const result = await act(clientOf(own.endpoint), own);
    await until('all events are told', () => new Set(events.map((event) => event.id)).size >= count);
    return { events, result, own };
  }

  describe('A, asset creator', () => {
    test('A1_the seven kinds of items under their keys', async () => {
      const { project_id } = await create('asset-creator/project', { name: 'p' });
      const job = await asset(project_id);
      await job.must('step', { step: 'text-to-image' });
      await create('asset-creator/asset', { project_id, asset_id: 'ast_1', version: 7, type: '3D', files: [] });
      const keysOf = async (PK) => (await doc.query({ TableName: 'asset_creator', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': PK } })).Items.map(({ SK }) => SK);
      const ofProject = await keysOf(`PROJECT#${project_id}`);
      for (const wanted of [/^PROJECT#prj_/, /^JOB#job_/, /^ASSET#ast_1#V#00000007$/, /^AUDIT#.*Z#/]) assert.ok(ofProject.some((key) => wanted.test(key)), `${wanted} in ${ofProject}`);
      assert.match((await keysOf(`JOB#${job.job_id}`)).join(), /^STEP#text-to-image#/);
      const { Items } = await doc.scan({ TableName: 'asset_creator' });
      assert.ok(Items.some(({ PK }) => PK.startsWith('OUTBOX#')));
      await doc.put({ TableName: 'asset_creator', Item: stepItem(unique('job'), project_id, { seed: unique() }) });
      assert.ok((await doc.scan({ TableName: 'asset_creator' })).Items.some(({ PK }) => PK.startsWith('IDEMPOTENCY#')));
    });
    const stepItem = (job_id, project_id, more = {}) => ({
      PK: `JOB#${job_id}`, SK: `STEP#refine#${new Date().toISOString()}`, project_id, asset_type: '3D', inputs: { prompt: 'cat' }, seed: '1', model_version: 'v1', status: 'pending', ...more,
    });

    test('A2_jobs by status, steps by status, assets by type', async () => {
      const job = await asset();
      await job.must('pause', { step: 'text-to-image' });
      assert.ok((await get('asset-creator/job?status=paused&limit=100')).items.some((item) => item.job_id === job.job_id));
      assert.ok((await get('asset-creator/step?status=paused&limit=100')).items.some((item) => item.job_id === job.job_id));
      const made = await create('asset-creator/asset', { project_id: job.project_id, version: 1, type: '2D', files: [] });
      assert.ok((await get('asset-creator/asset?type=2D&limit=100')).items.some((item) => item.asset_id === made.asset_id));
    });

    test('A3_the access patterns, the latest version of an asset among them', async () => {
      const job = await asset();
      await job.must('step', { step: 'text-to-image' });
      assert.deepEqual((await get(`asset-creator/job?project_id=${job.project_id}`)).items.map((item) => item.job_id), [job.job_id]);
      assert.equal((await get(job.path)).current_step, 'refine');
      assert.equal((await get(`asset-creator/step?job_id=${job.job_id}`)).items.length, 1);
      for (const version of [1, 2, 10]) await create('asset-creator/asset', { project_id: job.project_id, asset_id: 'ast_v', version, type: '3D', files: [] });
      const latest = await get(`asset-creator/asset?project_id=${job.project_id}&asset_id=ast_v&order=newest&limit=1`);
      assert.deepEqual(latest.items.map((item) => item.version), [10]);
      assert.deepEqual((await get('asset-creator/job?status=running&limit=100')).items.filter((item) => item.job_id === job.job_id).length, 1);
    });

    test('A4_change and event are one commit; a publisher delivers at least once, in order for each job, and marks them published', async (t) => {
      const told = await publishing(t, 'asset-creator', async (client) => {
        const made = await ok(client('POST', 'asset-creator/job', { project_id: 'p', asset_type: '3D' }), 201);
        await ok(client('POST', `asset-creator/job/p,${made.job_id}:cancel`, {}));
        return `p,${made.job_id}`;
      }, 2);
      const types = told.events.filter((event) => event.subject === told.result).map((event) => event.type);
      assert.deepEqual(types, ['asset_job_created', 'asset_job_created', 'asset_job_ended'], 'the first was refused once, and the second waited for it');
      const own = DynamoDBDocument.from(new DynamoDB(clientConfig({ endpoint: told.own.endpoint })));
      await until('both are published', async () => {
        const { Items } = await own.scan({ TableName: 'asset_creator' });
        return Items.filter((item) => item.PK.startsWith('OUTBOX#') && item.status === 'published').length === 2;
      });
    });

    test('A5_a key by hash of project, asset type, step, inputs, seed and model version, for 72 hours', async () => {
      const project = unique('prj');
      const put = (more) => doc.put({ TableName: 'asset_creator', Item: stepItem(unique('job'), project, more) });
      await put();
      await assert.rejects(put(), { name: 'ConditionalCheckFailedException', message: /rule idempotency/ });
      await put({ seed: '2' });
      await put({ model_version: 'v2' });
      const { Items } = await doc.scan({ TableName: 'asset_creator' });
      const row = Items.find(({ PK }) => PK.startsWith('IDEMPOTENCY#'));
      assert.ok(row.ttl - Date.now() / 1000 > 24 * 3600 && row.ttl - Date.now() / 1000 <= 72 * 3600, String(row.ttl));
    });

    test('A6_who did what and when, per project, and lines are only ever added', async () => {
      const { project_id, path, must } = await asset();
      await must('pause', { step: 'text-to-image' });
      await post(`${path}:approve`, { why: 'fine' }, { 'waybill-actor': 'anna' });
      const { Items } = await doc.query({ TableName: 'asset_creator', KeyConditionExpression: 'PK = :p AND begins_with(SK, :a)', ExpressionAttributeValues: { ':p': `PROJECT#${project_id}`, ':a': 'AUDIT#' } });
      const approval = Items.find((item) => item.action === 'approve');
      assert.equal(approval.actor, 'anna');
      assert.ok(approval.ts);
      await assert.rejects(doc.put({ TableName: 'asset_creator', Item: { ...approval, actor: 'bob' } }));
      await assert.rejects(doc.delete({ TableName: 'asset_creator', Key: { PK: approval.PK, SK: approval.SK } }), /only ever added/);
    });

    test('A7_a step pauses, is listed, is approved with who and when, and the pipeline goes on from there', async () => {
      const job = await asset();
      await job.must('pause', { step: 'text-to-image', fields: { artifacts: [{ key: 'a.png' }] } });
      assert.ok((await get('asset-creator/step?status=paused&limit=100')).items.some((step) => step.job_id === job.job_id));
      await post(`${job.path}:approve`, { why: 'fine' }, { 'waybill-actor': 'anna' });
      const { items: [step] } = await get(`asset-creator/step?job_id=${job.job_id}`);
      assert.deepEqual([step.status, step.approved_by, step.artifacts], ['completed', 'anna', [{ key: 'a.png' }]]);
      assert.ok(step.decided_at);
      const { record } = await claimOf('asset-creator/job', job.id);
      assert.equal(record.current_step, 'refine');
      const other = await asset();
      await other.must('pause', { step: 'text-to-image' });
      assert.equal((await post(`${other.path}:reject`, { why: 'ugly' })).status, 'failed');
    });

    test('A8_the pipeline is seven steps, each with its artifacts and metrics', async () => {
      const names = ['text-to-image', 'refine', '3d', 'retopo', 'rig', 'anim', 'export'];
      const job = await asset();
      for (const [i, step] of names.entries()) {
        assert.equal((await get(job.path)).current_step, step);
        await job.must('step', { step, fields: { artifacts: [{ key: `${step}.bin` }], metrics: { seconds: i } } });
      }
      assert.equal((await job.must('finish')).status, 'completed');
      const { items } = await get(`asset-creator/step?job_id=${job.job_id}&order=oldest`);
      assert.deepEqual(items.map((step) => [step.step_name, step.status, step.artifacts, step.metrics.seconds]).sort((a, b) => a[3] - b[3]),
        names.map((name, i) => [name, 'completed', [{ key: `${name}.bin` }], i]));
    });

    test('A9_jobs are kept for 90 days from their end', async () => {
      const job = await asset();
      await job.must('step', { step: 'text-to-image' });
      const done = await job.must('finish');
      const in_s = done.ttl - Date.now() / 1000;
      assert.ok(in_s > 90 * day_s - 60 && in_s <= 90 * day_s, String(in_s));
      const { items: [step] } = await get(`asset-creator/step?job_id=${job.job_id}`);
      assert.ok(step.ttl - Date.now() / 1000 > 89 * day_s);
    });

    test('A9_the latest ten versions of an asset are kept', async () => {
      const project_id = unique('prj');
      for (let version = 1; version <= 12; version++) await create('asset-creator/asset', { project_id, asset_id: 'ast_n', version, type: '3D', files: [] });
      const kept = await until('the oldest are gone', async () => {
        const { items } = await get(`asset-creator/asset?project_id=${project_id}&asset_id=ast_n&order=oldest&limit=100`);
        return items.length === 10 && items;
      });
      assert.deepEqual(kept.map((item) => item.version), [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    });

    test('A9_the ten newest versions stay, however they are numbered and in whichever order they come', async () => {
      const project_id = unique('prj');
      const versions = async () => (await get(`asset-creator/asset?project_id=${project_id}&asset_id=ast_g&order=oldest&limit=100`)).items.map((item) => item.version);
      const make = (version) => create('asset-creator/asset', { project_id, asset_id: 'ast_g', version, type: '3D', files: [] });
      for (const version of [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233]) await make(version);
      assert.deepEqual(await versions(), [3, 5, 8, 13, 21, 34, 55, 89, 144, 233]);
      await make(40);
      await make(1000);
      assert.deepEqual(await versions(), [8, 13, 21, 34, 40, 55, 89, 144, 233, 1000]);
      await ok(api('DELETE', `asset-creator/asset/${project_id},ast_g,40`), 204);
      await make(1001);
      assert.deepEqual(await versions(), [8, 13, 21, 34, 55, 89, 144, 233, 1000, 1001], 'one that was deleted makes room');
      await doc.transactWrite({ TransactItems: [1002, 1003].map((version) => ({
        Put: { TableName: 'asset_creator', Item: { PK: `PROJECT#${project_id}`, SK: `ASSET#ast_g#V#0000${version}`, type: '3D', files: [] } },
      })) });
      assert.deepEqual(await versions(), [21, 34, 55, 89, 144, 233, 1000, 1001, 1002, 1003]);
      await make(4);
      assert.deepEqual(await versions(), [21, 34, 55, 89, 144, 233, 1000, 1001, 1002, 1003], 'ten newer ones are there');
    });

    test('A9_what is over its time is archived in files that can be read again, and gone from the table', async () => {
      let own = await startJobs();
      const client = () => clientOf(own.endpoint);
      const { job_id } = await ok(client()('POST', 'asset-creator/job', { project_id: 'p', asset_type: '3D' }), 201);
      await ok(client()('POST', `asset-creator/job/p,${job_id}:cancel`, { why: 'over' }));
      for (let version = 1; version <= 11; version++) await ok(client()('POST', 'asset-creator/asset', { project_id: 'p', asset_id: 'ast_o', version, type: '3D', files: [] }), 201);
      await own.stop();
      own = await startServer({ data: own.data, env: ahead(91 * day_s) });
      const folder = join(own.data, 'buckets/archive/asset-creator');
      const lines = () => (existsSync(folder) ? readdirSync(folder, { recursive: true }) : []).filter((name) => name.endsWith('.json.gz'))
        .flatMap((name) => gunzipSync(readFileSync(join(folder, name))).toString().trimEnd().split('\n')).map((line) => JSON.parse(line));
      const archived = await until('both are archived', () => new Set(lines().map((line) => line.Record)).size === 2 && lines(), { timeout_ms: 40_000, every_ms: 200 });
      assert.deepEqual(archived.map((line) => line.Record).sort(), ['asset-creator/asset/p,ast_o,1', `asset-creator/job/p,${job_id}`]);
      const job = archived.find((line) => line.Record.includes('/job/'));
      assert.deepEqual([job.Item.SK.S, job.Item.status.S], [`JOB#${job_id}`, 'canceled']);
      await refused(client()('GET', `asset-creator/job/p,${job_id}`), 404, 'not-found');

      const parameters = join(scratchDir(), 'table.json');
      writeFileSync(parameters, JSON.stringify({
        TableName: 'read-again', BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
      }));
      const run = runBinary(['import', folder, '--data', own.data, '--parameters', parameters], { within_ms: 60_000 });
      assert.equal(await run.exited, 0, run.output);
      const again = DynamoDBDocument.from(new DynamoDB(clientConfig({ endpoint: own.endpoint })));
      const { Item } = await again.get({ TableName: 'read-again', Key: { PK: 'PROJECT#p', SK: `JOB#${job_id}` } });
      assert.deepEqual([Item.asset_type, Item.status], ['3D', 'canceled']);
      await own.stop();
    });

    test('A14_quotas and settings are those of the project', async () => {
      const { project_id } = await create('asset-creator/project', { name: 'p', style_profile: { tone: 'dark' }, quotas: { jobs_waiting: 2 } });
      const job = () => api('POST', 'asset-creator/job', { project_id, asset_type: '3D' });
      const first = await ok(job(), 201);
      await ok(job(), 201);
      await refused(job(), 429, 'quota');
      await post(`asset-creator/job/${project_id},${first.job_id}:cancel`);
      await ok(job(), 201);
      await ok(api('PATCH', `asset-creator/project/${project_id}`, { quotas: { jobs_waiting: 3 } }));
      await ok(job(), 201);
      assert.deepEqual((await get(`asset-creator/project/${project_id}`)).style_profile, { tone: 'dark' });
    });
  });

  describe('T, text analyzer', () => {
    const newFile = (fields = {}) => ({ ownerId: unique('owner'), s3Bucket: 'b', s3Key: 'k', originalFileName: 'a.txt', ...fields });
    const items = async (PK) => (await doc.query({ TableName: 'text-analyzer-history', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': PK } })).Items;

    test('T1_the file item and the owner\'s item agree after every change, and go together', async () => {
      const file = await create('text-analyzer/file', newFile());
      const agree = async () => {
        const [[own], [history]] = [await items(`FILE#${file.fileId}`), await items(`OWNER#${file.ownerId}`)];
        assert.deepEqual([history.SK, history.status, history.updatedAt], [`FILE#${file.fileId}`, own.status, own.updatedAt]);
      };
      await agree();
      await ok(api('PATCH', `text-analyzer/file/${file.fileId}`, { status: 'IN_PROGRESS' }));
      await agree();
      assert.equal((await api('DELETE', `text-analyzer/file/${file.fileId}`)).status, 204);
      assert.deepEqual(await items(`OWNER#${file.ownerId}`), []);
    });

    test('T2_PENDING, IN_PROGRESS, COMPLETED, by conditional updates; COMPLETED is never processed again', async () => {
      const { fileId } = await create('text-analyzer/file', newFile());
      const path = `text-analyzer/file/${fileId}`;
      await refused(api('PATCH', path, { status: 'COMPLETED' }), 409, 'conflict', { rule: 'moves' });
      const etag = (await api('GET', path)).headers.get('etag');
      const won = await Promise.all(Array.from({ length: 16 }, () => api('PATCH', path, { status: 'IN_PROGRESS' }, { 'if-match': etag })));
      assert.deepEqual(won.map((answer) => answer.status).sort(), [200, ...Array(15).fill(412)]);
      await ok(api('PATCH', path, { status: 'COMPLETED', result: { totalWords: 1, uniqueWords: 1, avgWordLength: 1, top10Words: [] } }));
      await refused(api('PATCH', path, { status: 'IN_PROGRESS' }), 409, 'conflict');
    });

    test('T5_errorMessage only with FAILED', async () => {
      const { fileId } = await create('text-analyzer/file', newFile());
      const path = `text-analyzer/file/${fileId}`;
      const early = await api('PATCH', path, { errorMessage: 'x' });
      assert.ok(early.status === 422 || early.status === 409, early.text);
      assert.equal((await ok(api('PATCH', path, { status: 'FAILED', errorMessage: 'no text' }))).errorMessage, 'no text');
    });

    test('T6_get by id, update by status, list by owner', async () => {
      const ownerId = unique('owner');
      const one = await create('text-analyzer/file', newFile({ ownerId }));
      const two = await create('text-analyzer/file', newFile({ ownerId }));
      assert.equal((await get(`text-analyzer/file/${one.fileId}`)).status, 'PENDING');
      await ok(api('PATCH', `text-analyzer/file/${one.fileId}`, { status: 'IN_PROGRESS' }));
      const listed = (await get(`text-analyzer/file?ownerId=${ownerId}`)).items;
      assert.deepEqual(listed.map((file) => [file.fileId, file.status]).sort(), [[one.fileId, 'IN_PROGRESS'], [two.fileId, 'PENDING']].sort());
    });

    test('T7_no index, no second table, no TTL, no authentication assumed', async () => {
      const { Table } = await db.describeTable({ TableName: 'text-analyzer-history' });
      assert.equal(Table.GlobalSecondaryIndexes, undefined);
      assert.equal(Table.LocalSecondaryIndexes, undefined);
      assert.deepEqual(Table.KeySchema.map((key) => key.AttributeName), ['PK', 'SK']);
      const { TimeToLiveDescription } = await db.describeTimeToLive({ TableName: 'text-analyzer-history' });
      assert.equal(TimeToLiveDescription.TimeToLiveStatus, 'DISABLED');
      const { TableNames } = await db.listTables({});
      assert.equal(TableNames.filter((name) => name.startsWith('text-analyzer')).length, 1);
    });
  });
});
