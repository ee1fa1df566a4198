// Work through the jobs API: claims, leases, steps, failures, reviews and replays, with the errors of each, and the
// races that a lease is for.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { clientConfig, sleep, unique, until } from './harness.mjs';
import { clientOf, newPhoto, newRun, ok, refused, startJobs } from './jobs_client.mjs';

let server, api;
before(async () => {
  server = await startJobs();
  api = clientOf(server.endpoint);
});
after(() => server.stop());

const create = async (records, fields) => {
  const answer = await api('POST', records, fields);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
const claim = (records, body = {}) => ok(api('POST', `${records}:claim`, { worker: 'w', ...body }));

// Jobs of the queue are anybody's: the claim goes on until it has this one.
async function claimed(records, idOf, wanted, body = {}) {
  return until(`${wanted} is handed out`, async () => {
    const { jobs } = await claim(records, { max: 10, ...body });
    return jobs.find((job) => idOf(job.record) === wanted);
  });
}
const runningRun = async (fields, body) => {
  const run = await create('orchestrator/job', newRun(fields));
  return claimed('orchestrator/job', (record) => record.job_id, run.job_id, body);
};
const at = (job, verb) => `orchestrator/job/${job.id}:${verb}`;

describe('claim', () => {
  test('hands out the record, a lease with a fencing token, and the message', async () => {
    const run = await create('orchestrator/job', newRun());
    const job = await claimed('orchestrator/job', (record) => record.job_id, run.job_id, { lease_s: 60 });
    assert.equal(job.id, run.job_id);
    assert.equal(job.record.status, 'running');
    assert.equal(job.attempt, 1);
    assert.ok(job.lease.token);
    assert.ok(Number.isSafeInteger(job.lease.fence) && job.lease.fence > 0);
    const left_s = (new Date(job.lease.until) - Date.now()) / 1000;
    assert.ok(left_s > 50 && left_s <= 61, `${left_s} s`);
    assert.equal(job.message.job_id, run.job_id);
    assert.equal(job.message.v, 1);
  });

  test('waits for a job that comes', async () => {
    await claim('photo-editor/job', { max: 10 });
    const waiting = claim('photo-editor/job', { wait_s: 10 });
    await sleep(100);
    const photo = await create('photo-editor/job', newPhoto());
    const { jobs } = await waiting;
    assert.equal(jobs[0].record.jobId, photo.jobId);
    assert.deepEqual(await claim('photo-editor/job'), { jobs: [] });
  });

  test('a job is not given to a client that went away', async () => {
    await claim('photo-editor/job', { max: 10 });
    const abort = new AbortController();
    const waiting = fetch(`${server.endpoint}/v1/photo-editor/job:claim`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"wait_s":20}',
      signal: abort.signal,
    });
    await sleep(100);
    abort.abort();
    await assert.rejects(waiting);
    await sleep(100);
    const photo = await create('photo-editor/job', newPhoto());
    const { jobs } = await claim('photo-editor/job', { wait_s: 5 });
    assert.equal(jobs[0]?.record.jobId, photo.jobId);
  });

  test('64 workers for one job: one winner', async () => {
    await claim('photo-editor/job', { max: 10 });
    const workers = Array.from({ length: 64 }, (_, i) => claim('photo-editor/job', { worker: `w${i}`, wait_s: 2 }));
    await sleep(200);
    const photo = await create('photo-editor/job', newPhoto());
    const got = (await Promise.all(workers)).flatMap((answer) => answer.jobs);
    assert.deepEqual(got.map((job) => job.record.jobId), [photo.jobId]);
  });

  test('is fair between tenants: one job does not wait behind the many of another', async () => {
    const own = await startJobs();
    const client = clientOf(own.endpoint);
    const [many, few] = [unique('many'), unique('few')];
    for (let i = 0; i < 30; i += 1) await ok(client('POST', 'orchestrator/job', newRun({ workspace_id: many })), 201);
    const { job_id } = await ok(client('POST', 'orchestrator/job', newRun({ workspace_id: few })), 201);
    const first = [];
    for (let i = 0; i < 2; i += 1) first.push(...(await ok(client('POST', 'orchestrator/job:claim', { max: 1 }))).jobs);
    assert.ok(first.some((job) => job.id === job_id), JSON.stringify(first.map((job) => job.record.workspace_id)));
    await own.stop();
  });

  test('refuses what is out of bounds or unknown', async () => {
    await refused(api('POST', 'orchestrator/job:claim', { max: 11 }), 422, 'invalid', { field: 'max' });
    await refused(api('POST', 'orchestrator/job:claim', { wait_s: 21 }), 422, 'invalid', { field: 'wait_s' });
    await refused(api('POST', 'orchestrator/job:claim', { lease_s: 0 }), 422, 'invalid', { field: 'lease_s' });
    await refused(api('POST', 'orchestrator/job:claim', { maximum: 1 }), 422, 'invalid', { field: 'maximum' });
    await refused(api('POST', 'orchestrator/job:claim', { worker: 1 }), 422, 'invalid', { field: 'worker' });
  });
});

describe('leases', () => {
  test('a heartbeat prolongs it', async () => {
    const job = await runningRun({}, { lease_s: 30 });
    const { lease } = await ok(api('POST', at(job, 'heartbeat'), { lease: job.lease.token, lease_s: 120 }));
    assert.equal(lease.fence, job.lease.fence);
    assert.ok(new Date(lease.until) > new Date(job.lease.until));
    await refused(api('POST', at(job, 'heartbeat'), {}), 422, 'invalid', { field: 'lease' });
    await refused(api('POST', at(job, 'heartbeat'), { lease: 'nonsense' }), 409, 'lease-lost');
  });

  test('a worker that lost its lease cannot write', async () => {
    const job = await runningRun({ steps_total: 0 }, { lease_s: 1 });
    const again = await claimed('orchestrator/job', (record) => record.job_id, job.id, { wait_s: 2 });
    assert.ok(again.lease.fence > job.lease.fence);
    for (const [verb, body] of [['heartbeat', {}], ['progress', { fields: { trace_id: 'x' } }], ['step', { step: 0 }], ['finish', {}], ['fail', { code: 'X' }]]) {
      await refused(api('POST', at(job, verb), { lease: job.lease.token, ...body }), 409, 'lease-lost');
    }
    assert.equal((await ok(api('GET', `orchestrator/job/${job.id}`))).status, 'running');
    await ok(api('POST', at(again, 'finish'), { lease: again.lease.token }));
  });

  test('a lease of another job is none', async () => {
    const one = await runningRun();
    const other = await runningRun();
    await refused(api('POST', at(one, 'finish'), { lease: other.lease.token }), 409, 'lease-lost');
  });
});

describe('progress, step, finish', () => {
  test('fields change under the lease', async () => {
    const job = await runningRun();
    const record = await ok(api('POST', at(job, 'progress'), { lease: job.lease.token, fields: { trace_id: 't1' } }));
    assert.equal(record.trace_id, 't1');
    const gone = await ok(api('POST', at(job, 'progress'), { lease: job.lease.token, fields: { trace_id: null } }));
    assert.equal(gone.trace_id, undefined);
    await refused(api('POST', at(job, 'progress'), { lease: job.lease.token, fields: { steps_total: 'x' } }), 422, 'invalid', { field: 'steps_total' });
    await refused(api('POST', at(job, 'progress'), { lease: job.lease.token, fields: 1 }), 422, 'invalid', { field: 'fields' });
  });

  test('O9, O12_steps are recorded once, in order, and credits with them', async () => {
    const job = await runningRun({ credits_estimate: 10 });
    const step = (body) => api('POST', at(job, 'step'), { lease: job.lease.token, ...body });
    const first = await ok(step({ step: 0, spend: { credits: 2.5 } }));
    assert.equal(first.step_cursor, 1);
    assert.equal(first.credits_spent, 2.5);
    const again = await step({ step: 0, spend: { credits: 2.5 } });
    assert.equal(again.status, 200, again.text);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(again.body.credits_spent, 2.5);
    await refused(step({ step: 2 }), 409, 'conflict', { rule: 'steps' });
    await refused(step({ step: 1, spend: { credits: 'x' } }), 422, 'invalid', { field: 'spend.credits' });
    assert.equal((await ok(step({ step: 1 }))).step_cursor, 2);
  });

  test('finish ends it, and again is the same', async () => {
    const job = await runningRun({ steps_total: 0 });
    const done = await ok(api('POST', at(job, 'finish'), { lease: job.lease.token }));
    assert.equal(done.status, 'completed');
    assert.ok(done.completed_at && done.ttl_at);
    const again = await api('POST', at(job, 'finish'), { lease: job.lease.token });
    assert.equal(again.status, 200, again.text);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    await refused(api('PATCH', `orchestrator/job/${job.id}`, { status: 'running' }), 409, 'conflict');
  });

  test('O9_a run is done when all its steps are, whoever says so; one that ends earlier says so by its total', async () => {
    const job = await runningRun({ steps_total: 3 });
    const finish = (fields = {}) => api('POST', at(job, 'finish'), { lease: job.lease.token, fields });
    await ok(api('POST', at(job, 'step'), { lease: job.lease.token, step: 0 }));
    const problem = await refused(finish(), 409, 'conflict', { rule: 'steps' });
    assert.match(problem.detail, /step_cursor is 1 of 3/);
    const doc = DynamoDBDocument.from(new DynamoDB(clientConfig({ endpoint: server.endpoint })));
    const complete = () => doc.update({
      TableName: 'lifebook-orchestrator-jobs', Key: { job_id: job.id }, UpdateExpression: 'SET #s = :c',
      ExpressionAttributeNames: { '#s': 'status' }, ExpressionAttributeValues: { ':c': 'completed' },
    });
    await assert.rejects(complete(), { name: 'ConditionalCheckFailedException', message: /step_cursor is 1 of 3.*rule steps/ });
    assert.equal((await ok(api('GET', `orchestrator/job/${job.id}`))).status, 'running');
    const { items } = await ok(api('GET', `orchestrator/job/${job.id}:history`));
    assert.deepEqual(items.filter((line) => line.action === 'refused').map((line) => [line.rule, line.to]), [['steps', 'completed'], ['steps', 'completed']]);
    assert.equal((await ok(finish({ steps_total: 1 }))).status, 'completed');

    const other = await runningRun({ steps_total: 3 });
    await doc.update({
      TableName: 'lifebook-orchestrator-jobs', Key: { job_id: other.id }, UpdateExpression: 'SET #s = :c, step_cursor = :n',
      ExpressionAttributeNames: { '#s': 'status' }, ExpressionAttributeValues: { ':c': 'completed', ':n': 3 },
    });
  });

  test('a job that is given back is somebody else\'s at once, and its attempt does not count', async () => {
    const run = await create('orchestrator/job', newRun());
    for (let i = 0; i < 7; i++) { // more often than the queue gives it out
      const job = await claimed('orchestrator/job', (record) => record.job_id, run.job_id, { lease_s: 600 });
      assert.equal(job.attempt, 1);
      const back = await ok(api('POST', at(job, 'release'), { lease: job.lease.token }));
      assert.deepEqual([back.status, back.attempts, back.last_error_code], ['running', 0, undefined]);
    }
    const job = await claimed('orchestrator/job', (record) => record.job_id, run.job_id);
    await refused(api('POST', at(job, 'release'), { lease: job.lease.token, wait_s: -1 }), 422, 'invalid', { field: 'wait_s' });
    await ok(api('POST', at(job, 'cancel')));
    await refused(api('POST', at(job, 'release'), { lease: job.lease.token }), 409, 'conflict');
  });

  test('one that is given back with a code says so, counts, and comes after a while', async () => {
    const photo = await create('photo-editor/job', newPhoto());
    const idOf = (record) => record.jobId;
    const job = await claimed('photo-editor/job', idOf, photo.jobId);
    const path = `photo-editor/job/${job.id}`;
    const back = await ok(api('POST', `${path}:release`, { lease: job.lease.token, wait_s: 1, code: 'PROVIDER_TIMEOUT', message: 'slow' }));
    assert.deepEqual([back.status, back.error], ['PROCESSING', { code: 'PROVIDER_TIMEOUT', message: 'slow', retryCount: 1 }]);
    const released = Date.now();
    const again = await claimed('photo-editor/job', idOf, photo.jobId);
    assert.ok(Date.now() - released > 800);
    assert.equal(again.attempt, 2);
    assert.deepEqual(again.record.error, { code: 'PROVIDER_TIMEOUT', message: 'slow', retryCount: 1 }, 'not that a lease was lost');
    await refused(api('POST', `${path}:release`, { lease: job.lease.token }), 409, 'lease-lost');
  });

  test('a plain move under the lease: PROCESSING to EDITING, then done', async () => {
    const photo = await create('photo-editor/job', newPhoto());
    const job = await claimed('photo-editor/job', (record) => record.jobId, photo.jobId);
    assert.equal(job.record.status, 'PROCESSING');
    const path = `photo-editor/job/${job.id}`;
    await refused(api('POST', `${path}:finish`, { lease: job.lease.token }), 409, 'conflict', { rule: 'moves' });
    const editing = await ok(api('POST', `${path}:progress`, { lease: job.lease.token, fields: { status: 'EDITING' } }));
    assert.equal(editing.status, 'EDITING');
    const fields = { editResult: { s3Key: 'k', width: 1, height: 2, format: 'png', size: 3 } };
    const done = await ok(api('POST', `${path}:finish`, { lease: job.lease.token, fields }));
    assert.equal(done.status, 'COMPLETED');
    assert.deepEqual(done.editResult, fields.editResult);
  });
});

describe('fail, replay, cancel', () => {
  test('a failure is tried again after the backoff, or given up at once', async () => {
    const job = await runningRun();
    const failed = await ok(api('POST', at(job, 'fail'), { lease: job.lease.token, code: 'E1', message: 'no' }));
    assert.equal(failed.gave_up, false);
    assert.equal(failed.record.status, 'failed');
    assert.equal(failed.record.attempts, 1);
    assert.equal(failed.record.last_error_code, 'E1');
    assert.equal(failed.record.next_attempt_at, failed.retry_at);
    const in_s = (new Date(failed.retry_at) - Date.now()) / 1000;
    assert.ok(in_s > 25 && in_s <= 31, `${in_s} s`);
    await refused(api('POST', at(job, 'fail'), { lease: job.lease.token, retry: 'no' }), 422, 'invalid', { field: 'retry' });

    const poison = await runningRun();
    const dead = await ok(api('POST', at(poison, 'fail'), { lease: poison.lease.token, code: 'BAD', message: 'never', retry: false }));
    assert.equal(dead.gave_up, true);
    assert.equal(dead.record.status, 'dead');
    assert.equal(dead.retry_at, undefined);
  });

  test('what was given up is replayed, one by one and many', async () => {
    const kill = async () => {
      const job = await runningRun();
      await ok(api('POST', at(job, 'fail'), { lease: job.lease.token, code: 'BAD', message: 'never', retry: false }));
      return job;
    };
    const one = await kill();
    const back = await ok(api('POST', at(one, 'replay'), { why: 'fixed' }));
    assert.equal(back.status, 'queued');
    const again = await claimed('orchestrator/job', (record) => record.job_id, one.id);
    assert.equal(again.record.status, 'running');
    await refused(api('POST', at(again, 'replay'), {}), 409, 'conflict');

    const many = [await kill(), await kill(), await kill()];
    const answer = await ok(api('POST', 'orchestrator/job:replay', { max: 100, why: 'fixed' }));
    assert.ok(answer.replayed >= 3, JSON.stringify(answer));
    for (const job of many) assert.equal((await ok(api('GET', `orchestrator/job/${job.id}`))).status, 'queued');
    await refused(api('POST', 'orchestrator/job:replay', { max: 0 }), 422, 'invalid', { field: 'max' });
  });

  test('cancel ends a job, and its worker is told', async () => {
    const job = await runningRun();
    const canceled = await ok(api('POST', at(job, 'cancel'), { why: 'not wanted' }));
    assert.equal(canceled.status, 'canceled');
    const again = await api('POST', at(job, 'cancel'), {});
    assert.equal(again.headers.get('idempotency-replayed'), 'true', again.text);
    await refused(api('POST', at(job, 'heartbeat'), { lease: job.lease.token }), 409, 'conflict');
    await refused(api('POST', at(job, 'finish'), { lease: job.lease.token }), 409, 'conflict');
    await refused(api('POST', 'orchestrator/job/nobody:cancel', {}), 404, 'not-found');
    await refused(api('POST', at(job, 'cancel'), { because: 'x' }), 422, 'invalid', { field: 'because' });
  });
});

describe('review', () => {
  const paused = async () => {
    const project_id = unique('prj');
    const made = await create('asset-creator/job', { project_id, asset_type: '3D' });
    const job = await claimed('asset-creator/job', (record) => record.job_id, made.job_id);
    const path = `asset-creator/job/${job.id}`;
    const record = await ok(api('POST', `${path}:pause`, { lease: job.lease.token, step: 'text-to-image' }));
    assert.equal(record.status, 'paused');
    return { path, job };
  };

  test('a paused job goes on when it is approved', async () => {
    const { path, job } = await paused();
    await refused(api('POST', `${path}:heartbeat`, { lease: job.lease.token }), 409, 'conflict', { rule: 'moves' });
    const record = await ok(api('POST', `${path}:approve`, { why: 'fine' }, { 'waybill-actor': 'anna' }));
    assert.equal(record.current_step, 'refine');
    const { items } = await ok(api('GET', `${path}:history`));
    const approval = items.find((item) => item.action === 'approve');
    assert.equal(approval.actor, 'anna');
    assert.equal(approval.why, 'fine');
    await refused(api('POST', `${path}:approve`, {}), 409, 'conflict');
    const again = await claimed('asset-creator/job', (record) => record.job_id, job.record.job_id);
    assert.equal(again.record.status, 'running');
  });

  test('and ends when it is rejected', async () => {
    const { path } = await paused();
    const record = await ok(api('POST', `${path}:reject`, { why: 'ugly' }));
    assert.equal(record.status, 'failed');
    await refused(api('POST', `${path}:approve`, {}), 409, 'conflict');
  });

  const stepsOf = async ({ record: { job_id } }, status) =>
    (await ok(api('GET', `asset-creator/step?status=${status}&order=newest&limit=1000`))).items.filter((step) => step.job_id === job_id);

  test('a step waits for nobody when its job is canceled', async () => {
    const { path, job } = await paused();
    assert.equal((await stepsOf(job, 'paused')).length, 1);
    await ok(api('POST', `${path}:cancel`, { why: 'no need' }));
    assert.deepEqual(await stepsOf(job, 'paused'), []);
    const [step] = await stepsOf(job, 'failed');
    assert.equal(step.step_name, 'text-to-image');
    assert.ok(step.ttl, 'it is kept for as long as the contract says');
  });

  test('and does not stay at work when its job is given up', async () => {
    const { path, job } = await paused();
    await ok(api('POST', `${path}:approve`, {}));
    const again = await claimed('asset-creator/job', (record) => record.job_id, job.record.job_id);
    await ok(api('POST', `${path}:pause`, { lease: again.lease.token, step: 'refine' }));
    const { ts } = (await stepsOf(job, 'paused'))[0];
    await ok(api('POST', `${path}:reject`, {}));
    const failed = await stepsOf(job, 'failed');
    assert.deepEqual(failed.map((step) => step.ts), [ts]);

    const made = await create('asset-creator/job', { project_id: unique('prj'), asset_type: '3D' });
    const lost = await claimed('asset-creator/job', (record) => record.job_id, made.job_id);
    const begun = { project_id: made.project_id, job_id: made.job_id, step_name: 'text-to-image' };
    const step = await create('asset-creator/step', begun);
    const failure = { lease: lost.lease.token, code: 'BAD', message: 'never', retry: false };
    assert.equal((await ok(api('POST', `asset-creator/job/${lost.id}:fail`, failure))).gave_up, true);
    assert.deepEqual((await stepsOf(lost, 'failed')).map(({ ts: at }) => at), [step.ts]);
  });
});
