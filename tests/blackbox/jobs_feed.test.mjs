// The live feed: every change is told once, in order, whoever comes back misses nothing, and nobody who does not read
// costs more than a bound.
import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { sleep } from './harness.mjs';
import { clientOf, listen, newRun, ok, refused, startJobs } from './jobs_client.mjs';

let server, api;
before(async () => {
  server = await startJobs();
  api = clientOf(server.endpoint);
});
after(() => server.stop());

const create = async (fields) => (await ok(api('POST', 'orchestrator/job', newRun(fields)), 201)).job_id;
const cancel = (id) => ok(api('POST', `orchestrator/job/${id}:cancel`, { why: 'test' }));

test('changes of all records are told in order', async () => {
  const feed = await listen(server.endpoint, 'orchestrator/job:changes');
  await sleep(100);
  const ids = [];
  for (let i = 0; i < 5; i += 1) ids.push(await create());
  await cancel(ids[0]);
  const seen = [];
  while (!seen.some((event) => event.event === 'cancel')) seen.push(await feed.next());
  feed.close();
  assert.deepEqual(seen.filter((event) => event.event === 'create').map((event) => event.data.id), ids);
  const last = seen.at(-1);
  assert.equal(last.data.id, ids[0]);
  assert.equal(last.data.from, 'queued');
  assert.equal(last.data.to, 'canceled');
  assert.equal(last.data.why, 'test');
  const numbers = seen.map((event) => BigInt(event.id));
  assert.deepEqual(numbers, [...numbers].sort((a, b) => (a < b ? -1 : 1)));
});

test('whoever comes back gets what he missed, of all records and of one', async () => {
  const first = await listen(server.endpoint, 'orchestrator/job:changes');
  await sleep(100);
  const id = await create();
  const seen = await first.next();
  assert.equal(seen.data.id, id);
  first.close();
  await cancel(id);
  for (const path of ['orchestrator/job:changes', `orchestrator/job/${id}:changes`]) {
    const again = await listen(server.endpoint, path, { 'last-event-id': seen.id });
    const next = await again.next();
    assert.equal(next.event, 'cancel', JSON.stringify(next));
    assert.equal(next.data.id, id);
    again.close();
  }
});

test('of one record nobody else is told', async () => {
  const id = await create();
  const feed = await listen(server.endpoint, `orchestrator/job/${id}:changes`);
  await sleep(100);
  await create();
  await cancel(id);
  const event = await feed.next();
  assert.equal(event.data.id, id);
  assert.equal(event.event, 'cancel');
  feed.close();
});

test('what is not kept any more is said to be missing', async () => {
  const feed = await listen(server.endpoint, 'orchestrator/job:changes', { 'last-event-id': '1' });
  assert.equal((await feed.next()).event, 'reset');
  feed.close();
  await refused(api('GET', 'orchestrator/job:changes', undefined, { 'last-event-id': 'x' }), 400, 'malformed', { field: 'Last-Event-ID' });
});

test('of one record it goes on after a restart', async () => {
  const own = await startJobs();
  const client = clientOf(own.endpoint);
  const { job_id } = await ok(client('POST', 'orchestrator/job', newRun()), 201);
  const { items } = await ok(client('GET', `orchestrator/job/${job_id}:history`));
  await own.stop('SIGKILL');
  const back = await startJobs({ data: own.data });
  await ok(clientOf(back.endpoint)('POST', `orchestrator/job/${job_id}:cancel`, {}));
  const feed = await listen(back.endpoint, `orchestrator/job/${job_id}:changes`, { 'last-event-id': String(items.at(-1).seq) });
  assert.equal((await feed.next()).event, 'cancel');
  feed.close();
  await back.stop();
});

test('a client that does not read does not hold the others up', async () => {
  const { hostname, port } = new URL(server.endpoint);
  const socket = net.connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write('GET /v1/orchestrator/job:changes HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  const feed = await listen(server.endpoint, 'orchestrator/job:changes');
  await sleep(100);
  const made = await Promise.all(Array.from({ length: 200 }, () => create()));
  const seen = new Set();
  while (seen.size < made.length) seen.add((await feed.next()).data.id);
  feed.close();
  socket.destroy();
});

test('the server stops though somebody listens', async () => {
  const own = await startJobs();
  const feed = await listen(own.endpoint, 'orchestrator/job:changes');
  const before = Date.now();
  const ended = feed.next();
  await own.stop();
  assert.equal(await ended, undefined);
  assert.ok(Date.now() - before < 8000);
});
