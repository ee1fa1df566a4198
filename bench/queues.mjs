// What the parts do with a queue of any server: through waybill_load where it speaks SQS's protocol, through its
// library otherwise.
import { countByLibrary, fillByLibrary, runLibrary } from './libraries/load.mjs';
import { cpuSeconds } from './measure.mjs';
import { queueHeaders } from './peers/peer.mjs';
import { runTool as runToolAt } from './tool.mjs';

export const message_bytes = 1024;
const fill_connections = 64;
// Filled in parts of so many, to say how far it is.
const fill_part = 1_000_000;

const libraryOf = (peer) => peer.constructor.library;

// A library makes the queue when it is first used.
export async function makeQueue(peer, queue) {
  if (!libraryOf(peer)) await runTool(peer, queue, 'create', {});
}

// Puts `count` messages into the queue; `onProgress` hears how many there are.
export async function fillQueue(peer, queue, count, { bytes = message_bytes, onProgress } = {}) {
  if (libraryOf(peer)) {
    await fillByLibrary(peer, queue, { count });
    return;
  }
  for (let first = 0; first < count; first += fill_part) {
    const part = Math.min(fill_part, count - first);
    const flags = { first, count: part, items: count, message_bytes: bytes, connections: fill_connections };
    const [run] = await runTool(peer, queue, 'load', flags);
    if (run.complaint) throw new Error(`filling ${queue} of ${peer.id}: ${run.complaint}`);
    onProgress?.(first + part);
  }
}

let rounds = 0;

// Runs `operation` (round_trip, or steps: send, receive and delete one after the other) with `clients` clients, each
// with one request in flight; the runs that were measured. CPU is the server's alone, without the library's processes.
export async function runQueue(peer, queue, operation, { clients, processes = 1, seconds, warmup = 0 }) {
  const before_s = cpuSeconds(peer);
  const round = (rounds += 1);
  const runs = libraryOf(peer)
    ? await runLibrary(peer, queue, operation, { clients, processes, seconds, warmup, round })
    : await runTool(peer, queue, operation, { connections: clients, seconds, warmup, round });
  const each_us = ((cpuSeconds(peer) - before_s) * 1e6) / runs[0].messages.deleted;
  // The steps are too short to be told apart.
  return runs.map((run) => ({ ...run, ...(runs.length === 1 && { server_cpu_us_per_request: each_us }) }));
}

// How long messages take to a receiver that waits: {from_send_us, from_answer_us}. For servers that speak SQS.
export async function runWakes(peer, queue, wakes) {
  const [run] = await runTool(peer, queue, 'wake', { requests: wakes, round: (rounds += 1) });
  if (run.complaint) throw new Error(`wake: ${run.complaint}`);
  return run;
}

// {waiting, active}
export async function countMessages(peer, queue) {
  if (libraryOf(peer)) return countByLibrary(peer, queue);
  const { QueueUrl } = await call(peer, 'GetQueueUrl', { QueueName: queue });
  const { Attributes } = await call(peer, 'GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] });
  return {
    waiting: Number(Attributes.ApproximateNumberOfMessages),
    active: Number(Attributes.ApproximateNumberOfMessagesNotVisible),
  };
}

async function call(peer, operation, body) {
  const answer = await fetch(`http://127.0.0.1:${peer.port}/`, {
    method: 'POST',
    headers: queueHeaders(operation),
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${peer.id} answers ${operation} with ${answer.status}: ${text}`);
  return JSON.parse(text);
}

const runTool = (peer, queue, operation, flags) =>
  runToolAt(peer, { target: `sqs://127.0.0.1:${peer.port}`, table: queue }, operation, flags);
