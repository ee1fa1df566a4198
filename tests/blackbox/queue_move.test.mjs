// Dead letters come back: StartMessageMoveTask moves them at the rate that was asked for, can be cancelled, goes on after a
// restart, and leaves a record of who did what. No message is lost or doubled on the way.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SQS } from '@aws-sdk/client-sqs';
import { clientConfig, credentials, ours, startServer, unique, until } from './harness.mjs';

describe('message move tasks', ours, () => {
  let server;
  let sqs;
  const connect = () => (sqs = new SQS(clientConfig({ endpoint: server.endpoint })));
  before(async () => {
    server = await startServer();
    connect();
  });
  after(() => server.stop());

  const attribute = async (QueueUrl, name) => (await sqs.getQueueAttributes({ QueueUrl, AttributeNames: [name] })).Attributes[name];
  const depth = async (QueueUrl) => Number(await attribute(QueueUrl, 'ApproximateNumberOfMessages'));
  const createQueue = async (Attributes = {}) => (await sqs.createQueue({ QueueName: unique('q'), Attributes })).QueueUrl;

  // A queue and its dead-letter queue, which holds `count` messages that the first gave up.
  async function deadLetters(count) {
    const dead = await createQueue();
    const arn = await attribute(dead, 'QueueArn');
    const source = await createQueue({ RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 1 }) });
    for (let i = 0; i < count; i += 10) {
      const Entries = Array.from({ length: Math.min(10, count - i) }, (_, j) => ({ Id: `${j}`, MessageBody: `message ${i + j}` }));
      await sqs.sendMessageBatch({ QueueUrl: source, Entries });
    }
    await until('all are given up', async () => {
      await sqs.receiveMessage({ QueueUrl: source, MaxNumberOfMessages: 10, VisibilityTimeout: 0 });
      return (await depth(dead)) === count;
    });
    return { dead, arn, source };
  }
  const newest = async (SourceArn) => (await sqs.listMessageMoveTasks({ SourceArn })).Results?.[0];
  const ended = (SourceArn) => until('the task is over', async () => {
    const task = await newest(SourceArn);
    return task && task.Status !== 'RUNNING' && task.Status !== 'CANCELLING' && task;
  });
  async function bodies(QueueUrl) {
    const all = [];
    for (;;) {
      const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 600 });
      if (Messages.length === 0) return all.sort();
      all.push(...Messages.map((message) => message.Body));
    }
  }
  const expected = (count) => Array.from({ length: count }, (_, i) => `message ${i}`).sort();

  test('each message goes back to where it came from', async () => {
    const { dead, arn, source } = await deadLetters(250);
    const { TaskHandle } = await sqs.startMessageMoveTask({ SourceArn: arn });
    assert.ok(TaskHandle);
    const task = await ended(arn);
    assert.equal(task.Status, 'COMPLETED');
    assert.equal(task.ApproximateNumberOfMessagesMoved, 250);
    assert.equal(task.ApproximateNumberOfMessagesToMove, 250);
    assert.equal(await depth(dead), 0);
    await sqs.setQueueAttributes({ QueueUrl: source, Attributes: { RedrivePolicy: '' } });
    assert.deepEqual(await bodies(source), expected(250));
  });

  test('the log says who began it and how it ended', async () => {
    const { arn } = await deadLetters(1);
    await sqs.startMessageMoveTask({ SourceArn: arn });
    await ended(arn);
    const name = arn.split(':').at(-1);
    // The line is written behind the commit that ends the task, and reaches this process through a pipe.
    for (const status of ['RUNNING', 'COMPLETED']) {
      const line = new RegExp(`move task \\S+ of ${credentials.accessKeyId} from queue ${name} .*${status}`);
      await until(`the log has ${line}`, () => line.test(server.run.output));
    }
  });

  test('or to another queue', async () => {
    const { arn, dead } = await deadLetters(20);
    const other = await createQueue();
    await sqs.startMessageMoveTask({ SourceArn: arn, DestinationArn: await attribute(other, 'QueueArn') });
    assert.equal((await ended(arn)).Status, 'COMPLETED');
    assert.equal(await depth(dead), 0);
    assert.deepEqual(await bodies(other), expected(20));
  });

  test('at the rate that was asked for, one task of a source at a time, until it is cancelled', async () => {
    const { arn, dead } = await deadLetters(60);
    const other = await createQueue();
    const DestinationArn = await attribute(other, 'QueueArn');
    const begun = Date.now();
    const { TaskHandle } = await sqs.startMessageMoveTask({ SourceArn: arn, DestinationArn, MaxNumberOfMessagesPerSecond: 10 });
    await assert.rejects(sqs.startMessageMoveTask({ SourceArn: arn, DestinationArn }), /already a task running/);
    await until('some are moved', async () => (await depth(other)) >= 5);
    const { ApproximateNumberOfMessagesMoved: moved } = await sqs.cancelMessageMoveTask({ TaskHandle });
    assert.ok(moved >= 5 && moved <= 1 + ((Date.now() - begun) / 1000) * 10, `${moved} moved in ${Date.now() - begun} ms`);
    assert.equal((await newest(arn)).Status, 'CANCELLED');
    assert.equal(await depth(other), moved);
    assert.equal(await depth(dead), 60 - moved);
    await assert.rejects(sqs.cancelMessageMoveTask({ TaskHandle }));
  });

  test('it fails where its destination is gone, and says so', async () => {
    const { arn } = await deadLetters(30);
    const other = await createQueue();
    await sqs.startMessageMoveTask({ SourceArn: arn, DestinationArn: await attribute(other, 'QueueArn'), MaxNumberOfMessagesPerSecond: 5 });
    await sqs.deleteQueue({ QueueUrl: other });
    const task = await ended(arn);
    assert.equal(task.Status, 'FAILED');
    assert.ok(task.FailureReason);
  });

  for (const signal of ['SIGTERM', 'SIGKILL']) {
    test(`it goes on after ${signal}, and nothing is lost or doubled`, async () => {
      const { arn, dead } = await deadLetters(100);
      const other = await createQueue();
      const nameOfOther = other.split('/').at(-1);
      await sqs.startMessageMoveTask({ SourceArn: arn, DestinationArn: await attribute(other, 'QueueArn'), MaxNumberOfMessagesPerSecond: 25 });
      await until('some are moved', async () => (await depth(other)) >= 10);
      await server.stop(signal);
      server = await startServer({ data: server.data });
      connect();
      assert.equal((await newest(arn)).Status, 'RUNNING');
      const task = await ended(arn);
      assert.equal(task.Status, 'COMPLETED');
      const { QueueUrl } = await sqs.getQueueUrl({ QueueName: nameOfOther });
      assert.deepEqual(await bodies(QueueUrl), expected(100));
      if (signal === 'SIGTERM') assert.equal(task.ApproximateNumberOfMessagesMoved, 100);
      assert.equal(await depth((await sqs.getQueueUrl({ QueueName: dead.split('/').at(-1) })).QueueUrl), 0);
    });
  }
});
