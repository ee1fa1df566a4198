// A queue that nobody empties must wake somebody, once: the webhook hears of each alarm when it begins and when it ends, in
// order, also where it was away for a while or the server was started again in between.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SQS } from '@aws-sdk/client-sqs';
import { clientConfig, freePort, ours, runBinary, scratchDir, sleep, startServer, unique, until } from './harness.mjs';

const SECRET = 'between-us';

// Somebody who is told, and answers with `status`. Can go away and come back on the same port.
class Hook {
  posts = [];
  status = 200;

  async open() {
    this.port ??= await freePort();
    this.server = http.createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        this.posts.push({ method: request.method, headers: request.headers, text: body, ...JSON.parse(body) });
        response.writeHead(this.status).end();
      });
    });
    await new Promise((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
  }
  close() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
  get url() {
    return `http://127.0.0.1:${this.port}/hook`;
  }
  // "raised" and "cleared" of one queue, in the order in which they came.
  of(queue) {
    return this.posts.filter((post) => post.queue === queue && this.status === 200).map((post) => `${post.alarm} ${post.state}`);
  }
}

describe('alarms of queues', ours, () => {
  const hook = new Hook();
  let server;
  let sqs;
  let args;
  const start = async (data) => {
    server = await startServer({ args, ...(data && { data }) });
    sqs = new SQS(clientConfig({ endpoint: server.endpoint }));
  };
  before(async () => {
    await hook.open();
    const secret = join(scratchDir(), 'secret');
    writeFileSync(secret, `${SECRET}\n`, { mode: 0o600 });
    args = ['--alarm-webhook', hook.url, '--alarm-webhook-secret-file', secret, '--dead-letter-alarm-depth', '0'];
    await start();
  });
  after(async () => {
    await server.stop();
    await hook.close();
  });

  const createQueue = async (Attributes = {}) => {
    const QueueName = unique('q');
    await sqs.createQueue({ QueueName, Attributes });
    return QueueName;
  };
  const urlOf = async (QueueName) => (await sqs.getQueueUrl({ QueueName })).QueueUrl;
  const send = async (name, count) => {
    const QueueUrl = await urlOf(name);
    for (let i = 0; i < count; i++) await sqs.sendMessage({ QueueUrl, MessageBody: `${i}` });
  };
  const empty = async (name) => {
    const QueueUrl = await urlOf(name);
    for (;;) {
      const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
      if (Messages.length === 0) return;
      for (const { ReceiptHandle } of Messages) await sqs.deleteMessage({ QueueUrl, ReceiptHandle });
    }
  };
  const hears = (name, ...what) => until(`${name}: ${what}, not ${hook.of(name)}`, () => hook.of(name).length >= what.length).then(() => assert.deepEqual(hook.of(name), what));

  test('depth: one post when it begins, one when it ends', async () => {
    const name = await createQueue({ WaybillAlarmDepth: '3' });
    await send(name, 3);
    await sleep(2_500);
    assert.deepEqual(hook.of(name), []);
    await send(name, 2);
    await hears(name, 'depth raised');
    await send(name, 3);
    await sleep(2_500);
    await hears(name, 'depth raised');
    await empty(name);
    await hears(name, 'depth raised', 'depth cleared');
    const [raised, cleared] = hook.posts.filter((post) => post.queue === name);
    assert.equal(raised.method, 'POST');
    assert.equal(raised.headers['content-type'], 'application/json');
    assert.equal(raised.value, 5);
    assert.equal(raised.threshold, 3);
    assert.equal(raised.server, `127.0.0.1:${server.port}`);
    assert.ok(Math.abs(Date.parse(raised.time) - Date.now()) < 60_000, raised.time);
    assert.equal(cleared.value, 0);
    assert.notEqual(raised.id, cleared.id);
  });

  test('every post has its id and is signed', async () => {
    const name = await createQueue({ WaybillAlarmDepth: '0' });
    await send(name, 1);
    await hears(name, 'depth raised');
    for (const post of hook.posts) {
      assert.equal(post.headers['x-waybill-notice-id'], post.id);
      assert.equal(post.headers['x-waybill-signature'], `sha256=${createHmac('sha256', SECRET).update(post.text).digest('hex')}`);
    }
  });

  test('age: a message that nobody takes', async () => {
    const name = await createQueue({ WaybillAlarmAgeSeconds: '1' });
    await send(name, 1);
    await hears(name, 'age raised');
    await empty(name);
    await hears(name, 'age raised', 'age cleared');
    const [raised] = hook.posts.filter((post) => post.queue === name);
    assert.ok(raised.value > 1 && raised.value < 60, `${raised.value}`);
    assert.equal(raised.threshold, 1);
  });

  test('the first dead letter raises an alarm, and the metrics show it', async () => {
    const dead = await createQueue();
    const { Attributes } = await sqs.getQueueAttributes({ QueueUrl: await urlOf(dead), AttributeNames: ['QueueArn'] });
    const source = await createQueue({ RedrivePolicy: JSON.stringify({ deadLetterTargetArn: Attributes.QueueArn, maxReceiveCount: 1 }) });
    await send(source, 1);
    const QueueUrl = await urlOf(source);
    await sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 0 });
    await sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 0 });
    await hears(dead, 'depth raised');
    const page = await (await fetch(`${server.endpoint}/metrics`)).text();
    assert.ok(page.includes(`waybill_queue_alarm{queue="${dead}",alarm="depth"} 1\n`), page);
    assert.deepEqual(hook.of(source), []);
  });

  test('an alarm ends with its queue', async () => {
    const name = await createQueue({ WaybillAlarmDepth: '0' });
    await send(name, 1);
    await hears(name, 'depth raised');
    await sqs.deleteQueue({ QueueUrl: await urlOf(name) });
    await hears(name, 'depth raised', 'depth cleared');
  });

  test('a webhook that is away hears of everything in order when it is back', async () => {
    const name = await createQueue({ WaybillAlarmDepth: '0' });
    await hook.close();
    await send(name, 1);
    await until('the server has tried', () => server.run.output.includes(`queue ${name} `) && server.run.output.includes('is tried again'));
    await empty(name);
    await until('it has ended', () => server.run.output.match(new RegExp(`cleared: depth of queue ${name} `)));
    await hook.open();
    await hears(name, 'depth raised', 'depth cleared');
  });

  test('a webhook that cannot is asked again with the same id', async () => {
    const name = await createQueue({ WaybillAlarmDepth: '0' });
    hook.status = 503;
    await send(name, 1);
    const posts = () => hook.posts.filter((post) => post.queue === name);
    await until('it is asked twice', () => posts().length >= 2);
    hook.status = 200;
    const count = posts().length;
    await until('it is asked once more', () => posts().length > count);
    await sleep(3_000);
    assert.equal(new Set(posts().map((post) => post.id)).size, 1);
    assert.equal(posts().length, count + 1);
  });

  for (const signal of ['SIGTERM', 'SIGKILL']) {
    test(`${signal}: the next start neither repeats nor forgets`, async () => {
      const told = await createQueue({ WaybillAlarmDepth: '0' });
      const untold = await createQueue({ WaybillAlarmDepth: '0' });
      await send(told, 1);
      await hears(told, 'depth raised');
      await sleep(500);
      await hook.close();
      await send(untold, 1);
      await until('the server has tried', () => server.run.output.match(new RegExp(`queue ${untold} .* is tried again`)));
      await server.stop(signal);
      await hook.open();
      await start(server.data);
      await hears(untold, 'depth raised');
      await sleep(2_500);
      await hears(told, 'depth raised');
      await empty(told);
      await empty(untold);
      await hears(told, 'depth raised', 'depth cleared');
      await hears(untold, 'depth raised', 'depth cleared');
    });
  }
});

test('what makes no sense is refused at the start', ours, async () => {
  for (const [args, message] of [
    [['--alarm-webhook', 'ftp://example.com'], /http/],
    [['--alarm-depth', '-1'], /--alarm-depth/],
    [['--alarm-webhook-secret-file', '/dev/null'], /without --alarm-webhook/],
  ]) {
    const run = runBinary(['serve', '--listen', '127.0.0.1:0', '--data', scratchDir(), ...args], { within_ms: 10_000 });
    assert.notEqual(await run.exited, 0);
    assert.match(run.output, message);
  }
});
