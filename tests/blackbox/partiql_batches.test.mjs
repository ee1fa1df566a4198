// Several statements in one request: a batch, in which each stands for itself, and a transaction, in which all
// stand or fall together and a repeated request does nothing twice.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { N, S, call, createTable, db, differs, doc, fails, invalid, ours, refused, unique } from './harness.mjs';

let table;
let ranged;
before(async () => {
  table = await createTable('pk:S');
  ranged = await createTable('pk:S sk:N', { gsi: { ByOwner: 'owner:S' } });
});

const get = async (pk) => (await db.getItem({ TableName: table, Key: { pk: S(pk) }, ConsistentRead: true })).Item;
const seed = async (more = {}) => {
  const pk = unique();
  await db.putItem({ TableName: table, Item: { pk: S(pk), v: N(1), ...more } });
  return pk;
};
const one = (Statement, ...Parameters) => ({ Statement, ...(Parameters.length && { Parameters }) });
const select = (pk) => one(`SELECT * FROM "${table}" WHERE pk = ?`, S(pk));
const insert = (pk) => one(`INSERT INTO "${table}" VALUE {'pk': ?, 'v': 1}`, S(pk));
const update = (pk, rest = '') => one(`UPDATE "${table}" SET v = v + 1 WHERE pk = ? ${rest}`, S(pk));
const remove = (pk, rest = '') => one(`DELETE FROM "${table}" WHERE pk = ? ${rest}`, S(pk));

describe('a batch', () => {
  const batch = (Statements, more = {}) => db.batchExecuteStatement({ Statements, ...more });

  test('reads each item, as GetItem would', async () => {
    const [a, b] = [await seed({ m: { M: { x: N(1) } } }), await seed()];
    const { Responses } = await batch([one(`SELECT m.x FROM "${table}" WHERE pk = '${a}'`), select(unique()), select(b)]);
    assert.deepEqual(Responses, [{ TableName: table, Item: { x: N(1) } }, { TableName: table }, { TableName: table, Item: await get(b) }]);
  });

  test('rates each read by its own consistency', async () => {
    const { ConsumedCapacity } = await batch([{ ...select(await seed()), ConsistentRead: true }, select(await seed())], { ReturnConsumedCapacity: 'TOTAL' });
    assert.deepEqual(ConsumedCapacity, [{ TableName: table, CapacityUnits: 1.5 }]);
  });

  test('writes, each for itself', async () => {
    const [fresh, there, gone, kept, bare] = [unique(), await seed(), await seed(), await seed(), await seed()];
    const { Responses } = await batch([
      insert(fresh), update(there, 'RETURNING ALL NEW *'), remove(gone, 'RETURNING ALL OLD *'), insert(await seed()), update(kept, 'AND v = 7'), update(unique()),
      one(`UPDATE "${table}" REMOVE v WHERE pk = ? RETURNING MODIFIED NEW *`, S(bare)),
    ]);
    const failed = (Code, Message) => ({ Error: { Code, Message }, TableName: table });
    assert.deepEqual(Responses, [
      { TableName: table }, { TableName: table, Item: { pk: S(there), v: N(2) } }, { TableName: table, Item: { pk: S(gone), v: N(1) } },
      failed('DuplicateItem', 'Duplicate primary key exists in table'), failed('ConditionalCheckFailed', 'The conditional request failed'),
      failed('ConditionalCheckFailed', 'The conditional request failed'), { TableName: table },
    ]);
    assert.deepEqual(await get(fresh), { pk: S(fresh), v: N(1) });
    assert.equal(await get(gone), undefined);
    assert.deepEqual(await get(kept), { pk: S(kept), v: N(1) });
    assert.deepEqual(await get(bare), { pk: S(bare) });
  });

  test('charges all writes of a table together', async () => {
    const pk = await seed();
    const { ConsumedCapacity } = await batch([insert(unique()), update(pk), remove(unique())], { ReturnConsumedCapacity: 'TOTAL' });
    assert.deepEqual(ConsumedCapacity, [{ TableName: table, CapacityUnits: 3 }]);
  });

  test('a statement that cannot be run fails alone, without a table', async () => {
    const pk = await seed();
    const { Responses } = await batch([
      one(`SLECT * FROM "${table}" WHERE pk = 'x'`), select(pk), one(`SELECT * FROM "${unique()}" WHERE pk = 'x'`), one(`SELECT * FROM "${table}" WHERE v = 1`),
      one(`SELECT * FROM "${ranged}" WHERE pk = 'x'`), one(`SELECT * FROM "${ranged}"."ByOwner" WHERE owner = 'x'`),
    ]);
    assert.deepEqual(Responses.map((response) => response.Error?.Code), ['ValidationError', undefined, 'ResourceNotFound', 'ValidationError', 'ValidationError', 'ValidationError']);
    assert.equal(Responses[0].Error.Message, "Statement wasn't well formed, can't be processed: Expected data manipulation");
    assert.match(Responses[2].Error.Message, /^Requested resource not found/);
    for (const i of [3, 4, 5]) {
      assert.equal(Responses[i].Error.Message, 'Select statements within BatchExecuteStatement must specify the primary key in the where clause.');
      assert.equal(Responses[i].TableName, undefined);
    }
    assert.deepEqual(Responses[1].Item, await get(pk));
  });

  test('a read asks for nothing but the key', ours, async () => {
    const pk = await seed();
    const { Responses } = await batch([one(`SELECT * FROM "${table}" WHERE pk = '${pk}' AND attribute_exists(v)`)]);
    assert.equal(Responses[0].Error.Message, 'Select statements within BatchExecuteStatement must specify the primary key in the where clause.');
  });

  test('faults of single writes', ours, async () => {
    const { Responses } = await batch([
      one(`DELETE FROM "${table}" WHERE pk = 'x' RETURNING MODIFIED OLD *`), one(`UPDATE "${table}" SET v = 1 WHERE v = 2`), one(`INSERT INTO "${table}" VALUE {'v': 1}`),
      one(`UPDATE "${table}" SET v = ? WHERE pk = 'x'`, { N: 'abc' }), one(`UPDATE "${table}" SET v = ? WHERE pk = 'x'`),
    ]);
    assert.deepEqual(Responses.map((response) => response.Error), [
      'Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.',
      'Where clause does not contain a mandatory equality on all key attributes', 'One or more parameter values were invalid: Missing the key pk in the item',
      'The parameter cannot be converted to a numeric value: abc', "Number of parameters in request and statement don't match.",
    ].map((Message) => ({ Code: 'ValidationError', Message })));
  });

  test('does not show the item that made a condition fail', ours, async () => {
    const pk = await seed();
    const { Responses } = await batch([{ ...update(pk, 'AND v = 7'), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }]);
    assert.equal(Responses[0].Item, undefined);
  });

  test('reads or writes, one to 25 of them', async () => {
    await invalid(batch([select('x'), insert(unique())]), 'Read and write requests together in the same batch is not supported.');
    await invalid(batch([]), "1 validation error detected: Value '[]' at 'statements' failed to satisfy constraint: Member must have length greater than or equal to 1");
    const pks = Array.from({ length: 25 }, () => unique());
    await batch(pks.map(insert));
    const { Responses } = await batch(pks.map(select));
    assert.deepEqual(Responses.map((response) => response.Item.pk.S), pks);
  });

  test('no item twice', async () => {
    const pk = await seed();
    await invalid(batch([select(pk), select(pk)]), 'Provided list of item keys contains duplicates');
    await invalid(batch([update(pk), remove(pk)]), 'Provided list of item keys contains duplicates');
    assert.deepEqual(await get(pk), { pk: S(pk), v: N(1) });
  });

  test('26 are too many, and what else a request may lack', ours, async () => {
    await invalid(batch(Array.from({ length: 26 }, () => select('x'))), "1 validation error detected: Value at 'statements' failed to satisfy constraint: Member must have length less than or equal to 25");
    refused(await call('BatchExecuteStatement', {}), 'ValidationException', "1 validation error detected: Value null at 'statements' failed to satisfy constraint: Member must not be null");
    refused(await call('BatchExecuteStatement', { Statements: [{}] }), 'ValidationException', "1 validation error detected: Value null at 'statements.1.member.statement' failed to satisfy constraint: Member must not be null");
    refused(await call('BatchExecuteStatement', { Statements: ['x'] }), 'SerializationException');
  });

  test('the document client', async () => {
    const pk = await seed();
    const { Responses } = await doc.batchExecuteStatement({ Statements: [{ Statement: `SELECT * FROM "${table}" WHERE pk = ?`, Parameters: [pk] }] });
    assert.deepEqual(Responses[0].Item, { pk, v: 1 });
  });
});

describe('a transaction', () => {
  const transact = (TransactStatements, more = {}) => db.executeTransaction({ TransactStatements, ...more });

  async function cancelled(promise, codes) {
    const error = await fails(promise, 'TransactionCanceledException', `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`);
    assert.deepEqual(error.CancellationReasons.map((reason) => reason.Code), codes);
    return error.CancellationReasons;
  }

  test('writes all or nothing', differs('an answer for each write'), async () => {
    const [fresh, there, gone] = [unique(), await seed(), await seed()];
    const { Responses } = await transact([insert(fresh), update(there), remove(gone)]);
    assert.deepEqual(Responses, []);
    assert.deepEqual([await get(fresh), await get(there), await get(gone)], [{ pk: S(fresh), v: N(1) }, { pk: S(there), v: N(2) }, undefined]);

    const reasons = await cancelled(transact([insert(unique()), insert(there), { ...update(fresh, 'AND v = 9'), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }]), ['None', 'DuplicateItem', 'ConditionalCheckFailed']);
    assert.equal(reasons[1].Message, 'Duplicate primary key exists in table');
    assert.deepEqual(reasons[2], { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', Item: { pk: S(fresh), v: N(1) } });
    assert.deepEqual(await get(there), { pk: S(there), v: N(2) });
  });

  test('EXISTS is a condition on an item', differs('unknown to it'), async () => {
    const [guard, there] = [await seed(), await seed()];
    const exists = (value) => one(`EXISTS(SELECT * FROM "${table}" WHERE pk = ? AND v = ?)`, S(guard), N(value));
    await transact([exists(1), update(there)]);
    await cancelled(transact([exists(2), update(there)]), ['ConditionalCheckFailed', 'None']);
    assert.deepEqual((await get(there)).v, N(2));
    await transact([one(`EXISTS(SELECT * FROM "${table}" WHERE pk = ? AND attribute_not_exists(v))`, S(unique())), update(there)]);
    await invalid(transact([one(`EXISTS(SELECT * FROM "${table}" WHERE pk = 'x')`), update(there)]), 'Validation failed in TransactStatements[0]: EXISTS() must contain a single item read with additional condition');
  });

  test('reads as of one moment', async () => {
    const [a, b] = [await seed({ m: { M: { x: N(1) } } }), unique()];
    const answer = await transact([one(`SELECT v, m.x FROM "${table}" WHERE pk = ?`, S(a)), select(b)], { ReturnConsumedCapacity: 'TOTAL' });
    assert.deepEqual(answer.Responses, [{ Item: { v: N(1), x: N(1) } }, {}]);
    assert.deepEqual(answer.ConsumedCapacity, [{ TableName: table, CapacityUnits: 4, ReadCapacityUnits: 4 }]);
  });

  test('costs what TransactWriteItems costs', async () => {
    const [a, b] = [await seed(), await seed()];
    const expected = await db.transactWriteItems({ TransactItems: [{ Update: { TableName: table, Key: { pk: S(a) }, UpdateExpression: 'SET v = v + :one', ExpressionAttributeValues: { ':one': N(1) } } }], ReturnConsumedCapacity: 'INDEXES' });
    const actual = await transact([update(b)], { ReturnConsumedCapacity: 'INDEXES' });
    assert.deepEqual(actual.ConsumedCapacity, expected.ConsumedCapacity);
  });

  test('a token makes it happen once', async () => {
    const pk = await seed();
    const ClientRequestToken = randomUUID();
    const first = await transact([update(pk)], { ClientRequestToken, ReturnConsumedCapacity: 'TOTAL' });
    const again = await transact([update(pk)], { ClientRequestToken, ReturnConsumedCapacity: 'TOTAL' });
    assert.deepEqual((await get(pk)).v, N(2));
    assert.equal(first.ConsumedCapacity[0].WriteCapacityUnits, 2);
    assert.equal(again.ConsumedCapacity[0].ReadCapacityUnits, 2);
    assert.equal(again.ConsumedCapacity[0].WriteCapacityUnits, undefined);
    await fails(transact([update(await seed())], { ClientRequestToken }), 'IdempotentParameterMismatchException');
    await fails(transact([one(`UPDATE "${table}" SET v = v + 1 WHERE pk = '${pk}'`)], { ClientRequestToken }), 'IdempotentParameterMismatchException');
  });

  test('a failed transaction leaves its token free', ours, async () => {
    const pk = unique();
    const ClientRequestToken = randomUUID();
    await cancelled(transact([update(pk)], { ClientRequestToken }), ['ConditionalCheckFailed']);
    await db.putItem({ TableName: table, Item: { pk: S(pk), v: N(1) } });
    await transact([update(pk)], { ClientRequestToken });
    assert.deepEqual((await get(pk)).v, N(2));
  });

  test('what it refuses, and of which statement', ours, async () => {
    const first = (message) => `Validation failed in TransactStatements[0]: ${message}`;
    for (const [statements, message] of [
      [[update('x', 'RETURNING ALL NEW *')], first('RETURNING clause is not supported in ExecuteTransaction.')],
      [[one(`SELECT * FROM "${ranged}"."ByOwner" WHERE owner = 'x'`)], first('Reads on indices are not supported within transactions.')],
      [[one(`SELECT * FROM "${table}" WHERE`)], first("Statement wasn't well formed, can't be processed: Unexpected term")],
      [[one(`SELECT * FROM "${table}" WHERE pk = 'x' AND attribute_exists(v)`)], first('Select statements within ExecuteTransaction must specify the primary key in the where clause.')],
      [[one(`SELECT * FROM "${ranged}" WHERE pk = 'x'`)], first('Select statements within ExecuteTransaction must specify the primary key in the where clause.')],
      [[one(`UPDATE "${ranged}" SET v = 1 WHERE pk = 'x'`)], first('Where clause does not contain a mandatory equality on all key attributes')],
      [[one(`UPDATE "${table}" SET v = ? WHERE pk = 'x'`, { N: 'abc' })], 'The parameter cannot be converted to a numeric value: abc'],
      [[select('x'), insert('x')], 'ExecuteTransaction API does not support both read and write operations in the same request.'],
      [[update('x'), remove('x')], 'Transaction request cannot include multiple operations on one item'],
      [[select('x'), select('x')], 'Transaction request cannot include multiple operations on one item'],
      [[], "1 validation error detected: Value '[]' at 'transactStatements' failed to satisfy constraint: Member must have length greater than or equal to 1"],
      [Array.from({ length: 101 }, () => select('x')), "1 validation error detected: Value at 'transactStatements' failed to satisfy constraint: Member must have length less than or equal to 100"],
    ]) await invalid(transact(statements), message);
    await fails(transact([one(`UPDATE "${unique()}" SET v = 1 WHERE pk = 'x'`)]), 'ResourceNotFoundException', 'Requested resource not found');
  });

  test('a fault that shows beside the table or the item is a reason', ours, async () => {
    const pk = await seed({ s: S('text') });
    const reasons = await cancelled(transact([update(await seed()), one(`UPDATE "${table}" SET s = s + 1 WHERE pk = ?`, S(pk)), one(`INSERT INTO "${table}" VALUE {'v': 1}`)]), ['None', 'None', 'ValidationError']);
    assert.equal(reasons[2].Message, 'One or more parameter values were invalid: Missing the key pk in the item');
    await cancelled(transact([update(await seed()), one(`UPDATE "${table}" SET s = s + 1 WHERE pk = ?`, S(pk))]), ['None', 'ValidationError']);
  });

  test('a hundred statements', async () => {
    const pks = Array.from({ length: 100 }, () => unique());
    await transact(pks.map(insert));
    const { Responses } = await transact(pks.map(select));
    assert.deepEqual(Responses.map((response) => response.Item.pk.S), pks);
  });

  test('the document client', async () => {
    const pk = unique();
    await doc.executeTransaction({ TransactStatements: [{ Statement: `INSERT INTO "${table}" VALUE {'pk': ?, 'l': ?}`, Parameters: [pk, [1, 'x']] }] });
    const { Responses } = await doc.executeTransaction({ TransactStatements: [{ Statement: `SELECT * FROM "${table}" WHERE pk = ?`, Parameters: [pk] }] });
    assert.deepEqual(Responses[0].Item, { pk, l: [1, 'x'] });
  });
});
