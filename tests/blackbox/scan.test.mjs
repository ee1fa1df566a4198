// Scan is how data leaves in bulk: everything exactly once, in pages and in parallel, while writers go on.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { N, S, createTable, db, fill, invalid, pages } from './harness.mjs';

let table;
const count = 200;
before(async () => {
  table = await createTable('pk:S sk:N', { gsi: { byG: 'g:S', byKeys: 'g:S' }, projection: { byKeys: 'KEYS_ONLY' } });
  await fill(table, Array.from({ length: count }, (_, i) => ({ pk: S(`p${i % 20}`), sk: N(i), g: i % 4 === 0 ? S(`g${i}`) : undefined, x: N(i % 10) }))
    .map((item) => Object.fromEntries(Object.entries(item).filter(([, v]) => v))));
});

const ids = (items) => items.map((item) => Number(item.sk.N)).toSorted((a, b) => a - b);
const everything = Array.from({ length: count }, (_, i) => i);
const all = (more) => pages('scan', { TableName: table, ...more });

test('a scan gives every item once, however it is paged', async () => {
  for (const Limit of [undefined, 1, 7, count, count + 1]) assert.deepEqual(ids((await all({ Limit })).items), everything);
});

test('one partition\'s items come together and in key order', async () => {
  const { items } = await all({ Limit: 13 });
  const partitions = new Map();
  items.forEach((item, at) => partitions.set(item.pk.S, [...(partitions.get(item.pk.S) ?? []), { at, sk: Number(item.sk.N) }]));
  for (const found of partitions.values()) {
    assert.equal(found.at(-1).at - found[0].at, found.length - 1);
    assert.deepEqual(found.map((f) => f.sk), found.map((f) => f.sk).toSorted((a, b) => a - b));
  }
});

for (const TotalSegments of [1, 2, 3, 8, 100]) {
  test(`${TotalSegments} parallel segments cover everything exactly once`, async () => {
    const segments = await Promise.all(Array.from({ length: TotalSegments }, (_, Segment) => all({ Segment, TotalSegments, Limit: 9 })));
    assert.deepEqual(ids(segments.flatMap((s) => s.items)), everything);
  });
}

test('segments of an index cover the index exactly once', async () => {
  const segments = await Promise.all([0, 1, 2].map((Segment) => all({ IndexName: 'byG', Segment, TotalSegments: 3, Limit: 5 })));
  assert.deepEqual(ids(segments.flatMap((s) => s.items)), everything.filter((i) => i % 4 === 0));
});

test('segments are of like size', async () => {
  const TableName = await createTable();
  await fill(TableName, Array.from({ length: 400 }, (_, i) => ({ pk: S(`key-${i}`) })));
  const sizes = await Promise.all([0, 1, 2, 3].map(async (Segment) => (await db.scan({ TableName, Segment, TotalSegments: 4, Select: 'COUNT' })).Count));
  for (const size of sizes) assert.ok(size > 40 && size < 200, `segments of ${sizes}`);
});

test('Limit counts before the filter; Count and ScannedCount tell both', async () => {
  const page = await db.scan({ TableName: table, Limit: 50, FilterExpression: 'x = :x', ExpressionAttributeValues: { ':x': N(3) } });
  assert.equal(page.ScannedCount, 50);
  assert.equal(page.Count, page.Items.length);
  assert.ok(page.LastEvaluatedKey);
  const { items, pages: pageList } = await all({ Limit: 50, FilterExpression: 'x = :x', ExpressionAttributeValues: { ':x': N(3) } });
  assert.equal(items.length, 20);
  assert.equal(pageList.reduce((sum, p) => sum + p.ScannedCount, 0), count);
});

test('a filter may name key attributes', async () => {
  const { items } = await all({ FilterExpression: 'sk < :n AND begins_with(pk, :p)', ExpressionAttributeValues: { ':n': N(40), ':p': S('p1') } });
  assert.deepEqual(ids(items), everything.filter((i) => i < 40 && `p${i % 20}`.startsWith('p1')));
});

test('a projection and a filter on what it leaves out', async () => {
  const { items } = await all({ FilterExpression: 'x = :x', ExpressionAttributeValues: { ':x': N(3) }, ProjectionExpression: 'sk' });
  for (const item of items) assert.deepEqual(Object.keys(item), ['sk']);
  assert.equal(items.length, 20);
});

test('Select COUNT', async () => {
  const page = await db.scan({ TableName: table, Select: 'COUNT' });
  assert.deepEqual([page.Count, page.ScannedCount, page.Items], [count, count, undefined]);
});

test('a scan of an index gives its items with its projection and its LastEvaluatedKey', async () => {
  const page = await db.scan({ TableName: table, IndexName: 'byKeys', Limit: 1 });
  assert.deepEqual(Object.keys(page.Items[0]).sort(), ['g', 'pk', 'sk']);
  assert.deepEqual(page.LastEvaluatedKey, page.Items[0]);
});

test('a page is at most 1 MB', async () => {
  const TableName = await createTable();
  for (let i = 0; i < 12; i++) await db.putItem({ TableName, Item: { pk: S(`${i}`), body: S('x'.repeat(150_000)) } });
  const { pages: list, items } = await pages('scan', { TableName });
  assert.ok(list.length === 2 && [6, 7].includes(list[0].Count), `pages of ${list.map((page) => page.Count)}`);
  assert.equal(items.length, 12);
});

test('items written during a scan never make it skip or repeat others', async () => {
  const TableName = await createTable();
  await fill(TableName, Array.from({ length: 100 }, (_, i) => ({ pk: S(`old-${i}`) })));
  const seen = [];
  let ExclusiveStartKey;
  let n = 0;
  do {
    const page = await db.scan({ TableName, Limit: 10, ExclusiveStartKey });
    seen.push(...page.Items.map((i) => i.pk.S));
    await fill(TableName, Array.from({ length: 5 }, () => ({ pk: S(`new-${n++}`) })));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  assert.equal(seen.filter((pk) => pk.startsWith('old-')).length, 100);
  assert.equal(new Set(seen).size, seen.length);
});

for (const [what, request, message] of [
  ['Segment without TotalSegments', { Segment: 0 }, 'The TotalSegments parameter is required but was not present in the request when Segment parameter is present'],
  ['TotalSegments without Segment', { TotalSegments: 2 }, 'The Segment parameter is required but was not present in the request when parameter TotalSegments is present'],
  ['a segment beyond the last', { Segment: 2, TotalSegments: 2 }, 'The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 2 is not less than TotalSegments: 2'],
  ['too many segments', { Segment: 0, TotalSegments: 1_000_001 }, /totalSegments/i],
  ['a negative segment', { Segment: -1, TotalSegments: 2 }, /Value '-1' at 'segment' failed to satisfy constraint: Member must have value greater than or equal to 0/],
  ['a limit of 0', { Limit: 0 }, /Member must have value greater than or equal to 1/],
  ['ConsistentRead on a GSI', { IndexName: 'byG', ConsistentRead: true }, 'Consistent reads are not supported on global secondary indexes'],
  ['ALL_ATTRIBUTES on a GSI without them', { IndexName: 'byKeys', Select: 'ALL_ATTRIBUTES' }, 'One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index byKeys because its projection type is not ALL'],
  ['an unknown index', { IndexName: 'nope' }, /The table does not have the specified index/],
  ['an empty filter', { FilterExpression: '' }, 'Invalid FilterExpression: The expression can not be empty;'],
  ['a start key that is no key', { ExclusiveStartKey: { pk: S('a') } }, /^The provided starting key is invalid/],
  ['a reserved word in the filter', { FilterExpression: 'status = :a', ExpressionAttributeValues: { ':a': S('a') } }, 'Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: status'],
]) {
  test(`Scan refuses ${what}`, async () => {
    await invalid(db.scan({ TableName: table, ...request }), message);
  });
}
