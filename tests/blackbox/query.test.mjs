// Query is the read that the documents build their lists on: the order of keys, both directions, pages with
// exact LastEvaluatedKeys, and Limit counted before the filter.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { N, S, createTable, db, differs, fails, fill, invalid, pages } from './harness.mjs';

let table; // pk:S sk:S with a GSI of each projection and an LSI
before(async () => {
  table = await createTable('pk:S sk:S', {
    gsi: { all: 'g:S l:N', keys: 'g:S l:N', include: 'g:S', sparse: 'rare:S' },
    lsi: { byL: 'pk:S l:N', byLKeys: 'pk:S l:N' },
    projection: { keys: 'KEYS_ONLY', include: ['x'], byLKeys: 'KEYS_ONLY' },
  });
  await fill(table, Array.from({ length: 10 }, (_, i) => ({
    pk: S('p'), sk: S(`s${i}`), g: S('g'), l: N(100 - i), x: S(`x${i}`), y: S(`y${i}`), even: { BOOL: i % 2 === 0 }, ...(i === 3 && { rare: S('r') }),
  })));
  await fill(table, [{ pk: S('other'), sk: S('s0'), g: S('other'), l: N(1) }]);
});

const p = { ':p': S('p') };
const query = (more = {}) => db.query({ TableName: table, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: p, ...more });
const names = (result) => result.Items.map((item) => item.sk.S).join(' ');
const index = (IndexName, more = {}) => query({ IndexName, KeyConditionExpression: 'g = :g', ExpressionAttributeValues: { ':g': S('g') }, ...more });

// -------------------------------------------------------------------------------- sort-key conditions

for (const [condition, values, found] of [
  ['sk = :a', ['s3'], 's3'], ['sk = :a', ['nope'], ''], ['sk < :a', ['s2'], 's0 s1'], ['sk <= :a', ['s2'], 's0 s1 s2'], ['sk > :a', ['s7'], 's8 s9'], ['sk >= :a', ['s7'], 's7 s8 s9'],
  ['sk BETWEEN :a AND :b', ['s2', 's4'], 's2 s3 s4'], ['sk BETWEEN :a AND :b', ['s2', 's2'], 's2'], ['begins_with(sk, :a)', ['s'], 's0 s1 s2 s3 s4 s5 s6 s7 s8 s9'], ['begins_with(sk, :a)', ['s9'], 's9'],
  ['begins_with(sk, :a)', ['t'], ''], [':a < sk', ['s7'], 's8 s9'],
]) {
  test(`pk = :p AND ${condition} with ${values}`, async () => {
    const ExpressionAttributeValues = { ...p, ':a': S(values[0]), ...(values[1] && { ':b': S(values[1]) }) };
    const KeyConditionExpression = `pk = :p AND ${condition}`;
    assert.equal(names(await query({ KeyConditionExpression, ExpressionAttributeValues })), found);
    const backward = await query({ KeyConditionExpression, ExpressionAttributeValues, ScanIndexForward: false });
    assert.equal(names(backward), found.split(' ').toReversed().join(' '));
  });
}

test('the key condition may be written value first, with parentheses and placeholders', async () => {
  for (const KeyConditionExpression of ['(pk = :p) AND (sk = :a)', '(pk = :p AND sk = :a)', ':p = pk AND :a = sk', 'pk=:p and sk=:a']) {
    assert.equal(names(await query({ KeyConditionExpression, ExpressionAttributeValues: { ...p, ':a': S('s3') } })), 's3', KeyConditionExpression);
  }
  const placed = { KeyConditionExpression: '#p = :p AND #s = :a', ExpressionAttributeNames: { '#p': 'pk', '#s': 'sk' }, ExpressionAttributeValues: { ...p, ':a': S('s3') } };
  assert.equal(names(await query(placed)), 's3');
});

test('the sort key may come first', differs('wants the partition key first'), async () => {
  assert.equal(names(await query({ KeyConditionExpression: 'sk = :a AND pk = :p', ExpressionAttributeValues: { ...p, ':a': S('s3') } })), 's3');
});

const sorted = async (type, values) => {
  const TableName = await createTable(`pk:S sk:${type}`);
  const order = values.map((sk, i) => ({ pk: S('p'), sk: { [type]: sk }, i: N(i) }));
  await fill(TableName, order.toSorted(() => Math.random() - 0.5));
  const { items } = await pages('query', { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: p });
  assert.deepEqual(items.map((item) => Number(item.i.N)), values.map((_, i) => i));
  const backward = await pages('query', { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: p, ScanIndexForward: false, Limit: 3 });
  assert.deepEqual(backward.items.map((item) => Number(item.i.N)), values.map((_, i) => i).toReversed());
  return TableName;
};

test('number sort keys sort by value: negatives, decimals, both ends of the range', async () => {
  const TableName = await sorted('N', ['-9.9e125', '-1e20', '-1000', '-999.5', '-10', '-9', '-1.5', '-1.05', '-1', '-0.1', '-1e-130', '0', '1e-130', '0.09', '0.1', '1', '1.05', '1.5', '9', '9.99', '10', '11', '99', '100', '1e20', '12345678901234567890123456789012345678', '9.9e125']);
  const range = await db.query({ TableName, KeyConditionExpression: 'pk = :p AND sk BETWEEN :a AND :b', ExpressionAttributeValues: { ...p, ':a': N('-1.04'), ':b': N('1.0') } });
  assert.deepEqual(range.Items.map((i) => i.sk.N).slice(0, 2), ['-1', '-0.1']);
  assert.equal(range.Items.at(-1).sk.N, '1');
});

test('string sort keys sort by UTF-8 bytes', async () => {
  await sorted('S', ['!', '0', '10', '9', 'A', 'Z', 'a', 'aa', 'ab', 'b', 'z', 'zz', 'é', 'ü', 'ÿ', '漢', '\ue000', '\uffff', '😀']);
});

test('strings with NUL and 0xff-like characters keep their places', async () => {
  await sorted('S', ['a', 'a\u0000', 'a\u0000\u0000', 'a\u0000b', 'a\u0001', 'aa', 'a\u007f', 'aÿ', 'b']);
});

test('binary sort keys sort as unsigned bytes', async () => {
  const TableName = await sorted('B', [[0], [0, 0], [0, 1], [1], [1, 255], [127], [128], [255], [255, 0], [255, 255]].map((b) => Uint8Array.from(b)));
  const found = await db.query({ TableName, KeyConditionExpression: 'pk = :p AND begins_with(sk, :a)', ExpressionAttributeValues: { ...p, ':a': { B: Uint8Array.from([255]) } } });
  assert.equal(found.Count, 3);
});

test('partition keys are told apart however alike: prefixes, NUL, types of length', async () => {
  const TableName = await createTable('pk:S sk:S');
  const keys = ['a', 'a\u0000', 'ab', 'a\u0000b', 'A', 'aÿ'];
  await fill(TableName, keys.flatMap((pk) => ['x', '', 'y'].filter(Boolean).map((sk) => ({ pk: S(pk), sk: S(sk) }))));
  for (const pk of keys) {
    const { Items } = await db.query({ TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S(pk) } });
    assert.deepEqual(Items, ['x', 'y'].map((sk) => ({ pk: S(pk), sk: S(sk) })));
  }
});

test('number partition keys match by value', async () => {
  const TableName = await createTable('pk:N sk:N');
  await db.putItem({ TableName, Item: { pk: N('1.0'), sk: N('2') } });
  const { Items } = await db.query({ TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': N('10e-1') } });
  assert.deepEqual(Items, [{ pk: N(1), sk: N(2) }]);
});

// --------------------------------------------------------------------------------- limit, filter, pages

test('Limit counts items before the filter', async () => {
  const page = await query({ Limit: 4, FilterExpression: 'even = :t', ExpressionAttributeValues: { ...p, ':t': { BOOL: true } } });
  assert.deepEqual([names(page), page.Count, page.ScannedCount], ['s0 s2', 2, 4]);
  assert.deepEqual(page.LastEvaluatedKey, { pk: S('p'), sk: S('s3') });
});

test('a page that ends with the last item by Limit still gives a LastEvaluatedKey; the next page is empty', async () => {
  const page = await query({ Limit: 10 });
  assert.deepEqual(page.LastEvaluatedKey, { pk: S('p'), sk: S('s9') });
  const next = await query({ Limit: 10, ExclusiveStartKey: page.LastEvaluatedKey });
  assert.deepEqual([next.Count, next.LastEvaluatedKey], [0, undefined]);
});

test('pages of any size, in both directions, give everything once', async () => {
  for (const ScanIndexForward of [true, false]) {
    for (const Limit of [1, 3, 10, 11]) {
      const { items } = await pages('query', { TableName: table, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: p, Limit, ScanIndexForward });
      const all = Array.from({ length: 10 }, (_, i) => `s${i}`);
      assert.deepEqual(items.map((i) => i.sk.S), ScanIndexForward ? all : all.toReversed());
    }
  }
});

test('LastEvaluatedKey of an LSI and of a GSI: index keys and table keys, nothing else', async () => {
  const lsi = await query({ IndexName: 'byL', Limit: 2 });
  assert.deepEqual(lsi.LastEvaluatedKey, { pk: S('p'), sk: S('s8'), l: N(92) });
  const gsi = await index('all', { Limit: 2 });
  assert.deepEqual(gsi.LastEvaluatedKey, { g: S('g'), l: N(92), pk: S('p'), sk: S('s8') });
  const hashOnly = await index('include', { Limit: 1 });
  assert.deepEqual(Object.keys(hashOnly.LastEvaluatedKey).sort(), ['g', 'pk', 'sk']);
});

test('an index with equal keys still pages through every item once', async () => {
  const TableName = await createTable('pk:S', { gsi: { same: 'g:S n:N' } });
  await fill(TableName, Array.from({ length: 30 }, (_, i) => ({ pk: S(`${i}`), g: S('g'), n: N(1) })));
  for (const ScanIndexForward of [true, false]) {
    const { items } = await pages('query', { TableName, IndexName: 'same', KeyConditionExpression: 'g = :g', ExpressionAttributeValues: { ':g': S('g') }, Limit: 7, ScanIndexForward });
    assert.equal(new Set(items.map((i) => i.pk.S)).size, 30);
    assert.equal(items.length, 30);
  }
});

test('a start key need not exist any more', async () => {
  const page = await query({ ExclusiveStartKey: { pk: S('p'), sk: S('s4x') } });
  assert.equal(names(page), 's5 s6 s7 s8 s9');
});

test('a page holds at most 1 MB of items, counted before the filter', async () => {
  const TableName = await createTable('pk:S sk:N');
  const body = 'x'.repeat(100_000);
  for (let i = 0; i < 25; i++) await db.putItem({ TableName, Item: { pk: S('p'), sk: N(i), body: S(body) } });
  const request = { TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: p };
  // 10 items stay below 1 MB (1,048,576 bytes), the 11th passes it; whether the one that passes is the last
  // of this page or the first of the next is not documented.
  const first = await db.query(request);
  assert.ok([10, 11].includes(first.Count), `${first.Count} items`);
  assert.deepEqual(first.LastEvaluatedKey, { pk: S('p'), sk: N(first.Count - 1) });
  const { pages: all, items } = await pages('query', request);
  assert.deepEqual([all.length, items.length], [3, 25]);
  const filtered = await db.query({ ...request, FilterExpression: 'attribute_not_exists(body)' });
  assert.equal(filtered.Count, 0);
  assert.ok([10, 11].includes(filtered.ScannedCount), `${filtered.ScannedCount} scanned`);
  assert.ok(filtered.LastEvaluatedKey);
  const counted = await pages('query', { ...request, Select: 'COUNT' });
  assert.deepEqual(counted.pages.map((page) => page.Count), all.map((page) => page.Count));
});

// --------------------------------------------------------------------------------- select and projection

test('Select COUNT gives counts and no items', async () => {
  const page = await query({ Select: 'COUNT', FilterExpression: 'even = :t', ExpressionAttributeValues: { ...p, ':t': { BOOL: true } } });
  assert.deepEqual([page.Count, page.ScannedCount, page.Items], [5, 10, undefined]);
});

test('projections of indexes: ALL, KEYS_ONLY, INCLUDE', async () => {
  const keys = { pk: S('p'), sk: S('s9'), g: S('g'), l: N(91) };
  assert.deepEqual((await index('all', { Limit: 1 })).Items, [{ ...keys, x: S('x9'), y: S('y9'), even: { BOOL: false } }]);
  assert.deepEqual((await index('keys', { Limit: 1 })).Items, [keys]);
  const { items } = await pages('query', { TableName: table, IndexName: 'include', KeyConditionExpression: 'g = :g', ExpressionAttributeValues: { ':g': S('g') } });
  assert.equal(items.length, 10);
  for (const item of items) assert.deepEqual(Object.keys(item).sort(), ['g', 'pk', 'sk', 'x']);
});

test('a sparse index holds only the items that have its key', async () => {
  const { Items } = await query({ IndexName: 'sparse', KeyConditionExpression: 'rare = :r', ExpressionAttributeValues: { ':r': S('r') } });
  assert.deepEqual(Items.map((i) => i.sk.S), ['s3']);
});

test('an LSI fetches what it does not project; ALL_ATTRIBUTES and a projection alike', async () => {
  const whole = await query({ IndexName: 'byLKeys', Select: 'ALL_ATTRIBUTES', Limit: 1 });
  assert.equal(whole.Items[0].y.S, 'y9');
  const projected = await query({ IndexName: 'byLKeys', Limit: 1 });
  assert.deepEqual(projected.Items, [{ pk: S('p'), sk: S('s9'), l: N(91) }]);
});

test('an LSI fetches a projected attribute from the table', differs('gives nothing'), async () => {
  assert.deepEqual((await query({ IndexName: 'byLKeys', ProjectionExpression: 'y', Limit: 1 })).Items, [{ y: S('y9') }]);
});

test('ConsistentRead works on a table and an LSI', async () => {
  assert.equal((await query({ ConsistentRead: true })).Count, 10);
  assert.equal((await query({ IndexName: 'byL', ConsistentRead: true })).Count, 10);
});

for (const [what, more, message, options = {}] of [
  ['ConsistentRead on a GSI', { ...{ IndexName: 'all', KeyConditionExpression: 'g = :p' }, ConsistentRead: true }, 'Consistent reads are not supported on global secondary indexes'],
  ['ALL_ATTRIBUTES on a GSI without them', { IndexName: 'keys', KeyConditionExpression: 'g = :p', Select: 'ALL_ATTRIBUTES' }, 'One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index keys because its projection type is not ALL'],
  ['a GSI asked for what it does not hold', { IndexName: 'keys', KeyConditionExpression: 'g = :p', ProjectionExpression: 'x' }, 'One or more parameter values were invalid: Global secondary index keys does not project [x]', differs('gives empty items')],
  ['COUNT with a projection', { Select: 'COUNT', ProjectionExpression: 'x' }, 'Cannot specify the ProjectionExpression when choosing to get only the Count'],
  ['SPECIFIC_ATTRIBUTES without any', { Select: 'SPECIFIC_ATTRIBUTES' }, 'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES'],
  ['ALL_PROJECTED_ATTRIBUTES without an index', { Select: 'ALL_PROJECTED_ATTRIBUTES' }, 'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName'],
  ['ALL_ATTRIBUTES with a projection', { Select: 'ALL_ATTRIBUTES', ProjectionExpression: 'x' }, 'Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES'],
  ['an unknown Select', { Select: 'NOPE' }, "1 validation error detected: Value 'NOPE' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"],
  ['an unknown index', { IndexName: 'nope' }, 'The table does not have the specified index: nope'],
  ['a limit of 0', { Limit: 0 }, /failed to satisfy constraint: Member must have value greater than or equal to 1/],
  ['no key condition', { KeyConditionExpression: undefined, ExpressionAttributeValues: undefined }, 'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.'],
  ['an empty key condition', { KeyConditionExpression: '', ExpressionAttributeValues: undefined }, 'Invalid KeyConditionExpression: The expression can not be empty;'],
  ['no partition key', { KeyConditionExpression: 'sk = :p' }, 'Query condition missed key schema element: pk'],
  ['an attribute that is no key', { KeyConditionExpression: 'pk = :p AND x = :p' }, 'Query condition missed key schema element: sk'],
  ['a range of partition keys', { KeyConditionExpression: 'pk > :p' }, 'Query key condition not supported', differs('other text')],
  ['OR', { KeyConditionExpression: 'pk = :p OR sk = :p' }, 'Invalid operator used in KeyConditionExpression: OR', differs('other text')],
  ['NOT', { KeyConditionExpression: 'pk = :p AND NOT sk = :p' }, 'Invalid operator used in KeyConditionExpression: NOT', differs('other text')],
  ['<>', { KeyConditionExpression: 'pk = :p AND sk <> :p' }, 'Invalid operator used in KeyConditionExpression: <>', differs('other text')],
  ['IN', { KeyConditionExpression: 'pk = :p AND sk IN (:p)' }, 'Invalid operator used in KeyConditionExpression: IN', differs('other text')],
  ['contains', { KeyConditionExpression: 'pk = :p AND contains(sk, :p)' }, 'Invalid operator used in KeyConditionExpression: contains', differs('other text')],
  ['two conditions on one key', { KeyConditionExpression: 'pk = :p AND sk > :p AND sk < :p' }, 'Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key', differs('other text')],
  ['bounds the wrong way round', { KeyConditionExpression: 'pk = :p AND sk BETWEEN :p AND :a', ExpressionAttributeValues: { ...p, ':a': S('a') } }, 'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:p}, upper bound operand: AttributeValue: {S:a}'],
  ['a value of the wrong type', { KeyConditionExpression: 'pk = :p AND sk = :a', ExpressionAttributeValues: { ...p, ':a': N(1) } }, 'One or more parameter values were invalid: Condition parameter type does not match schema type', differs('finds nothing')],
  ['begins_with of a number', { KeyConditionExpression: 'pk = :p AND begins_with(sk, :a)', ExpressionAttributeValues: { ...p, ':a': N(1) } }, 'Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N', differs('finds nothing')],
  ['a filter on the sort key', { FilterExpression: 'sk = :p' }, 'Filter Expression can only contain non-primary key attributes: Primary key attribute: sk'],
  ['a filter on the index key', { IndexName: 'byL', FilterExpression: 'l = :p' }, 'Filter Expression can only contain non-primary key attributes: Primary key attribute: l'],
  ['an undefined name in the filter', { FilterExpression: '#x = :p' }, 'Invalid FilterExpression: An expression attribute name used in the document path is not defined; attribute name: #x'],
  ['an unused value', { ExpressionAttributeValues: { ...p, ':q': S('q') } }, 'Value provided in ExpressionAttributeValues unused in expressions: keys: {:q}'],
  ['a start key without the sort key', { ExclusiveStartKey: { pk: S('p') } }, /^The provided starting key is invalid/],
  ['a start key of the wrong type', { ExclusiveStartKey: { pk: S('p'), sk: N(1) } }, /^The provided starting key is invalid/],
  ['a start key with something more', { ExclusiveStartKey: { pk: S('p'), sk: S('a'), z: S('z') } }, /^The provided starting key is invalid/],
  ['a start key of another partition', { ExclusiveStartKey: { pk: S('other'), sk: S('a') } }, 'The provided starting key is outside query boundaries based on provided conditions', differs('takes it')],
  ['a start key outside the range', { KeyConditionExpression: 'pk = :p AND sk > :a', ExpressionAttributeValues: { ...p, ':a': S('s3') }, ExclusiveStartKey: { pk: S('p'), sk: S('s1') } }, 'The provided starting key does not match the range key predicate', differs('takes it')],
  ['a GSI start key without the table key', { IndexName: 'all', KeyConditionExpression: 'g = :p', ExclusiveStartKey: { g: S('g'), l: N(1) } }, /^The provided starting key is invalid/],
]) {
  test(`Query refuses ${what}`, options, async () => {
    await invalid(query(more), message);
  });
}

test('a filter on a table key is fine where the index has other keys', async () => {
  const page = await query({ IndexName: 'byL', FilterExpression: 'sk = :s', ExpressionAttributeValues: { ...p, ':s': S('s1') } });
  assert.deepEqual([page.Count, page.ScannedCount], [1, 10]);
});

test('a missing table comes before a missing index', async () => {
  await fails(query({ TableName: 'no-such-table', IndexName: 'nope' }), 'ResourceNotFoundException', 'Requested resource not found');
});
