// Code written before expressions (2014) still runs: Expected, AttributeUpdates, KeyConditions, QueryFilter,
// ScanFilter, AttributesToGet and ConditionalOperator must do what the expressions do.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { N, S, conditionFailed, createTable, db, differs, fill, invalid, pages, unique } from './harness.mjs';

let table; // pk:S
let ranged; // pk:S sk:N
before(async () => {
  table = await createTable('pk:S');
  ranged = await createTable('pk:S sk:N', { gsi: { byG: 'g:S sk:N' } });
  await fill(ranged, Array.from({ length: 10 }, (_, i) => ({ pk: S('p'), sk: N(i), g: S('g'), s: S(`s${i}`), even: { BOOL: i % 2 === 0 }, tags: { SS: ['x', `t${i}`] } })));
});

const put = async (attributes) => {
  const pk = S(unique('g'));
  await db.putItem({ TableName: table, Item: { pk, ...attributes } });
  return pk;
};
const is = (ComparisonOperator, ...AttributeValueList) => ({ ComparisonOperator, ...(AttributeValueList.length && { AttributeValueList }) });
const expecting = (pk, Expected, ConditionalOperator) => db.updateItem({ TableName: table, Key: { pk }, Expected, ConditionalOperator, AttributeUpdates: { done: { Action: 'PUT', Value: N(1) } } });

const attributes = { n: N(5), s: S('hello'), ss: { SS: ['a', 'b'] }, l: { L: [N(1)] }, nul: { NULL: true } };
for (const [name, condition, holds] of [
  ['n', is('EQ', N(5)), true], ['n', is('EQ', N(4)), false], ['n', is('NE', N(4)), true], ['n', is('LT', N(6)), true], ['n', is('LE', N(5)), true], ['n', is('GT', N(5)), false], ['n', is('GE', N(5)), true],
  ['n', is('BETWEEN', N(4), N(6)), true], ['n', is('IN', N(1), N(5)), true], ['n', is('IN', N(1)), false], ['n', is('NULL'), false], ['gone', is('NULL'), true], ['n', is('NOT_NULL'), true], ['gone', is('NOT_NULL'), false],
  ['s', is('BEGINS_WITH', S('he')), true], ['s', is('CONTAINS', S('ell')), true], ['s', is('NOT_CONTAINS', S('ell')), false], ['ss', is('CONTAINS', S('a')), true], ['ss', is('NOT_CONTAINS', S('z')), true], ['l', is('CONTAINS', N(1)), true],
  ['n', { Value: N(5) }, true], ['n', { Value: N(4) }, false], ['n', { Exists: true, Value: N(5) }, true], ['gone', { Exists: false }, true], ['n', { Exists: false }, false],
]) {
  test(`Expected ${name} ${JSON.stringify(condition)} ${holds ? 'holds' : 'fails'}`, async () => {
    const pk = await put(attributes);
    await (holds ? expecting(pk, { [name]: condition }) : conditionFailed(expecting(pk, { [name]: condition })));
  });
}

test('Expected joins with AND by default, with OR when asked', async () => {
  const pk = await put(attributes);
  const mixed = { n: is('EQ', N(5)), s: is('EQ', S('no')) };
  await conditionFailed(expecting(pk, mixed));
  await conditionFailed(expecting(pk, mixed, 'AND'));
  await expecting(pk, mixed, 'OR');
});

test('Expected guards PutItem and DeleteItem too', async () => {
  const pk = await put({ n: N(1) });
  const Expected = { n: { Value: N(2) } };
  await conditionFailed(db.putItem({ TableName: table, Item: { pk }, Expected }));
  await conditionFailed(db.deleteItem({ TableName: table, Key: { pk }, Expected }));
  await db.deleteItem({ TableName: table, Key: { pk }, Expected: { n: { Value: N(1) } } });
});

test('AttributeUpdates PUT, ADD and DELETE', async () => {
  const pk = await put({ a: N(1), n: N(5), ss: { SS: ['a', 'b'] }, drop: S('x') });
  const { Attributes } = await db.updateItem({
    TableName: table, Key: { pk }, ReturnValues: 'ALL_NEW',
    AttributeUpdates: {
      a: { Value: S('now text') }, // PUT is the default
      b: { Action: 'PUT', Value: N(2) }, n: { Action: 'ADD', Value: N(3) }, neu: { Action: 'ADD', Value: N(4) },
      ss: { Action: 'DELETE', Value: { SS: ['a'] } }, drop: { Action: 'DELETE' }, more: { Action: 'ADD', Value: { SS: ['z'] } },
    },
  });
  assert.deepEqual(Attributes, { pk, a: S('now text'), b: N(2), n: N(8), neu: N(4), ss: { SS: ['b'] }, more: { SS: ['z'] } });
});

test('AttributeUpdates ADD appends to a list', async () => {
  const pk = await put({ l: { L: [N(1)] } });
  const { Attributes } = await db.updateItem({ TableName: table, Key: { pk }, AttributeUpdates: { l: { Action: 'ADD', Value: { L: [N(2)] } } }, ReturnValues: 'ALL_NEW' });
  assert.deepEqual(Attributes.l, { L: [N(1), N(2)] });
});

test('AttributeUpdates cannot touch a key', async () => {
  await invalid(db.updateItem({ TableName: table, Key: { pk: S('a') }, AttributeUpdates: { pk: { Value: S('b') } } }), 'One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key');
});

test('AttributesToGet picks whole top-level attributes', async () => {
  const pk = await put({ a: N(1), b: N(2), 'c.d': N(3) });
  assert.deepEqual((await db.getItem({ TableName: table, Key: { pk }, AttributesToGet: ['a', 'c.d', 'gone'] })).Item, { a: N(1), 'c.d': N(3) });
});

const query = async (sk, more = {}) => {
  const KeyConditions = { pk: is('EQ', S('p')), ...(sk && { sk }) };
  return (await db.query({ TableName: ranged, KeyConditions, ...more })).Items.map((item) => Number(item.sk.N));
};

for (const [sk, found] of [
  [undefined, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]], [is('EQ', N(3)), [3]], [is('LT', N(2)), [0, 1]], [is('LE', N(2)), [0, 1, 2]], [is('GT', N(7)), [8, 9]], [is('GE', N(7)), [7, 8, 9]], [is('BETWEEN', N(3), N(5)), [3, 4, 5]],
]) {
  test(`KeyConditions ${sk ? JSON.stringify(sk) : 'with the partition key alone'}`, async () => {
    assert.deepEqual(await query(sk), found);
  });
}

test('KeyConditions BEGINS_WITH on a string sort key, and on an index', async () => {
  const strings = await createTable('pk:S sk:S');
  await fill(strings, ['aa', 'ab', 'b'].map((sk) => ({ pk: S('p'), sk: S(sk) })));
  const { Items } = await db.query({ TableName: strings, KeyConditions: { pk: is('EQ', S('p')), sk: is('BEGINS_WITH', S('a')) } });
  assert.deepEqual(Items.map((i) => i.sk.S), ['aa', 'ab']);
  const byG = await db.query({ TableName: ranged, IndexName: 'byG', KeyConditions: { g: is('EQ', S('g')), sk: is('LT', N(2)) }, ScanIndexForward: false });
  assert.deepEqual(byG.Items.map((i) => i.sk.N), ['1', '0']);
});

test('QueryFilter filters after the read, joined as ConditionalOperator says', async () => {
  const QueryFilter = { s: is('GT', S('s6')), even: is('EQ', { BOOL: true }) };
  assert.deepEqual(await query(undefined, { QueryFilter }), [8]);
  assert.deepEqual(await query(undefined, { QueryFilter, ConditionalOperator: 'OR' }), [0, 2, 4, 6, 7, 8, 9]);
  const page = await db.query({ TableName: ranged, KeyConditions: { pk: is('EQ', S('p')) }, QueryFilter });
  assert.deepEqual([page.Count, page.ScannedCount], [1, 10]);
});

test('ScanFilter, with sets, strings and NULL tests', async () => {
  const scan = async (ScanFilter, ConditionalOperator) => (await pages('scan', { TableName: ranged, ScanFilter, ConditionalOperator })).items.map((i) => Number(i.sk.N)).toSorted((a, b) => a - b);
  assert.deepEqual(await scan({ tags: is('CONTAINS', S('t4')) }), [4]);
  assert.deepEqual(await scan({ s: is('IN', S('s1'), S('s2')) }), [1, 2]);
  assert.deepEqual(await scan({ nothing: is('NOT_NULL') }), []);
  assert.deepEqual(await scan({ sk: is('LT', N(1)), s: is('EQ', S('s9')) }, 'OR'), [0, 9]);
});

test('old and new parameters do not mix', async () => {
  const Key = { pk: S('a') };
  const text = (old, neu) => `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${old}} Expression parameters: {${neu}}`;
  await invalid(db.getItem({ TableName: table, Key, AttributesToGet: ['a'], ProjectionExpression: 'a' }), text('AttributesToGet', 'ProjectionExpression'));
  await invalid(db.putItem({ TableName: table, Item: Key, Expected: { a: { Exists: false } }, ConditionExpression: 'attribute_not_exists(a)' }), text('Expected', 'ConditionExpression'));
  await invalid(db.updateItem({ TableName: table, Key, AttributeUpdates: { a: { Value: N(1) } }, UpdateExpression: 'REMOVE a' }), text('AttributeUpdates', 'UpdateExpression'));
  await invalid(
    db.scan({ TableName: table, ScanFilter: { a: is('NULL') }, FilterExpression: 'attribute_not_exists(a)' }),
    text('ScanFilter', 'FilterExpression'),
  );
});

for (const [what, run, message, options = {}] of [
  ['a count of arguments that does not fit', () => expecting(S('a'), { n: is('BETWEEN', N(1)) }), 'One or more parameter values were invalid: Invalid number of argument(s) for the BETWEEN ComparisonOperator'],
  ['arguments for NULL', () => expecting(S('a'), { n: is('NULL', N(1)) }), 'One or more parameter values were invalid: Invalid number of argument(s) for the NULL ComparisonOperator'],
  ['a type that does not fit', () => expecting(S('a'), { n: is('LT', { BOOL: true }) }), 'One or more parameter values were invalid: ComparisonOperator LT is not valid for BOOL AttributeValue type', differs('takes it or other text')],
  ['an unknown operator', () => expecting(S('a'), { n: is('LIKE', N(1)) }), /Value 'LIKE' at 'expected\.n\.member\.comparisonOperator' failed to satisfy constraint: Member must satisfy enum value set/, differs('takes it or other text')],
  ['Exists false with a value', () => expecting(S('a'), { n: { Exists: false, Value: N(1) } }), 'One or more parameter values were invalid: Value cannot be used when Exists is false for Attribute: n'],
  ['Value and ComparisonOperator without a list', () => expecting(S('a'), { n: { Exists: true } }), 'One or more parameter values were invalid: Value must be provided when Exists is true for Attribute: n'],
  ['ConditionalOperator alone', () => db.putItem({ TableName: table, Item: { pk: S('a') }, ConditionalOperator: 'OR' }), 'ConditionalOperator cannot be used without Filter or Expected', differs('takes it or other text')],
  ['ConditionalOperator over one condition', () => expecting(S('a'), { n: is('EQ', N(1)) }, 'OR'), 'ConditionalOperator can only be used when Filter or Expected has two or more elements', differs('takes it')],
  ['AttributeUpdates ADD of a string', () => db.updateItem({ TableName: table, Key: { pk: S('a') }, AttributeUpdates: { x: { Action: 'ADD', Value: S('a') } } }), /Only.*(ADD|S)|ADD.*type/i],
  ['AttributesToGet twice the same', () => db.getItem({ TableName: table, Key: { pk: S('a') }, AttributesToGet: ['a', 'a'] }), 'One or more parameter values were invalid: Duplicate value in attribute name: a'],
  ['KeyConditions with another operator for the partition key', () => db.query({ TableName: ranged, KeyConditions: { pk: is('GT', S('p')) } }), 'Query key condition not supported', differs('takes it or other text')],
  ['KeyConditions with NE for the sort key', () => db.query({ TableName: ranged, KeyConditions: { pk: is('EQ', S('p')), sk: is('NE', N(1)) } }), /Attempted conditional constraint is not an indexable operation|Query key condition not supported/, differs('takes it or other text')],
  ['KeyConditions without the partition key', () => db.query({ TableName: ranged, KeyConditions: { sk: is('EQ', N(1)) } }), /Query condition missed key schema element: pk/],
  ['QueryFilter on a key', () => db.query({ TableName: ranged, KeyConditions: { pk: is('EQ', S('p')) }, QueryFilter: { sk: is('EQ', N(1)) } }), 'QueryFilter can only contain non-primary key attributes: Primary key attribute: sk'],
]) {
  test(`refused: ${what}`, options, async () => {
    await invalid(run(), message);
  });
}
