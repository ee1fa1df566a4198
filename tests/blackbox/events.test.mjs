// Events on their way from the contract to a signed webhook, to EventBridge and to a queue, through the built binary: what
// is told and how it is signed, what a kill -9 leaves, what is parked, and how an operator has it told again.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { SQS } from '@aws-sdk/client-sqs';
import { clientConfig, freePort, ours, runBinary, scratchDir, startServer, until } from './harness.mjs';
import { clientOf, contracts, newRun, ok } from './jobs_client.mjs';

// A server that answers each request with what `answer` says of it: a status, or [status, body].
async function listen(answer, port = 0) {
  const requests = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const told = { headers: request.headers, body, json: JSON.parse(body) };
      requests.push(told);
      const [status, text] = [answer(told)].flat();
      response.writeHead(status).end(text);
    });
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { requests, port: server.address().port, close: () => (server.closeAllConnections(), server.close()) };
}

// A contract of the project that is published to these places.
function contractTo(name, ...places) {
  const file = join(scratchDir(), `${name}.yaml`);
  writeFileSync(file, `${readFileSync(join(contracts, `${name}.yaml`), 'utf8')}\npublish: ${JSON.stringify(places)}\n`);
  return file;
}

const create = (server, fields) => ok(clientOf(server.endpoint)('POST', 'orchestrator/job', newRun(fields)), 201);
const cancel = (server, id) => ok(clientOf(server.endpoint)('POST', `orchestrator/job/${id}:cancel`, {}));
async function waybill(server, ...args) {
  const run = runBinary([...args, '--data', server.data], { within_ms: 30_000 });
  return { code: await run.exited, output: run.output };
}

describe('events', ours, () => {
  test('A4_a webhook gets CloudEvents with a signature of the secret, and the record\'s in their order', async () => {
    const secret = Buffer.from('0123456789abcdef0123456789abcdef');
    const hook = await listen(() => 204);
    const file = contractTo('orchestrator', { to: 'webhook', url: `http://127.0.0.1:${hook.port}/hook`, secret_env: 'HOOK_SECRET' });
    const server = await startServer({ args: ['--contracts', file], env: { HOOK_SECRET: `whsec_${secret.toString('base64')}` } });
    const { job_id: id } = await create(server);
    await cancel(server, id);
    await until('both are told', () => hook.requests.length === 2);
    for (const { headers, body, json } of hook.requests) {
      assert.equal(headers['content-type'], 'application/cloudevents+json; charset=utf-8');
      assert.equal(headers['webhook-id'], json.id);
      const signed = createHmac('sha256', secret).update(`${json.id}.${headers['webhook-timestamp']}.${body}`).digest('base64');
      assert.equal(headers['webhook-signature'], `v1,${signed}`);
      assert.deepEqual([json.specversion, json.source, json.subject], ['1.0', '/v1/orchestrator/job', id]);
    }
    assert.deepEqual(hook.requests.map(({ json }) => json.type), ['workflow_run_created', 'workflow_run_canceled']);
    await server.stop();
    hook.close();
  });

  test('A4_EventBridge gets PutEvents, signed; a queue gets the same events', async () => {
    const bus = await listen(({ json }) => [200, JSON.stringify({ FailedEntryCount: 0, Entries: json.Entries.map(() => ({ EventId: 'e' })) })]);
    const file = contractTo('orchestrator', { to: 'eventbridge', region: 'eu-west-1', bus: 'runs', endpoint: `http://127.0.0.1:${bus.port}` }, { to: 'queue', name: 'told.fifo' });
    const env = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
    const server = await startServer({ args: ['--contracts', file], env });
    const sqs = new SQS(clientConfig({ endpoint: server.endpoint }));
    const { QueueUrl } = await sqs.createQueue({ QueueName: 'told.fifo', Attributes: { FifoQueue: 'true' } });
    const { job_id: id } = await create(server);
    await cancel(server, id);
    const entries = await until('both are put', () => {
      const all = bus.requests.flatMap(({ json }) => json.Entries);
      return all.length === 2 && all;
    });
    assert.deepEqual(entries.map((entry) => [entry.EventBusName, entry.Source, entry.DetailType, JSON.parse(entry.Detail).subject]), [
      ['runs', '/v1/orchestrator/job', 'workflow_run_created', id], ['runs', '/v1/orchestrator/job', 'workflow_run_canceled', id]]);
    for (const { headers, body } of bus.requests) {
      assert.equal(headers['x-amz-target'], 'AWSEvents.PutEvents');
      const [, scope, signature] = /Credential=AKIDEXAMPLE\/(\S+), SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=(\w+)/.exec(headers.authorization);
      const hmac = (key, text) => createHmac('sha256', key).update(text).digest();
      const hash = (text) => createHash('sha256').update(text).digest('hex');
      const names = ['content-type', 'host', 'x-amz-date', 'x-amz-target'];
      const canonical = ['POST', '/', '', ...names.map((name) => `${name}:${headers[name]}`), '', names.join(';'), hash(body)].join('\n');
      const key = scope.split('/').reduce(hmac, 'AWS4secret');
      assert.equal(signature, hmac(key, ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n')).toString('hex'));
    }
    const bodies = [];
    await until('the queue has both', async () => {
      const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 });
      bodies.push(...Messages.map(({ Body }) => JSON.parse(Body).type));
      // The second of the group is given out once the first is gone.
      for (const { ReceiptHandle } of Messages) await sqs.deleteMessage({ QueueUrl, ReceiptHandle });
      return bodies.length === 2;
    });
    assert.deepEqual(bodies, ['workflow_run_created', 'workflow_run_canceled']);
    await server.stop();
    bus.close();
  });

  test('A4_what was not told before a kill -9 is told after it, in its order', async () => {
    const port = await freePort(); // where nobody listens yet
    const file = contractTo('orchestrator', { to: 'webhook', url: `http://127.0.0.1:${port}/` });
    let server = await startServer({ args: ['--contracts', file] });
    const ids = [];
    for (let i = 0; i < 5; ++i) {
      const { job_id: id } = await create(server);
      await cancel(server, id);
      ids.push(id);
    }
    await server.stop('SIGKILL');
    const hook = await listen(() => 204, port);
    server = await startServer({ data: server.data });
    const types = (id) => hook.requests.filter(({ json }) => json.subject === id).map(({ json }) => json.type);
    await until('all are told', () => ids.every((id) => types(id).includes('workflow_run_canceled')));
    for (const id of ids) assert.deepEqual([...new Set(types(id))], ['workflow_run_created', 'workflow_run_canceled']);
    await server.stop();
    hook.close();
  });

  test('A4_what is refused is parked, shown with its reason, and told again when an operator says so', async () => {
    const refused = new Set(['workflow_run_created']);
    const hook = await listen(({ json }) => (refused.has(json.type) ? 410 : 204));
    const file = contractTo('orchestrator', { to: 'webhook', url: `http://127.0.0.1:${hook.port}/` });
    const server = await startServer({ args: ['--contracts', file] });
    assert.deepEqual(await waybill(server, 'event', 'parked'), { code: 0, output: 'no event is parked\n' });
    const ids = [];
    for (let i = 0; i < 3; ++i) ids.push((await create(server)).job_id);
    const parked = await until('three are parked', async () => {
      const { output } = await waybill(server, 'event', 'parked', 'orchestrator', '--json');
      const { events } = JSON.parse(output);
      return events.length === 3 && events;
    });
    assert.deepEqual(parked.map((event) => event.record), ids.map((id) => `orchestrator/job/${id}`));
    assert.equal(parked[0].type, 'workflow_run_created');
    assert.match(parked[0].why, /status 410$/);
    assert.ok((await waybill(server, 'event', 'parked')).output.startsWith(`${parked[0].number} ${parked[0].record} workflow_run_created ${parked[0].at}\n  webhook 127.0.0.1:${hook.port}/: status 410\n`));
    assert.match(await (await fetch(`${server.endpoint}/metrics`)).text(), /^waybill_events_parked\{contract="orchestrator"\} 3$/m);

    const wrong = await waybill(server, 'event', 'retry', 'orchestrator', '1');
    assert.deepEqual([wrong.code, wrong.output], [1, 'waybill: no event 1 of contract orchestrator is parked\n']);
    assert.equal((await waybill(server, 'event', 'retry', 'orchestrator')).code, 1);
    assert.match((await waybill(server, 'event', 'retry', 'nothing', '--all')).output, /no contract nothing is in force that has a place to publish to/);

    refused.clear();
    const told = () => hook.requests.map(({ json }) => json.id);
    const before = told().length;
    assert.deepEqual(await waybill(server, 'event', 'retry', 'orchestrator', parked[1].number), { code: 0, output: '1 event is told again\n' });
    await until('it is told', () => told().length === before + 1);
    assert.equal(told().at(-1), parked[1].number);
    assert.deepEqual(await waybill(server, 'event', 'retry', 'orchestrator', '--all'), { code: 0, output: '2 events are told again\n' });
    await until('all are told', () => told().length === before + 3);
    await until('none is parked', async () => (await waybill(server, 'event', 'parked')).output === 'no event is parked\n');
    await server.stop();
    hook.close();
  });

  test('A4_a contract whose place cannot be told is not put in force, and the others are published as before', async () => {
    const hook = await listen(() => 204);
    const server = await startServer({ args: ['--contracts', contractTo('orchestrator', { to: 'webhook', url: `http://127.0.0.1:${hook.port}/` })] });
    const file = contractTo('photo-editor', { to: 'webhook', url: 'http://127.0.0.1:9/', secret_env: 'NOBODY_SET_THIS' });
    const applied = await waybill(server, 'contract', 'apply', file);
    assert.equal(applied.code, 1);
    assert.match(applied.output, /contract photo-editor, publish to webhook: the environment has no NOBODY_SET_THIS: set it before the server starts/);
    assert.doesNotMatch((await waybill(server, 'contract', 'list')).output, /photo-editor/);
    await create(server);
    await until('it is told', () => hook.requests.length === 1);
    assert.equal(await server.stop(), 0);
    const again = await startServer({ data: server.data });
    await again.stop();
    hook.close();
  });
});
