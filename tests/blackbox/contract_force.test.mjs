// Contracts are put in force, listed and withdrawn while the server runs; audit trails tell when they were tampered with.
import assert from 'node:assert/strict';
import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument, ExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
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
    for (const write of [
      () => doc.update({ TableName, Key: { PK: line.PK, SK: line.SK }, UpdateExpression: 'SET actor = :a', ExpressionAttributeValues: { ':a': 'bob' } }),
      () => doc.delete({ TableName, Key: { PK: line.PK, SK: line.SK } }),
      () => doc.batchWrite({ RequestItems: { [TableName]: [{ DeleteRequest: { Key: { PK: line.PK, SK: line.SK } } }] } }),
      () => doc.transactWrite({ TransactItems: [{ Delete: { TableName, Key: { PK: line.PK, SK: line.SK } } }] }),
      () => doc.send(new ExecuteStatementCommand({ Statement: `DELETE FROM "${TableName}" WHERE PK = '${line.PK}' AND SK = '${line.SK}'` })),
      () => doc.put({ TableName, Item: { PK: 'PROJECT#p', SK: 'AUDIT#2027-01-02T00:00:00.000Z#eve', action: 'forged', details: {}, number: 5, previous: line.hash, hash: line.hash } }),
      () => doc.send(new ExecuteStatementCommand({ Statement: `DELETE FROM "waybill:trails" WHERE trail = 'asset-creator/p'` })),
      () => doc.send(new ExecuteStatementCommand({ Statement: `INSERT INTO "waybill:trails" VALUE {'trail': 'asset-creator/q'}` })),
      () => doc.send(new ExecuteStatementCommand({ Statement: 'SELECT * FROM "waybill:trails"' })),
    ]) await assert.rejects(write(), undefined, write.toString());
    assert.deepEqual(await waybill('audit', 'verify'), sound);
    assert.equal((await waybill('contract', 'withdraw', 'asset-creator')).code, 0);
    await doc.put({ TableName, Item: { ...line, action: 'nothing' } });
    assert.equal((await waybill('contract', 'apply', contract('asset-creator'))).code, 0);
    const broken = await waybill('audit', 'verify', 'asset-creator');
    assert.equal(broken.code, 1);
    assert.match(broken.output, /^trail asset-creator\/p: line 2 is not what was written\n/);
  });

  test('enforcement: log lets through, notes and counts; off does nothing; enforce holds again, with exact counts', async () => {
    const TableName = 'lifebook-orchestrator-jobs';
    const file = join(scratchDir(), 'orchestrator.yaml');
    const apply = async (version, enforcement) => {
      writeFileSync(file, readFileSync(contract('orchestrator'), 'utf8').replace('version: 1\n', `version: ${version}\nenforcement: ${enforcement}\n`));
      const { code, output } = await waybill('contract', 'apply', file);
      assert.equal(code, 0, output);
    };
    const put = (job_id, status) => doc.put({ TableName, Item: { job_id, status, workspace_id: 'w', user_id: 'u', workflow_id: 'f', trigger_type: 'manual', idempotency_key: `${job_id} key` } });
    const move = (job_id, status) => doc.update({ TableName, Key: { job_id }, UpdateExpression: 'SET #s = :s', ExpressionAttributeNames: { '#s': 'status' }, ExpressionAttributeValues: { ':s': status } });
    const counts = async () => (await fetch(`${server.endpoint}/v1/orchestrator/job:counts`)).json();
    const history = async (id) => (await (await fetch(`${server.endpoint}/v1/orchestrator/job/${id}:history`)).json()).items;

    await apply(1, 'log');
    await put('a', 'queued');
    await move('a', 'completed');
    const noted = (await history('a')).find((row) => row.action === 'violated');
    assert.deepEqual([noted.rule, noted.from, noted.to], ['moves', 'queued', 'completed']);
    assert.match(server.run.output, /not as the contract says, and let through: .*may not go from queued to completed/);
    assert.equal((await counts()).completed, 1);

    await apply(2, 'off');
    await doc.put({ TableName, Item: { job_id: 'b', status: 'running', workspace_id: 'w' } });
    await move('a', 'running');
    await apply(3, 'enforce');
    assert.deepEqual([(await counts()).running, (await counts()).completed], [2, 0]);
    await assert.rejects(move('a', 'queued'), { name: 'ConditionalCheckFailedException', message: /rule moves/ });
    await assert.rejects(put('c', 'completed'), { name: 'ValidationException' });
  });

  test('metrics tell records by state and refused moves', async () => {
    await assert.rejects(doc.put({ TableName: 'photoeditor-staging-jobs', Item: { jobId: 'j', userId: 'u', fileSize: 1, fileType: 'image/png', provider: 'stub', status: 'FAILED' } }));
    const text = await (await fetch(`${server.endpoint}/metrics`)).text();
    assert.ok(text.includes('waybill_records{contract="photo-editor",record="job",state="QUEUED"} 1\n'), text);
    assert.ok(text.includes('waybill_refused_changes_total{contract="photo-editor",record="job",rule="moves"} 1\n'), text);
  });
});
