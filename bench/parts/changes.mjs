// Waybill alone: what writing every change down costs (a stream of both images and recovery, both on), and how fast a
// table comes back from its past.
//
// The same table is written to in turns, with both off and with both on, so that the machine's mood is the same for
// both. Then it is restored twice: as it is now, and as it was before the last writes.
import { untilQuiet } from '../measure.mjs';
import { count, duration, figure, percent } from '../numbers.mjs';
import { requestHeaders } from '../peers/peer.mjs';
import { sleep } from '../processes.mjs';
import { fill } from './loaded.mjs';

const table = 'jobs';

export const seconds = ({ items, rounds, changes }) =>
  items / 20_000 + rounds * changes.operations.length * 2 * (changes.write_seconds + 3) + items / 10_000 + 20;

export async function measure({ plan, fleet, say, driver }) {
  const peer = await fleet.make('waybill', 'changes');
  await fill(peer, plan.items);
  const runs = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    for (const operation of plan.changes.operations) {
      // The other order in every second round: neither always comes after the other's compactions.
      for (const logged of round % 2 ? [false, true] : [true, false]) {
        await writeDown(peer, logged);
        await untilQuiet([peer], { for_s: 1, timeout_s: plan.quiet_seconds_max });
        const flags = {
          ...fleet.flagsFor(peer, operation, { warmup: plan.warmup_seconds }),
          connections: 64,
          seconds: plan.changes.write_seconds,
        };
        const label = `round ${round}  ${logged ? 'stream and recovery' : 'neither'}  `;
        await driver.drive(runs, peer, operation, flags, { label, facts: { round, logged } });
      }
    }
  }
  const restores = await measureRestores(peer, { plan, fleet, say, driver });
  await fleet.remove(peer);
  return { rounds: plan.rounds, runs, restores };
}

async function measureRestores(peer, { plan, fleet, say, driver }) {
  await writeDown(peer, true);
  const before = new Date();
  await sleep(10);
  const flags = { ...fleet.flagsFor(peer, 'put'), connections: 64, seconds: plan.changes.write_seconds };
  const written = [];
  await driver.drive(written, peer, 'put', flags, { label: 'to be undone  ' });
  const restores = [];
  for (const [name, when] of [
    ['now', { UseLatestRestorableTime: true }],
    ['before', { RestoreDateTime: before.getTime() / 1000 }],
  ]) {
    await untilQuiet([peer], { for_s: 1, timeout_s: plan.quiet_seconds_max });
    const target = `restored-${name}`;
    const began_ms = performance.now();
    await call(peer, 'RestoreTableToPointInTime', { SourceTableName: table, TargetTableName: target, ...when });
    let restored;
    do {
      await sleep(20);
      restored = (await call(peer, 'DescribeTable', { TableName: target })).Table;
    } while (restored.TableStatus !== 'ACTIVE');
    const taken_s = (performance.now() - began_ms) / 1000;
    const undone = name === 'before' ? written[0].requests : 0;
    restores.push({ name, items: restored.ItemCount, undone, seconds: taken_s });
    say(
      `restored ${count(restored.ItemCount)} items${undone ? `, ${count(undone)} changes undone,` : ''} in ` +
        `${duration(taken_s)} (${figure(restored.ItemCount / taken_s)}/s)`,
    );
    await call(peer, 'DeleteTable', { TableName: target });
  }
  return restores;
}

// Switches the stream and recovery of the table on or off, where they are not so already.
async function writeDown(peer, wanted) {
  const { Table } = await call(peer, 'DescribeTable', { TableName: table });
  if ((Table.StreamSpecification?.StreamEnabled ?? false) === wanted) return;
  const StreamSpecification = wanted ? { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } : { StreamEnabled: false };
  await call(peer, 'UpdateTable', { TableName: table, StreamSpecification });
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: wanted };
  await call(peer, 'UpdateContinuousBackups', { TableName: table, PointInTimeRecoverySpecification });
}

async function call(peer, operation, body) {
  const answer = await fetch(peer.target, { method: 'POST', headers: requestHeaders(operation), body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${operation}: ${text}`);
  return JSON.parse(text);
}

// For each round what is left of the throughput: {median, low, high}; null where it was not measured.
export function keptShares({ runs }, operation) {
  const of = (logged, round) => runs.find((run) => run.operation === operation && run.logged === logged && run.round === round);
  const rounds = [...new Set(runs.map(({ round }) => round))];
  const shares = rounds
    .filter((round) => of(true, round) && of(false, round))
    .map((round) => of(true, round).throughput_per_s / of(false, round).throughput_per_s)
    .sort((a, b) => a - b);
  return shares.length ? { median: shares[shares.length >> 1], low: shares[0], high: shares.at(-1) } : null;
}

export const describeShare = ({ median, low, high }) => `${percent(median)} (${percent(low)} to ${percent(high)})`;
