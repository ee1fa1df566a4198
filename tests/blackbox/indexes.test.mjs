// Indexes must agree with their table after every kind of write, and can be added and dropped while the
// table lives (P3, I3).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { N, S, active, createTable, db, differs, fails, fill, invalid, ours, pages, tableShape, until } from './harness.mjs';

const scanned = async (TableName, IndexName) => (await pages('scan', { TableName, IndexName })).items;
const g = (TableName, value, more = {}) =>
  db.query({ TableName, IndexName: 'byG', KeyConditionExpression: 'g = :g', ExpressionAttributeValues: { ':g': S(value) }, ...more }).then((r) => r.Items);

test('a GSI follows put, update, key change, removal of the key and delete, at once', ours, async () => {
  const TableName = await createTable('pk:S', { gsi: { byG: 'g:S' } });
  const Key = { pk: S('a') };
  const update = (UpdateExpression, values) => db.updateItem({ TableName, Key, UpdateExpression, ExpressionAttributeValues: values });
  await db.putItem({ TableName, Item: { ...Key, g: S('one'), x: N(1) } });
  assert.deepEqual(await g(TableName, 'one'), [{ ...Key, g: S('one'), x: N(1) }]);
  await update('SET x = :x', { ':x': N(2) });
  assert.deepEqual(await g(TableName, 'one'), [{ ...Key, g: S('one'), x: N(2) }]);
  await update('SET g = :g', { ':g': S('two') });
  assert.deepEqual(await g(TableName, 'one'), []);
  assert.equal((await g(TableName, 'two')).length, 1);
  await update('REMOVE g');
  assert.deepEqual(await scanned(TableName, 'byG'), []);
  await update('SET g = :g', { ':g': S('three') });
  assert.equal((await g(TableName, 'three')).length, 1);
  await db.putItem({ TableName, Item: { ...Key, x: N(3) } });
  assert.deepEqual(await scanned(TableName, 'byG'), []);
  await db.putItem({ TableName, Item: { ...Key, g: S('four') } });
  await db.deleteItem({ TableName, Key });
  assert.deepEqual(await scanned(TableName, 'byG'), []);
});

test('an index takes part in batch writes and transactions', async () => {
  const TableName = await createTable('pk:S', { gsi: { byG: 'g:S' } });
  await fill(TableName, Array.from({ length: 5 }, (_, i) => ({ pk: S(`${i}`), g: S('g') })));
  assert.equal((await g(TableName, 'g')).length, 5);
  await db.transactWriteItems({ TransactItems: [
    { Delete: { TableName, Key: { pk: S('0') } } },
    { Update: { TableName, Key: { pk: S('1') }, UpdateExpression: 'SET g = :h', ExpressionAttributeValues: { ':h': S('h') } } },
    { Put: { TableName, Item: { pk: S('new'), g: S('g') } } },
  ] });
  assert.deepEqual((await g(TableName, 'g')).map((i) => i.pk.S).toSorted(), ['2', '3', '4', 'new']);
  assert.deepEqual((await g(TableName, 'h')).map((i) => i.pk.S), ['1']);
});

test('an index on number and binary keys sorts by value', async () => {
  const TableName = await createTable('pk:S', { gsi: { byG: 'g:S n:N' } });
  await fill(TableName, ['-10', '9', '10', '-0.5', '0'].map((n) => ({ pk: S(n), g: S('g'), n: N(n) })));
  assert.deepEqual((await g(TableName, 'g')).map((i) => i.n.N), ['-10', '-0.5', '0', '9', '10']);
});

test('an index whose key is a table key holds every item', async () => {
  const TableName = await createTable('pk:S sk:S', { gsi: { byG: 'sk:S pk:S' } });
  await fill(TableName, [{ pk: S('a'), sk: S('x') }, { pk: S('b'), sk: S('x') }]);
  const { Items } = await db.query({ TableName, IndexName: 'byG', KeyConditionExpression: 'sk = :g', ExpressionAttributeValues: { ':g': S('x') } });
  assert.deepEqual(Items.map((i) => i.pk.S), ['a', 'b']);
});

test('an LSI holds an item collection in another order', async () => {
  const TableName = await createTable('pk:S sk:S', { lsi: { byL: 'pk:S l:N' } });
  await fill(TableName, [['a', 3], ['b', 1], ['c', 2]].map(([sk, l]) => ({ pk: S('p'), sk: S(sk), l: N(l) })));
  await fill(TableName, [{ pk: S('p'), sk: S('without') }]);
  const read = async () => (await db.query({ TableName, IndexName: 'byL', KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('p') } })).Items.map((i) => i.sk.S);
  assert.deepEqual(await read(), ['b', 'c', 'a']);
  await db.updateItem({ TableName, Key: { pk: S('p'), sk: S('a') }, UpdateExpression: 'SET l = :l', ExpressionAttributeValues: { ':l': N(0) } });
  assert.deepEqual(await read(), ['a', 'b', 'c']);
});

const add = (IndexName, key, Projection = { ProjectionType: 'ALL' }) => {
  const { GlobalSecondaryIndexes, AttributeDefinitions } = tableShape('pk:S', { gsi: { [IndexName]: key } });
  return { AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create: { IndexName, KeySchema: GlobalSecondaryIndexes[0].KeySchema, Projection } }] };
};

test('P3: a GSI added to a live table is filled, then ACTIVE, then exact', async () => {
  const TableName = await createTable();
  await fill(TableName, Array.from({ length: 500 }, (_, i) => ({ pk: S(`${i}`), ...(i % 2 && { g: S(`g${i % 5}`) }), n: N(i) })));
  const { TableDescription } = await db.updateTable({ TableName, ...add('byG', 'g:S n:N') });
  assert.equal(TableDescription.GlobalSecondaryIndexes[0].IndexName, 'byG');
  const Table = await active(TableName);
  assert.deepEqual(Table.AttributeDefinitions.map((a) => a.AttributeName).toSorted(), ['g', 'n', 'pk']);
  assert.equal((await scanned(TableName, 'byG')).length, 250);
  const numbers = (await g(TableName, 'g1')).map((i) => Number(i.n.N));
  assert.deepEqual(numbers, Array.from({ length: 500 }, (_, i) => i).filter((i) => i % 2 && i % 5 === 1));
});

test('writes during the backfill are in the index, deletes are not', async () => {
  const TableName = await createTable();
  await fill(TableName, Array.from({ length: 1000 }, (_, i) => ({ pk: S(`${i}`), g: S('old'), body: S('x'.repeat(200)) })));
  await db.updateTable({ TableName, ...add('byG', 'g:S') });
  await Promise.all(Array.from({ length: 100 }, (_, i) => [
    db.deleteItem({ TableName, Key: { pk: S(`${i}`) } }),
    db.putItem({ TableName, Item: { pk: S(`new-${i}`), g: S('new') } }),
    db.updateItem({ TableName, Key: { pk: S(`${900 + i}`) }, UpdateExpression: 'SET g = :g', ExpressionAttributeValues: { ':g': S('moved') } }),
  ]).flat());
  await active(TableName);
  const counted = {};
  for (const item of await scanned(TableName, 'byG')) counted[item.g.S] = (counted[item.g.S] ?? 0) + 1;
  assert.deepEqual(counted, { old: 800, new: 100, moved: 100 });
});

test('items whose attribute has another type than the new index are left out of it', differs('takes a number into an index of strings'), async () => {
  const TableName = await createTable();
  await fill(TableName, [{ pk: S('right'), g: S('g') }, { pk: S('number'), g: N(1) }, { pk: S('list'), g: { L: [] } }, { pk: S('none') }]);
  await db.updateTable({ TableName, ...add('byG', 'g:S') });
  await active(TableName);
  assert.deepEqual((await scanned(TableName, 'byG')).map((i) => i.pk.S), ['right']);
});

test('an index is dropped while the table lives, and its definition with it', async () => {
  const TableName = await createTable('pk:S', { gsi: { byG: 'g:S', byH: 'h:S' } });
  await fill(TableName, [{ pk: S('a'), g: S('g'), h: S('h') }]);
  await db.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byG' } }] });
  const Table = await until('byG is gone', async () => {
    const described = (await db.describeTable({ TableName })).Table;
    return described.TableStatus === 'ACTIVE' && !described.GlobalSecondaryIndexes.some((i) => i.IndexName === 'byG') && described;
  });
  assert.deepEqual(Table.GlobalSecondaryIndexes.map((i) => i.IndexName), ['byH']);
  await invalid(g(TableName, 'g'), 'The table does not have the specified index: byG');
  await db.putItem({ TableName, Item: { pk: S('b'), g: N(1) } }); // the old key attribute is free again
});

test('a dropped index can be made again with other keys', async () => {
  const TableName = await createTable('pk:S', { gsi: { byG: 'g:S' } });
  await fill(TableName, [{ pk: S('a'), g: S('g'), n: N(1) }]);
  await db.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byG' } }] });
  await until('byG is gone', async () => !(await db.describeTable({ TableName })).Table.GlobalSecondaryIndexes?.length);
  await db.updateTable({ TableName, ...add('byG', 'n:N', { ProjectionType: 'KEYS_ONLY' }) });
  await active(TableName);
  assert.deepEqual(await scanned(TableName, 'byG'), [{ pk: S('a'), n: N(1) }]);
});

test('UpdateTable refuses to add an index that is there, or to drop one that is not', async () => {
  const TableName = await createTable('pk:S', { gsi: { byG: 'g:S' } });
  await invalid(db.updateTable({ TableName, ...add('byG', 'g:S') }), /already exists: byG/);
  await fails(db.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'nope' } }] }), 'ResourceNotFoundException', /^Requested resource not found/);
});

test('UpdateTable changes one index at a time', differs('takes two'), async () => {
  const TableName = await createTable('pk:S', { gsi: { byG: 'g:S', byH: 'h:S' } });
  await fails(
    db.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byG' } }, { Delete: { IndexName: 'byH' } }] }),
    'LimitExceededException', /Only 1 online index can be created or deleted simultaneously per table/,
  );
});
