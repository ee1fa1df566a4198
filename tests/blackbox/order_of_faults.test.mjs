// The order of checks inside a request, where one fault hides another: wrong JSON anywhere comes first, then what
// excludes each other, then values; and a repeated transaction is known by its parameters alone.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { N, S, call, createTable, refused } from './harness.mjs';

let table;
before(async () => (table = await createTable('pk:S sk:S')));
const Key = { pk: S('a'), sk: S('b') };

test('wrong JSON in placeholders and legacy parameters comes before constraints and mixtures', async () => {
  const number = /^NUMBER_VALUE cannot be converted to String$/;
  const wrong = { ':v': { S: 5 } };
  refused(await call('UpdateItem', { TableName: 'a;b', Key, UpdateExpression: 'SET a = :v', ExpressionAttributeValues: wrong }), 'SerializationException', number);
  refused(await call('Query', { TableName: table, KeyConditions: { pk: { ComparisonOperator: 5 } }, FilterExpression: 'a = :v' }), 'SerializationException', number);
  refused(await call('Scan', { TableName: table, ExpressionAttributeValues: wrong }), 'SerializationException', number);
  refused(await call('PutItem', { TableName: table, Item: { ...Key, n: N('x') }, Expected: { a: { Exists: {} } } }), 'SerializationException', /^Start of structure or map found where not expected$/);
});

test('what excludes each other comes before the values of the key', async () => {
  const bad = { pk: { SS: [] }, sk: S('b') };
  const names = { ExpressionAttributeNames: { '#a': 'a' } };
  for (const operation of ['GetItem', 'DeleteItem', 'UpdateItem']) refused(await call(operation, { TableName: table, Key: bad, ...names }), 'ValidationException', /ExpressionAttributeNames can only be specified when using expressions$/);
});

test('Base64 is checked to the last bit', async () => {
  const put = (B) => call('PutItem', { TableName: table, Item: { ...Key, b: { B } } });
  refused(await put('AB=='), 'SerializationException', /^Invalid last non-pad Base64 character dectected$/);
  refused(await put('AAA'), 'SerializationException', /^Base64 encoded length is expected a multiple of 4 bytes but found: 3$/);
  assert.equal((await put('AA==')).status, 200);
});

test('a repeated transaction is known whatever the order of its members and whatever stands beside them', async () => {
  const write = (TransactItems, ClientRequestToken = 'order-of-faults') => call('TransactWriteItems', { TransactItems, ClientRequestToken });
  assert.equal((await write([{ Put: { TableName: table, Item: { ...Key, n: N(1) } } }])).status, 200);
  assert.equal((await write([{ Put: { Item: { n: N(1), sk: Key.sk, pk: Key.pk }, TableName: table, Nonsense: 1 }, More: 2 }])).status, 200);
  refused(await write([{ Put: { TableName: table, Item: { ...Key, n: N(2) } } }]), 'IdempotentParameterMismatchException');
  refused(await write([{ Put: { TableName: table, Item: Key } }], ''), 'ValidationException', /at 'clientRequestToken' failed to satisfy constraint: Member must have length greater than or equal to 1$/);
});
