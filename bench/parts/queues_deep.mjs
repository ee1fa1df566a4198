// Waybill alone with ten million messages waiting in one queue: memory, and what a message costs beside an empty queue
// of the same server, in turns. Loaded with small bodies, so that it takes minutes and not an hour.
import { freeBytes } from '../machine.mjs';
import { memory, untilQuiet } from '../measure.mjs';
import { count, duration, figure, gigabytes, megabytes } from '../numbers.mjs';
import { describeRun } from '../progress.mjs';
import { countMessages, fillQueue, makeQueue, runQueue } from '../queues.mjs';

const body_bytes = 100;
// With what is kept beside it, and room for compaction.
const disk_bytes_per_message = 1_000;
const fill_per_s = 50_000;
const many = 64;

export const seconds = ({ rounds, queues }) =>
  queues.deep_waiting / fill_per_s + 30 + rounds * 2 * (queues.seconds + 3 * queues.step_seconds + 3);

export async function measure({ plan, fleet, folder, say, driver }) {
  const { deep_waiting: wanted } = plan.queues;
  const waiting = Math.min(wanted, Math.floor(freeBytes(folder) / disk_bytes_per_message));
  if (waiting < wanted) say(`queues_deep: the disk has room for ${count(waiting)} of ${count(wanted)} messages only`);
  await fleet.removeAll();
  const peer = await fleet.make('waybill', 'queues-deep');
  await peer.start();
  for (const queue of ['empty', 'filled']) await makeQueue(peer, queue);

  const filled = await fill(peer, waiting, say);
  const runs = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    for (const queue of round % 2 ? ['empty', 'filled'] : ['filled', 'empty']) {
      for (const operation of ['round_trip', 'steps'])
        runs.push(...(await measureOne({ plan, peer, say, driver }, { operation, queue, round })));
    }
  }
  const after = memory(peer);
  const found = await countMessages(peer, 'filled');
  if (found.waiting !== waiting || found.active !== 0)
    driver.note(`waybill: the deep queue holds ${JSON.stringify(found)} at the end, not ${waiting} waiting`);
  await peer.stop();
  const start_ms = await peer.start();
  say(`queues_deep: ${megabytes(after.rss_bytes)} after all runs; started again in ${figure(start_ms)} ms`);
  await fleet.remove(peer);
  return { waiting, wanted, body_bytes, ...filled, memory_after: after, start_ms, runs };
}

async function fill(peer, waiting, say) {
  const began_ms = performance.now();
  const elapsed = () => (performance.now() - began_ms) / 1000;
  let most_bytes = 0;
  const onProgress = (done) => {
    const { rss_bytes } = memory(peer);
    most_bytes = Math.max(most_bytes, rss_bytes);
    say(`queues_deep: ${count(done)} of ${count(waiting)} (${figure(done / elapsed())}/s), ${megabytes(rss_bytes)}`);
  };
  await fillQueue(peer, 'filled', waiting, { bytes: body_bytes, onProgress });
  const fill_s = elapsed();
  const settled = await untilQuiet([peer]);
  const found = { fill_s, settled, most_bytes, memory: memory(peer), disk: peer.diskUse() };
  say(
    `queues_deep: ${count(waiting)} messages in ${duration(fill_s)}, ${megabytes(found.memory.rss_bytes)} resident, ` +
      `${gigabytes(found.disk.total_bytes)} on disk`,
  );
  return found;
}

async function measureOne({ plan, peer, say, driver }, { operation, queue, round }) {
  await untilQuiet([peer], { for_s: 0.5, timeout_s: plan.quiet_seconds_max });
  const seconds = operation === 'steps' ? plan.queues.step_seconds : plan.queues.seconds;
  const options = { clients: many, seconds, warmup: plan.queues.warmup_seconds };
  const runs = (await runQueue(peer, queue, operation, options)).map((run) => ({
    ...run,
    peer: 'waybill',
    queue,
    round,
  }));
  for (const run of runs) say(`round ${round}  ${queue.padEnd(6)}  ${describeRun(run)}`);
  if (runs[0].complaint) driver.note(`waybill ${operation} on queue ${queue}: ${runs[0].complaint}`);
  return runs;
}
