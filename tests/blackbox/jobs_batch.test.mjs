// POST /v1/batch: requests that come together, each carried out and answered as if it had come alone.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { scratchDir, unique } from './harness.mjs';
import { clientOf, newRun, ok, refused, startJobs } from './jobs_client.mjs';

let server, api;
before(async () => {
  server = await startJobs();
  api = clientOf(server.endpoint);
});
after(() => server.stop());

const records = '/v1/orchestrator/job';
const batch = async (requests) => (await ok(api('POST', 'batch', { requests }))).responses;
const creation = (fields) => ({ path: records, body: newRun(fields) });

describe('a batch', () => {
  test('takes many jobs through their whole life', async () => {
    const runs = Array.from({ length: 50 }, () => newRun({ credits_estimate: 6 }));
    const made = await batch(runs.map((body) => ({ path: records, body })));
    assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]));
    made.forEach(({ body, headers }, i) => {
      assert.equal(body.idempotency_key, runs[i].idempotency_key, 'answers stand in the order of the requests');
      assert.equal(headers.Location, `${records}/${body.job_id}`);
      assert.match(headers.ETag, /^".+"$/);
    });
    const claims = await batch(Array.from({ length: 5 }, () => ({ path: `${records}:claim`, body: { worker: 'w', max: 10 } })));
    const jobs = claims.flatMap(({ body }) => body.jobs);
    assert.deepEqual(new Set(jobs.map(({ id }) => id)), new Set(made.map(({ body }) => body.job_id)));
    for (let step = 0; step < 3; step += 1) {
      const steps = await batch(
        jobs.map(({ id, lease }) => ({ path: `${records}/${id}:step`, body: { lease: lease.token, step, spend: { credits: 2 } } })),
      );
      assert.ok(steps.every(({ status, body }) => status === 200 && body.step_cursor === step + 1));
    }
    const done = await batch(jobs.map(({ id, lease }) => ({ path: `${records}/${id}:finish`, body: { lease: lease.token } })));
    assert.ok(done.every(({ status, body }) => status === 200 && body.status === 'completed'), JSON.stringify(done[0]));
    const history = await ok(api('GET', `orchestrator/job/${jobs[0].id}:history`));
    assert.equal(history.items.filter(({ action }) => action === 'step').length, 3);
  });

  test('one that is refused stands in no other\'s way', async () => {
    const [first, wrong, missing, last] = await batch([
      creation(),
      creation({ trigger_type: 'nobody knows' }),
      { method: 'GET', path: `${records}/01ARZ3NDEKTSV4RRFFQ69G5FAV` },
      creation(),
    ]);
    assert.equal(first.status, 201);
    assert.equal(wrong.body.field, 'trigger_type', JSON.stringify(wrong));
    assert.equal(wrong.body.status, wrong.status);
    assert.equal(missing.status, 404);
    assert.equal(last.status, 201);
    await ok(api('GET', `orchestrator/job/${last.body.job_id}`));
  });

  test('has heads of its requests, and the batch\'s own for who acts', async () => {
    const key = unique('key');
    const { idempotency_key: _, ...body } = newRun();
    const requests = [
      { path: records, headers: { 'Idempotency-Key': key }, body },
      { path: records, body: newRun(), headers: { 'Waybill-Actor': 'ada' } },
    ];
    const made = await ok(api('POST', 'batch', { requests }, { 'waybill-actor': 'grace' }));
    const [one, two] = made.responses.map((response) => response.body.job_id);
    const repeated = { path: records, headers: { 'idempotency-key': key, 'waybill-actor': 'grace' }, body };
    const [again] = await batch([repeated]);
    assert.equal(again.body.job_id, one);
    assert.equal(again.headers['Idempotency-Replayed'], 'true');
    const actor = async (id) => (await ok(api('GET', `orchestrator/job/${id}:history`))).items[0].actor;
    assert.equal(await actor(one), 'grace');
    assert.equal(await actor(two), 'ada');
    const stale = await batch([
      { method: 'PATCH', path: `${records}/${one}`, headers: { 'If-Match': '"another"' }, body: { trace_id: 't' } },
      { method: 'GET', path: `${records}?workspace_id=${body.workspace_id}&limit=1` },
    ]);
    assert.equal(stale[0].status, 412);
    assert.equal(stale[1].body.items.length, 1);
  });

  test('does not wait, and is no stream, and no batch of batches', async () => {
    const [waits, feed, inner, nothing] = await batch([
      { path: `${records}:claim`, body: { wait_s: 1 } },
      { method: 'GET', path: `${records}:changes` },
      { path: '/v1/batch', body: { requests: [] } },
      { path: '/v1/nothing' },
    ]);
    assert.equal(waits.status, 400);
    assert.equal(waits.body.field, 'wait_s');
    assert.equal(feed.status, 400);
    assert.equal(inner.status, 400);
    assert.equal(nothing.status, 404);
  });

  test('that is malformed is refused as a whole', async () => {
    const one = creation();
    const before = await ok(api('GET', 'orchestrator/job:counts'));
    for (const requests of [undefined, [], 'x', Array(101).fill(one), [one, 7], [{ ...one, path: 7 }], [{ ...one, path: '/dynamodb' }],
      [{ body: {} }], [{ ...one, body: [] }], [{ ...one, more: 1 }], [{ ...one, headers: { authorization: 'x' } }], [{ ...one, headers: { 'if-match': 7 } }]])
      await refused(api('POST', 'batch', { requests }), 400, 'malformed');
    await refused(api('POST', 'batch', { requests: [one], more: 1 }), 400, 'malformed');
    await refused(api('GET', 'batch'), 405, 'method-not-allowed');
    assert.deepEqual(await ok(api('GET', 'orchestrator/job:counts')), before);
  });

  test('A10: reaches no further than its key', async () => {
    const keys = [
      { id: 'ROOT', secret: 'secret-of-root-0123456789' },
      {
        id: 'ONE',
        secret: 'secret-of-one-0123456789',
        tenant: 'w1',
        policy: { contracts: ['orchestrator'], verbs: ['read', 'write'], attributes: { workspace_id: ['{tenant}'] } },
      },
    ];
    const file = join(scratchDir(), 'keys.json');
    writeFileSync(file, JSON.stringify({ keys }), { mode: 0o600 });
    const guarded = await startJobs({ args: ['--keys', file] });
    try {
      const call = clientOf(guarded.endpoint);
      const as = ({ id, secret }) => ({ authorization: `Bearer ${id}:${secret}` });
      const requests = [creation({ workspace_id: 'w1' }), creation({ workspace_id: 'w2' })];
      assert.equal((await call('POST', 'batch', { requests })).status, 401);
      const { responses } = await ok(call('POST', 'batch', { requests }, as(keys[1])));
      assert.deepEqual(responses.map(({ status }) => status), [201, 403]);
      const others = await ok(call('POST', 'orchestrator/job', newRun({ workspace_id: 'w2' }), as(keys[0])), 201);
      const looks = [{ method: 'GET', path: `${records}/${others.job_id}` }, { path: `${records}:claim`, body: {} }];
      const seen = await ok(call('POST', 'batch', { requests: looks }, as(keys[1])));
      assert.deepEqual(seen.responses.map(({ status }) => status), [404, 403]);
    } finally {
      await guarded.stop();
    }
  });
});
