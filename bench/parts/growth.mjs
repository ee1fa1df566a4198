// Waybill alone, as its table grows: what an operation costs with 10,000 items, with 1 million, with 10 million, and
// with 1 million that all have the same partition key in the index that is queried. The smallest table comes once more
// at the end: what it then costs shows how far the machine itself has moved meanwhile.
//
// The operations are measured on the server that took the load, with warm caches; a few reads once more right after a
// start, when Waybill's own caches are empty.
import { freeBytes } from '../machine.mjs';
import { count, duration, figure, gigabytes, megabytes, median } from '../numbers.mjs';
import { main_operations, write_operations } from '../plan.mjs';
import { fill } from './loaded.mjs';

const load_items_per_s = 40_000;
// The item and its entries in two indexes, and room for twice as much again while it is compacted.
const disk_bytes_per_item = 4_500;
const reserve_bytes = 2e9;

export const seconds = ({ growth }) => {
  const oneRun = (operation, connections, items) =>
    secondsOf(growth, operation, connections) + warmupOf(operation, connections, items) + 2;
  const allRuns = (items) =>
    growth.operations.reduce((sum, operation) => sum + oneRun(operation, 64, items) + oneRun(operation, 1, items), 0);
  return wantedPoints(growth).reduce(
    (sum, { items }) => sum + (items / load_items_per_s) * 1.5 + allRuns(items) + 15,
    0,
  );
};

const wantedPoints = ({ sizes, one_partition }) => [
  ...sizes.map((items) => ({ items })),
  { items: one_partition, users: 1 },
  { items: Math.min(...sizes), again: true },
];

const isRead = (operation) => !write_operations.includes(operation);

// Compaction comes in lumps, of up to a million changes at once: the main writes are measured long enough to have
// their share of it.
function secondsOf(growth, operation, connections) {
  if (connections === 1) return growth.alone_seconds;
  if (isRead(operation)) return growth.read_seconds;
  return main_operations.includes(operation) ? growth.main_write_seconds : growth.write_seconds;
}

// Reads warm the caches first, the longer the more there is to be in them. Writes have no warm-up, so that everything
// they cause is counted and divided by all of them.
function warmupOf(operation, connections, items) {
  if (!isRead(operation)) return 0;
  return connections === 1 ? 1 : Math.min(30, Math.max(2, items / 400_000));
}

// The bytes that the largest table of the plan needs.
export const diskNeed = ({ growth }) => Math.max(...growth.sizes, growth.one_partition) * disk_bytes_per_item;

export async function measure({ plan, fleet, folder, say, driver }) {
  const { growth } = plan;
  await fleet.removeAll();
  const points = [];
  let bytes_per_item = disk_bytes_per_item;
  for (const wanted of wantedPoints(growth)) {
    const items = Math.min(wanted.items, Math.floor((freeBytes(folder) - reserve_bytes) / bytes_per_item));
    if (items < wanted.items) say(`growth: the disk has room for ${count(items)} of ${count(wanted.items)} items only`);
    if (items < 1000) continue;
    const point = await measurePoint({ growth, fleet, say, driver }, { ...wanted, items, wanted_items: wanted.items });
    points.push(point);
    // Measured, with twice the room for compaction.
    if (items >= 1_000_000) bytes_per_item = Math.max(1000, (2 * point.disk.total_bytes) / items);
  }
  return { points };
}

async function measurePoint({ growth, fleet, say, driver }, { items, users, again = false, wanted_items }) {
  const peer = await fleet.make('waybill', `growth-${items}`);
  const name = `${count(items)} items${users === 1 ? ' in one partition' : ''}${again ? ' again' : ''}`;
  const filled = await fill(peer, items, { users });
  say(
    `growth: ${name} in ${duration(filled.seconds)}, quiet after ${duration(filled.settled.waited_s)} more, ` +
      `${gigabytes(filled.disk.total_bytes)} on disk, ${megabytes(filled.memory.pss_bytes)}`,
  );

  const runs = [];
  for (const operation of growth.operations) {
    for (const connections of [64, 1]) {
      const seconds = secondsOf(growth, operation, connections);
      const warmup = warmupOf(operation, connections, items);
      const flags = { ...fleet.flagsFor(peer, operation, { warmup }), connections, seconds };
      await driver.drive(runs, peer, operation, flags, { label: `growth: ${name}: `, settled: !isRead(operation) });
    }
  }

  const start_ms = [];
  const cold_runs = [];
  for (const operation of [undefined, ...growth.cold_operations]) {
    await peer.stop();
    start_ms.push(await peer.start());
    if (!operation) continue;
    const flags = { ...fleet.flagsFor(peer, operation, { warmup: 0 }), connections: 64, seconds: growth.cold_seconds };
    await driver.drive(cold_runs, peer, operation, flags, { label: `growth: ${name}, just started: ` });
  }
  say(`growth: ${name}: first answer after ${figure(median(start_ms))} ms`);
  await fleet.remove(peer);
  return { ...filled, items, wanted_items, one_partition: users === 1, again, start_ms, runs, cold_runs };
}
