// ConsumedCapacity is what people size and pay by (P12 builds on it), so the arithmetic is DynamoDB's to the
// half unit: reads in steps of 4 KB, writes of 1 KB, indexes by what changed in them, transactions double.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { N, S, createTable, db, differs, fill, ours, unique } from './harness.mjs';

let plain;
let indexed;
before(async () => {
  plain = await createTable('pk:S');
  indexed = await createTable('pk:S sk:S', { gsi: { inc: 'g:S' }, lsi: { lsi: 'pk:S l:S' }, projection: { inc: ['proj'] } });
});

const INDEXES = { ReturnConsumedCapacity: 'INDEXES' };
const TOTAL = { ReturnConsumedCapacity: 'TOTAL' };
// An item of exactly `bytes`: "pk" + key + "x" + text.
const sized = (bytes, pk = unique()) => ({ pk: S(pk), x: S('x'.repeat(bytes - 3 - pk.length)) });

// The parts that are not zero, as one plain object.
function units(capacity) {
  const by = (map) => map && Object.fromEntries(Object.entries(map).map(([name, c]) => [name, c.CapacityUnits]));
  return JSON.parse(JSON.stringify({ total: capacity.CapacityUnits, table: capacity.Table?.CapacityUnits, gsi: by(capacity.GlobalSecondaryIndexes), lsi: by(capacity.LocalSecondaryIndexes) }));
}

test('without ReturnConsumedCapacity, or with NONE, nothing is told', async () => {
  assert.equal((await db.putItem({ TableName: plain, Item: sized(50) })).ConsumedCapacity, undefined);
  assert.equal((await db.putItem({ TableName: plain, Item: sized(50), ReturnConsumedCapacity: 'NONE' })).ConsumedCapacity, undefined);
});

test('TOTAL names the table and one sum; INDEXES adds the parts', async () => {
  const total = await db.putItem({ TableName: plain, Item: sized(50), ...TOTAL });
  assert.deepEqual(total.ConsumedCapacity, { TableName: plain, CapacityUnits: 1 });
  const parts = await db.putItem({ TableName: plain, Item: sized(50), ...INDEXES });
  assert.deepEqual(parts.ConsumedCapacity, { TableName: plain, CapacityUnits: 1, Table: { CapacityUnits: 1 } });
});

for (const [bytes, write, eventual] of [[50, 1, 0.5], [1024, 1, 0.5], [1025, 2, 0.5], [4096, 4, 0.5], [4097, 5, 1], [8193, 9, 1.5], [400_000, 391, 49]]) {
  test(`an item of ${bytes} bytes: ${write} to write, ${eventual} to read, ${2 * eventual} consistently`, async () => {
    const item = sized(bytes);
    const Key = { pk: item.pk };
    const used = async (promise) => (await promise).ConsumedCapacity.CapacityUnits;
    assert.equal(await used(db.putItem({ TableName: plain, Item: item, ...TOTAL })), write);
    assert.equal(await used(db.getItem({ TableName: plain, Key, ...TOTAL })), eventual);
    assert.equal(await used(db.getItem({ TableName: plain, Key, ConsistentRead: true, ...TOTAL })), 2 * eventual);
    assert.equal(await used(db.deleteItem({ TableName: plain, Key, ...TOTAL })), write);
  });
}

test('a put, update or delete costs the larger of the item before and after', async () => {
  const big = sized(5000);
  const Key = { pk: big.pk };
  const cost = async (promise) => (await promise).ConsumedCapacity.CapacityUnits;
  await db.putItem({ TableName: plain, Item: big });
  assert.equal(await cost(db.putItem({ TableName: plain, Item: { ...Key }, ...TOTAL })), 5);
  assert.equal(await cost(db.updateItem({ TableName: plain, Key, UpdateExpression: 'SET x = :x', ExpressionAttributeValues: { ':x': big.x }, ...TOTAL })), 5);
  assert.equal(await cost(db.updateItem({ TableName: plain, Key, UpdateExpression: 'REMOVE x', ...TOTAL })), 5);
  assert.equal(await cost(db.deleteItem({ TableName: plain, Key, ...TOTAL })), 1);
});

test('a projection reads the whole item all the same', differs('charges what it returns'), async () => {
  const item = sized(9000);
  await db.putItem({ TableName: plain, Item: item });
  const { ConsumedCapacity } = await db.getItem({ TableName: plain, Key: { pk: item.pk }, ConsistentRead: true, ProjectionExpression: 'pk', ...TOTAL });
  assert.equal(ConsumedCapacity.CapacityUnits, 3);
});

test('reading or deleting nothing costs the least', async () => {
  const Key = { pk: S('nobody') };
  assert.equal((await db.getItem({ TableName: plain, Key, ...TOTAL })).ConsumedCapacity.CapacityUnits, 0.5);
  assert.equal((await db.getItem({ TableName: plain, Key, ConsistentRead: true, ...TOTAL })).ConsumedCapacity.CapacityUnits, 1);
  assert.equal((await db.deleteItem({ TableName: plain, Key, ...TOTAL })).ConsumedCapacity.CapacityUnits, 1);
  const none = await db.query({ TableName: plain, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('nobody') }, ...TOTAL });
  assert.equal(none.ConsumedCapacity.CapacityUnits, 0.5);
});

test('sizes count names, UTF-8, numbers, sets, lists and maps as DynamoDB counts them', ours, async () => {
  const TableName = await createTable('pk:S');
  const size = async (attributes) => {
    await db.putItem({ TableName, Item: { pk: S('k'), ...attributes } });
    return (await db.describeTable({ TableName })).Table.TableSizeBytes - 3;
  };
  assert.equal(await size({}), 0);
  assert.equal(await size({ ü: S('ü') }), 4);
  assert.equal(await size({ b: { B: new Uint8Array(7) } }), 8);
  assert.equal(await size({ b: { BOOL: true } }), 2);
  assert.equal(await size({ b: { NULL: true } }), 2);
  assert.equal(await size({ b: { SS: ['a', 'bcd'] } }), 5);
  assert.equal(await size({ b: { L: [] } }), 4);
  assert.equal(await size({ b: { M: {} } }), 4);
  assert.equal(await size({ b: { L: [S('a'), S('bb')] } }), 4 + 1 + 1 + 2 + 1);
  assert.equal(await size({ b: { M: { kk: S('v') } } }), 4 + 2 + 1 + 1);
});

// ------------------------------------------------------------------------------------------ query and scan

test('Query and Scan add the sizes up, then round, whatever the filter or projection leaves', async () => {
  const TableName = await createTable('pk:S sk:N');
  await fill(TableName, Array.from({ length: 10 }, (_, i) => ({ pk: S('p'), sk: N(i), x: S('x'.repeat(1000)) }))); // about 10,100 bytes: 3 steps of 4 KB
  const base = { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('p') } };
  const cost = async (more) => (await db.query({ ...base, ...more, ...TOTAL })).ConsumedCapacity.CapacityUnits;
  assert.equal(await cost({}), 1.5);
  assert.equal(await cost({ ConsistentRead: true }), 3);
  assert.equal(await cost({ ProjectionExpression: 'sk' }), 1.5);
  assert.equal(await cost({ Select: 'COUNT' }), 1.5);
  assert.equal(await cost({ FilterExpression: 'attribute_not_exists(x)' }), 1.5);
  assert.equal(await cost({ Limit: 4 }), 0.5);
  const scan = await db.scan({ TableName, ...INDEXES });
  assert.deepEqual(units(scan.ConsumedCapacity), { total: 1.5, table: 1.5 });
});

test('a read of an index is charged to the index', async () => {
  const pk = unique();
  await fill(indexed, [{ pk: S(pk), sk: S('1'), g: S(pk), l: S('l') }]);
  const gsi = await db.query({ TableName: indexed, IndexName: 'inc', KeyConditionExpression: 'g = :g', ExpressionAttributeValues: { ':g': S(pk) }, ...INDEXES });
  assert.deepEqual(units(gsi.ConsumedCapacity), { total: 0.5, table: 0, gsi: { inc: 0.5 } });
  const lsi = await db.query({ TableName: indexed, IndexName: 'lsi', KeyConditionExpression: 'pk = :g', ExpressionAttributeValues: { ':g': S(pk) }, ConsistentRead: true, ...INDEXES });
  assert.deepEqual(units(lsi.ConsumedCapacity), { total: 1, table: 0, lsi: { lsi: 1 } });
});

test('what an LSI has to fetch from the table is charged to the table, each item rounded by itself', differs('rounds the sum'), async () => {
  const TableName = await createTable('pk:S sk:S', { lsi: { keys: 'pk:S l:S' }, projection: { keys: 'KEYS_ONLY' } });
  await fill(TableName, Array.from({ length: 3 }, (_, i) => ({ pk: S('p'), sk: S(`${i}`), l: S('l'), x: S('x') })));
  const read = await db.query({ TableName, IndexName: 'keys', Select: 'ALL_ATTRIBUTES', KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('p') }, ...INDEXES });
  assert.deepEqual(units(read.ConsumedCapacity), { total: 2, table: 1.5, lsi: { keys: 0.5 } });
});

// --------------------------------------------------------------------------------------------- index writes

const put = async (item) => units((await db.putItem({ TableName: indexed, Item: item, ...INDEXES })).ConsumedCapacity);
const full = () => ({ pk: S(unique()), sk: S('1'), g: S('g1'), l: S('l1'), proj: S('p'), extra: S('o') });

test('a put is charged for each index it enters, and for none it misses', async () => {
  const { pk } = full();
  assert.deepEqual(await put({ pk, sk: S('1'), extra: S('o') }), { total: 1, table: 1 });
  assert.deepEqual(await put({ pk, sk: S('2'), g: S('g') }), { total: 2, table: 1, gsi: { inc: 1 } });
  assert.deepEqual(await put({ pk, sk: S('3'), l: S('l') }), { total: 2, table: 1, lsi: { lsi: 1 } });
  assert.deepEqual(await put({ pk, sk: S('4'), g: S('g'), l: S('l') }), { total: 3, table: 1, gsi: { inc: 1 }, lsi: { lsi: 1 } });
});

test('the same item written again costs its indexes nothing', async () => {
  const item = full();
  assert.equal((await put(item)).total, 3);
  assert.deepEqual(await put(item), { total: 1, table: 1 });
});

for (const [what, UpdateExpression, value, expected] of [
  ['an attribute only the ALL index holds', 'SET extra = :v', 'o2', { total: 2, table: 1, lsi: { lsi: 1 } }],
  ['an included attribute', 'SET proj = :v', 'p2', { total: 3, table: 1, gsi: { inc: 1 }, lsi: { lsi: 1 } }],
  ['an index key: a delete and an insert', 'SET g = :v', 'g2', { total: 4, table: 1, gsi: { inc: 2 }, lsi: { lsi: 1 } }],
  ['the removal of an index key: a delete', 'REMOVE g', undefined, { total: 3, table: 1, gsi: { inc: 1 }, lsi: { lsi: 1 } }],
  ['the key of the local index', 'SET l = :v', 'l2', { total: 3, table: 1, lsi: { lsi: 2 } }],
]) {
  test(`an update of ${what}`, async () => {
    const item = full();
    await put(item);
    const ExpressionAttributeValues = value === undefined ? undefined : { ':v': S(value) };
    const { ConsumedCapacity } = await db.updateItem({ TableName: indexed, Key: { pk: item.pk, sk: item.sk }, UpdateExpression, ExpressionAttributeValues, ...INDEXES });
    assert.deepEqual(units(ConsumedCapacity), expected);
  });
}

test('a delete is charged for each index the item was in', async () => {
  const item = full();
  await put(item);
  const { ConsumedCapacity } = await db.deleteItem({ TableName: indexed, Key: { pk: item.pk, sk: item.sk }, ...INDEXES });
  assert.deepEqual(units(ConsumedCapacity), { total: 3, table: 1, gsi: { inc: 1 }, lsi: { lsi: 1 } });
});

// ---------------------------------------------------------------------------------- batches, transactions

test('batches: one entry for each table, each item rounded by itself', async () => {
  const items = [sized(50), sized(1500)];
  const write = await db.batchWriteItem({ RequestItems: { [plain]: items.map((Item) => ({ PutRequest: { Item } })), [indexed]: [{ PutRequest: { Item: full() } }] }, ...INDEXES });
  const of = (list, name) => units(list.find((c) => c.TableName === name));
  assert.deepEqual(of(write.ConsumedCapacity, plain), { total: 3, table: 3 });
  assert.deepEqual(of(write.ConsumedCapacity, indexed), { total: 3, table: 1, gsi: { inc: 1 }, lsi: { lsi: 1 } });
  const Keys = [...items.map(({ pk }) => ({ pk })), { pk: S('nobody') }];
  const read = await db.batchGetItem({ RequestItems: { [plain]: { Keys } }, ...TOTAL });
  assert.deepEqual(read.ConsumedCapacity, [{ TableName: plain, CapacityUnits: 1.5 }]);
  const consistent = await db.batchGetItem({ RequestItems: { [plain]: { Keys, ConsistentRead: true } }, ...TOTAL });
  assert.equal(consistent.ConsumedCapacity[0].CapacityUnits, 3);
});

test('transactions cost double, reads and writes, also for a check', async () => {
  const [a, b] = [sized(50), sized(1500)];
  const write = await db.transactWriteItems({
    TransactItems: [{ Put: { TableName: plain, Item: a } }, { Put: { TableName: plain, Item: b } }, { ConditionCheck: { TableName: plain, Key: { pk: S('nobody') }, ConditionExpression: 'attribute_not_exists(pk)' } }], ...TOTAL,
  });
  assert.equal(write.ConsumedCapacity[0].CapacityUnits, 2 + 4 + 2);
  assert.equal(write.ConsumedCapacity[0].WriteCapacityUnits, 8);
  const read = await db.transactGetItems({ TransactItems: [a, b].map(({ pk }) => ({ Get: { TableName: plain, Key: { pk } } })), ...TOTAL });
  assert.equal(read.ConsumedCapacity[0].CapacityUnits, 4);
  assert.equal(read.ConsumedCapacity[0].ReadCapacityUnits, 4);
});

// -------------------------------------------------------------------------------- item collection metrics

test('ReturnItemCollectionMetrics SIZE on a table with an LSI: the collection\'s key and its range in GB', differs('gives the size itself'), async () => {
  const item = full();
  const expected = { ItemCollectionKey: { pk: item.pk }, SizeEstimateRangeGB: [0, 1] };
  const SIZE = { ReturnItemCollectionMetrics: 'SIZE' };
  const Key = { pk: item.pk, sk: item.sk };
  assert.deepEqual((await db.putItem({ TableName: indexed, Item: item, ...SIZE })).ItemCollectionMetrics, expected);
  assert.deepEqual((await db.updateItem({ TableName: indexed, Key, ...SIZE })).ItemCollectionMetrics, expected);
  assert.deepEqual((await db.deleteItem({ TableName: indexed, Key, ...SIZE })).ItemCollectionMetrics, expected);
  const batch = await db.batchWriteItem({ RequestItems: { [indexed]: [{ PutRequest: { Item: item } }] }, ...SIZE });
  assert.deepEqual(batch.ItemCollectionMetrics, { [indexed]: [expected] });
});

test('ReturnItemCollectionMetrics says nothing without an LSI, or with NONE', async () => {
  assert.equal((await db.putItem({ TableName: plain, Item: sized(50), ReturnItemCollectionMetrics: 'SIZE' })).ItemCollectionMetrics, undefined);
  assert.equal((await db.putItem({ TableName: indexed, Item: full(), ReturnItemCollectionMetrics: 'NONE' })).ItemCollectionMetrics, undefined);
});
