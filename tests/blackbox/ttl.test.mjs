// TTL is exact here, where DynamoDB takes up to days: an item past its time is never seen again, by any
// operation or condition, and is swept within seconds. The rules for what expires are DynamoDB's (P7, I7).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { N, S, conditionFailed, createTable, db, fails, fill, ours, unique, until } from './harness.mjs';

const now = () => Math.floor(Date.now() / 1000);
const past = () => N(now() - 60);
const future = () => N(now() + 3600);
const enable = async (TableName) => {
  await db.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } });
  return TableName;
};

let table;
before(async () => {
  if (ours.skip) return;
  table = await enable(await createTable('pk:S', { gsi: { byG: 'g:S' } }));
});

const put = async (attributes) => {
  const pk = S(unique('ttl'));
  await db.putItem({ TableName: table, Item: { pk, ...attributes } });
  return { pk };
};
const get = async (Key, ConsistentRead = true) => (await db.getItem({ TableName: table, Key, ConsistentRead })).Item;

test('P7: an expired item is invisible at once to every read', ours, async () => {
  const g = S(unique());
  const Key = await put({ ttl: past(), g });
  assert.equal(await get(Key), undefined);
  assert.equal(await get(Key, false), undefined);
  const query = await db.query({ TableName: table, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': Key.pk } });
  assert.equal(query.Count, 0);
  const index = await db.query({ TableName: table, IndexName: 'byG', KeyConditionExpression: 'g = :g', ExpressionAttributeValues: { ':g': g } });
  assert.equal(index.Count, 0);
  const scan = await db.scan({ TableName: table, FilterExpression: 'pk = :p', ExpressionAttributeValues: { ':p': Key.pk } });
  assert.equal(scan.Count, 0);
  const batch = await db.batchGetItem({ RequestItems: { [table]: { Keys: [Key] } } });
  assert.deepEqual(batch.Responses[table], []);
  const transact = await db.transactGetItems({ TransactItems: [{ Get: { TableName: table, Key } }] });
  assert.deepEqual(transact.Responses, [{}]);
});

test('P7: conditions see an expired item as gone', ours, async () => {
  const expired = () => put({ ttl: past(), n: N(1) });
  let Key = await expired();
  await conditionFailed(db.updateItem({ TableName: table, Key, UpdateExpression: 'SET n = :n', ConditionExpression: 'attribute_exists(pk)', ExpressionAttributeValues: { ':n': N(2) } }));
  await db.putItem({ TableName: table, Item: { ...Key, again: N(1) }, ConditionExpression: 'attribute_not_exists(pk)' });
  assert.deepEqual(await get(Key), { ...Key, again: N(1) });
  Key = await expired();
  await conditionFailed(db.deleteItem({ TableName: table, Key, ConditionExpression: 'n = :n', ExpressionAttributeValues: { ':n': N(1) } }));
  Key = await expired();
  const error = await fails(db.transactWriteItems({ TransactItems: [{ ConditionCheck: { TableName: table, Key, ConditionExpression: 'attribute_exists(pk)' } }] }), 'TransactionCanceledException');
  assert.equal(error.CancellationReasons[0].Code, 'ConditionalCheckFailed');
});

test('an update of an expired item begins a new one', ours, async () => {
  const Key = await put({ ttl: past(), n: N(41) });
  const { Attributes } = await db.updateItem({ TableName: table, Key, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': N(1) }, ReturnValues: 'ALL_NEW' });
  assert.deepEqual(Attributes, { ...Key, n: N(1) });
});

test('ALL_OLD of a put or delete over an expired item gives nothing', ours, async () => {
  const Key = await put({ ttl: past(), n: N(1) });
  assert.equal((await db.putItem({ TableName: table, Item: { ...Key, ttl: past() }, ReturnValues: 'ALL_OLD' })).Attributes, undefined);
  assert.equal((await db.deleteItem({ TableName: table, Key, ReturnValues: 'ALL_OLD' })).Attributes, undefined);
});

for (const [what, ttl] of [
  ['a time to come', () => future()],
  ['a string, though it looks like a past time', () => S(String(now() - 60))],
  ['a time more than five years past', () => N(now() - 6 * 365 * 86_400)],
  ['zero', () => N(0)],
  ['a negative number', () => N(-1)],
  ['NULL', () => ({ NULL: true })],
  ['a set of numbers', () => ({ NS: [String(now() - 60)] })],
  ['a map', () => ({ M: { ttl: past() } })],
  ['milliseconds by mistake', () => N(Date.now() - 60_000)],
]) {
  test(`an item whose ttl is ${what} is there`, ours, async () => {
    const value = ttl();
    const Key = await put({ ttl: value });
    assert.deepEqual(await get(Key), { ...Key, ttl: value });
  });
}

test('a ttl just under five years past has expired', ours, async () => {
  assert.equal(await get(await put({ ttl: N(now() - 5 * 365 * 86_400 + 86_400) })), undefined);
});

test('an item expires on the second', ours, async () => {
  const at = now() + 2;
  const Key = await put({ ttl: N(at) });
  assert.ok(await get(Key));
  await until('the item has expired', async () => !(await get(Key)), { timeout_ms: 5000 });
  assert.ok(Date.now() / 1000 >= at, 'gone before its time');
  assert.ok(Date.now() / 1000 < at + 2, 'gone late');
});

test('a ttl moved ahead in time keeps the item; one taken away keeps it for good', ours, async () => {
  const first = now() + 2;
  const later = future();
  const [moved, freed] = [await put({ ttl: N(first) }), await put({ ttl: N(first) })];
  const update = (Key, UpdateExpression, values) => db.updateItem({ TableName: table, Key, UpdateExpression, ExpressionAttributeNames: { '#t': 'ttl' }, ExpressionAttributeValues: values });
  await update(moved, 'SET #t = :t', { ':t': later });
  await update(freed, 'REMOVE #t');
  await until('the first time has passed', () => now() > first + 1);
  assert.deepEqual(await get(moved), { ...moved, ttl: later });
  assert.deepEqual(await get(freed), freed);
});

test('P7: the sweep removes expired items from table and index within seconds', ours, async () => {
  const TableName = await enable(await createTable('pk:S', { gsi: { byG: 'g:S' } }));
  await fill(TableName, Array.from({ length: 200 }, (_, i) => ({ pk: S(`${i}`), g: S('g'), ttl: i % 2 ? past() : future() })));
  const described = async () => (await db.describeTable({ TableName })).Table;
  await until('100 items are left', async () => (await described()).ItemCount === 100, { timeout_ms: 15_000, every_ms: 100 });
  const Table = await described();
  assert.equal(Table.GlobalSecondaryIndexes[0].ItemCount, 100);
  const scan = await db.scan({ TableName, IndexName: 'byG', Select: 'COUNT' });
  assert.deepEqual([scan.Count, scan.ScannedCount], [100, 100]);
});

test('TTL switched on finds items that were there before', ours, async () => {
  const TableName = await createTable();
  await fill(TableName, [{ pk: S('old'), ttl: past() }, { pk: S('young'), ttl: future() }]);
  assert.equal((await db.scan({ TableName })).Count, 2);
  await enable(TableName);
  assert.deepEqual((await db.scan({ TableName })).Items.map((i) => i.pk.S), ['young']);
  await until('the old item is swept', async () => (await db.describeTable({ TableName })).Table.ItemCount === 1);
});

test('without TTL nothing expires', ours, async () => {
  const TableName = await createTable();
  await fill(TableName, [{ pk: S('a'), ttl: past() }]);
  assert.equal((await db.scan({ TableName })).Count, 1);
});

test('a table\'s ttl attribute may have any name', ours, async () => {
  const TableName = await createTable();
  await db.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'expires at', Enabled: true } });
  await fill(TableName, [{ pk: S('a'), 'expires at': past() }, { pk: S('b'), ttl: past() }]);
  assert.deepEqual((await db.scan({ TableName })).Items.map((i) => i.pk.S), ['b']);
});
