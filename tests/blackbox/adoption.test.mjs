// A contract that comes to a table with records: what is found by tags, mirrors, computed keys and idempotency keys is made
// for those as well, between the clients' writes.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { clientConfig, ours, runBinary, scratchDir, startServer, tableShape, until } from './harness.mjs';
import { clientOf, ok } from './jobs_client.mjs';

const contract = `
contract: library
version: 1
table:
  name: library
  key: [PK, SK]
  indexes:
    ByOwner: {key: [GSI1PK, GSI1SK]}
  ttl: expires
records:
  book:
    key: {PK: "BOOK#{id}", SK: META}
    tags: {field: tags, within: owner, newest_by: bought}
    idempotency: {field: order, within: owner, keep: 72h}
    fields:
      id: string
      owner: string
      title: string
      shelf: string
      order?: string
      tags?: {list_of: string}
      bought: epoch_ms
      expires?: {type: epoch_s, computed: bought + 90d}
      GSI1PK: {type: string, computed: "OWNER#{owner}"}
      GSI1SK: {type: string, computed: "{title}"}
    mirrors:
      on_shelf: {key: {PK: "SHELF#{shelf}", SK: "BOOK#{id}"}, fields: [title]}
    status:
      field: status
      start: here
      moves: {here: lent, lent: here}
      ends: []
`;

const TableName = 'library';
const key = (id) => ({ PK: `BOOK#${id}`, SK: 'META' });
const book = (i) => ({
  ...key(String(i).padStart(6, '0')), owner: `o${i % 3}`, title: `t${String(i).padStart(6, '0')}`, shelf: `s${i % 7}`,
  order: `order-${i}`, tags: ['all', i % 2 ? 'odd' : 'even'], bought: 1_700_000_000_000 + i, status: i % 5 ? 'here' : 'lent',
});

async function libraryWith(count, data) {
  const server = await startServer({ data });
  const db = new DynamoDB(clientConfig({ endpoint: server.endpoint }));
  await db.createTable({ TableName, BillingMode: 'PAY_PER_REQUEST', ...tableShape('PK:S SK:S') });
  const doc = DynamoDBDocument.from(db);
  const batches = [];
  for (let i = 0; i < count; i += 25) {
    batches.push(Array.from({ length: Math.min(25, count - i) }, (_, k) => ({ PutRequest: { Item: book(i + k) } })));
  }
  const send = async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) await doc.batchWrite({ RequestItems: { [TableName]: batch } });
  };
  await Promise.all(Array.from({ length: 8 }, send));
  return { server, doc };
}

async function put(data, text = contract) {
  const file = join(scratchDir(), 'library.yaml');
  writeFileSync(file, text);
  const run = runBinary(['contract', 'apply', file, '--data', data], { within_ms: 30_000 });
  assert.equal(await run.exited, 0, run.output);
}

const adoptionOf = async (api) => (await ok(api('GET', 'contracts'))).contracts[0].adoption;
const isOver = (api) => until('old records are gone over', async () => ((await adoptionOf(api))?.done ? adoptionOf(api) : false), { timeout_ms: 120_000 });

async function allByTag(api, query) {
  const found = [];
  for (let cursor = ''; ;) {
    const page = await ok(api('GET', `library/book?${query}&limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`));
    found.push(...page.items.map((record) => record.id));
    if (!page.next) return found.sort();
    cursor = page.next;
  }
}
const ids = (count, which) => Array.from({ length: count }, (_, i) => i).filter(which).map((i) => String(i).padStart(6, '0'));

async function allItems(doc, query) {
  const items = [];
  for (let ExclusiveStartKey; ;) {
    const page = await doc.query({ TableName, ExclusiveStartKey, ...query });
    items.push(...page.Items);
    ExclusiveStartKey = page.LastEvaluatedKey;
    if (!ExclusiveStartKey) return items;
  }
}

describe('a contract that comes to a table with records', ours, () => {
  test('tags, mirrors, computed keys, idempotency keys and counts are those of the old records too', async () => {
    const data = scratchDir();
    const { server, doc } = await libraryWith(300, data);
    const api = clientOf(server.endpoint);
    await doc.put({ TableName, Item: { PK: 'BOOK#broken', SK: 'META', owner: 'o1', title: 7, shelf: 's1', bought: 1, tags: ['all'], status: 'here' } });
    await doc.put({ TableName, Item: { PK: 'OTHER#1', SK: 'x', what: 'no book' } });
    await put(data);
    const adoption = await isOver(api);
    assert.equal(adoption.seen >= 302, true, JSON.stringify(adoption));
    assert.equal(adoption.unfit, 2);
    assert.match(adoption.complaint, /Contract library/);
    for (const o of [0, 1, 2]) {
      assert.deepEqual(await allByTag(api, `tag=all&owner=o${o}`), [...ids(300, (i) => i % 3 === o), ...(o === 1 ? ['broken'] : [])]);
    }
    assert.deepEqual(await allByTag(api, 'tag=odd&tag=all&match=all&owner=o2'), ids(300, (i) => i % 3 === 2 && i % 2 === 1));
    const shelf = await allItems(doc, { KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': 'SHELF#s3' } });
    assert.deepEqual(shelf.map((item) => item.SK), ids(300, (i) => i % 7 === 3).map((id) => `BOOK#${id}`));
    assert.equal(shelf[0].title, 't000003');
    const owned = await allItems(doc, { IndexName: 'ByOwner', KeyConditionExpression: 'GSI1PK = :p', ExpressionAttributeValues: { ':p': 'OWNER#o0' } });
    assert.equal(owned.length, 100);
    assert.equal(owned[1].GSI1SK, 't000003');
    assert.equal((await doc.get({ TableName, Key: key('000003') })).Item.expires, undefined, 'nothing goes because a contract came');
    assert.deepEqual((await doc.get({ TableName, Key: { PK: 'OTHER#1', SK: 'x' } })).Item, { PK: 'OTHER#1', SK: 'x', what: 'no book' });
    await assert.rejects(doc.put({ TableName, Item: { ...book(901), owner: 'o1', order: 'order-4' } }), /idempotency key is that of 000004/);
    assert.deepEqual(await ok(api('GET', 'library/book:counts')), { here: 241, lent: 60 });
    assert.deepEqual((await ok(api('GET', 'library/book/000003:history'))).items, []);
    const listed = runBinary(['contract', 'list', '--data', data], { within_ms: 30_000 });
    await listed.exited;
    assert.match(listed.output, /2 of the \d+ that were there before it are not as it says/);
    await server.stop();
  });

  test('a kill in the middle, and clients that write meanwhile: the walk goes on, and no newer write is lost', async () => {
    const count = 20_000;
    const data = scratchDir();
    const first = await libraryWith(count, data);
    await put(data);
    const api = clientOf(first.server.endpoint);
    await until('some are gone over', async () => (await adoptionOf(api)).seen > 500);
    const changed = [count - 1, count - 2, 3, 10];
    for (const i of changed) {
      await first.doc.update({
        TableName, Key: key(String(i).padStart(6, '0')), UpdateExpression: 'SET tags = :t, shelf = :s',
        ExpressionAttributeValues: { ':t': ['new'], ':s': 'moved' },
      });
    }
    await first.doc.delete({ TableName, Key: key(String(count - 3).padStart(6, '0')) });
    assert.equal((await adoptionOf(api)).done, false, 'it is to be killed before its end');
    await first.server.stop('SIGKILL');

    const second = await startServer({ data });
    const doc = DynamoDBDocument.from(new DynamoDB(clientConfig({ endpoint: second.endpoint })));
    const again = clientOf(second.endpoint);
    await isOver(again);
    const gone = (i) => changed.includes(i) || i === count - 3;
    for (const o of [0, 1, 2]) {
      assert.deepEqual(await allByTag(again, `tag=all&owner=o${o}`), ids(count, (i) => i % 3 === o && !gone(i)));
      assert.deepEqual(await allByTag(again, `tag=new&owner=o${o}`), ids(count, (i) => i % 3 === o && changed.includes(i)));
    }
    const shelf = await allItems(doc, { KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': 'SHELF#moved' } });
    assert.deepEqual(shelf.map((item) => item.SK), ids(count, (i) => changed.includes(i)).map((id) => `BOOK#${id}`));
    let mirrors = 0;
    for (const s of [0, 1, 2, 3, 4, 5, 6]) {
      mirrors += (await allItems(doc, { KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': `SHELF#s${s}` } })).length;
    }
    assert.equal(mirrors, count - changed.length - 1);
    await second.stop();
  });

  test('a later version brings tags and mirrors, and old records have them as well', async () => {
    const data = scratchDir();
    const { server, doc } = await libraryWith(60, data);
    const api = clientOf(server.endpoint);
    await put(data, contract.replace(/^    tags: .*\n/m, '').replace(/^    mirrors:\n.*\n/m, ''));
    await isOver(api);
    assert.equal((await api('GET', 'library/book?tag=all&owner=o1')).status, 404);
    await put(data, contract.replace('version: 1', 'version: 2'));
    await isOver(api);
    assert.deepEqual(await allByTag(api, 'tag=all&owner=o1'), ids(60, (i) => i % 3 === 1));
    const shelf = await allItems(doc, { KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': 'SHELF#s3' } });
    assert.equal(shelf.length, ids(60, (i) => i % 7 === 3).length);
    await server.stop();
  });

  test('a table without records is done at once, and says nothing of it', async () => {
    const data = scratchDir();
    const { server } = await libraryWith(0, data);
    await put(data);
    assert.deepEqual(await isOver(clientOf(server.endpoint)), { done: true, seen: 0, changed: 0, unfit: 0 });
    const listed = runBinary(['contract', 'list', '--data', data], { within_ms: 30_000 });
    await listed.exited;
    assert.equal(listed.output, 'library version 1, table library, enforce\n  book: here 0 lent 0\n');
    await server.stop();
  });
});
