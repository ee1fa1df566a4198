// What DynamoDB refuses of PartiQL, and in which words. Tools show these to people who write statements by hand.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { N, S, call, createTable, db, fails, invalid, ours, refused, unique } from './harness.mjs';

let table; // pk, sk, indexes
let plain; // pk alone
before(async () => {
  table = await createTable('pk:S sk:S', { gsi: { Inc: 'g:S' }, lsi: { Keys: 'pk:S l:S' }, projection: { Inc: ['kept'], Keys: 'KEYS_ONLY' } });
  plain = await createTable('pk:S');
});

const execute = (Statement, Parameters, more = {}) => db.executeStatement({ Statement, ...(Parameters && { Parameters }), ...more });
const malformed = (detail) => `Statement wasn't well formed, can't be processed: ${detail}`;
const fill = (text) => text.replaceAll('$T', `"${table}"`).replaceAll('$P', `"${plain}"`);

// The column and length of a piece of a statement, as the service tells them.
const at = (text, piece, length = piece.length, from = 0) => `at 1:${text.indexOf(piece, from) + 1}:${length}`;

describe('statements that are not well formed', ours, () => {
  for (const [statement, detail] of [
    ['SLECT * FROM $P', 'Expected data manipulation'],
    ['UPDATE live-table SET a = 1 WHERE pk = \'x\'', 'Expected data manipulation'],
    ['SELECT * FROM $P WHERE pk = \'x\' foo', 'Unexpected token after expression'],
    ['INSERT INTO $P VALUE {\'pk\': \'x\'} foo', 'Unexpected token after expression'],
    ['DELETE FROM $P WHERE pk = \'x\' ORDER BY pk', 'Unexpected token after expression'],
    ['SELECT * FROM $P WHERE', 'Unexpected term'],
    ['SELECT * FROM $P WHERE pk = \'x\' AND', 'Missing right-hand side expression of infix operator'],
    ['SELECT * FROM $P WHERE key = \'x\'', 'Unexpected keyword'],
    ['SELECT * FROM $P WHERE a.inner = 1', 'Invalid path dot component'],
    ['DELETE FROM', 'Expected identifier for simple path'],
    ['SELECT * FROM $P WHERE pk = \'x', ''],
    ['SELECT * FROM $P WHERE pk = 1 # note', ''],
    ['SELECT * FROM $P WHERE a = 1e99999999999', ''],
  ]) test(`${statement}: ${detail || 'no detail'}`, () => invalid(execute(fill(statement)), malformed(detail)));
});

describe('statements that say what they must not', () => {
  for (const [statement, message, options] of [
    ['SELECT * FROM $P t WHERE pk = \'x\'', 'Aliasing is not supported', ours],
    ['SELECT * FROM $P LIMIT 1', 'Unsupported clause: LIMIT', ours],
    ['SELECT a.x, b.x FROM $P', 'Duplicate identifiers in select clause: x', ours],
    ['SELECT * FROM $P.$P.$P', 'A path may contain at most 2 components in the FROM clause', ours],
    ['SELECT * FROM ""', 'Path component cannot be an empty string', ours],
    ['SELECT * FROM $T."nope" WHERE pk = \'x\'', 'The table does not have the specified index', ours],
    ['SELECT * FROM $P WHERE pk = \'x\' AND a < true', 'Incorrect operand type for operator or function; operator or function: <, operand type: BOOL', ours],
    ['SELECT * FROM $P WHERE pk = \'x\' AND attribute_exists(\'a\')', 'Operator or function requires a document path; operator or function: attribute_exists', ours],
    ['SELECT * FROM $P WHERE pk = 5', "Key attribute's data type should match its data type in table's schema", ours],
    ['SELECT * FROM $P WHERE pk = ?', "Number of parameters in request and statement don't match.", ours],
    ['SELECT * FROM $T WHERE pk = \'a\' AND x = 1 OR pk = \'a\' AND sk = \'2\'', 'Overlapping conditions with range keys are not supported in where clause', ours],
    ['SELECT * FROM $T ORDER BY sk', 'Must have WHERE clause in the statement when using ORDER BY clause.', ours],
    ['SELECT * FROM $T WHERE x = 1 ORDER BY sk', 'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.', ours],
    ['SELECT * FROM $T WHERE pk = \'a\' ORDER BY x', 'Attribute x in ORDER BY clause must be part of the primary key', ours],
    ['SELECT * FROM $T WHERE pk IN [\'a\', \'b\'] ORDER BY sk', 'Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.', ours],
    ['SELECT x FROM $T."Inc" WHERE g = \'a\'', 'One or more parameter values were invalid: Global secondary index Inc does not project [x]', ours],
    ['SELECT pk FROM $T."Inc" WHERE g = \'a\' AND x = 1', 'One or more parameter values were invalid: Secondary index Inc does not project one or more filter attributes: [x]', ours],
    ['SELECT pk FROM $T."Keys" WHERE pk = \'a\' AND x = 1', 'One or more parameter values were invalid: Secondary index Keys does not project one or more filter attributes: [x]', ours],
    ['UPDATE $T SET a = 1 WHERE pk = \'a\'', 'Where clause does not contain a mandatory equality on all key attributes'],
    ['DELETE FROM $T WHERE sk = \'a\'', 'Where clause does not contain a mandatory equality on all key attributes'],
    ['UPDATE $T SET a = 1', 'Where clause does not contain a mandatory equality on all key attributes', ours],
    ['UPDATE $T."Inc" SET a = 1 WHERE pk = \'a\' AND sk = \'b\'', 'This operation is not supported on an index', ours],
    ['UPDATE $P SET pk = \'b\' WHERE pk = \'a\'', 'One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key', ours],
    ['INSERT INTO $T VALUE {\'pk\': \'a\'}', 'One or more parameter values were invalid: Missing the key sk in the item'],
    ['INSERT INTO $T VALUE {\'pk\': \'a\', \'sk\': 5}', 'One or more parameter values were invalid: Type mismatch for key sk expected: S actual: N'],
    ['INSERT INTO $P VALUE {\'pk\': \'a\', \'l\': [1, 1e126]}', 'Number overflow. Attempting to store a number with magnitude larger than supported range under root[1]', ours],
    ['INSERT INTO $P VALUE {\'pk\': \'a\', \'s\': <<>>}', 'Empty bags are not supported', ours],
    ['DELETE FROM $P WHERE pk = \'x\' RETURNING MODIFIED OLD *', 'Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements.'],
  ]) test(statement, options ?? {}, () => invalid(execute(fill(statement)), message));
});

test('messages tell where a function stands', ours, async () => {
  for (const [statement, message] of [
    ['SELECT * FROM $P WHERE pk = \'x\' AND EXISTS(ss)', (text) => `Unrecognized function: exists ${at(text, 'EXISTS')}`],
    ['SELECT size(ss) FROM $P', (text) => `Unexpected path component ${at(text, 'size')}`],
    ['UPDATE $P SET t = set_add(ss, <<\'x\'>>) WHERE pk = \'x\'', (text) => `The first argument to SET_ADD must equal the assignment value ${at(text, 'set_add')}`],
    ['UPDATE $P SET ss = set_add(ss, \'x\') WHERE pk = \'x\'', (text) => `The second argument to SET_ADD must be a value with type SET ${at(text, 'ss', 2, text.indexOf('set_add('))}`],
    ['INSERT INTO $T."Inc" VALUE {\'pk\': \'x\'}', (text) => `FROM clause may only contain a single table name in data manipulation statements ${at(text, `"${table}"`)}`],
  ]) await invalid(execute(fill(statement)), message(fill(statement)));
});

test('a table that is not there, after what is wrong with the statement', async () => {
  await fails(execute(`SELECT * FROM "${unique()}" WHERE pk = 'x'`), 'ResourceNotFoundException', /^Requested resource not found/);
  await fails(execute(`UPDATE "${unique()}" SET a = 1 WHERE pk = 'x'`), 'ResourceNotFoundException', /^Requested resource not found/);
  await invalid(execute(`SELECT * FROM "${unique()}" WHERE`), /^Statement wasn't well formed/);
});

test('a consistent read of a global index', ours, () =>
  invalid(execute(fill('SELECT * FROM $T."Inc" WHERE g = \'a\''), undefined, { ConsistentRead: true }), 'Strongly consistent read is not supported on Global Secondary Indexes'));

test('a scan of an index asks about what the index lacks, and finds nothing', async () => {
  await db.putItem({ TableName: table, Item: { pk: S('scan'), sk: S('1'), g: S('scan'), x: N(1), l: S('l') } });
  const keys = async (statement) => (await execute(fill(statement))).Items.map((item) => item.sk.S);
  assert.deepEqual(await keys('SELECT sk FROM $T."Inc" WHERE x = 1'), []);
  assert.deepEqual(await keys('SELECT sk FROM $T."Inc" WHERE x IS MISSING AND pk = \'scan\''), ['1']);
  assert.deepEqual(await keys('SELECT sk FROM $T."Inc" WHERE g = \'scan\' AND x = 1 OR g = \'other\''), []);
});

test('parameters with wrong values', ours, async () => {
  for (const statement of ['SELECT * FROM $P WHERE pk = \'x\' AND n = ?', 'INSERT INTO $P VALUE {\'pk\': \'x\', \'n\': ?}', 'UPDATE $P SET n = ? WHERE pk = \'x\'']) {
    await invalid(execute(fill(statement), [{ N: 'abc' }]), 'The parameter cannot be converted to a numeric value: abc');
    await invalid(execute(fill(statement), [{ N: '' }]), 'The parameter cannot be converted to a numeric value');
    await invalid(execute(fill(statement), [{ SS: [] }]), 'One or more parameter values were invalid: An string set  may not be empty');
  }
});

test('the fields of a request', ours, async () => {
  const constraint = (value, path, rule) => `1 validation error detected: Value ${value} at '${path}' failed to satisfy constraint: Member must ${rule}`;
  const answer = (body) => call('ExecuteStatement', body);
  refused(await answer({}), 'ValidationException', constraint('null', 'statement', 'not be null'));
  refused(await answer({ Statement: '' }), 'ValidationException', constraint("''", 'statement', 'have length greater than or equal to 1'));
  refused(await answer({ Statement: 'x'.repeat(8193) }), 'ValidationException', /have length less than or equal to 8192$/);
  refused(await answer({ Statement: 'x', Parameters: [] }), 'ValidationException', constraint("'[]'", 'parameters', 'have length greater than or equal to 1'));
  refused(await answer({ Statement: 'x', Limit: 0 }), 'ValidationException', constraint("'0'", 'limit', 'have value greater than or equal to 1'));
  refused(await answer({ Statement: 'x', ReturnConsumedCapacity: 'ALL' }), 'ValidationException', constraint("'ALL'", 'returnConsumedCapacity', 'satisfy enum value set: [INDEXES, TOTAL, NONE]'));
  refused(await answer({ Statement: 5 }), 'SerializationException', 'NUMBER_VALUE cannot be converted to String');
  refused(await answer({ Statement: 'x', Parameters: [5] }), 'SerializationException');
  refused(await answer({ Statement: 'x', Parameters: {} }), 'SerializationException');
});

test('EXISTS is for transactions', ours, () => invalid(execute(fill('EXISTS(SELECT * FROM $P WHERE pk = \'x\' AND a = 1)')), /EXISTS|Expected data manipulation/));
