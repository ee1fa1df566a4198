// Messages: sent, received, hidden and deleted, with the checks and the words of SQS. The SDKs compare the MD5 of
// every message and batch by themselves; a wrong one fails the call.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { sleep, startServer, until, unique } from './harness.mjs';
import { arnOf, attributesOf, clients, createQueue, nameOf, receiveAll, refusedWith, sqs, sqsOf } from './sqs_clients.mjs';

const md5 = (bytes) => createHash('md5').update(bytes).digest('hex');
const sized = (bytes) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
// The digest as the developer guide of SQS describes it.
const attributesMd5 = (attributes) =>
  md5(Buffer.concat(Object.keys(attributes).sort().flatMap((name) => {
    const { DataType, StringValue, BinaryValue } = attributes[name];
    const isBinary = DataType.startsWith('Binary');
    return [sized(Buffer.from(name)), sized(Buffer.from(DataType)), Buffer.from([isBinary ? 2 : 1]), sized(Buffer.from(isBinary ? BinaryValue : StringValue))];
  })));
const text = (StringValue) => ({ DataType: 'String', StringValue });

const one = async (QueueUrl, request = {}) => (await sqs.receiveMessage({ QueueUrl, ...request })).Messages?.[0];

describe('SendMessage and ReceiveMessage', () => {
  for (const [name, client] of Object.entries(clients)) {
    test(`a message comes back as it was sent (${name})`, async () => {
      const QueueUrl = await createQueue();
      const MessageBody = 'tab\t line\r\n <a href="x">&amp;</a> \\ \u007f é 😀 \ud7ff\ue000\ufffd';
      const MessageAttributes = {
        zeta: text('z <&> "'), Alpha: { DataType: 'Number.int', StringValue: '-12.50e3' },
        'b.c-d_e': { DataType: 'Binary.png', BinaryValue: Buffer.from([0, 255, 1, 254]) },
      };
      const MessageSystemAttributes = { AWSTraceHeader: text('Root=1-5759e988-bd862e3fe1be46a994272793') };
      const sent = await client.sendMessage({ QueueUrl, MessageBody, MessageAttributes, MessageSystemAttributes });
      assert.match(sent.MessageId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      assert.equal(sent.MD5OfMessageBody, md5(MessageBody));
      assert.equal(sent.MD5OfMessageAttributes, attributesMd5(MessageAttributes));
      assert.equal(sent.MD5OfMessageSystemAttributes, attributesMd5(MessageSystemAttributes));
      assert.equal(sent.SequenceNumber, undefined);
      const { Messages } = await client.receiveMessage({ QueueUrl, AttributeNames: ['All'], MessageAttributeNames: ['All'] });
      const [message] = Messages;
      assert.equal(message.MessageId, sent.MessageId);
      assert.equal(message.Body, MessageBody);
      assert.equal(message.MD5OfBody, md5(MessageBody));
      assert.equal(message.MD5OfMessageAttributes, sent.MD5OfMessageAttributes);
      assert.deepEqual(Object.keys(message.MessageAttributes).sort(), ['Alpha', 'b.c-d_e', 'zeta']);
      assert.equal(message.MessageAttributes.zeta.StringValue, 'z <&> "');
      assert.equal(message.MessageAttributes.Alpha.DataType, 'Number.int');
      assert.deepEqual(Buffer.from(message.MessageAttributes['b.c-d_e'].BinaryValue), Buffer.from([0, 255, 1, 254]));
      const { SentTimestamp, ApproximateFirstReceiveTimestamp, ...rest } = message.Attributes;
      assert.deepEqual(rest, { SenderId: 'AKIAIOSFODNN7EXAMPLE', ApproximateReceiveCount: '1', AWSTraceHeader: MessageSystemAttributes.AWSTraceHeader.StringValue });
      assert.ok(Math.abs(Number(SentTimestamp) - Date.now()) < 60_000);
      assert.ok(Number(ApproximateFirstReceiveTimestamp) >= Number(SentTimestamp));
      await client.deleteMessage({ QueueUrl, ReceiptHandle: message.ReceiptHandle });
      assert.equal((await attributesOf(QueueUrl)).ApproximateNumberOfMessagesNotVisible, '0');
    });
  }

  test('nothing there is an answer without Messages', async () => {
    const QueueUrl = await createQueue();
    assert.equal((await sqs.receiveMessage({ QueueUrl })).Messages, undefined);
  });

  test('attributes are told to those who ask, and the checksum is over those told', async () => {
    const QueueUrl = await createQueue({ VisibilityTimeout: '0' });
    const all = { 'app.a': text('1'), 'app.b': text('2'), other: text('3') };
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageAttributes: all });
    const told = async (...MessageAttributeNames) => {
      const message = await one(QueueUrl, { MessageAttributeNames });
      const names = Object.keys(message.MessageAttributes ?? {}).sort();
      const wanted = Object.fromEntries(names.map((n) => [n, all[n]]));
      assert.equal(message.MD5OfMessageAttributes, names.length ? attributesMd5(wanted) : undefined);
      return names;
    };
    assert.deepEqual(await told(), []);
    assert.deepEqual(await told('none'), []);
    assert.deepEqual(await told('other'), ['other']);
    assert.deepEqual(await told('app.*'), ['app.a', 'app.b']);
    assert.deepEqual(await told('app.*', 'other'), ['app.a', 'app.b', 'other']);
    assert.deepEqual(await told('All'), ['app.a', 'app.b', 'other']);
    assert.deepEqual(await told('.*'), ['app.a', 'app.b', 'other']);
    assert.equal((await one(QueueUrl)).Attributes, undefined);
    assert.deepEqual(Object.keys((await one(QueueUrl, { MessageSystemAttributeNames: ['SenderId', 'ApproximateReceiveCount'] })).Attributes).sort(), ['ApproximateReceiveCount', 'SenderId']);
    await refusedWith(one(QueueUrl, { AttributeNames: ['Colour'] }), 'InvalidAttributeName', 'Unknown Attribute Colour.');
  });

  test('ten at most, and bounds of the other parameters', async () => {
    const QueueUrl = await createQueue();
    const refusals = [
      [{ MaxNumberOfMessages: 0 }, 'Value 0 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.'],
      [{ MaxNumberOfMessages: 11 }, /MaxNumberOfMessages/],
      [{ WaitTimeSeconds: 21 }, 'Value 21 for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided.'],
      [{ WaitTimeSeconds: -1 }, /WaitTimeSeconds/],
      [{ VisibilityTimeout: 43201 }, /VisibilityTimeout/],
      [{ VisibilityTimeout: -1 }, /VisibilityTimeout/],
      [{ ReceiveRequestAttemptId: 'x' }, /not valid for this queue type/],
    ];
    for (const [request, message] of refusals) await refusedWith(sqs.receiveMessage({ QueueUrl, ...request }), 'InvalidParameterValue', message);
    for (let i = 0; i < 12; i += 1) await sqs.sendMessage({ QueueUrl, MessageBody: String(i) });
    assert.equal((await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 43200 })).Messages.length, 10);
    assert.equal((await receiveAll(QueueUrl)).length, 2);
  });

  test('a receive hides a message for its timeout; then it comes again and counts', async () => {
    const QueueUrl = await createQueue();
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    const first = await one(QueueUrl, { VisibilityTimeout: 1, AttributeNames: ['All'] });
    assert.equal(await one(QueueUrl), undefined);
    const again = await until('it is visible again', () => one(QueueUrl, { AttributeNames: ['All'] }));
    assert.equal(again.Attributes.ApproximateReceiveCount, '2');
    assert.equal(again.Attributes.ApproximateFirstReceiveTimestamp, first.Attributes.ApproximateFirstReceiveTimestamp);
    assert.notEqual(again.ReceiptHandle, first.ReceiptHandle);
  });

  test('delays: of the queue, and of a message', async () => {
    const QueueUrl = await createQueue({ DelaySeconds: '900' });
    await sqs.sendMessage({ QueueUrl, MessageBody: 'late' });
    assert.equal((await attributesOf(QueueUrl)).ApproximateNumberOfMessagesDelayed, '1');
    await sqs.sendMessage({ QueueUrl, MessageBody: 'now', DelaySeconds: 0 });
    assert.deepEqual((await receiveAll(QueueUrl)).map((m) => m.Body), ['now']);
    await sqs.sendMessage({ QueueUrl, MessageBody: 'soon', DelaySeconds: 1 });
    assert.deepEqual(await receiveAll(QueueUrl), []);
    assert.equal((await one(QueueUrl, { WaitTimeSeconds: 5 })).Body, 'soon');
    for (const DelaySeconds of [-1, 901]) {
      await refusedWith(sqs.sendMessage({ QueueUrl, MessageBody: 'x', DelaySeconds }), 'InvalidParameterValue', `Value ${DelaySeconds} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.`);
    }
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x', DelaySeconds: 900 });
  });

  test('a long poll is answered as soon as a message comes (O4)', async () => {
    const QueueUrl = await createQueue();
    const waiting = sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 });
    await sleep(300);
    const began = Date.now();
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    assert.equal((await waiting).Messages[0].Body, 'x');
    assert.ok(Date.now() - began < 2000);
  });

  test('a long poll ends without a message at its time, which the queue may set', async () => {
    const QueueUrl = await createQueue({ ReceiveMessageWaitTimeSeconds: '1' });
    const began = Date.now();
    assert.equal((await sqs.receiveMessage({ QueueUrl })).Messages, undefined);
    assert.ok(Date.now() - began >= 900 && Date.now() - began < 5000);
    const short = Date.now();
    await sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 0 });
    assert.ok(Date.now() - short < 900);
  });

  test('a client that goes away while it waits takes no message with it', async () => {
    const QueueUrl = await createQueue();
    for (let i = 0; i < 5; i += 1) {
      const gone = new AbortController();
      const waiting = sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 }, { abortSignal: gone.signal });
      await sleep(100);
      gone.abort();
      await assert.rejects(waiting, { name: 'AbortError' });
    }
    await sleep(200);
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    assert.equal((await one(QueueUrl))?.Body, 'x');
  });

  test('a server that stops answers those who wait, and does not wait for them', async () => {
    const server = await startServer();
    const client = sqsOf({ endpoint: server.endpoint });
    const { QueueUrl } = await client.createQueue({ QueueName: 'waiting' });
    const waiting = client.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 });
    await sleep(200);
    const began = Date.now();
    const stopped = server.stop();
    assert.equal((await waiting).Messages, undefined);
    assert.equal(await stopped, 0);
    assert.ok(Date.now() - began < 5000);
  });

  test('a waiting receive hears that its queue was deleted', async () => {
    const QueueUrl = await createQueue();
    const waiting = sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 });
    const refused = refusedWith(waiting, 'AWS.SimpleQueueService.NonExistentQueue');
    await sleep(200);
    await sqs.deleteQueue({ QueueUrl });
    await refused;
  });
});

describe('what a message may be', () => {
  test('a body of every size up to 1 MiB', async () => {
    const QueueUrl = await createQueue();
    const MessageBody = 'é'.repeat(524_288);
    await sqs.sendMessage({ QueueUrl, MessageBody });
    const message = await one(QueueUrl);
    assert.equal(message.Body, MessageBody);
    await refusedWith(sqs.sendMessage({ QueueUrl, MessageBody: MessageBody + 'x' }), 'InvalidParameterValue', 'One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.');
    await clients['v2, query'].sendMessage({ QueueUrl, MessageBody: '<'.repeat(1_048_576) });
    const { Messages } = await clients['v2, query'].receiveMessage({ QueueUrl });
    assert.equal(Messages[0].Body.length, 1_048_576);
  });

  test('attributes count, and the queue may say how much is enough', async () => {
    const QueueUrl = await createQueue({ MaximumMessageSize: '1024' });
    const MessageAttributes = { name: text('v'.repeat(10)) }; // 4 + 6 + 10 bytes
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x'.repeat(1004), MessageAttributes });
    await refusedWith(sqs.sendMessage({ QueueUrl, MessageBody: 'x'.repeat(1005), MessageAttributes }), 'InvalidParameterValue', /shorter than 1024 bytes/);
  });

  test('characters that no message may have', async () => {
    const QueueUrl = await createQueue();
    for (const [bad, code] of [['\u0000', '#x0'], ['\u0001', '#x1'], ['\b', '#x8'], ['\u000b', '#xB'], ['\u001f', '#x1F'], ['\ufffe', '#xFFFE'], ['\uffff', '#xFFFF']]) {
      await refusedWith(sqs.sendMessage({ QueueUrl, MessageBody: `a${bad}b` }), 'InvalidMessageContents',
        `Invalid binary character '${code}' was found in the message body, the set of allowed characters is #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF`);
    }
    for (const good of ['\t\n\r ', '\u007f\u0080\ud7ff\ue000\ufffd', '\u{10000}\u{1fffe}\u{10ffff}', '\uffbe\uffbf\uff00']) await sqs.sendMessage({ QueueUrl, MessageBody: good });
    await refusedWith(sqs.sendMessage({ QueueUrl, MessageBody: '' }), 'MissingParameter', 'The request must contain the parameter MessageBody.');
    await refusedWith(sqs.sendMessage({ QueueUrl }), 'MissingParameter');
  });

  test('attributes that cannot be', async () => {
    const QueueUrl = await createQueue();
    const send = (MessageAttributes) => sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageAttributes });
    const many = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, text('v')]));
    await send(many(10));
    await refusedWith(send(many(11)), 'InvalidParameterValue', 'Number of message attributes [11] exceeds the allowed maximum [10].');
    for (const name of ['a b', 'é', '.a', 'a.', 'a..b', 'AWS.x', 'aws.x', 'Amazon.x', 'AMAZON.x', 'n'.repeat(257)]) await refusedWith(send({ [name]: text('v') }), 'InvalidParameterValue');
    for (const name of ['awsome', 'amazonian', 'n'.repeat(256), 'a.b', '_']) await send({ [name]: text('v') });
    for (const DataType of ['', 'Text', 'string', 'Number,int', 'Boolean']) {
      await refusedWith(send({ a: { DataType, StringValue: 'v' } }), 'InvalidParameterValue', /supported type prefixes: Binary, Number, String\.$/);
    }
    await refusedWith(send({ a: text('') }), 'InvalidParameterValue', "Message (user) attribute 'a' must contain a non-empty value of type 'String'.");
    await refusedWith(send({ a: { DataType: 'Binary', StringValue: 'v' } }), 'InvalidParameterValue', /of type 'Binary'/);
    await refusedWith(send({ a: { DataType: 'String', BinaryValue: Buffer.from('v') } }), 'InvalidParameterValue');
    for (const number of ['x', '1x', '1e', '--1', '.', '1'.repeat(39)]) await refusedWith(send({ a: { DataType: 'Number', StringValue: number } }), 'InvalidParameterValue', "Can't cast the value of message (user) attribute 'a' to a number.");
    for (const number of ['1', '-1.5', '+.5', '1e10', '1E-10', '1'.repeat(38)]) await send({ a: { DataType: 'Number', StringValue: number } });
    await refusedWith(send({ a: text('\u0001') }), 'InvalidParameterValue', /^Invalid binary character '#x1'/);
    await refusedWith(send({ a: { DataType: 'String', StringListValues: ['v'] } }), 'AWS.SimpleQueueService.UnsupportedOperation');
    await refusedWith(sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageSystemAttributes: { Other: text('v') } }), 'InvalidParameterValue');
  });

  test('a standard queue takes groups, and no deduplication id', async () => {
    const QueueUrl = await createQueue();
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageGroupId: 'tenant-1' });
    assert.equal((await one(QueueUrl, { AttributeNames: ['MessageGroupId'] })).Attributes.MessageGroupId, 'tenant-1');
    await refusedWith(sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageDeduplicationId: 'd' }), 'InvalidParameterValue', 'Value d for parameter MessageDeduplicationId is invalid. Reason: The request include parameter that is not valid for this queue type.');
    for (const MessageGroupId of ['', 'a b', 'é', 'g'.repeat(129)]) await refusedWith(sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageGroupId }), 'InvalidParameterValue', /1 to 128 in length/);
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x', MessageGroupId: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~' });
  });
});

describe('DeleteMessage and ChangeMessageVisibility', () => {
  test('deleting twice, and with an older receipt, is no error', async () => {
    const QueueUrl = await createQueue();
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    const { ReceiptHandle } = await one(QueueUrl, { VisibilityTimeout: 0 });
    const newer = await one(QueueUrl);
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle });
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle: newer.ReceiptHandle });
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle: newer.ReceiptHandle });
    const counts = await attributesOf(QueueUrl);
    assert.equal(counts.ApproximateNumberOfMessages, '0');
    assert.equal(counts.ApproximateNumberOfMessagesNotVisible, '0');
  });

  test('what was received before a purge is gone, and deleting it is no error', async () => {
    const QueueUrl = await createQueue();
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    const { ReceiptHandle } = await one(QueueUrl);
    await sqs.purgeQueue({ QueueUrl });
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle });
    await refusedWith(sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 1 }), 'InvalidParameterValue', /does not exist/);
  });

  for (const [name, client] of Object.entries(clients)) {
    test(`handles that are none, or of another queue (${name})`, async () => {
      const QueueUrl = await createQueue();
      const other = await createQueue();
      await sqs.sendMessage({ QueueUrl: other, MessageBody: 'x' });
      const { ReceiptHandle } = await one(other);
      for (const handle of ['x', 'AAAA', ReceiptHandle]) {
        await refusedWith(client.deleteMessage({ QueueUrl, ReceiptHandle: handle }), 'ReceiptHandleIsInvalid', 'The input receipt handle is invalid.');
        await refusedWith(client.changeMessageVisibility({ QueueUrl, ReceiptHandle: handle, VisibilityTimeout: 1 }), 'ReceiptHandleIsInvalid');
      }
      await refusedWith(sqs.deleteMessage({ QueueUrl }), 'MissingParameter', 'The request must contain the parameter ReceiptHandle.');
    });

    test(`a message is hidden for longer, or shown at once (${name})`, async () => {
      const QueueUrl = await createQueue({ VisibilityTimeout: '1' });
      await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
      const { ReceiptHandle } = await one(QueueUrl);
      await client.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 43200 });
      await sleep(1300);
      assert.equal(await one(QueueUrl), undefined);
      await client.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
      assert.equal((await one(QueueUrl)).Body, 'x');
    });
  }

  test('what cannot be changed any more', async () => {
    const QueueUrl = await createQueue();
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    const { ReceiptHandle } = await one(QueueUrl);
    const change = (VisibilityTimeout) => sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout });
    for (const seconds of [-1, 43201]) await refusedWith(change(seconds), 'InvalidParameterValue', /VisibilityTimeout is invalid/);
    await refusedWith(change(undefined), 'MissingParameter');
    await change(0);
    const error = await refusedWith(change(10), 'AWS.SimpleQueueService.MessageNotInflight');
    assert.equal(error.name, 'MessageNotInflight');
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle: (await one(QueueUrl)).ReceiptHandle });
    await refusedWith(change(10), 'InvalidParameterValue', /Message does not exist or is not available for visibility timeout change\.$/);
  });
});

describe('batches', () => {
  const entries = (count, entry) => Array.from({ length: count }, (_, i) => ({ Id: `e${i}`, ...entry(i) }));

  for (const [name, client] of Object.entries(clients)) {
    test(`sent, hidden and deleted together (${name})`, async () => {
      const QueueUrl = await createQueue();
      const sent = await client.sendMessageBatch({
        QueueUrl, Entries: entries(10, (i) => ({ MessageBody: `m${i}`, MessageAttributes: { n: { DataType: 'Number', StringValue: String(i) } } })),
      });
      assert.deepEqual(sent.Successful.map((one) => one.Id), entries(10, () => ({})).map((one) => one.Id));
      assert.equal(sent.Successful[3].MD5OfMessageBody, md5('m3'));
      assert.equal(sent.Failed?.length ?? 0, 0);
      const { Messages } = await client.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['n'] });
      assert.deepEqual(Messages.map((m) => m.MessageAttributes.n.StringValue).sort(), [...'0123456789']);
      const handles = entries(10, (i) => ({ ReceiptHandle: Messages[i].ReceiptHandle }));
      const changed = await client.changeMessageVisibilityBatch({ QueueUrl, Entries: handles.map((h) => ({ ...h, VisibilityTimeout: 600 })) });
      assert.equal(changed.Successful.length, 10);
      const deleted = await client.deleteMessageBatch({ QueueUrl, Entries: handles });
      assert.equal(deleted.Successful.length, 10);
      assert.equal((await attributesOf(QueueUrl)).ApproximateNumberOfMessagesNotVisible, '0');
    });

    test(`one bad entry does not hold the others (${name})`, async () => {
      const QueueUrl = await createQueue();
      const sent = await client.sendMessageBatch({
        QueueUrl,
        Entries: [{ Id: 'good', MessageBody: 'x' }, { Id: 'chars', MessageBody: '\u0001' }, { Id: 'delay', MessageBody: 'x', DelaySeconds: 901 }, { Id: 'dedup', MessageBody: 'x', MessageDeduplicationId: 'd' }],
      });
      assert.deepEqual(sent.Successful.map((one) => one.Id), ['good']);
      assert.deepEqual(sent.Failed.map((one) => [one.Id, one.SenderFault, one.Code]), [
        ['chars', true, 'InvalidMessageContents'], ['delay', true, 'InvalidParameterValue'], ['dedup', true, 'InvalidParameterValue'],
      ]);
      assert.match(sent.Failed[1].Message, /DelaySeconds must be >= 0 and <= 900/);
      const { ReceiptHandle } = await one(QueueUrl);
      const changed = await client.changeMessageVisibilityBatch({
        QueueUrl, Entries: [{ Id: 'a', ReceiptHandle, VisibilityTimeout: 43201 }, { Id: 'b', ReceiptHandle: 'x', VisibilityTimeout: 1 }, { Id: 'c', ReceiptHandle, VisibilityTimeout: 60 }],
      });
      assert.deepEqual(changed.Successful.map((one) => one.Id), ['c']);
      assert.deepEqual(changed.Failed.map((one) => [one.Id, one.Code]), [['a', 'InvalidParameterValue'], ['b', 'ReceiptHandleIsInvalid']]);
      const deleted = await client.deleteMessageBatch({ QueueUrl, Entries: [{ Id: 'a', ReceiptHandle }, { Id: 'b', ReceiptHandle: 'x' }] });
      assert.deepEqual(deleted.Successful.map((one) => one.Id), ['a']);
      assert.deepEqual(deleted.Failed.map((one) => [one.Id, one.SenderFault, one.Code]), [['b', true, 'ReceiptHandleIsInvalid']]);
    });
  }

  test('all bad is an answer, too', async () => {
    const QueueUrl = await createQueue();
    const sent = await sqs.sendMessageBatch({ QueueUrl, Entries: [{ Id: 'a', MessageBody: '' }] });
    assert.equal(sent.Successful, undefined);
    assert.equal(sent.Failed[0].Code, 'MissingParameter');
  });

  test('what is wrong with a whole batch', async () => {
    const QueueUrl = await createQueue();
    const send = (Entries) => sqs.sendMessageBatch({ QueueUrl, Entries });
    const body = () => ({ MessageBody: 'x' });
    const checks = [
      [[], 'AWS.SimpleQueueService.EmptyBatchRequest', 'There should be at least one SendMessageBatchRequestEntry in the request.', 'EmptyBatchRequest'],
      [entries(11, body), 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest', 'Maximum number of entries per request are 10. You have sent 11.', 'TooManyEntriesInBatchRequest'],
      [[{ Id: 'a', MessageBody: 'x' }, { Id: 'a', MessageBody: 'y' }], 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct', 'Id a repeated.', 'BatchEntryIdsNotDistinct'],
      ...['a b', 'é', '', 'a.b', 'i'.repeat(81)].map((Id) => [[{ Id, MessageBody: 'x' }], 'AWS.SimpleQueueService.InvalidBatchEntryId', /at most 80 letters long/, 'InvalidBatchEntryId']),
      [entries(2, () => ({ MessageBody: 'x'.repeat(524_289) })), 'AWS.SimpleQueueService.BatchRequestTooLong', 'Batch requests cannot be longer than 1048576 bytes. You have sent 1048578 bytes.', 'BatchRequestTooLong'],
    ];
    for (const [Entries, code, message, name] of checks) assert.equal((await refusedWith(send(Entries), code, message)).name, name);
    await send([{ Id: 'i'.repeat(80), MessageBody: 'x' }]);
    assert.equal((await send(entries(2, () => ({ MessageBody: 'x'.repeat(524_288) })))).Successful.length, 2);
    await refusedWith(sqs.deleteMessageBatch({ QueueUrl, Entries: [] }), 'AWS.SimpleQueueService.EmptyBatchRequest', /DeleteMessageBatchRequestEntry/);
    await refusedWith(sqs.changeMessageVisibilityBatch({ QueueUrl, Entries: [] }), 'AWS.SimpleQueueService.EmptyBatchRequest');
  });
});

describe('FIFO queues', () => {
  const send = (QueueUrl, MessageBody, MessageGroupId = 'g', more = {}) =>
    sqs.sendMessage({ QueueUrl, MessageBody, MessageGroupId, MessageDeduplicationId: unique(), ...more });

  test('in order, one batch of a group at a time', async () => {
    const QueueUrl = await createQueue({}, { fifo: true });
    for (const group of ['a', 'b']) for (let i = 0; i < 3; i += 1) await send(QueueUrl, `${group}${i}`, group);
    const first = await one(QueueUrl);
    const [held, free] = first.Body === 'a0' ? ['a', 'b'] : ['b', 'a'];
    assert.equal(first.Body, `${held}0`);
    assert.deepEqual((await receiveAll(QueueUrl)).map((m) => m.Body), [0, 1, 2].map((i) => `${free}${i}`));
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle: first.ReceiptHandle });
    assert.deepEqual((await receiveAll(QueueUrl)).map((m) => m.Body), [`${held}1`, `${held}2`]);
  });

  for (const [name, client] of Object.entries(clients)) {
    test(`sequence numbers rise, and are told with groups and ids (${name})`, async () => {
      const QueueUrl = await createQueue({}, { fifo: true });
      const numbers = [];
      for (let i = 0; i < 3; i += 1) {
        const sent = await client.sendMessage({ QueueUrl, MessageBody: `m${i}`, MessageGroupId: 'g', MessageDeduplicationId: `d${i}` });
        assert.match(sent.SequenceNumber, /^1\d{19}$/);
        numbers.push(sent.SequenceNumber);
      }
      assert.deepEqual([...numbers].sort(), numbers);
      const { Messages } = await client.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, AttributeNames: ['All'], ReceiveRequestAttemptId: 'attempt' });
      assert.deepEqual(Messages.map((m) => m.Attributes.SequenceNumber), numbers);
      assert.deepEqual(Messages.map((m) => m.Attributes.MessageDeduplicationId), ['d0', 'd1', 'd2']);
      assert.deepEqual(Messages.map((m) => m.Attributes.MessageGroupId), ['g', 'g', 'g']);
    });
  }

  test('the same id again is not sent again', async () => {
    const QueueUrl = await createQueue({}, { fifo: true });
    const first = await send(QueueUrl, 'x', 'g', { MessageDeduplicationId: 'same' });
    const second = await send(QueueUrl, 'y', 'h', { MessageDeduplicationId: 'same' });
    assert.equal(second.MessageId, first.MessageId);
    assert.equal(second.SequenceNumber, first.SequenceNumber);
    assert.deepEqual((await receiveAll(QueueUrl)).map((m) => m.Body), ['x']);
  });

  test('DeduplicationScope messageGroup: in another group it is another message', async () => {
    const QueueUrl = await createQueue({ DeduplicationScope: 'messageGroup', FifoThroughputLimit: 'perMessageGroupId' }, { fifo: true });
    for (const group of ['g', 'h', 'g']) await send(QueueUrl, group, group, { MessageDeduplicationId: 'same' });
    assert.deepEqual((await receiveAll(QueueUrl)).map((m) => m.Body).sort(), ['g', 'h']);
  });

  test('ContentBasedDeduplication takes the SHA-256 of the body', async () => {
    const QueueUrl = await createQueue({ ContentBasedDeduplication: 'true' }, { fifo: true });
    for (const MessageBody of ['x', 'x', 'y']) await sqs.sendMessage({ QueueUrl, MessageBody, MessageGroupId: 'g' });
    const messages = await receiveAll(QueueUrl, { AttributeNames: ['MessageDeduplicationId'] });
    assert.deepEqual(messages.map((m) => m.Body), ['x', 'y']);
    assert.equal(messages[0].Attributes.MessageDeduplicationId, createHash('sha256').update('x').digest('hex'));
  });

  test('what is refused', async () => {
    const QueueUrl = await createQueue({}, { fifo: true });
    const refuse = (more, code, message) => refusedWith(sqs.sendMessage({ QueueUrl, MessageBody: 'x', ...more }), code, message);
    await refuse({ MessageDeduplicationId: 'd' }, 'MissingParameter', 'The request must contain the parameter MessageGroupId.');
    await refuse({ MessageGroupId: 'g' }, 'InvalidParameterValue', 'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly');
    await refuse({ MessageGroupId: 'g', MessageDeduplicationId: 'd', DelaySeconds: 1 }, 'InvalidParameterValue', 'Value 1 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.');
    await refuse({ MessageGroupId: 'g', MessageDeduplicationId: 'd'.repeat(129) }, 'InvalidParameterValue', /MessageDeduplicationId can only include/);
    await refuse({ MessageGroupId: 'g g', MessageDeduplicationId: 'd' }, 'InvalidParameterValue', /MessageGroupId can only include/);
    await send(QueueUrl, 'x', 'g', { DelaySeconds: 0 });
  });

  test('a receipt whose time is over deletes nothing', async () => {
    const QueueUrl = await createQueue({}, { fifo: true });
    await send(QueueUrl, 'x');
    const { ReceiptHandle } = await one(QueueUrl, { VisibilityTimeout: 0 });
    await refusedWith(sqs.deleteMessage({ QueueUrl, ReceiptHandle }), 'InvalidParameterValue', `Value ${ReceiptHandle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`);
    const { Failed } = await sqs.deleteMessageBatch({ QueueUrl, Entries: [{ Id: 'a', ReceiptHandle }] });
    assert.equal(Failed[0].Code, 'InvalidParameterValue');
    assert.equal((await one(QueueUrl)).Body, 'x');
  });
});

describe('dead letters (O4, P5)', () => {
  test('after maxReceiveCount receives a message goes, with where it came from', async () => {
    const target = await createQueue();
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arnOf(nameOf(target)), maxReceiveCount: '2' });
    const QueueUrl = await createQueue({ RedrivePolicy });
    const { MessageId } = await sqs.sendMessage({ QueueUrl, MessageBody: 'poison', MessageAttributes: { a: text('v') } });
    for (let i = 0; i < 2; i += 1) assert.equal((await one(QueueUrl, { VisibilityTimeout: 0 })).Body, 'poison');
    assert.equal(await one(QueueUrl), undefined);
    const dead = await until('it is in the dead-letter queue', () => one(target, { AttributeNames: ['All'], MessageAttributeNames: ['All'] }));
    assert.equal(dead.Body, 'poison');
    assert.equal(dead.MessageId, MessageId);
    assert.equal(dead.Attributes.DeadLetterQueueSourceArn, arnOf(nameOf(QueueUrl)));
    assert.equal(dead.Attributes.ApproximateReceiveCount, '3');
    assert.equal(dead.MessageAttributes.a.StringValue, 'v');
  });

  test('a FIFO queue has a FIFO queue for its dead letters', async () => {
    const target = await createQueue({}, { fifo: true });
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arnOf(nameOf(target)), maxReceiveCount: 1 });
    const QueueUrl = await createQueue({ RedrivePolicy, ContentBasedDeduplication: 'true' }, { fifo: true });
    for (const MessageBody of ['1', '2']) await sqs.sendMessage({ QueueUrl, MessageBody, MessageGroupId: 'g' });
    assert.equal((await one(QueueUrl, { VisibilityTimeout: 0 })).Body, '1');
    assert.equal((await one(QueueUrl)).Body, '2');
    assert.equal((await one(target)).Body, '1');
  });
});

describe('beyond SQS, where asked for', () => {
  test('the fencing token rises with every receive, and is no part of All', async () => {
    const QueueUrl = await createQueue({ VisibilityTimeout: '0' });
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    const token = async () => BigInt((await one(QueueUrl, { MessageSystemAttributeNames: ['WaybillFencingToken'] })).Attributes.WaybillFencingToken);
    const first = await token();
    assert.ok((await token()) > first);
    assert.equal((await one(QueueUrl, { MessageSystemAttributeNames: ['All'] })).Attributes.WaybillFencingToken, undefined);
  });

  test('a peek looks at all messages and receives none', async () => {
    const QueueUrl = await createQueue();
    for (let i = 0; i < 5; i += 1) await sqs.sendMessage({ QueueUrl, MessageBody: `m${i}`, MessageAttributes: { n: text(String(i)) } });
    await sqs.sendMessage({ QueueUrl, MessageBody: 'late', DelaySeconds: 900 });
    const held = await one(QueueUrl);
    const peek = async (after) => {
      const client = sqsOf({});
      if (after) client.middlewareStack.add((next) => (args) => ((args.request.headers['x-waybill-peek-after'] = after), next(args)), { step: 'build' });
      return (await client.receiveMessage({ QueueUrl, MaxNumberOfMessages: 4, MessageSystemAttributeNames: ['WaybillPeek', 'All'], MessageAttributeNames: ['All'] })).Messages ?? [];
    };
    const seen = [];
    for (let page = await peek(); page.length; page = await peek(page.at(-1).Attributes.WaybillPlace)) seen.push(...page);
    assert.deepEqual(seen.map((m) => m.Body).sort(), ['late', 'm0', 'm1', 'm2', 'm3', 'm4']);
    assert.ok(seen.every((m) => m.ReceiptHandle === undefined));
    const states = Object.fromEntries(seen.map((m) => [m.Body, m.Attributes.WaybillState]));
    assert.equal(states[held.Body], 'in_flight');
    assert.equal(states.late, 'delayed');
    assert.equal(Object.values(states).filter((s) => s === 'waiting').length, 4);
    assert.equal(seen.find((m) => m.Body === held.Body).Attributes.ApproximateReceiveCount, '1');
    assert.equal((await attributesOf(QueueUrl)).ApproximateNumberOfMessagesNotVisible, '1');
  });

  test('long delays, where the queue allows them (O6)', async () => {
    const QueueUrl = await createQueue({ WaybillLongDelays: 'true' });
    await sqs.sendMessage({ QueueUrl, MessageBody: 'in a year', DelaySeconds: 31_536_000 });
    await refusedWith(sqs.sendMessage({ QueueUrl, MessageBody: 'x', DelaySeconds: 31_536_001 }), 'InvalidParameterValue');
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    const { ReceiptHandle } = await one(QueueUrl, { VisibilityTimeout: 86_400 });
    await sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 31_536_000 });
    await refusedWith(sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 31_536_001 }), 'InvalidParameterValue');
    assert.equal((await attributesOf(QueueUrl)).ApproximateNumberOfMessagesDelayed, '1');
  });
});
