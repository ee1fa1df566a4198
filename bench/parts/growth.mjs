// Waybill alone, as its table grows: what an operation costs with 10,000 items, with 1 million, with 10 million, and
// with 1 million that all have the same partition key in the index that is queried. The smallest table comes once more
// at the end: what it then costs shows how far the machine itself has moved meanwhile.
import { untilQuiet } from '../measure.mjs';
import { freeBytes } from '../machine.mjs';
import { count, duration, figure, gigabytes, megabytes, median } from '../numbers.mjs';
import { write_operations } from '../plan.mjs';
import { fill } from './loaded.mjs';

const load_items_per_s = 20_000;
// Three copies of an item (the table and two indexes), and room for as much again while it is compacted.
const disk_bytes_per_item = 4_500;
const reserve_bytes = 2e9;

export const seconds = ({ growth }) => {
  const sizes = wantedPoints(growth).map(({ items }) => items);
  const operations_s = growth.operations.reduce((sum, operation) => sum + 2 * secondsOf(growth, operation) + 4, 0);
  return sizes.reduce((sum, items) => sum + (items / load_items_per_s) * 1.5 + operations_s + 10, 0);
};

const wantedPoints = ({ sizes, one_partition }) => [
  ...sizes.map((items) => ({ items })),
  { items: one_partition, users: 1 },
  { items: Math.min(...sizes), again: true },
];

const isRead = (operation) => !write_operations.includes(operation);
const secondsOf = (growth, operation) => (isRead(operation) ? growth.read_seconds : growth.write_seconds);

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

  const start_ms = [];
  for (let n = 0; n < 3; n += 1) {
    await peer.stop();
    start_ms.push(await peer.start());
  }
  say(`growth: ${name}: first answer after ${figure(median(start_ms))} ms`);
  await untilQuiet([peer]);

  const runs = [];
  for (const operation of growth.operations) {
    for (const connections of [64, 1]) {
      const seconds = secondsOf(growth, operation);
      // Reads warm the caches first. Writes have no warm-up, so that everything they cause is counted and divided by
      // all of them.
      const warmup = isRead(operation) ? 2 : 0;
      const flags = { ...fleet.flagsFor(peer, operation, { warmup }), connections, seconds };
      await driver.drive(runs, peer, operation, flags, { label: `growth: ${name}: `, settled: !isRead(operation) });
    }
  }
  await fleet.remove(peer);
  return { ...filled, items, wanted_items, one_partition: users === 1, again, start_ms, runs };
}
