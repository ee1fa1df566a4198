// Queues: a message sent, received and deleted, at Waybill, at an SQS emulator, and at the libraries that one would use
// on Redis and PostgreSQL; with nothing else in the queue and with many messages waiting.
//
// Round trips at 64 clients are measured in rounds, server by server and queue by queue, for the ratios. The rest is
// measured once. Waybill alone: a send beside a bare synced write, and how long a waiting receiver waits.
import { syncTimes } from '../machine.mjs';
import { countSyncs, untilQuiet } from '../measure.mjs';
import { count, duration, figure, median } from '../numbers.mjs';
import { peerOf } from '../peers/index.mjs';
import { describeRun } from '../progress.mjs';
import { countMessages, fillQueue, makeQueue, message_bytes, runQueue, runWakes } from '../queues.mjs';

const many = 64;
// A message and what is kept with it, about.
const record_bytes = message_bytes + 128;
const fill_per_s = { waybill: 50_000, fauxqs: 4_000, bullmq: 8_000, pg_boss: 10_000 };

const waitingOf = (plan, id) => Math.min(plan.queues.waiting, peerOf(id).messages_max);

export function seconds(plan) {
  const { queues, queue_peers: ids, rounds } = plan;
  const fills = ids.reduce((sum, id) => sum + waitingOf(plan, id) / fill_per_s[id] + 3, 0);
  const each = queues.seconds + queues.warmup_seconds + 0.8;
  const ratios = ids.reduce((sum, id) => sum + (rounds + roundsWithMany(plan, id)) * each, 0);
  const others = ids.length * queues.cases.length * 3 * (queues.step_seconds + 0.3);
  const turns = ids.includes('waybill') ? queues.turns * 2 * each : 0;
  return fills + ratios + turns + others + ids.length * (queues.sync_seconds + 1) + rounds * 3 * queues.step_seconds + 10;
}

export async function measure({ plan, fleet, folder, say, driver }) {
  await fleet.removeAll();
  const queuers = [];
  for (const id of plan.queue_peers) {
    try {
      queuers.push(await prepare(id, { plan, fleet, say }));
    } catch (error) {
      if (id === 'waybill') throw error;
      driver.note(`${id} could not be filled and is left out: ${error.message}`);
    }
  }
  const bench = { plan, say, driver, queuers, runs: [] };
  await measureRounds(bench);
  await measureTurns(bench);
  await measureCases(bench);
  const waybill = queuers.find(({ id }) => id === 'waybill');
  const alone = waybill ? await measureAlone(waybill, bench, folder) : {};
  for (const queuer of queuers) await checkLeftOver(queuer, bench);
  for (const { peer } of queuers) await fleet.remove(peer);
  const peers = Object.fromEntries(
    queuers.map(({ id, waiting, processes, syncs }) => [id, { waiting, processes, ...(syncs !== undefined && { syncs }) }]),
  );
  return { rounds: plan.rounds, peers, runs: bench.runs, ...alone };
}

// A running server with two queues: one with nothing in it and one with many messages.
async function prepare(id, { plan, fleet, say }) {
  const peer = await fleet.make(id, 'queues');
  await peer.start();
  const waiting = waitingOf(plan, id);
  for (const queue of ['empty', 'filled']) await makeQueue(peer, queue);
  const began_ms = performance.now();
  await fillQueue(peer, 'filled', waiting);
  const taken_s = (performance.now() - began_ms) / 1000;
  say(`${id}: ${count(waiting)} messages in ${duration(taken_s)} (${figure(waiting / taken_s)}/s)`);
  await untilQuiet([peer], { for_s: 0.5, timeout_s: plan.quiet_seconds_max });
  const queuer = { id, peer, waiting, processes: 1 };
  if (peer.constructor.library) queuer.processes = await fastestProcesses(queuer, { plan, say });
  queuer.syncs = await syncsPerTrip(queuer, { plan, say });
  return queuer;
}

// Calls that force data to disk for each round trip at one client; undefined where they cannot be counted.
async function syncsPerTrip({ id, peer }, { plan, say }) {
  try {
    let run;
    const calls = await countSyncs(peer, async () => {
      [run] = await runQueue(peer, 'empty', 'round_trip', { clients: 1, seconds: plan.queues.sync_seconds });
    });
    const syncs = Object.values(calls).reduce((sum, one) => sum + one, 0) / run.messages.deleted;
    say(`${id}: ${figure(syncs)} syncs for each send, receive and delete`);
    return syncs;
  } catch (error) {
    say(`${id}: syncs were not counted: ${error.message.split('\n')[0]}`);
    return undefined;
  }
}

// In how many processes the library's clients carry more.
async function fastestProcesses({ id, peer }, { plan, say }) {
  const rates = [];
  for (const processes of [1, 2]) {
    const options = { clients: many, processes, seconds: plan.queues.try_seconds, warmup: plan.queues.warmup_seconds };
    const [run] = await runQueue(peer, 'empty', 'round_trip', options);
    rates.push(run.throughput_per_s);
  }
  const best = rates[1] > rates[0] ? 2 : 1;
  say(`${id}: ${figure(rates[0])}/s in one process, ${figure(rates[1])}/s in two; measured in ${best}`);
  return best;
}

const roundsWithMany = ({ rounds, queues }, id) => (id === 'waybill' ? rounds : queues.filled_rounds_of_peers);

async function measureRounds(bench) {
  const { plan, queuers } = bench;
  for (let round = 1; round <= plan.rounds; round += 1) {
    // Each round begins with another server and with the other queue.
    const order = queuers.map((_, n) => queuers[(n + round - 1) % queuers.length]);
    for (const queuer of order) {
      const queues = round <= roundsWithMany(plan, queuer.id) ? ['empty', 'filled'] : ['empty'];
      for (const queue of round % 2 ? queues : queues.toReversed())
        await runCase(bench, queuer, { operation: 'round_trip', queue, clients: many, round });
    }
  }
}

// Waybill's two queues in turns, a few times more: how little they differ is less than what the machine's mood does.
async function measureTurns(bench) {
  const waybill = bench.queuers.find(({ id }) => id === 'waybill');
  if (!waybill) return;
  const last = bench.plan.rounds + bench.plan.queues.turns;
  for (let round = bench.plan.rounds + 1; round <= last; round += 1)
    for (const queue of round % 2 ? ['empty', 'filled'] : ['filled', 'empty'])
      await runCase(bench, waybill, { operation: 'round_trip', queue, clients: many, round });
}

async function measureCases(bench) {
  for (const { operation, queue, clients } of bench.plan.queues.cases)
    for (const queuer of bench.queuers) await runCase(bench, queuer, { operation, queue, clients });
}

// One run, added to the others; what a peer fails at is noted.
async function runCase({ plan, say, driver, queuers, runs }, queuer, { operation, queue, clients, round }) {
  const peers = queuers.map(({ peer }) => peer);
  await untilQuiet(peers, { for_s: 0.3, timeout_s: plan.quiet_seconds_max });
  const seconds = operation === 'steps' ? plan.queues.step_seconds : plan.queues.seconds;
  const options = { clients, processes: queuer.processes, seconds, warmup: plan.queues.warmup_seconds };
  let found;
  try {
    found = await runQueue(queuer.peer, queue, operation, options);
  } catch (error) {
    if (queuer.id === 'waybill') throw error;
    driver.note(`${queuer.id} ${operation} with ${clients} clients: ${error.message}`);
    return;
  }
  for (const run of found) {
    const facts = { peer: queuer.id, queue, ...(round && { round }) };
    runs.push({ ...run, ...facts });
    say(`${round ? `round ${round}  ` : ''}${queue.padEnd(6)}  ${describeRun({ ...run, ...facts })}`);
    if (run.complaint) driver.note(`${queuer.id} ${operation} with ${clients} clients: ${run.complaint}`);
  }
}

// A send at one client in turns with a write of its size that is synced by itself, and the wake-up of a long poll.
async function measureAlone({ peer }, { plan, say, driver }, folder) {
  const sends = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    await untilQuiet([peer], { for_s: 0.3, timeout_s: plan.quiet_seconds_max });
    const bare_us = median(syncTimes(folder, { bytes: record_bytes, writes: plan.queues.bare_writes }));
    const options = { clients: 1, seconds: plan.queues.step_seconds, warmup: plan.queues.warmup_seconds };
    const [send] = await runQueue(peer, 'empty', 'steps', options);
    if (send.complaint) driver.note(`waybill steps with 1 client: ${send.complaint}`);
    sends.push({ round, bare_us, send_us: send.latency_us });
    say(`round ${round}  a send p50 ${figure(send.latency_us.p50)} µs, a bare synced write ${figure(bare_us)} µs`);
  }
  const wake = await runWakes(peer, 'empty', plan.queues.wakes);
  say(
    `a waiting receiver has the message ${figure(wake.from_send_us.p50)} µs after the begin of the send (p99 ` +
      `${figure(wake.from_send_us.p99)}), ${figure(wake.from_answer_us.p50)} µs after its answer`,
  );
  return { sends, wake };
}

// What is in the queues at the end must be what was there before all runs.
async function checkLeftOver({ id, peer, waiting }, { driver }) {
  for (const [queue, expected] of [
    ['empty', 0],
    ['filled', waiting],
  ]) {
    const found = await countMessages(peer, queue);
    if (found.waiting !== expected || found.active !== 0)
      driver.note(`${id}: queue ${queue} holds ${JSON.stringify(found)} at the end, not ${expected} waiting`);
  }
}
