// Tenants (A10) in the jobs API: one project's key reaches its own records and no others, whatever the operation.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ours, scratchDir, startServer } from './harness.mjs';

const contract = fileURLToPath(new URL('../../contracts/asset-creator.yaml', import.meta.url));
const grants = [
  { contracts: ['asset-creator'], verbs: ['read', 'write'], partition_keys: ['PROJECT#{tenant}'] },
  { contracts: ['asset-creator'], verbs: ['read', 'write'], partition_keys: ['JOB#*'], attributes: { project_id: ['{tenant}'] } },
];
const keys = [
  { id: 'ROOT', secret: 'secret-of-root-0123456789' },
  { id: 'ONE', secret: 'secret-of-one-0123456789', tenant: 'prj_1', policy: grants },
  { id: 'TWO', secret: 'secret-of-two-0123456789', tenant: 'prj_2', policy: grants },
  { id: 'NONE', secret: 'secret-of-none-0123456789', policy: { queues: ['q'], verbs: ['read'] } },
];

describe('A10: projects in the jobs API', ours, () => {
  let server;
  before(async () => {
    const file = join(scratchDir(), 'keys.json');
    writeFileSync(file, JSON.stringify({ keys }), { mode: 0o600 });
    server = await startServer({ args: ['--keys', file, '--contracts', contract] });
  });
  after(() => server.stop());
  const as = (id) => async (method, path, body) => {
    const { secret } = keys.find((key) => key.id === id);
    const answer = await fetch(`${server.endpoint}/v1/${path}`, {
      method, headers: { authorization: `Bearer ${id}:${secret}`, ...(body && { 'content-type': 'application/json' }) }, body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, body: text && JSON.parse(text), headers: answer.headers };
  };
  const [root, one, two, none] = ['ROOT', 'ONE', 'TWO', 'NONE'].map(as);
  const job = (project_id) => ({ project_id, asset_type: '3D' });

  test('a project makes, sees and lists its own records alone', async () => {
    const made = await one('POST', 'asset-creator/job', job('prj_1'));
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal((await one('POST', 'asset-creator/job', job('prj_2'))).status, 403);
    const other = await two('POST', 'asset-creator/job', job('prj_2'));
    const path = (answer) => answer.headers.get('location').slice(4);
    assert.equal((await one('GET', path(made))).status, 200);
    assert.equal((await two('GET', path(made))).status, 404);
    for (const status of ['queued']) {
      const mine = (await one('GET', `asset-creator/job?status=${status}`)).body.items;
      assert.ok(mine.length > 0 && mine.every((item) => item.project_id === 'prj_1'), JSON.stringify(mine));
    }
    assert.deepEqual((await one('GET', 'asset-creator/job?project_id=prj_2')).body.items, []);
    for (const [method, verb, body] of [['PATCH', '', { asset_type: '2D' }], ['DELETE', ''], ['POST', ':cancel', { why: 'x' }], ['GET', ':history'], ['GET', ':changes']]) {
      assert.equal((await one(method, path(other) + verb, body)).status, 404, `${method} ${verb}`);
    }
    assert.equal((await one('POST', `${path(made)}:cancel`, { why: 'mine' })).status, 200);
    assert.equal((await two('GET', path(other))).body.status, 'queued');
    assert.equal((await one('PATCH', path(made), { project_id: 'prj_2' })).status, 403);
  });

  test('what is about everybody needs a key without limits', async () => {
    for (const [method, verb, body] of [['POST', ':claim', { worker: 'w', wait_s: 0 }], ['GET', ':changes']]) {
      assert.equal((await one(method, `asset-creator/job${verb}`, body)).status, 403, verb);
    }
    assert.equal((await one('GET', 'asset-creator/job:counts')).status, 403);
    assert.equal((await one('GET', 'asset-creator/job:counts?tenant=prj_2')).status, 403);
    assert.equal((await one('GET', 'asset-creator/job:counts?tenant=prj_1')).status, 200);
    assert.equal((await root('GET', 'asset-creator/job:counts')).status, 200);
    assert.equal((await none('GET', 'asset-creator/job?project_id=prj_1')).status, 403);
  });

  test('a key that is not known, or no key, is told so', async () => {
    assert.equal((await fetch(`${server.endpoint}/v1/contracts`)).status, 401);
    assert.equal((await fetch(`${server.endpoint}/v1/contracts`, { headers: { authorization: 'Bearer ONE:wrong' } })).status, 401);
  });
});
