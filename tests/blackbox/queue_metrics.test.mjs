// Operators see their queues through Prometheus: every number on the page is one that they can check against what was
// sent, received and deleted, and the page is not for everybody where keys are asked for.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SQS } from '@aws-sdk/client-sqs';
import { clientConfig, ours, runBinary, scratchDir, startServer, unique, until } from './harness.mjs';

const privateFile = (name, text) => {
  const path = join(scratchDir(), name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};

async function scrape(server, headers = {}) {
  const response = await fetch(`${server.endpoint}/metrics`, { headers });
  const text = await response.text();
  const samples = new Map();
  for (const line of text.split('\n')) {
    const match = line.match(/^([a-z_]+(?:\{.*\})?) (\S+)$/);
    if (match) samples.set(match[1], Number(match[2]));
  }
  return { status: response.status, headers: response.headers, text, samples };
}

describe('metrics of queues', ours, () => {
  let server;
  let sqs;
  before(async () => {
    server = await startServer();
    sqs = new SQS(clientConfig({ endpoint: server.endpoint }));
  });
  after(() => server.stop());

  const createQueue = async (Attributes = {}) => {
    const QueueName = unique('q');
    return [QueueName, (await sqs.createQueue({ QueueName, Attributes })).QueueUrl];
  };
  const metrics = async (name) => {
    const { samples } = await scrape(server);
    const of = (metric) => samples.get(`waybill_queue_${metric}{queue="${name}"}`);
    return {
      visible: of('messages_visible'), in_flight: of('messages_in_flight'), delayed: of('messages_delayed'),
      sent: of('messages_sent_total'), received: of('messages_received_total'), deleted: of('messages_deleted_total'),
      dead_lettered: of('messages_dead_lettered_total'), expired: of('messages_expired_total'),
    };
  };

  test('the page is in the text format, with a type and a help line for each metric', async () => {
    await createQueue();
    const { status, headers, text } = await scrape(server);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.ok(text.endsWith('\n'));
    const declared = new Set();
    for (const line of text.trimEnd().split('\n')) {
      const [, kind, name] = line.match(/^# (HELP|TYPE) ([a-z_]+) .+$/) ?? [];
      if (kind === 'TYPE') declared.add(name);
      else if (kind === undefined) assert.ok(declared.has(line.match(/^([a-z_]+)(\{[^}]*\})? [0-9.]+$/)?.[1]), line);
    }
    assert.ok(declared.has('waybill_queue_messages_visible'));
  });

  test('depth and counters follow what is sent, received and deleted', async () => {
    const [name, QueueUrl] = await createQueue();
    for (let i = 0; i < 5; i++) await sqs.sendMessage({ QueueUrl, MessageBody: `${i}` });
    await sqs.sendMessage({ QueueUrl, MessageBody: 'later', DelaySeconds: 600 });
    assert.deepEqual(await metrics(name), { visible: 5, in_flight: 0, delayed: 1, sent: 6, received: 0, deleted: 0, dead_lettered: 0, expired: 0 });
    const { Messages } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 3 });
    assert.equal(Messages.length, 3);
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle: Messages[0].ReceiptHandle });
    assert.deepEqual(await metrics(name), { visible: 2, in_flight: 2, delayed: 1, sent: 6, received: 3, deleted: 1, dead_lettered: 0, expired: 0 });
  });

  test('messages that are given up are counted where they left and seen where they went', async () => {
    const [dead, deadUrl] = await createQueue();
    const deadLetterTargetArn = (await sqs.getQueueAttributes({ QueueUrl: deadUrl, AttributeNames: ['QueueArn'] })).Attributes.QueueArn;
    const [name, QueueUrl] = await createQueue({ RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 }) });
    for (let i = 0; i < 3; i++) await sqs.sendMessage({ QueueUrl, MessageBody: `${i}` });
    await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 });
    assert.equal((await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 })).Messages, undefined);
    assert.equal((await metrics(name)).dead_lettered, 3);
    assert.equal((await metrics(name)).visible, 0);
    assert.equal((await metrics(dead)).visible, 3);
  });

  test('the age is that of the oldest message', async () => {
    const [name, QueueUrl] = await createQueue();
    const age = async () => (await scrape(server)).samples.get(`waybill_queue_oldest_message_age_seconds{queue="${name}"}`);
    assert.equal(await age(), 0);
    await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
    await until('it is older than a second', async () => (await age()) > 1);
    await sqs.purgeQueue({ QueueUrl });
    assert.equal(await age(), 0);
  });

  test('a queue that is deleted is not there any more', async () => {
    const [name, QueueUrl] = await createQueue();
    await sqs.deleteQueue({ QueueUrl });
    assert.ok(!(await scrape(server)).text.includes(name));
  });

  test('the process tells of itself', async () => {
    const { samples } = await scrape(server);
    assert.ok(samples.get('process_resident_memory_bytes') > 1e6);
    assert.ok(samples.get('waybill_connections') >= 1);
    assert.ok(Math.abs(samples.get('process_start_time_seconds') - Date.now() / 1000) < 600);
  });
});

describe('who may read metrics', ours, () => {
  const keys = () => privateFile('keys.json', JSON.stringify({ keys: [{ id: 'AKIAWAYBILLTEST00001', secret: 'a-secret-that-is-long-enough' }] }));
  const statusWith = async (args, headers) => {
    const server = await startServer({ args });
    const { status } = await scrape(server, headers);
    await server.stop();
    return status;
  };

  test('with keys nobody, unless it is said', async () => {
    assert.equal(await statusWith(['--keys', keys()]), 403);
    assert.equal(await statusWith(['--keys', keys(), '--metrics-open']), 200);
  });

  test('with a token those who have it', async () => {
    const args = ['--keys', keys(), '--metrics-token-file', privateFile('token', 'open-sesame\n')];
    assert.equal(await statusWith(args), 401);
    assert.equal(await statusWith(args, { authorization: 'Bearer shut' }), 401);
    assert.equal(await statusWith(args, { authorization: 'Bearer open-sesame' }), 200);
  });

  test('open and closed at once is refused', async () => {
    const run = runBinary(['serve', '--data', scratchDir(), '--metrics-open', '--metrics-token-file', privateFile('token', 'x')], { within_ms: 10_000 });
    assert.equal(await run.exited, 2);
    assert.match(run.output, /exclude each other/);
  });
});
