// Contracts are put in force, listed and withdrawn while the server runs; audit trails tell when they were tampered with.
import assert from 'node:assert/strict';
import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { clientConfig, ours, runBinary, scratchDir, startServer } from './harness.mjs';

const contract = (name) => fileURLToPath(new URL(`../../contracts/${name}.yaml`, import.meta.url));

describe('waybill contract apply, list, withdraw; waybill audit verify', ours, () => {
  let server, doc;
  before(async () => {
    server = await startServer();
    doc = DynamoDBDocument.from(new DynamoDB(clientConfig({ endpoint: server.endpoint })));
  });
  after(() => server.stop());
  const waybill = async (...args) => {
    const run = runBinary([...args, '--data', server.data], { within_ms: 30_000 });
    return { code: await run.exited, output: run.output };
  };

  test('apply puts in force with parameters, list shows counts, the same again changes nothing', async () => {
    const applied = await waybill('contract', 'apply', contract('photo-editor'), '--parameter', 'env=staging');
    assert.deepEqual(applied, { code: 0, output: 'photo-editor version 1 is in force, table photoeditor-staging-jobs\n' });
    await doc.put({ TableName: 'photoeditor-staging-jobs', Item: { jobId: 'j', userId: 'u', fileSize: 1, fileType: 'image/png', provider: 'stub' } });
    const listed = await waybill('contract', 'list');
    assert.equal(listed.output, 'photo-editor version 1, table photoeditor-staging-jobs, enforce\n  job: QUEUED 1 PROCESSING 0 EDITING 0 COMPLETED 0 FAILED 0\n');
    assert.equal((await waybill('contract', 'apply', contract('photo-editor'), '--parameter', 'env=staging')).code, 0);
  });

  test('a wrong parameter, a broken file and another text of one version are refused with a reason', async () => {
    const odd = await waybill('contract', 'apply', contract('photo-editor'), '--parameter', 'env=moon');
    assert.equal(odd.code, 1);
    assert.match(odd.output, /the parameter env cannot be "moon"/);
    const file = join(scratchDir(), 'photo.yaml');
    writeFileSync(file, readFileSync(contract('photo-editor'), 'utf8') + '\n# changed\n');
    const same = await waybill('contract', 'apply', file, '--parameter', 'env=staging');
    assert.equal(same.code, 1);
    assert.match(same.output, /give this one a higher version/);
    writeFileSync(file, 'contract: x\n');
    assert.equal((await waybill('contract', 'apply', file)).code, 1);
  });

  test('A6: audit trails are verified, and what was changed behind the contract\'s back is found', async () => {
    assert.equal((await waybill('contract', 'apply', contract('asset-creator'))).code, 0);
    const TableName = 'asset_creator';
    for (const id of ['a', 'b', 'c']) await doc.put({ TableName, Item: { PK: 'PROJECT#p', SK: `JOB#${id}`, asset_type: '3D' } });
    await doc.put({ TableName, Item: { PK: 'PROJECT#p', SK: 'AUDIT#2027-01-01T00:00:00.000Z#ann', action: 'looked', details: {} } });
    const sound = await waybill('audit', 'verify');
    assert.deepEqual(sound, { code: 0, output: '1 trails, 4 lines: all as they were written\n' });
    const { Items } = await doc.query({ TableName, KeyConditionExpression: 'PK = :p AND begins_with(SK, :a)', ExpressionAttributeValues: { ':p': 'PROJECT#p', ':a': 'AUDIT#' } });
    const line = Items.find((item) => item.number === 2);
    await assert.rejects(doc.put({ TableName, Item: { ...line, action: 'nothing' } }), /lines are only ever added/);
    assert.equal((await waybill('contract', 'withdraw', 'asset-creator')).code, 0);
    await doc.put({ TableName, Item: { ...line, action: 'nothing' } });
    assert.equal((await waybill('contract', 'apply', contract('asset-creator'))).code, 0);
    const broken = await waybill('audit', 'verify', 'asset-creator');
    assert.equal(broken.code, 1);
    assert.match(broken.output, /^trail asset-creator\/p: line 2 is not what was written\n/);
  });

  test('metrics tell records by state and refused moves', async () => {
    await assert.rejects(doc.put({ TableName: 'photoeditor-staging-jobs', Item: { jobId: 'j', userId: 'u', fileSize: 1, fileType: 'image/png', provider: 'stub', status: 'FAILED' } }));
    const text = await (await fetch(`${server.endpoint}/metrics`)).text();
    assert.ok(text.includes('waybill_records{contract="photo-editor",record="job",state="QUEUED"} 1\n'), text);
    assert.ok(text.includes('waybill_refused_changes_total{contract="photo-editor",record="job",rule="moves"} 1\n'), text);
  });
});
