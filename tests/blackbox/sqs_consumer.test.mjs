// A consumer library that people run in production does its work on our queues as on SQS: sqs-consumer, through the
// SDK. What it leans on: timeouts that heartbeats extend, batches, dead letters, long polls that can be broken off.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SQS } from '@aws-sdk/client-sqs';
import { Consumer } from 'sqs-consumer';
import { clientConfig, ours, sleep, unique, until } from './harness.mjs';

const sqs = new SQS(clientConfig());
const running = new Set();
after(() => running.forEach((consumer) => consumer.stop({ abort: true })));

async function createQueue(Attributes = {}, name = unique('q')) {
  return (await sqs.createQueue({ QueueName: name, Attributes })).QueueUrl;
}

async function attributes(QueueUrl) {
  return (await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] })).Attributes;
}

// Messages waiting, in flight, and delayed.
async function counts(QueueUrl) {
  const all = await attributes(QueueUrl);
  return ['', 'NotVisible', 'Delayed'].map((which) => Number(all[`ApproximateNumberOfMessages${which}`]));
}

const empty = [0, 0, 0];
const emptied = (QueueUrl) => until('the queue is empty', async () => (await counts(QueueUrl)).every((count) => count === 0));

async function sendAll(QueueUrl, bodies, more = () => ({})) {
  for (let i = 0; i < bodies.length; i += 10) {
    const Entries = bodies.slice(i, i + 10).map((MessageBody, j) => ({ Id: `${i + j}`, MessageBody, ...more(MessageBody) }));
    const { Successful } = await sqs.sendMessageBatch({ QueueUrl, Entries });
    assert.equal(Successful.length, Entries.length);
  }
}

const numbered = (count, prefix = 'm') => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

// A consumer that runs. `errors` has everything it complained of, except for what its own handler threw.
function consume(queueUrl, options) {
  const consumer = Consumer.create({ queueUrl, sqs, waitTimeSeconds: 1, suppressFifoWarning: true, ...options });
  consumer.errors = [];
  consumer.on('error', (error) => consumer.errors.push(error.message));
  consumer.on('processing_error', () => {});
  running.add(consumer);
  consumer.start();
  return consumer;
}

async function stop(...consumers) {
  for (const consumer of consumers) {
    consumer.stop();
    running.delete(consumer);
    await until('the last poll ends', () => !consumer.status.isPolling);
    assert.deepEqual(consumer.errors, []);
  }
}

test('a handler slower than the timeout keeps its message by heartbeats', ours, async () => {
  const queue = await createQueue();
  const calls = [];
  const slow = async (message) => {
    calls.push(Number(message.Attributes.ApproximateReceiveCount));
    await sleep(3500);
    return message;
  };
  const options = { handleMessage: slow, visibilityTimeout: 2, heartbeatInterval: 1, messageSystemAttributeNames: ['All'] };
  const consumers = [consume(queue, options), consume(queue, options)];
  await sqs.sendMessage({ QueueUrl: queue, MessageBody: 'slow' });
  await emptied(queue);
  assert.deepEqual(calls, [1]);
  await stop(...consumers);
});

test('without heartbeats the message comes again, and the late delete of the first handler takes nothing from the second', ours, async () => {
  const queue = await createQueue();
  const calls = [];
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const handle = async (message) => {
    calls.push(message.ReceiptHandle);
    if (calls.length === 1) await until('the second handler has it', () => calls.length === 2);
    else await released;
    return message;
  };
  const first = consume(queue, { handleMessage: handle, visibilityTimeout: 1 });
  await sqs.sendMessage({ QueueUrl: queue, MessageBody: 'twice' });
  await until('the first handler has it', () => calls.length === 1);
  let firstDone = false;
  first.once('message_processed', () => (firstDone = true));
  const second = consume(queue, { handleMessage: handle, visibilityTimeout: 30 });
  await until('the first handler is done', () => firstDone);
  assert.equal(calls.length, 2);
  assert.notEqual(calls[0], calls[1]);
  const [, inFlight] = await counts(queue);
  assert.equal(inFlight, 1, 'a receipt that was superseded deletes nothing');
  release();
  await emptied(queue);
  await stop(first, second);
});

test('batches: each message is handled once, and those not acknowledged come back', ours, async () => {
  const queue = await createQueue();
  const bodies = numbered(57);
  const handled = new Map();
  const sizes = [];
  const handleMessageBatch = async (messages) => {
    sizes.push(messages.length);
    for (const { Body } of messages) handled.set(Body, (handled.get(Body) ?? 0) + 1);
    return messages.filter(({ Body }) => !Body.endsWith('3') || handled.get(Body) === 2);
  };
  await sendAll(queue, bodies);
  const consumer = consume(queue, { handleMessageBatch, batchSize: 10, visibilityTimeout: 1 });
  await emptied(queue);
  assert.deepEqual([...handled.keys()].sort(), bodies.toSorted());
  for (const [body, times] of handled) assert.equal(times, body.endsWith('3') ? 2 : 1, body);
  assert.equal(Math.max(...sizes), 10);
  await stop(consumer);
});

test('batches: a heartbeat holds all messages of a slow batch', ours, async () => {
  const queue = await createQueue();
  const handled = [];
  const handleMessageBatch = async (messages) => {
    handled.push(...messages.map(({ Body }) => Body));
    await sleep(3200);
    return messages;
  };
  await sendAll(queue, numbered(8));
  const options = { handleMessageBatch, batchSize: 10, visibilityTimeout: 2, heartbeatInterval: 1 };
  const consumers = [consume(queue, options), consume(queue, options)];
  await emptied(queue);
  assert.deepEqual(handled.sort(), numbered(8));
  await stop(...consumers);
});

test('a poison message goes to the dead-letter queue while the others flow', ours, async () => {
  const dead = await createQueue();
  const deadLetterTargetArn = (await attributes(dead)).QueueArn;
  const queue = await createQueue({ VisibilityTimeout: '30', RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 3 }) });
  const calls = new Map();
  const handleMessage = async (message) => {
    calls.set(message.Body, (calls.get(message.Body) ?? 0) + 1);
    if (message.Body === 'poison') throw new Error('cannot');
    return message;
  };
  const bodies = numbered(20);
  await sendAll(queue, ['poison', ...bodies]);
  const consumer = consume(queue, { handleMessage, batchSize: 5, terminateVisibilityTimeout: true });
  await until('the others are through', () => bodies.every((body) => calls.get(body)));
  await until('the poison is given up', async () => (await counts(dead))[0] === 1);
  assert.deepEqual(await counts(queue), empty);
  assert.equal(calls.get('poison'), 3);
  for (const body of bodies) assert.equal(calls.get(body), 1);
  await stop(consumer);

  const seen = [];
  const keeper = consume(dead, { handleMessage: async (message) => (seen.push(message), message), messageSystemAttributeNames: ['All'] });
  await emptied(dead);
  await stop(keeper);
  assert.deepEqual(seen.map((message) => message.Body), ['poison']);
  assert.equal(seen[0].Attributes.ApproximateReceiveCount, '4');
  assert.equal(seen[0].Attributes.DeadLetterQueueSourceArn, (await attributes(queue)).QueueArn);
});

test('stop with work in flight: what was begun is finished, and nothing is lost', ours, async () => {
  const queue = await createQueue();
  const bodies = numbered(40);
  const begun = [];
  const finished = [];
  const handleMessage = async (message) => {
    begun.push(message.Body);
    await sleep(300);
    finished.push(message.Body);
    return message;
  };
  await sendAll(queue, bodies);
  const first = consume(queue, { handleMessage, batchSize: 10, visibilityTimeout: 30, pollingCompleteWaitTimeMs: 10_000 });
  await until('work is in flight', () => begun.length > finished.length);
  const stopped = new Promise((resolve) => first.once('stopped', resolve));
  first.stop();
  await stopped;
  running.delete(first);
  assert.deepEqual(begun.toSorted(), finished.toSorted());
  assert.deepEqual(first.errors, []);
  assert.deepEqual(await counts(queue), [bodies.length - finished.length, 0, 0]);

  const second = consume(queue, { handleMessage, batchSize: 10, visibilityTimeout: 30 });
  await emptied(queue);
  await stop(second);
  assert.deepEqual(finished.toSorted(), bodies.toSorted());
});

test('a long poll that is broken off takes no message with it', ours, async () => {
  const queue = await createQueue({ VisibilityTimeout: '60' });
  const gone = [];
  const consumers = Array.from({ length: 5 }, () => consume(queue, { waitTimeSeconds: 20, handleMessage: async (message) => (gone.push(message.Body), message) }));
  await sleep(300);
  for (const consumer of consumers) consumer.stop({ abort: true });
  for (const consumer of consumers) running.delete(consumer);
  await sleep(300);
  await sendAll(queue, numbered(5));
  const seen = [];
  const consumer = consume(queue, { batchSize: 10, handleMessage: async (message) => (seen.push(message.Body), message) });
  await until('all messages have come', () => seen.length === 5);
  assert.deepEqual(gone, []);
  await emptied(queue);
  await stop(consumer);
});

test('FIFO: two consumers keep the order of every group, also when a handler fails', ours, async () => {
  const queue = await createQueue({ FifoQueue: 'true', VisibilityTimeout: '30' }, `${unique('q')}.fifo`);
  const groups = ['a', 'b', 'c'];
  const done = Object.fromEntries(groups.map((group) => [group, []]));
  const failures = new Set();
  const handleMessage = async (message) => {
    const [group, number] = message.Body.split('-');
    await sleep(5);
    if (number % 5 === 3 && !failures.has(message.Body)) {
      failures.add(message.Body);
      throw new Error('not yet');
    }
    done[group].push(Number(number));
    return message;
  };
  const bodies = numbered(12, '').flatMap((number) => groups.map((group) => `${group}-${number}`));
  await sendAll(queue, bodies, (body) => ({ MessageGroupId: body[0], MessageDeduplicationId: body }));
  const consumers = [1, 2].map(() => consume(queue, { handleMessage, terminateVisibilityTimeout: true }));
  await emptied(queue);
  await stop(...consumers);
  for (const group of groups) assert.deepEqual(done[group], Array.from({ length: 12 }, (_, i) => i));
  assert.equal(failures.size, 6);
});
