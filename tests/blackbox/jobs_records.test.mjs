// Records through the jobs API: made, read, listed, counted, changed and deleted, with the errors of each. Whoever
// works with curl sees nothing else of the product, so the answers themselves are looked at.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { clientConfig, unique } from './harness.mjs';
import { clientOf, newImage, newPhoto, newRun, ok, refused, startJobs } from './jobs_client.mjs';

let server, api, db;
before(async () => {
  server = await startJobs();
  api = clientOf(server.endpoint);
  db = new DynamoDB(clientConfig({ endpoint: server.endpoint }));
});
after(() => server.stop());

const created = async (records, fields, headers) => {
  const answer = await api('POST', records, fields, headers);
  assert.equal(answer.status, 201, answer.text);
  return { record: answer.body, id: answer.headers.get('location').split('/').at(-1), etag: answer.headers.get('etag') };
};

describe('create', () => {
  test('fills what the contract fills, and says where the record is', async () => {
    const answer = await api('POST', 'orchestrator/job', newRun());
    assert.equal(answer.status, 201, answer.text);
    assert.match(answer.headers.get('location'), /^\/v1\/orchestrator\/job\/[0-9a-f-]{36}$/);
    assert.match(answer.headers.get('etag'), /^".+"$/);
    assert.equal(answer.body.status, 'queued');
    assert.equal(answer.body.attempts, 0);
    assert.equal(answer.body.max_attempts, 5);
    assert.match(answer.body.created_at, /^\d{4}-\d\d-\d\dT.*Z$/);
    const stored = await db.getItem({ TableName: 'lifebook-orchestrator-jobs', Key: { job_id: { S: answer.body.job_id } } });
    assert.equal(stored.Item.status.S, 'queued');
  });

  test('keeps all digits of numbers', async () => {
    const text = JSON.stringify(newRun()).replace(/}$/, ',"credits_estimate":12345678901234567890.123456789012345678}');
    const answer = await api('POST', 'orchestrator/job', text);
    assert.equal(answer.status, 201, answer.text);
    assert.match(answer.text, /"credits_estimate":12345678901234567890\.123456789012345678[,}]/);
  });

  test('names the field that is missing, of another type, or not one of its words', async () => {
    const { workflow_id, ...without } = newRun();
    await refused(api('POST', 'orchestrator/job', without), 422, 'invalid', { field: 'workflow_id' });
    await refused(api('POST', 'orchestrator/job', newRun({ steps_total: 'three' })), 422, 'invalid', { field: 'steps_total' });
    await refused(api('POST', 'orchestrator/job', newRun({ trigger_type: 'magic' })), 422, 'invalid', { field: 'trigger_type' });
  });

  test('refuses what is no JSON object', async () => {
    await refused(api('POST', 'orchestrator/job', '{"a":'), 400, 'malformed');
    await refused(api('POST', 'orchestrator/job', '[]'), 400, 'malformed');
    await refused(api('POST', 'orchestrator/job', '{}', { 'content-type': 'text/plain' }), 400, 'malformed', { field: 'Content-Type' });
  });

  test('O7_an idempotency key makes one record, by header and by field', async () => {
    const run = newRun();
    const first = await api('POST', 'orchestrator/job', run);
    assert.equal(first.status, 201, first.text);
    const again = await api('POST', 'orchestrator/job', run);
    assert.equal(again.status, 200, again.text);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(again.body.job_id, first.body.job_id);
    assert.equal(again.headers.get('location'), first.headers.get('location'));

    const { idempotency_key, ...rest } = newRun();
    const byHeader = await api('POST', 'orchestrator/job', rest, { 'idempotency-key': idempotency_key });
    assert.equal(byHeader.status, 201, byHeader.text);
    const repeated = await api('POST', 'orchestrator/job', rest, { 'idempotency-key': idempotency_key });
    assert.equal(repeated.status, 200, repeated.text);
    assert.equal(repeated.body.job_id, byHeader.body.job_id);
    // Another workspace has keys of its own.
    const other = await api('POST', 'orchestrator/job', newRun({ idempotency_key }));
    assert.equal(other.status, 201, other.text);
    await refused(api('POST', 'orchestrator/job', rest, { 'idempotency-key': 'x'.repeat(256) }), 400, 'malformed');
  });

  test('an idempotency key that the contract has no field for stands for one request', async () => {
    const photo = newPhoto();
    const headers = { 'idempotency-key': unique('key') };
    const first = await api('POST', 'photo-editor/job', photo, headers);
    assert.equal(first.status, 201, first.text);
    const turned = Object.fromEntries(Object.entries(photo).reverse());
    const again = await api('POST', 'photo-editor/job', turned, headers);
    assert.equal(again.status, 200, again.text);
    assert.equal(again.body.jobId, first.body.jobId);
    await refused(api('POST', 'photo-editor/job', { ...photo, ...newPhoto({ userId: 'another' }) }, headers), 409, 'key-in-use');
  });

  test('64 identical creates with one idempotency key make one job', async () => {
    const run = newRun();
    const answers = await Promise.all(Array.from({ length: 64 }, () => api('POST', 'orchestrator/job', run)));
    assert.equal(new Set(answers.map((answer) => answer.body.job_id)).size, 1, answers.find((a) => a.status >= 300)?.text);
    assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
    assert.equal(answers.filter((answer) => answer.status === 200).length, 63);
    const counts = await ok(api('GET', `orchestrator/job:counts?tenant=${run.workspace_id}`));
    assert.equal(counts.queued, 1);
  });
});

describe('get', () => {
  test('gives the record with its ETag', async () => {
    const { record, id, etag } = await created('orchestrator/job', newRun());
    const answer = await api('GET', `orchestrator/job/${id}`);
    assert.deepEqual(answer.body, record);
    assert.equal(answer.headers.get('etag'), etag);
    const seen = await api('GET', `orchestrator/job/${id}`, undefined, { 'if-none-match': etag });
    assert.equal(seen.status, 304);
    assert.equal(seen.text, '');
  });

  test('does not show how the table keeps its keys', async () => {
    const { id } = await created('image-service/image', newImage());
    const image = await ok(api('GET', `image-service/image/${id}`));
    assert.equal(image.id, id);
    assert.equal(image.PK, undefined);
  });

  test('says what is not there', async () => {
    await refused(api('GET', 'orchestrator/job/nobody'), 404, 'not-found');
    await refused(api('GET', 'orchestrator/nothing/1'), 404, 'not-found');
    await refused(api('GET', 'nothing/job/1'), 404, 'not-found');
    await refused(api('GET', 'orchestrator'), 404, 'unknown-operation');
  });
});

describe('list', () => {
  test('pages through an index, newest first, with cursors that are good for their list alone', async () => {
    const workspace_id = unique('ws');
    const made = [];
    for (let i = 0; i < 5; i += 1) made.push((await created('orchestrator/job', newRun({ workspace_id }))).record.job_id);
    const path = `orchestrator/job?workspace_id=${workspace_id}`;
    const first = await ok(api('GET', `${path}&limit=2`));
    assert.equal(first.items.length, 2);
    assert.match(first.next, /^[A-Za-z0-9_-]+$/);
    const seen = [...first.items];
    for (let next = first.next; next; ) {
      const page = await ok(api('GET', `${path}&limit=2&cursor=${next}`));
      seen.push(...page.items);
      next = page.next;
    }
    assert.deepEqual(seen.map((item) => item.job_id).sort(), made.sort());
    const times = seen.map((item) => item.created_at);
    assert.deepEqual(times, [...times].sort().reverse());
    const oldest = await ok(api('GET', `${path}&order=oldest`));
    assert.deepEqual(oldest.items.map((item) => item.created_at), [...times].sort());

    await refused(api('GET', `${path}&cursor=${first.next}x`), 400, 'malformed', { field: 'cursor' });
    await refused(api('GET', `${path}&cursor=AAAA`), 400, 'malformed', { field: 'cursor' });
    await refused(api('GET', `orchestrator/job?workspace_id=other&cursor=${first.next}`), 400, 'malformed', { field: 'cursor' });
    await refused(api('GET', `${path}&order=oldest&cursor=${first.next}`), 400, 'malformed', { field: 'cursor' });
  });

  test('filters by other fields and refuses what fits no index', async () => {
    const userId = unique('user');
    await created('photo-editor/job', newPhoto({ userId }));
    const mine = await ok(api('GET', `photo-editor/job?userId=${userId}`));
    assert.equal(mine.items.length, 1);
    assert.equal(mine.items[0].status, 'QUEUED');
    assert.deepEqual((await ok(api('GET', `photo-editor/job?userId=${userId}&status=COMPLETED`))).items, []);
    const problem = await refused(api('GET', 'photo-editor/job?provider=stub'), 422, 'invalid');
    assert.match(problem.detail, /userId/);
    await refused(api('GET', `photo-editor/job?userId=${userId}&limit=0`), 400, 'malformed', { field: 'limit' });
    await refused(api('GET', `photo-editor/job?userId=${userId}&order=up`), 400, 'malformed', { field: 'order' });
    await refused(api('GET', `photo-editor/job?userId=${userId}&index=none`), 422, 'invalid');
  });

  test('by tags, any or all of them', async () => {
    const userId = unique('user');
    const a = await created('image-service/image', newImage({ userId, tags: ['red', 'car'] }));
    const b = await created('image-service/image', newImage({ userId, tags: ['red'] }));
    const ids = async (query) => (await ok(api('GET', `image-service/image?userId=${userId}&${query}`))).items.map((item) => item.id).sort();
    assert.deepEqual(await ids('tag=red'), [a.id, b.id].sort());
    assert.deepEqual(await ids('tag=red&tag=car&match=all'), [a.id]);
    assert.deepEqual(await ids('tag=car&tag=blue'), [a.id]);
    await refused(api('GET', `image-service/image?userId=${userId}&tag=red&match=some`), 400, 'malformed', { field: 'match' });
  });
});

describe('counts', () => {
  test('are exact, of all and of one tenant', async () => {
    const workspace_id = unique('ws');
    const before = await ok(api('GET', 'orchestrator/job:counts'));
    for (let i = 0; i < 3; i += 1) await created('orchestrator/job', newRun({ workspace_id }));
    const counted = await ok(api('GET', `orchestrator/job:counts?tenant=${workspace_id}`));
    assert.equal(counted.queued, 3);
    assert.equal(counted.running, 0);
    assert.equal((await ok(api('GET', 'orchestrator/job:counts'))).queued, before.queued + 3);
    await refused(api('GET', 'image-service/version:counts'), 404, 'unknown-operation');
    await refused(api('GET', 'orchestrator/job:counts?owner=1'), 400, 'malformed', { field: 'owner' });
  });
});

describe('update', () => {
  test('merges, removes what is null, and minds If-Match', async () => {
    const { id, etag, record } = await created('image-service/image', newImage({ title: 'one', description: 'long' }));
    const answer = await api('PATCH', `image-service/image/${id}`, { title: 'two', description: null }, { 'if-match': etag });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.title, 'two');
    assert.equal(answer.body.description, undefined);
    assert.equal(answer.body.originalFilename, 'a.png');
    assert.notEqual(answer.headers.get('etag'), etag);
    assert.equal(answer.body.version, record.version + 1);
    await refused(api('PATCH', `image-service/image/${id}`, { title: 'three' }, { 'if-match': etag }), 412, 'changed');
    await refused(api('PATCH', `image-service/image/${id}`, { title: 'x' }, { 'if-match': 'W/"1", "2"' }), 400, 'malformed');
    const merge = await api('PATCH', `image-service/image/${id}`, '{"title":"four"}', { 'content-type': 'application/merge-patch+json' });
    assert.equal(merge.body.title, 'four', merge.text);
  });

  test('one of 16 with the same If-Match wins', async () => {
    const { id, etag } = await created('image-service/image', newImage());
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => api('PATCH', `image-service/image/${id}`, { title: `t${i}` }, { 'if-match': etag })),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, ...Array(15).fill(412)]);
  });

  test('holds to the moves of the contract, and says which rule stood against it', async () => {
    const { id } = await created('orchestrator/job', newRun());
    const problem = await refused(api('PATCH', `orchestrator/job/${id}`, { status: 'completed' }), 409, 'conflict', { rule: 'moves' });
    assert.match(problem.detail, /queued/);
    assert.equal((await ok(api('GET', `orchestrator/job/${id}`))).status, 'queued');
    await refused(api('PATCH', `orchestrator/job/${id}`, { steps_total: 'x' }), 422, 'invalid', { field: 'steps_total' });
    await refused(api('PATCH', 'orchestrator/job/nobody', { trace_id: 'x' }), 404, 'not-found');
  });
});

describe('delete', () => {
  test('is for the owner, and for the state that was seen', async () => {
    const { id, etag, record } = await created('image-service/image', newImage());
    await refused(api('DELETE', `image-service/image/${id}?owner=somebody`), 403, 'forbidden');
    await refused(api('DELETE', `image-service/image/${id}`, undefined, { 'if-match': '"99"' }), 412, 'changed');
    const answer = await api('DELETE', `image-service/image/${id}?owner=${record.userId}`, undefined, { 'if-match': etag });
    assert.equal(answer.status, 204, answer.text);
    await refused(api('GET', `image-service/image/${id}`), 404, 'not-found');
    await refused(api('DELETE', `image-service/image/${id}`), 404, 'not-found');
  });
});

describe('history', () => {
  test('says who did what, when and why, also of what was refused and of what is gone', async () => {
    const { id } = await created('orchestrator/job', newRun(), { 'waybill-actor': 'anna' });
    await api('PATCH', `orchestrator/job/${id}`, { status: 'completed' }, { 'waybill-actor': 'ben' });
    await ok(api('POST', `orchestrator/job/${id}:cancel`, { why: 'by mistake' }, { 'waybill-actor': 'anna' }));
    const { items } = await ok(api('GET', `orchestrator/job/${id}:history`));
    assert.equal(items[0].action, 'create');
    assert.equal(items[0].actor, 'anna');
    assert.match(items[0].at, /^\d{4}-\d\d-\d\dT.*Z$/);
    const refusal = items.find((item) => item.action === 'refused');
    assert.equal(refusal.actor, 'ben');
    assert.equal(refusal.rule, 'moves');
    const cancel = items.find((item) => item.action === 'cancel');
    assert.equal(cancel.from, 'queued');
    assert.equal(cancel.to, 'canceled');
    assert.equal(cancel.why, 'by mistake');

    const one = await ok(api('GET', `orchestrator/job/${id}:history?limit=1&order=newest`));
    assert.equal(one.items.length, 1);
    assert.equal(one.items[0].seq, items.at(-1).seq);
    const next = await ok(api('GET', `orchestrator/job/${id}:history?limit=1&order=newest&cursor=${one.next}`));
    assert.equal(next.items[0].seq, items.at(-2).seq);
    await refused(api('GET', `orchestrator/job/${id}:history?cursor=${one.next}`), 400, 'malformed', { field: 'cursor' });

    const image = await created('image-service/image', newImage());
    assert.equal((await api('DELETE', `image-service/image/${image.id}`)).status, 204);
    const gone = await ok(api('GET', `image-service/image/${image.id}:history`));
    assert.deepEqual(gone.items.map((item) => item.action).slice(-1), ['remove']);
  });
});

describe('paths', () => {
  test('what a path does not take is 405 with what it does', async () => {
    const answer = await api('PUT', 'orchestrator/job/1', {});
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'DELETE, GET, PATCH');
    assert.ok(answer.body.type.endsWith('/problems/method-not-allowed'));
    assert.equal((await api('GET', 'orchestrator/job:claim')).headers.get('allow'), 'POST');
    assert.equal((await api('POST', 'contracts', {})).headers.get('allow'), 'GET');
    await refused(api('POST', 'orchestrator/job/1:explode', {}), 404, 'unknown-operation');
    await refused(api('POST', 'image-service/version:claim', {}), 404, 'unknown-operation');
  });

  test('HEAD has the head of GET', async () => {
    const { id, etag } = await created('orchestrator/job', newRun());
    const answer = await api('HEAD', `orchestrator/job/${id}`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('etag'), etag);
    assert.equal(answer.text, '');
  });

  test('ids of several fields, with colons and slashes in them', async () => {
    const project = await created('asset-creator/project', { name: 'p' });
    const job = await created('asset-creator/job', { project_id: project.id, asset_type: '3D' });
    assert.equal(decodeURIComponent(job.id), `${project.id},${job.record.job_id}`);
    assert.equal((await ok(api('GET', `asset-creator/job/${project.id},${job.record.job_id}`))).asset_type, '3D');
    const step = await api('POST', 'asset-creator/step', { project_id: project.id, job_id: job.record.job_id, step_name: 'rig' });
    assert.equal(step.status, 201, step.text);
    assert.deepEqual(await ok(api('GET', step.headers.get('location').slice(4))), step.body);
    assert.deepEqual(await ok(api('GET', `asset-creator/step/${job.record.job_id},rig,${step.body.ts}`)), step.body);
    await refused(api('GET', `asset-creator/job/${project.id}`), 422, 'invalid');
  });

  test('pages of other sites are not served', async () => {
    await refused(api('GET', 'contracts', undefined, { 'sec-fetch-site': 'cross-site' }), 403, 'forbidden');
    const { id } = await created('orchestrator/job', newRun());
    // A form of another site needs no body, and older browsers tell its origin alone.
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1']) {
      await refused(api('POST', `orchestrator/job/${id}:cancel`, undefined, { origin }), 403, 'forbidden');
    }
    assert.equal((await api('GET', 'contracts', undefined, { origin: server.endpoint })).status, 200);
    // A name that somebody else has made lead here.
    const statusOf = (host) => new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.endpoint);
      http.get({ hostname, port, path: '/v1/contracts', headers: { host } }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    });
    for (const host of ['evil.example', `evil.example:${server.port}`, 'localhost.evil.example', '127.0.0.1.evil.example']) assert.equal(await statusOf(host), 403, host);
    for (const host of ['localhost', `LOCALHOST:${server.port}`, 'a.localhost', '127.0.0.1:1', '[::1]:8000']) assert.equal(await statusOf(host), 200, host);
  });

  test('what cannot be written as JSON is not taken', async () => {
    await refused(api('POST', 'orchestrator/job', newRun(), { 'waybill-actor': 'caf\xe9' }), 400, 'malformed', { field: 'Waybill-Actor' });
    await refused(api('POST', 'photo-editor/job', newPhoto(), { 'idempotency-key': '\xff' }), 400, 'malformed', { field: 'Idempotency-Key' });
    await refused(api('GET', 'orchestrator/job/%ff'), 400, 'malformed');
    await refused(api('GET', 'orchestrator/job?workspace_id=%ff'), 400, 'malformed');
    const { id } = await created('orchestrator/job', newRun(), { authorization: 'Bearer \xff' });
    assert.equal((await ok(api('GET', `orchestrator/job/${id}:history`))).items[0].actor, 'anonymous');
  });

  test('bodies and what histories keep of them have bounds', async () => {
    const { id } = await created('orchestrator/job', newRun());
    await refused(api('POST', `orchestrator/job/${id}:cancel`, { why: 'x'.repeat(4097) }), 422, 'invalid', { field: 'why' });
    await refused(api('POST', 'orchestrator/job:claim', { worker: 'x'.repeat(201) }), 422, 'invalid', { field: 'worker' });
    await refused(api('POST', 'orchestrator/job', newRun({ trace_id: 'x'.repeat(4 << 20) })), 413, 'too-large');
  });
});
