// What was acknowledged is there after a stop and after a kill: items, indexes, table settings, tokens.
// (tests/crash does this at random moments and in bulk; here it is one clear case each.)
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { N, S, clientConfig, createTable, fails, freePort, ours, runBinary, scratchDir, startServer, until } from './harness.mjs';

const clientOf = (server) => new DynamoDB(clientConfig({ endpoint: server.endpoint }));

for (const signal of ['SIGTERM', 'SIGKILL']) {
  test(`after ${signal} everything acknowledged is there`, ours, async () => {
    let server = await startServer();
    let db = clientOf(server);
    const TableName = await createTable('pk:S sk:N', { client: db, gsi: { byG: 'g:S n:N' }, Tags: [{ Key: 'k', Value: 'v' }], DeletionProtectionEnabled: true });
    await db.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } });
    const TransactItems = [{ Update: { TableName, Key: { pk: S('t'), sk: N(0) }, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': N(1) } } }];
    const ClientRequestToken = randomUUID();
    await db.transactWriteItems({ TransactItems, ClientRequestToken });
    await Promise.all(Array.from({ length: 50 }, (_, i) => db.putItem({ TableName, Item: { pk: S('p'), sk: N(i), g: S('g'), n: N(-i) } })));
    await db.deleteItem({ TableName, Key: { pk: S('p'), sk: N(7) } });
    const before = (await db.describeTable({ TableName })).Table;

    const how = await server.stop(signal);
    if (signal === 'SIGTERM') assert.equal(how, 0, server.run.output);
    server = await startServer({ data: server.data });
    db = clientOf(server);

    assert.deepEqual((await db.describeTable({ TableName })).Table, before);
    assert.deepEqual((await db.listTagsOfResource({ ResourceArn: before.TableArn })).Tags, [{ Key: 'k', Value: 'v' }]);
    assert.deepEqual((await db.describeTimeToLive({ TableName })).TimeToLiveDescription, { TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
    const numbers = Array.from({ length: 50 }, (_, i) => i).filter((i) => i !== 7);
    const query = (more) => db.query({ TableName, ExpressionAttributeValues: { ':v': S('p') }, KeyConditionExpression: 'pk = :v', ...more }).then((r) => r.Items.map((i) => Number(i.sk.N)));
    assert.deepEqual(await query(), numbers);
    assert.deepEqual(await query({ IndexName: 'byG', KeyConditionExpression: 'g = :v', ExpressionAttributeValues: { ':v': S('g') } }), numbers.toReversed());
    await db.transactWriteItems({ TransactItems, ClientRequestToken }); // the token is remembered: nothing is added
    assert.deepEqual((await db.getItem({ TableName, Key: { pk: S('t'), sk: N(0) } })).Item.n, N(1));
    await fails(db.deleteTable({ TableName }), 'ValidationException');
    await server.stop();
  });
}

test('a backfill cut by a kill goes on after the start', ours, async () => {
  let server = await startServer();
  let db = clientOf(server);
  const TableName = await createTable('pk:S', { client: db });
  for (let i = 0; i < 4000; i += 25) {
    await db.batchWriteItem({ RequestItems: { [TableName]: Array.from({ length: 25 }, (_, j) => ({ PutRequest: { Item: { pk: S(`${i + j}`), g: S('g') } } })) } });
  }
  await db.updateTable({
    TableName, AttributeDefinitions: [{ AttributeName: 'g', AttributeType: 'S' }],
    GlobalSecondaryIndexUpdates: [{ Create: { IndexName: 'byG', KeySchema: [{ AttributeName: 'g', KeyType: 'HASH' }], Projection: { ProjectionType: 'KEYS_ONLY' } } }],
  });
  await server.stop('SIGKILL');
  server = await startServer({ data: server.data });
  db = clientOf(server);
  await until('the index is ACTIVE', async () => (await db.describeTable({ TableName })).Table.GlobalSecondaryIndexes?.[0].IndexStatus === 'ACTIVE');
  let [count, ExclusiveStartKey] = [0];
  do {
    const page = await db.scan({ TableName, IndexName: 'byG', Select: 'COUNT', ExclusiveStartKey });
    count += page.Count;
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  assert.equal(count, 4000);
  await server.stop();
});

test('a second server on the same data does not start', ours, async () => {
  const server = await startServer();
  const run = runBinary(['serve', '--listen', `127.0.0.1:${await freePort()}`, '--data', server.data], { within_ms: 10_000 });
  const code = await run.exited;
  assert.ok(typeof code === 'number' && code !== 0, `exit: ${code}\n${run.output}`);
  assert.equal((await fetch(`${server.endpoint}/health`)).status, 200);
  await server.stop();
});

test('a port in use, and a flag that is not there, end the start with a word', ours, async () => {
  const server = await startServer();
  for (const args of [['serve', '--listen', `127.0.0.1:${server.port}`, '--data', scratchDir()], ['serve', '--nonsense'], ['nonsense']]) {
    const run = runBinary(args, { within_ms: 10_000 });
    const code = await run.exited;
    assert.ok(typeof code === 'number' && code !== 0, `${args.join(' ')} ended with ${code}\n${run.output}`);
    assert.ok(run.output.length > 0);
  }
  await server.stop();
});
