// Records whose time is over, and versions that are too old, end in compressed files before they are gone, survive kill -9
// on the way, and can be imported again.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { ahead, clientConfig, ours, runBinary, scratchDir, startServer, until } from './harness.mjs';
import { clientOf, contracts, ok } from './jobs_client.mjs';

const day_s = 86_400;
const contract = ['--contracts', join(contracts, 'asset-creator.yaml')];

// The lines of all files of the archive, by the record's path: at least one each.
function archived(data) {
  const folder = join(data, 'buckets/archive');
  const lines = new Map();
  for (const name of existsSync(folder) ? readdirSync(folder, { recursive: true }) : []) {
    if (!name.endsWith('.json.gz')) continue;
    for (const line of gunzipSync(readFileSync(join(folder, name))).toString().trimEnd().split('\n')) {
      const parsed = JSON.parse(line);
      lines.set(parsed.Record, { ...parsed, file: name });
    }
  }
  return lines;
}

describe('the archive', ours, () => {
  test('A9_jobs and old versions are archived before they are gone, over kill -9, and are imported again', async () => {
    let server = await startServer({ args: contract });
    const api = (...args) => clientOf(server.endpoint)(...args);
    const jobs = [];
    for (let i = 0; i < 40; ++i) {
      const { job_id } = await ok(api('POST', 'asset-creator/job', { project_id: 'p', asset_type: `3D-${i}` }), 201);
      await ok(api('POST', `asset-creator/job/p,${job_id}:cancel`, {}));
      jobs.push(job_id);
    }
    for (let version = 1; version <= 12; ++version) await ok(api('POST', 'asset-creator/asset', { project_id: 'p', asset_id: 'ast_1', version, type: '3D', files: [] }), 201);
    await server.stop('SIGKILL');
    assert.deepEqual([...archived(server.data).keys()].filter((record) => record.includes('/job/')), []);

    // A quarter later all of them are over: whatever a kill meets, each is in the table or in a file.
    const env = ahead(91 * day_s);
    const table = (one) => DynamoDBDocument.from(new DynamoDB(clientConfig({ endpoint: one.endpoint }))).scan({ TableName: 'asset_creator' });
    for (const wait_ms of [0, 1_000, 10_050]) {
      server = await startServer({ data: server.data, env });
      await new Promise((resolve) => setTimeout(resolve, wait_ms));
      await server.stop('SIGKILL');
    }
    server = await startServer({ data: server.data, env });
    await until('all are archived', () => jobs.every((id) => archived(server.data).has(`asset-creator/job/p,${id}`)), { timeout_ms: 40_000 });
    const lines = archived(server.data);
    for (const version of [1, 2]) assert.equal(lines.get(`asset-creator/asset/p,ast_1,${version}`)?.Item.version.N, String(version));
    assert.equal(lines.has('asset-creator/asset/p,ast_1,3'), false);
    const { Items } = await table(server);
    assert.equal(Items.filter(({ SK }) => SK.startsWith('JOB#')).length, 0);
    assert.equal(Items.filter(({ SK }) => SK.startsWith('ASSET#')).length, 10);
    const one = lines.get(`asset-creator/job/p,${jobs[7]}`);
    assert.match(one.file, /^asset-creator\/\d{4}\/\d\d\/\d\d\/\d{20}\.json\.gz$/);
    assert.deepEqual([one.Item.status.S, one.Item.asset_type.S], ['canceled', '3D-7']);

    const parameters = join(scratchDir(), 'table.json');
    writeFileSync(parameters, JSON.stringify({
      TableName: 'again', BillingMode: 'PAY_PER_REQUEST', KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }, { AttributeName: 'SK', KeyType: 'RANGE' }],
      AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    }));
    const run = runBinary(['import', join(server.data, 'buckets/archive/asset-creator'), '--data', server.data, '--parameters', parameters], { within_ms: 60_000 });
    assert.equal(await run.exited, 0, run.output);
    const doc = DynamoDBDocument.from(new DynamoDB(clientConfig({ endpoint: server.endpoint })));
    const { Items: again } = await doc.scan({ TableName: 'again' });
    assert.equal(again.filter(({ SK }) => SK.startsWith('JOB#')).length, 40);
    assert.equal(again.find(({ SK }) => SK === `JOB#${jobs[7]}`).asset_type, '3D-7');
    await server.stop();
  });
});
