// The bytes between SQS clients and the server: both protocols, their errors, and the signature before either. The
// SDKs see little of this; clients in other languages and hand-written ones depend on it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SQS } from '@aws-sdk/client-sqs';
import { endpoint, scratchDir, startServer, unique } from './harness.mjs';
import { arnOf, createQueue, element, form, nameOf, refusedWith, sqs } from './sqs_clients.mjs';

const json = async (operation, body, { path = '/', headers = {} } = {}) => {
  const response = await fetch(`${endpoint}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text ? JSON.parse(text) : undefined };
};

describe('JSON', () => {
  test('an answer', async () => {
    const QueueUrl = await createQueue();
    const answer = await json('SendMessage', { QueueUrl, MessageBody: 'x' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/x-amz-json-1.0');
    assert.match(answer.headers.get('x-amzn-requestid'), /^[0-9a-f-]{36}$/);
    assert.deepEqual(Object.keys(answer.json), ['MessageId', 'MD5OfMessageBody']);
    assert.equal((await json('DeleteQueue', { QueueUrl })).text, '{}');
  });

  test('to the path of the queue, with and without a QueueUrl', async () => {
    const url = await createQueue();
    const { pathname } = new URL(url);
    assert.equal((await json('SendMessage', { QueueUrl: url, MessageBody: 'a' }, { path: pathname })).status, 200);
    assert.equal((await json('SendMessage', { MessageBody: 'b' }, { path: pathname })).status, 200);
    assert.equal((await json('GetQueueAttributes', { QueueUrl: nameOf(url), AttributeNames: ['ApproximateNumberOfMessages'] })).json.Attributes.ApproximateNumberOfMessages, '2');
  });

  test('errors have the type of JSON and the code of the query protocol', async () => {
    const url = await createQueue();
    const long = 'x'.repeat(81);
    for (const [operation, body, status, type, code] of [
      ['GetQueueUrl', { QueueName: 'none' }, 400, 'com.amazonaws.sqs#QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'],
      ['DeleteMessage', { QueueUrl: url, ReceiptHandle: 'x' }, 404, 'com.amazonaws.sqs#ReceiptHandleIsInvalid', 'ReceiptHandleIsInvalid'],
      ['CreateQueue', { QueueName: long }, 400, 'com.amazon.coral.service#InvalidParameterValueException', 'InvalidParameterValue'],
      ['CreateQueue', {}, 400, 'com.amazon.coral.service#MissingRequiredParameterException', 'MissingParameter'],
      ['CancelMessageMoveTask', { TaskHandle: 'x' }, 404, 'com.amazonaws.sqs#ResourceNotFoundException', 'ResourceNotFoundException'],
      ['Fly', {}, 400, 'com.amazon.coral.service#UnknownOperationException', 'InvalidAction'],
      ['CreateQueue', '{', 400, 'com.amazon.coral.service#SerializationException', 'MalformedInput'],
      ['CreateQueue', '[]', 400, 'com.amazon.coral.service#SerializationException', 'MalformedInput'],
      ['CreateQueue', { QueueName: 5 }, 400, 'com.amazon.coral.service#SerializationException', 'MalformedInput'],
      ['ReceiveMessage', { QueueUrl: url, WaitTimeSeconds: 'x' }, 400, 'com.amazon.coral.service#SerializationException', 'MalformedInput'],
      ['SendMessageBatch', { QueueUrl: url, Entries: ['x'] }, 400, 'com.amazon.coral.service#SerializationException', 'MalformedInput'],
      ['SendMessage', { QueueUrl: url, MessageBody: 'x', MessageAttributes: { a: 'b' } }, 400, 'com.amazon.coral.service#SerializationException', 'MalformedInput'],
      ['SendMessage', { QueueUrl: url, MessageBody: 'x', MessageAttributes: { a: { DataType: 'Binary', BinaryValue: '?' } } }, 400, 'com.amazon.coral.service#SerializationException', 'MalformedInput'],
      ['SendMessage', '{"QueueUrl":"x","MessageBody":"\\ud800"}', 400, 'com.amazon.coral.service#SerializationException', 'MalformedInput'],
    ]) {
      const answer = await json(operation, body);
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.json.__type, type, answer.text);
      assert.equal(answer.headers.get('x-amzn-query-error'), `${code};Sender`);
    }
  });

  test('every prefix of a request is answered', async () => {
    const url = await createQueue();
    const whole = JSON.stringify({ QueueUrl: url, MessageBody: 'x', MessageAttributes: { a: { DataType: 'String', StringValue: 'v' } } });
    for (let length = 0; length < whole.length; length += 1) {
      const answer = await json('SendMessage', whole.slice(0, length));
      assert.equal(answer.status, 400, `${length}: ${answer.text}`);
    }
    assert.equal((await json('SendMessage', whole)).status, 200);
  });
});

describe('query', () => {
  test('an answer', async () => {
    const QueueName = unique('q');
    const answer = await form({ Action: 'CreateQueue', QueueName, 'Attribute.1.Name': 'VisibilityTimeout', 'Attribute.1.Value': '40', 'Tag.1.Key': 'k', 'Tag.1.Value': 'v' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/xml');
    const id = answer.headers.get('x-amzn-requestid');
    assert.equal(
      answer.text,
      `<?xml version="1.0"?><CreateQueueResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/"><CreateQueueResult><QueueUrl>${endpoint}/000000000000/${QueueName}</QueueUrl></CreateQueueResult><ResponseMetadata><RequestId>${id}</RequestId></ResponseMetadata></CreateQueueResponse>`,
    );
    const QueueUrl = `${endpoint}/000000000000/${QueueName}`;
    assert.equal((await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['VisibilityTimeout'] })).Attributes.VisibilityTimeout, '40');
    assert.deepEqual((await sqs.listQueueTags({ QueueUrl })).Tags, { k: 'v' });
    const deleted = await form({ Action: 'DeleteQueue', QueueUrl });
    assert.match(deleted.text, /^<\?xml version="1.0"\?><DeleteQueueResponse xmlns="[^"]*"><ResponseMetadata>/);
  });

  test('the queue from the path, by POST and by GET', async () => {
    const url = await createQueue();
    const path = new URL(url).pathname;
    const sent = await form({ Action: 'SendMessage', MessageBody: 'a+b c&d=é%' }, { path });
    assert.equal(sent.status, 200, sent.text);
    const received = await form({ Action: 'ReceiveMessage', AttributeName: 'All' }, { path, method: 'GET' });
    assert.equal(element(received.text, 'Body'), 'a+b c&amp;d=é%');
    assert.match(received.text, /<Attribute><Name>ApproximateReceiveCount<\/Name><Value>1<\/Value><\/Attribute>/);
    const ReceiptHandle = element(received.text, 'ReceiptHandle');
    assert.equal((await form({ Action: 'DeleteMessage', ReceiptHandle }, { path, method: 'GET' })).status, 200);
  });

  test('parameters in the URL of a POST, and numbered lists in any order', async () => {
    const url = await createQueue();
    const entries = {};
    for (const i of [10, 2, 1, 3, 4, 5, 6, 7, 8, 9]) {
      entries[`SendMessageBatchRequestEntry.${i}.MessageBody`] = `m${i}`;
      entries[`SendMessageBatchRequestEntry.${i}.Id`] = `e${i}`;
      entries[`SendMessageBatchRequestEntry.${i}.MessageAttribute.1.Name`] = 'n';
      entries[`SendMessageBatchRequestEntry.${i}.MessageAttribute.1.Value.DataType`] = 'Number';
      entries[`SendMessageBatchRequestEntry.${i}.MessageAttribute.1.Value.StringValue`] = String(i);
    }
    const sent = await form(entries, { path: `${new URL(url).pathname}?Action=SendMessageBatch` });
    assert.deepEqual([...sent.text.matchAll(/<Id>(\w+)<\/Id>/g)].map((m) => m[1]), ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8', 'e9', 'e10']);
    assert.equal(sent.text.match(/<MD5OfMessageAttributes>/g).length, 10);
  });

  test('errors', async () => {
    const answer = await form({ Action: 'GetQueueUrl', QueueName: 'none' });
    assert.equal(answer.status, 400);
    const id = answer.headers.get('x-amzn-requestid');
    assert.equal(
      answer.text,
      `<?xml version="1.0"?><ErrorResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/"><Error><Type>Sender</Type><Code>AWS.SimpleQueueService.NonExistentQueue</Code><Message>The specified queue does not exist.</Message><Detail/></Error><RequestId>${id}</RequestId></ErrorResponse>`,
    );
    const codeOf = async (parameters, options) => element((await form(parameters, options)).text, 'Code');
    const url = await createQueue();
    assert.equal(await codeOf({ Action: 'Fly' }), 'InvalidAction');
    assert.equal(await codeOf({}), 'InvalidAction');
    assert.equal(await codeOf({ Action: 'SendMessage' }), 'MissingParameter');
    assert.equal(await codeOf({ Action: 'ReceiveMessage', QueueUrl: url, WaitTimeSeconds: 'x' }), 'MalformedInput');
    assert.equal(await codeOf({ Action: 'DeleteMessage', QueueUrl: url, ReceiptHandle: 'x' }), 'ReceiptHandleIsInvalid');
    assert.equal(await codeOf({ Action: 'SetQueueAttributes', QueueUrl: url, 'Attribute.Name': 'Colour', 'Attribute.Value': '<' }), 'InvalidAttributeName');
    const many = Object.fromEntries(Array.from({ length: 2100 }, (_, i) => [`AttributeName.${i}`, 'All']));
    assert.equal(await codeOf({ Action: 'GetQueueAttributes', QueueUrl: url, ...many }), 'MalformedInput');
    assert.equal(await codeOf({ Action: 'GetQueueAttributes', QueueUrl: url, 'a.b.c.d.e.f.g.h.i.j': 'x' }), 'MalformedInput');
    assert.match((await form({ Action: 'SetQueueAttributes', QueueUrl: url, 'Attribute.Name': '<b>&', 'Attribute.Value': 'x' })).text, /Unknown Attribute &lt;b&gt;&amp;\./);
  });

  test('permissions and move tasks by form', async () => {
    const url = await createQueue();
    const added = await form({ Action: 'AddPermission', QueueUrl: url, Label: 'l', 'AWSAccountId.1': '111122223333', 'ActionName.1': 'SendMessage' });
    assert.equal(added.status, 200, added.text);
    assert.equal(element((await form({ Action: 'ListMessageMoveTasks', SourceArn: arnOf('none') })).text, 'Code'), 'ResourceNotFoundException');
    assert.equal((await form({ Action: 'ListMessageMoveTasks', SourceArn: arnOf(nameOf(url)), MaxResults: '10' })).status, 200);
  });
});

describe('other requests are not for SQS', () => {
  test('DynamoDB, health checks and unknown paths are answered as ever', async () => {
    const tables = await fetch(endpoint, { method: 'POST', headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.ListTables' }, body: '{}' });
    assert.ok('TableNames' in (await tables.json()));
    assert.match(await (await fetch(endpoint)).text(), /^healthy: dynamodb/);
    assert.equal((await fetch(`${endpoint}/000000000000/x`)).status, 404);
  });
});

describe('signatures', () => {
  const key = { id: 'AKIDQUEUES', secret: 'a-secret-for-queues-alone' };
  let server;
  before(async () => {
    const file = join(scratchDir(), 'keys.json');
    writeFileSync(file, JSON.stringify({ keys: [key] }), { mode: 0o600 });
    server = await startServer({ args: ['--keys', file] });
  });
  after(() => server.stop());
  const client = (secretAccessKey, accessKeyId = key.id) =>
    new SQS({ endpoint: server.endpoint, region: 'us-east-1', maxAttempts: 1, credentials: { accessKeyId, secretAccessKey } });
  const older = (secretAccessKey, accessKeyId = key.id) => {
    const { SQS: Old } = createRequire(import.meta.url)('aws-sdk-query');
    return new Old({ endpoint: server.endpoint, region: 'us-east-1', maxRetries: 0, accessKeyId, secretAccessKey });
  };

  test('the right key is let in, in both protocols, to / and to the path of a queue', async () => {
    const { QueueUrl } = await client(key.secret).createQueue({ QueueName: 'signed' });
    await client(key.secret).sendMessage({ QueueUrl, MessageBody: 'x' });
    await older(key.secret).sendMessage({ QueueUrl, MessageBody: 'é +&=%' }).promise();
    const { Messages } = await older(key.secret).receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, AttributeNames: ['SenderId'] }).promise();
    assert.equal(Messages[0].Attributes.SenderId, key.id);
  });

  test('a wrong one is not, nor is none at all', async () => {
    await refusedWith(client('wrong').listQueues({}), 'SignatureDoesNotMatch');
    await refusedWith(client('wrong', 'AKIDNOBODY').listQueues({}), 'InvalidClientTokenId');
    await refusedWith(older('wrong').listQueues({}).promise(), 'SignatureDoesNotMatch');
    await refusedWith(older('wrong', 'AKIDNOBODY').listQueues({}).promise(), 'InvalidClientTokenId');
    for (const request of [
      () => fetch(`${server.endpoint}/?Action=ListQueues`),
      () => fetch(`${server.endpoint}/000000000000/signed?Action=ReceiveMessage`),
      () => fetch(server.endpoint, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'Action=ListQueues' }),
      () => fetch(server.endpoint, { method: 'POST', headers: { 'x-amz-target': 'AmazonSQS.ListQueues', 'content-type': 'application/x-amz-json-1.0' }, body: '{}' }),
      // What cannot be read is refused for the same reason: it is not looked at.
      () => fetch(server.endpoint, { method: 'POST', headers: { 'x-amz-target': 'AmazonSQS.Fly', 'content-type': 'application/x-amz-json-1.0' }, body: '{' }),
    ]) {
      const response = await request();
      assert.equal(response.status, 403);
      assert.match(await response.text(), /MissingAuthenticationToken/);
    }
  });
});

