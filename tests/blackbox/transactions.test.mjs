// A transaction is all or nothing, says of each action why not, and answers the same request twice with the
// same result. Two transactions that meet are put in order; the caller never sees TransactionConflict.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { N, S, createTable, db, differs, fails, fill, invalid, unique } from './harness.mjs';

let table;
before(async () => (table = await createTable('pk:S')));

const key = (name = unique()) => ({ pk: S(name) });
const get = async (Key) => (await db.getItem({ TableName: table, Key, ConsistentRead: true })).Item;
const write = (TransactItems, more = {}) => db.transactWriteItems({ TransactItems, ...more });
const Put = (Item, more = {}) => ({ Put: { TableName: table, Item, ...more } });
const Delete = (Key, more = {}) => ({ Delete: { TableName: table, Key, ...more } });
const Update = (Key, UpdateExpression, values, more = {}) => ({ Update: { TableName: table, Key, UpdateExpression, ExpressionAttributeValues: values, ...more } });
const Check = (Key, ConditionExpression, more = {}) => ({ ConditionCheck: { TableName: table, Key, ConditionExpression, ...more } });
const Get = (Key, more = {}) => ({ Get: { TableName: table, Key, ...more } });

async function cancelled(promise, codes) {
  const error = await fails(promise, 'TransactionCanceledException', `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`);
  assert.deepEqual(error.CancellationReasons.map((r) => r.Code), codes);
  return error.CancellationReasons;
}

test('put, update, delete and check in one write', async () => {
  const [a, b, c, d] = [key(), key(), key(), key()];
  await fill(table, [{ ...b, n: N(1) }, c, d]);
  await write([Put({ ...a, x: S('x') }), Update(b, 'SET n = n + :one', { ':one': N(1) }), Delete(c), Check(d, 'attribute_exists(pk)')]);
  assert.deepEqual(await Promise.all([a, b, c, d].map(get)), [{ ...a, x: S('x') }, { ...b, n: N(2) }, undefined, d]);
});

test('a failed condition cancels everything; reasons in the order of the actions, with the items asked for', async () => {
  const [a, b, c] = [key(), key(), key()];
  await fill(table, [{ ...a, n: N(1) }, { ...b, n: N(1) }]);
  const never = { ConditionExpression: 'n = :two', ExpressionAttributeValues: { ':two': N(2) } };
  const reasons = await cancelled(
    write([
      Put(c), Put({ ...a, n: N(9) }, { ...never, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      Delete(b, never), Check(key(), 'attribute_exists(pk)', { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    ]),
    ['None', 'ConditionalCheckFailed', 'ConditionalCheckFailed', 'ConditionalCheckFailed'],
  );
  assert.deepEqual(reasons[1], { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', Item: { ...a, n: N(1) } });
  assert.equal(reasons[0].Message, undefined);
  assert.equal(reasons[2].Item, undefined);
  assert.equal(reasons[3].Item, undefined);
  assert.equal(await get(c), undefined);
  assert.deepEqual(await get(a), { ...a, n: N(1) });
});

test('what fails on the item\'s own values is a ValidationError reason', async () => {
  const a = key();
  await fill(table, [{ ...a, s: S('text') }]);
  const reasons = await cancelled(write([Put(key()), Update(a, 'SET n = absent + :one', { ':one': N(1) })]), ['None', 'ValidationError']);
  assert.equal(reasons[1].Message, 'The provided expression refers to an attribute that does not exist in the item');
  await cancelled(write([Update(a, 'ADD s :one', { ':one': N(1) })]), ['ValidationError']);
});

test('keys of the wrong type are told as reasons', async () => {
  assert.equal((await cancelled(write([Put({ pk: N(5) })]), ['ValidationError']))[0].Message, 'One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N');
  const mismatch = 'The provided key element does not match the schema';
  assert.equal((await cancelled(write([Delete({ pk: N(5) })]), ['ValidationError']))[0].Message, mismatch);
  assert.equal((await cancelled(write([Check({ pk: N(5) }, 'attribute_exists(pk)')]), ['ValidationError']))[0].Message, mismatch);
  assert.equal((await cancelled(db.transactGetItems({ TransactItems: [Get({ pk: N(1) })] }), ['ValidationError']))[0].Message, mismatch);
});

for (const [what, items, message, options = {}] of [
  ['no actions', () => [], /Member must have length greater than or equal to 1/],
  ['101 actions', () => Array.from({ length: 101 }, (_, i) => Put(key(`${i}`))), /Member must have length less than or equal to 100$/s],
  ['one item twice', () => [Put(key('same')), Delete(key('same'))], 'Transaction request cannot include multiple operations on one item'],
  ['a check and a write of one item', () => [Check(key('same'), 'attribute_exists(pk)'), Put(key('same'))], 'Transaction request cannot include multiple operations on one item'],
  ['an action with nothing in it', () => [{}], /.+/],
  ['two actions in one', () => [{ ...Put(key('a')), ...Delete(key('b')) }], /TransactItems can only contain one of Check, Put, Update or Delete/, differs('takes the first')],
  ['an empty key', () => [Put({ pk: S('') })], 'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk'],
  ['an expression with a syntax error', () => [Put(key('a')), Update(key('b'), 'NONSENSE HERE')], /Invalid UpdateExpression: Syntax error; token: "NONSENSE"/, differs('cancels instead')],
  ['a reserved word', () => [Update(key('b'), 'SET status = :v', { ':v': N(1) })], /Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: status/, differs('cancels instead')],
  ['a check without a condition', () => [{ ConditionCheck: { TableName: table, Key: key('a') } }], /conditionExpression/i],
]) {
  test(`TransactWriteItems refuses ${what}`, options, async () => {
    await invalid(write(items()), message);
  });
}

test('100 actions are taken', async () => {
  const prefix = unique();
  await write(Array.from({ length: 100 }, (_, i) => Put(key(`${prefix}-${i}`))));
  const { Responses } = await db.transactGetItems({ TransactItems: Array.from({ length: 100 }, (_, i) => Get(key(`${prefix}-${i}`))) });
  assert.equal(Responses.filter((r) => r.Item).length, 100);
});

test('a transaction holds at most 4 MB', async () => {
  const items = (bytes) => Array.from({ length: 11 }, () => Put({ ...key(), x: S('x'.repeat(bytes)) }));
  await write(items(370_000)); // 4.07 million bytes, below 4 MiB
  await invalid(write(items(395_000)), /Collection size of items|maximum allowed|exceed/i);
});

test('a put too large is refused before the transaction, an update that grows too large cancels it', async () => {
  const [a, b] = [key(), key()];
  await invalid(write([Put(a), Put({ ...key(), x: S('x'.repeat(410_000)) })]), 'Item size has exceeded the maximum allowed size');
  await fill(table, [{ ...b, x: S('x'.repeat(300_000)) }]);
  const reasons = await cancelled(write([Put(a), Update(b, 'SET y = :y', { ':y': S('y'.repeat(200_000)) })]), ['None', 'ValidationError']);
  assert.equal(reasons[1].Message, 'Item size to update has exceeded the maximum allowed size');
  assert.equal(await get(a), undefined);
});

test('actions may reach over several tables', async () => {
  const other = await createTable('pk:S sk:N');
  const a = key();
  await write([Put(a), { Put: { TableName: other, Item: { ...a, sk: N(1) } } }]);
  await cancelled(write([Delete(a), { Put: { TableName: other, Item: { ...a, sk: N(1) }, ConditionExpression: 'attribute_not_exists(pk)' } }]), ['None', 'ConditionalCheckFailed']);
  assert.deepEqual(await get(a), a);
});

// ------------------------------------------------------------------------------------- ClientRequestToken

test('the same token and request again does nothing and succeeds', async () => {
  const a = key();
  const ClientRequestToken = randomUUID();
  const request = [Update(a, 'ADD n :one', { ':one': N(1) })];
  await write(request, { ClientRequestToken });
  await write(request, { ClientRequestToken });
  assert.deepEqual(await get(a), { ...a, n: N(1) });
});

test('the same token with another request: IdempotentParameterMismatchException', async () => {
  const ClientRequestToken = randomUUID();
  await write([Put(key())], { ClientRequestToken });
  await fails(write([Put(key())], { ClientRequestToken }), 'IdempotentParameterMismatchException');
});

test('a cancelled transaction does not use its token up', async () => {
  const a = key();
  const ClientRequestToken = randomUUID();
  const request = [Update(a, 'ADD n :one', { ':one': N(1) }, { ConditionExpression: 'attribute_exists(pk)' })];
  await cancelled(write(request, { ClientRequestToken }), ['ConditionalCheckFailed']);
  await fill(table, [a]);
  await write(request, { ClientRequestToken });
  assert.deepEqual(await get(a), { ...a, n: N(1) });
});

test('one token sent many times at once applies once', async () => {
  const a = key();
  const ClientRequestToken = randomUUID();
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => write([Update(a, 'ADD n :one', { ':one': N(1) })], { ClientRequestToken })));
  for (const { status, reason } of outcomes) assert.ok(status === 'fulfilled' || reason.name === 'TransactionInProgressException', reason?.message);
  assert.deepEqual(await get(a), { ...a, n: N(1) });
});

test('a token of more than 36 characters is refused', async () => {
  await invalid(write([Put(key())], { ClientRequestToken: 'x'.repeat(37) }), /at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36/);
});

// ----------------------------------------------------------------------------------------------- reading

test('TransactGetItems answers in order, with {} for what is not there', async () => {
  const [a, b] = [key(), key()];
  await fill(table, [{ ...a, x: N(1), y: N(2) }, b]);
  const { Responses } = await db.transactGetItems({ TransactItems: [Get(b), Get(key()), Get(a)] });
  assert.deepEqual(Responses, [{ Item: b }, {}, { Item: { ...a, x: N(1), y: N(2) } }]);
});

test('TransactGetItems projects', differs('adds the key'), async () => {
  const a = key();
  await fill(table, [{ ...a, x: N(1), y: N(2) }]);
  const { Responses } = await db.transactGetItems({ TransactItems: [Get(a, { ProjectionExpression: '#x', ExpressionAttributeNames: { '#x': 'x' } })] });
  assert.deepEqual(Responses, [{ Item: { x: N(1) } }]);
});

test('TransactGetItems refuses what TransactWriteItems refuses', async () => {
  await invalid(db.transactGetItems({ TransactItems: [] }), /Member must have length greater than or equal to 1/);
  await invalid(db.transactGetItems({ TransactItems: Array.from({ length: 101 }, (_, i) => Get(key(`${i}`))) }), /Member must have length less than or equal to 100$/s);
  await invalid(db.transactGetItems({ TransactItems: [Get(key('same')), Get(key('same'))] }), 'Transaction request cannot include multiple operations on one item');
});

// ------------------------------------------------------------------------------------------- concurrency

test('transfers between accounts, many at once: nothing is lost and nobody sees TransactionConflict', async () => {
  const accounts = Array.from({ length: 5 }, () => key());
  await fill(table, accounts.map((a) => ({ ...a, balance: N(100) })));
  const transfer = (from, to, amount) =>
    write([
      Update(from, 'SET balance = balance - :v', { ':v': N(amount) }, { ConditionExpression: 'balance >= :v' }),
      Update(to, 'SET balance = balance + :v', { ':v': N(amount) }),
    ]);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 150 }, (_, i) => transfer(accounts[i % 5], accounts[(i + 1 + (i % 3)) % 5], 1 + (i % 40))),
  );
  for (const { status, reason } of outcomes) {
    if (status === 'rejected') assert.deepEqual(reason.CancellationReasons?.map((r) => r.Code), ['ConditionalCheckFailed', 'None'], reason.message);
  }
  const balances = (await Promise.all(accounts.map(get))).map((item) => Number(item.balance.N));
  assert.equal(balances.reduce((a, b) => a + b), 500);
  assert.ok(balances.every((b) => b >= 0));
});

test('a transactional read sees both halves of a transactional write or neither', async () => {
  const [a, b] = [key(), key()];
  await fill(table, [{ ...a, n: N(0) }, { ...b, n: N(0) }]);
  let writing = true;
  const writer = (async () => {
    for (let i = 1; i <= 100; i++) await write([Update(a, 'SET n = :n', { ':n': N(i) }), Update(b, 'SET n = :n', { ':n': N(i) })]);
    writing = false;
  })();
  let reads = 0;
  while (writing) {
    const { Responses } = await db.transactGetItems({ TransactItems: [Get(a), Get(b)] });
    assert.deepEqual(Responses[0].Item.n, Responses[1].Item.n);
    reads += 1;
  }
  await writer;
  assert.ok(reads > 0);
});
