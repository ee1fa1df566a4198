// A request with two faults gets DynamoDB's answer to the first one it looks at. Code that tells faults apart
// by name (is the table missing, or is my request wrong?) leans on that order.
import { before, test } from 'node:test';
import { N, S, call, createTable, db, differs, fails, invalid, refused } from './harness.mjs';

let table;
before(async () => (table = await createTable('pk:S sk:S')));
const gone = 'no-such-table-at-all';
const Key = { pk: S('a'), sk: S('b') };

test('JSON before types, types before constraints', async () => {
  refused(await call('PutItem', '{"TableName":1,"Item":'), 'SerializationException');
  refused(await call('PutItem', { TableName: '', Item: 'text' }), 'SerializationException');
});

test('constraints are told together, before anything is read', async () => {
  const answer = await call('PutItem', { TableName: gone, ReturnValues: 'X' });
  refused(answer, 'ValidationException', /^2 validation errors detected: /);
});

test('values before the table is looked for', async () => {
  await invalid(db.putItem({ TableName: gone, Item: { ...Key, n: N('abc') } }), 'The parameter cannot be converted to a numeric value: abc');
  await invalid(db.putItem({ TableName: gone, Item: { ...Key, s: { SS: [] } } }), 'One or more parameter values were invalid: An string set  may not be empty');
});

test('expressions before the table is looked for', async () => {
  await invalid(db.putItem({ TableName: gone, Item: Key, ConditionExpression: 'status = :v', ExpressionAttributeValues: { ':v': N(1) } }), 'Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: status');
  await invalid(db.updateItem({ TableName: gone, Key, UpdateExpression: 'NONSENSE HERE' }), /Invalid UpdateExpression: Syntax error; token: "NONSENSE"/);
  await invalid(db.scan({ TableName: gone, FilterExpression: '' }), 'Invalid FilterExpression: The expression can not be empty;');
});

test('unused placeholders before the table is looked for', differs('looks for the table first'), async () => {
  await invalid(db.putItem({ TableName: gone, Item: Key, ConditionExpression: 'a = :v', ExpressionAttributeValues: { ':v': N(1), ':w': N(2) } }), 'Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}');
});

test('the operands of a key condition before the table is looked for', differs('looks for the table first'), async () => {
  await invalid(
    db.query({ TableName: gone, KeyConditionExpression: 'pk = :p AND begins_with(sk, :n)', ExpressionAttributeValues: { ':p': S('q'), ':n': N(1) } }),
    'Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
  );
});

test('the table before its keys, its keys before the condition', async () => {
  await fails(db.putItem({ TableName: gone, Item: { wrong: S('a') } }), 'ResourceNotFoundException');
  await fails(db.getItem({ TableName: gone, Key: { wrong: S('a') } }), 'ResourceNotFoundException');
  await invalid(db.putItem({ TableName: table, Item: { pk: S('a') }, ConditionExpression: 'attribute_exists(pk)' }), 'One or more parameter values were invalid: Missing the key sk in the item');
  await invalid(db.deleteItem({ TableName: table, Key: { pk: S('a') }, ConditionExpression: 'attribute_exists(pk)' }), 'The provided key element does not match the schema');
});

test('the condition before what the update would do', async () => {
  await fails(
    db.updateItem({ TableName: table, Key, UpdateExpression: 'SET a = b.c + :v', ConditionExpression: 'attribute_exists(pk)', ExpressionAttributeValues: { ':v': N(1) } }),
    'ConditionalCheckFailedException',
  );
});

test('in a batch, a wrong key in one table refuses the batch before anything is written', async () => {
  await invalid(db.batchWriteItem({ RequestItems: { [table]: [{ PutRequest: { Item: Key } }, { PutRequest: { Item: { pk: S('a') } } }] } }), 'One or more parameter values were invalid: Missing the key sk in the item');
});

test('in a transaction, expressions and unused values of any action before any table is looked for', differs('looks for the tables first'), async () => {
  const missing = { Put: { TableName: gone, Item: Key } };
  const check = (more) => ({ ConditionCheck: { TableName: table, Key, ConditionExpression: 'attribute_not_exists(pk)', ...more } });
  await invalid(db.transactWriteItems({ TransactItems: [missing, check({ ConditionExpression: 'attribute_not_exists(' })] }), 'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("');
  await invalid(db.transactWriteItems({ TransactItems: [missing, check({ ExpressionAttributeValues: { ':v': S('x') } })] }), 'Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}');
});

test('in a transaction, constraints before tables and duplicate targets', differs('looks for the tables first'), async () => {
  const TransactItems = [{ Put: { TableName: gone, Item: Key } }, { Delete: { TableName: gone, Key } }];
  await invalid(db.transactWriteItems({ TransactItems, ReturnConsumedCapacity: 'BOGUS' }), "1 validation error detected: Value 'BOGUS' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]");
});
