// A record, its message and its event in one commit: a table named queue:NAME in TransactWriteItems is the queue of
// that name. P5, O4 and O5 ask for a record and a message that agree whatever happens between them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { N, S, createTable, db, fails, invalid, sleep, unique } from './harness.mjs';
import { attributesOf, createQueue, nameOf, receiveAll, sqs } from './sqs_clients.mjs';

let table;
let url;
let queue;
before(async () => (table = await createTable('pk:S')));

const fresh = async (attributes, options) => {
  url = await createQueue(attributes, options);
  queue = `queue:${nameOf(url)}`;
};
const write = (TransactItems, more = {}) => db.transactWriteItems({ TransactItems, ...more });
const put = (Item, more = {}) => ({ Put: { TableName: table, Item, ...more } });
const send = (MessageBody, more = {}) => ({ Put: { TableName: queue, Item: { MessageBody: S(MessageBody), ...more } } });
const settle = (message) => ({ Delete: { TableName: queue, Key: { ReceiptHandle: S(message.ReceiptHandle) } } });
const hide = (message, seconds) => ({
  Update: {
    TableName: queue, Key: { ReceiptHandle: S(message.ReceiptHandle) },
    UpdateExpression: 'SET VisibilityTimeout = :s', ExpressionAttributeValues: { ':s': N(seconds) },
  },
});
const hold = (message) => ({
  ConditionCheck: { TableName: queue, Key: { ReceiptHandle: S(message.ReceiptHandle) }, ConditionExpression: 'attribute_exists(ReceiptHandle)' },
});
const get = async (pk) => (await db.getItem({ TableName: table, Key: { pk: S(pk) }, ConsistentRead: true })).Item;
const receive = async (more = {}) => (await sqs.receiveMessage({ QueueUrl: url, MaxNumberOfMessages: 10, ...more })).Messages ?? [];
const cancelled = async (promise, codes) => {
  const error = await fails(promise, 'TransactionCanceledException', `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`);
  return error.CancellationReasons;
};

test('P5 O4: a record and its message appear together, or neither does', async () => {
  await fresh();
  const pk = unique();
  await write([put({ pk: S(pk), status: S('QUEUED') }, { ConditionExpression: 'attribute_not_exists(pk)' }), send('job 1')]);
  assert.equal((await get(pk)).status.S, 'QUEUED');
  await cancelled(
    write([put({ pk: S(pk), status: S('QUEUED') }, { ConditionExpression: 'attribute_not_exists(pk)' }), send('job 1 again')]),
    ['ConditionalCheckFailed', 'None'],
  );
  assert.deepEqual((await receiveAll(url)).map((m) => m.Body), ['job 1']);
});

test('a message in a transaction has all that one of SendMessage has', async () => {
  await fresh();
  await write([
    send('whole', {
      MessageGroupId: S('tenant-1'), AWSTraceHeader: S('Root=1-5759e988-bd862e3fe1be46a994272793'),
      MessageAttributes: { M: {
        kind: { M: { DataType: S('String'), StringValue: S('edit') } },
        bytes: { M: { DataType: S('Binary'), BinaryValue: { B: Buffer.from([0, 1, 255]) } } },
        count: { M: { DataType: S('Number'), StringValue: S('7') } },
      } },
    }),
  ]);
  const [message] = await receive({ MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['All'] });
  assert.equal(message.Body, 'whole');
  assert.equal(message.Attributes.MessageGroupId, 'tenant-1');
  assert.equal(message.Attributes.AWSTraceHeader, 'Root=1-5759e988-bd862e3fe1be46a994272793');
  assert.equal(message.MessageAttributes.kind.StringValue, 'edit');
  assert.deepEqual([...message.MessageAttributes.bytes.BinaryValue], [0, 1, 255]);
  assert.equal(message.MessageAttributes.count.DataType, 'Number');
});

test('a delay goes with it', async () => {
  await fresh();
  await write([send('later', { DelaySeconds: N(1) })]);
  assert.deepEqual(await receive(), []);
  assert.equal((await attributesOf(url)).ApproximateNumberOfMessagesDelayed, '1');
  assert.equal((await receive({ WaitTimeSeconds: 5 }))[0].Body, 'later');
});

test('P5 O5: the result is written and the message deleted in one commit', async () => {
  await fresh();
  const pk = unique();
  await write([put({ pk: S(pk), status: S('QUEUED') }), send('work')]);
  const [message] = await receive();
  await write([put({ pk: S(pk), status: S('COMPLETED') }), settle(message)]);
  assert.equal((await get(pk)).status.S, 'COMPLETED');
  assert.deepEqual(await attributesOf(url, 'ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'), {
    ApproximateNumberOfMessages: '0', ApproximateNumberOfMessagesNotVisible: '0',
  });
});

test('P5: a worker that lost its message cannot write', async () => {
  await fresh({ VisibilityTimeout: '1' });
  const pk = unique();
  await write([put({ pk: S(pk), status: S('QUEUED') }), send('work')]);
  const [slow] = await receive();
  await write([put({ pk: S(pk), status: S('PROCESSING') }), hold(slow)]);
  await sleep(1100);
  const late = /^The message is not held by this receipt any more/;
  for (const action of [settle(slow), hold(slow), hide(slow, 5)]) {
    const reasons = await cancelled(write([put({ pk: S(pk), status: S('TOO LATE') }), action]), ['None', 'ConditionalCheckFailed']);
    assert.match(reasons[1].Message, late);
  }
  const [quick] = await receive();
  await cancelled(write([put({ pk: S(pk), status: S('TOO LATE') }), settle(slow)]), ['None', 'ConditionalCheckFailed']);
  await write([put({ pk: S(pk), status: S('COMPLETED') }), settle(quick)]);
  assert.equal((await get(pk)).status.S, 'COMPLETED');
});

test('O5: a failure is noted and the message hidden for its backoff in one commit', async () => {
  await fresh({ WaybillLongDelays: 'true' });
  const pk = unique();
  await write([send('fails')]);
  const [first] = await receive();
  await write([put({ pk: S(pk), attempts: N(1) }), hide(first, 0)]);
  const [second] = await receive({ MessageSystemAttributeNames: ['ApproximateReceiveCount'] });
  assert.equal(second.Attributes.ApproximateReceiveCount, '2');
  await write([put({ pk: S(pk), attempts: N(2) }), hide(second, 86_400 * 7)]);
  assert.deepEqual(await receive(), []);
  assert.equal((await attributesOf(url)).ApproximateNumberOfMessagesNotVisible, '1');
});

test('a repeated ClientRequestToken sends once', async () => {
  await fresh();
  const token = { ClientRequestToken: randomUUID() };
  await write([send('once'), put({ pk: S(unique('once')) })].slice(0, 1), token);
  await write([send('once')], token);
  assert.equal((await receiveAll(url)).length, 1);
});

test('FIFO: order is that of the commits, and a duplicate makes no second message', async () => {
  await fresh({}, { fifo: true });
  const of = (body, id) => send(body, { MessageGroupId: S('g'), MessageDeduplicationId: S(id) });
  await write([of('1', 'a'), of('2', 'b')]);
  await write([of('again', 'a'), of('3', 'c')]);
  assert.deepEqual((await receive()).map((m) => m.Body), ['1', '2', '3']);
});

test('what cannot be is refused before anything is done', async () => {
  await fresh();
  const other = { ...send('x'), Put: { TableName: 'queue:nothing-here', Item: { MessageBody: S('x') } } };
  await fails(write([other]), 'ResourceNotFoundException', 'Requested resource not found: Queue: nothing-here not found');
  await invalid(write([{ Put: { TableName: queue, Item: { Body: S('x') } } }]), 'One or more parameter values were invalid: A message has no attribute Body');
  await invalid(write([{ Put: { TableName: queue, Item: {} } }]), 'One or more parameter values were invalid: The attribute MessageBody of a message must be given');
  await invalid(
    write([settle({ ReceiptHandle: 'nonsense' })]),
    'One or more parameter values were invalid: The attribute ReceiptHandle of a message must be the receipt handle of a message that was received',
  );
  const [message] = (await write([send('x')]), await receive());
  await invalid(write([settle(message), hold(message)]), 'Transaction request cannot include multiple operations on one item');
  await fails(write([{ Put: { TableName: queue, Item: { MessageBody: S('x') }, ConditionExpression: 'attribute_not_exists(a)' } }]), 'ValidationException');
  await fails(db.putItem({ TableName: queue, Item: { MessageBody: S('x') } }), 'ValidationException');
});
