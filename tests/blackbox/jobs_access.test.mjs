// Tenants (A10) in the jobs API: one project's key reaches its own records and no others, whatever the operation.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument, ExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { clientConfig, ours, scratchDir, startServer } from './harness.mjs';

const contracts = fileURLToPath(new URL('../../contracts', import.meta.url));
const grants = [
  { contracts: ['asset-creator'], verbs: ['read', 'write'], partition_keys: ['PROJECT#{tenant}'] },
  { contracts: ['asset-creator'], verbs: ['read', 'write'], partition_keys: ['JOB#*'], attributes: { project_id: ['{tenant}'] } },
  { tables: ['asset_creator'], verbs: ['read', 'write'], partition_keys: ['PROJECT#{tenant}'] },
];
const keys = [
  { id: 'ROOT', secret: 'secret-of-root-0123456789' },
  { id: 'ONE', secret: 'secret-of-one-0123456789', tenant: 'prj_1', policy: grants },
  { id: 'TWO', secret: 'secret-of-two-0123456789', tenant: 'prj_2', policy: grants },
  { id: 'SPACE', secret: 'secret-of-space-0123456789', tenant: 'w1', policy: { contracts: ['orchestrator'], verbs: ['read', 'write'], attributes: { workspace_id: ['{tenant}'] } } },
  { id: 'CHIEF', secret: 'secret-of-chief-0123456789', policy: [{ tables: ['asset_creator'], verbs: ['admin'] }, { tables: ['asset_creator'], verbs: ['read', 'write'], partition_keys: ['PROJECT#*'] }] },
  { id: 'NONE', secret: 'secret-of-none-0123456789', policy: { queues: ['q'], verbs: ['read'] } },
];

describe('A10: projects in the jobs API', ours, () => {
  let server;
  before(async () => {
    const file = join(scratchDir(), 'keys.json');
    writeFileSync(file, JSON.stringify({ keys }), { mode: 0o600 });
    server = await startServer({ args: ['--keys', file, '--contracts', contracts] });
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
  const [root, one, two, space, none] = ['ROOT', 'ONE', 'TWO', 'SPACE', 'NONE'].map(as);
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

  test('what a body says of the key does not put a record in reach', async () => {
    const before = (await root('GET', 'asset-creator/job:counts?tenant=prj_2')).body;
    for (const more of [{ PK: 'PROJECT#prj_1' }, { PK: 'PROJECT#prj_1', SK: 'JOB#x' }, { PK: 'JOB#x', SK: 'x' }]) {
      assert.equal((await one('POST', 'asset-creator/job', { ...job('prj_2'), ...more })).status, 403);
    }
    assert.deepEqual((await root('GET', 'asset-creator/job:counts?tenant=prj_2')).body, before);
    const mine = (await one('POST', 'asset-creator/job', job('prj_1'))).headers.get('location').slice(4);
    assert.notEqual((await one('PATCH', mine, { PK: 'PROJECT#prj_2' })).status, 200);
    assert.equal((await one('GET', mine)).status, 200);
  });

  test('no page of a list ends at a record of somebody else', async () => {
    for (let i = 0; i < 4; i += 1) {
      await one('POST', 'asset-creator/job', job('prj_1'));
      await two('POST', 'asset-creator/job', job('prj_2'));
    }
    const all = (await root('GET', 'asset-creator/job?status=queued&limit=1000')).body.items.filter((item) => item.project_id === 'prj_1');
    const seen = [];
    let next = '';
    do {
      const page = (await one('GET', `asset-creator/job?status=queued&limit=1${next && `&cursor=${next}`}`)).body;
      assert.equal(page.items.length, 1);
      seen.push(page.items[0].job_id);
      next = page.next ?? '';
      const inner = Buffer.from(next, 'base64url').subarray(12).toString();
      assert.ok(!Buffer.from(inner, 'base64url').toString('latin1').includes('prj_2'));
    } while (next);
    assert.deepEqual(seen, all.map((item) => item.job_id));
  });

  test('a cursor that somebody makes up does not lead to histories of others', async () => {
    const mine = (await one('POST', 'asset-creator/job', job('prj_1'))).headers.get('location').slice(4);
    const id = decodeURIComponent(mine.split('/').at(-1));
    const sha = (text) => createHash('sha256').update(text).digest();
    for (const [order, sign, place] of [['oldest', '>', Buffer.from([1])], ['newest', '<', Buffer.alloc(64, 255)]]) {
      const inner = Buffer.concat([sha(`history/asset-creator/job/${id}${sign}`).subarray(0, 8), place]).toString('base64url');
      const binding = `asset-creator/job/${id}\0order=${order}`;
      const cursor = Buffer.concat([sha(`${binding}\0${inner}`).subarray(0, 12), Buffer.from(inner)]).toString('base64url');
      const answer = await one('GET', `${mine}:history?order=${order}&cursor=${cursor}`);
      assert.equal(answer.status, 422, JSON.stringify(answer.body));
      assert.equal(answer.body.field, 'cursor');
    }
  });

  test('limits by attributes hold where the key of a record is made by the system', async () => {
    const run = (workspace_id, idempotency_key) => ({ workspace_id, idempotency_key, user_id: 'u', workflow_id: 'w', trigger_type: 'manual', steps_total: 1 });
    const made = await space('POST', 'orchestrator/job', run('w1', 'a'));
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal((await space('POST', 'orchestrator/job', run('w2', 'b'))).status, 403);
    await root('POST', 'orchestrator/job', run('w2', 'c'));
    const listed = async (workspace) => (await space('GET', `orchestrator/job?workspace_id=${workspace}`)).body.items.map((item) => item.job_id);
    assert.deepEqual(await listed('w1'), [made.body.job_id]);
    assert.deepEqual(await listed('w2'), []);
    assert.equal((await space('GET', 'orchestrator/job:counts?tenant=w1')).body.queued, 1);
    assert.equal((await space('GET', 'orchestrator/job:counts?tenant=w2')).status, 403);
    assert.equal((await space('GET', 'orchestrator/job:counts')).status, 403);
  });

  test('A14_a project\'s own key changes its settings and not its quotas, by whatever way', async () => {
    await root('POST', 'asset-creator/project', { project_id: 'prj_1', name: 'one', quotas: { jobs_per_day: 1000, assets: 5 } });
    const path = 'asset-creator/project/prj_1';
    const quotas = async () => (await root('GET', path)).body.quotas;
    const before = await quotas();
    assert.equal((await one('PATCH', path, { style_profile: { tone: 'dark' } })).status, 200);
    for (const change of [{ quotas: { jobs_per_day: 5000 } }, { quotas: { jobs_waiting: 1 } }, { quotas: null }, { quotas: { assets: null } }]) {
      const answer = await one('PATCH', path, change);
      assert.equal(answer.status, 403, JSON.stringify(answer.body));
      assert.match(answer.body.detail, /quotas\.\w+ limits those whose key this is/);
    }
    assert.equal((await one('DELETE', path)).status, 403);
    assert.equal((await two('POST', 'asset-creator/project', { project_id: 'prj_2', name: 'two', quotas: { jobs_per_day: 1e6 } })).status, 403);

    const TableName = 'asset_creator';
    const Key = { PK: 'PROJECT#prj_1', SK: 'PROJECT#prj_1' };
    const clientAs = (id) => DynamoDBDocument.from(new DynamoDB(clientConfig({ endpoint: server.endpoint, credentials: { accessKeyId: id, secretAccessKey: keys.find((key) => key.id === id).secret } })));
    const mine = clientAs('ONE');
    const raise = { TableName, Key, UpdateExpression: 'SET quotas.jobs_per_day = :n', ExpressionAttributeValues: { ':n': 9999 } };
    const Item = { ...Key, project_id: 'prj_1', name: 'one' };
    for (const write of [
      () => mine.update(raise),
      () => mine.put({ TableName, Item }),
      () => mine.put({ TableName, Item: { ...Item, quotas: { jobs_per_day: 1, assets: 500 } } }),
      () => mine.delete({ TableName, Key }),
      () => mine.batchWrite({ RequestItems: { [TableName]: [{ PutRequest: { Item } }] } }),
      () => mine.transactWrite({ TransactItems: [{ Update: raise }] }),
      () => mine.send(new ExecuteStatementCommand({ Statement: `UPDATE "${TableName}" SET quotas.assets = 9 WHERE PK = 'PROJECT#prj_1' AND SK = 'PROJECT#prj_1'` })),
    ]) await assert.rejects(write(), { name: 'AccessDeniedException' }, write.toString());
    assert.deepEqual(await quotas(), before);
    await mine.update({ TableName, Key, UpdateExpression: 'SET style_profile = :s', ExpressionAttributeValues: { ':s': { tone: 'light' } } });
    for (const id of ['ROOT', 'CHIEF']) await clientAs(id).update({ ...raise, ExpressionAttributeValues: { ':n': 10_000 } });
    assert.equal((await quotas()).jobs_per_day, 10_000);
  });

  test('a key is told of the contracts that its policy names, and of no others', async () => {
    const told = async (who) => {
      const names = (await who('GET', 'contracts')).body.contracts.map((contract) => contract.name);
      const described = Object.keys((await who('GET', 'openapi.json')).body.paths).map((path) => path.split('/')[2]);
      assert.deepEqual([...new Set(described.filter((name) => !['contracts', 'openapi.json', 'batch'].includes(name)))].sort(), [...names].sort());
      return names;
    };
    assert.deepEqual(await told(one), ['asset-creator']);
    assert.deepEqual(await told(space), ['orchestrator']);
    assert.deepEqual(await told(none), []);
    assert.equal((await told(root)).length, 5);
    assert.equal((await one('GET', 'contracts/orchestrator')).status, 403);
  });

  test('a table that is gone is told of, and takes nothing else with it', async () => {
    const dir = scratchDir();
    const file = join(dir, 'orchestrator.yaml');
    writeFileSync(file, readFileSync(join(contracts, 'orchestrator.yaml'), 'utf8').replace(/^version: 1$/m, 'version: 1\nenforcement: off'));
    writeFileSync(join(dir, 'keys.json'), JSON.stringify({ keys }), { mode: 0o600 });
    const shared = server;
    server = await startServer({ args: ['--keys', join(dir, 'keys.json'), '--contracts', file] });
    try {
      const { id, secret } = keys[0];
      const db = new DynamoDB(clientConfig({ endpoint: server.endpoint, credentials: { accessKeyId: id, secretAccessKey: secret } }));
      await db.deleteTable({ TableName: 'lifebook-orchestrator-jobs' });
      assert.equal((await space('POST', 'orchestrator/job', { workspace_id: 'w1' })).status, 503);
      assert.equal((await space('GET', 'orchestrator/job:counts?tenant=w1')).status, 403);
      assert.equal((await root('GET', 'contracts')).status, 200);
    } finally {
      await server.stop();
      server = shared;
    }
  });

  test('a key that is not known, or no key, is told so', async () => {
    assert.equal((await fetch(`${server.endpoint}/v1/contracts`)).status, 401);
    assert.equal((await fetch(`${server.endpoint}/v1/contracts`, { headers: { authorization: 'Bearer ONE:wrong' } })).status, 401);
  });
});
