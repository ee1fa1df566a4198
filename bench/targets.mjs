// The figures that Waybill is to reach, each held against what was measured.
import { count, figure, median, megabytes, percent, times } from './numbers.mjs';
import { keptShares } from './parts/changes.mjs';
import { titles, write_operations } from './plan.mjs';
import { peerOf } from './peers/index.mjs';
import { jobTargets } from './job_targets.mjs';
import { queueTargets } from './queue_targets.mjs';
import { workerTargets } from './workers/targets.mjs';

const wanted_ratios = [
  { operation: 'get', dynoxide: 10, postgres: 2 },
  { operation: 'put', dynoxide: 10, postgres: 2 },
  { operation: 'update', dynoxide: 10, postgres: 2 },
  { operation: 'query', dynoxide: 10, postgres: 1.5 },
];

// For each round the ratio of Waybill's figure to the peer's, then {median, low, high}; null where a side is missing.
export function ratio(results, { operation, connections, peer, of = (run) => run.throughput_per_s }) {
  const runs = (results.parts.ratios?.runs ?? []).filter(
    (run) => run.operation === operation && run.connections === connections,
  );
  const values = [];
  for (const ours of runs.filter((run) => run.peer === 'waybill')) {
    const theirs = runs.find((run) => run.peer === peer && run.round === ours.round);
    if (theirs) values.push(of(ours) / of(theirs));
  }
  return values.length ? { median: median(values), low: Math.min(...values), high: Math.max(...values) } : null;
}

// Growth: what an operation costs with 10 million items against 10,000; null where one of them was not measured.
export function growthRatio(results, operation, { connections = 64, of }) {
  const points = results.parts.growth?.points ?? [];
  const large = points.find((point) => point.items === 10_000_000);
  const base = points[0]?.items === 10_000 ? baseCost(points, operation, connections, of) : null;
  const run = large && runAt(large, operation, connections);
  return run && base ? of(run) / base : null;
}

export const runAt = (point, operation, connections) =>
  point.runs.find((run) => run.operation === operation && run.connections === connections && run.requests > 0);

// What an operation costs on the smallest table: the mean of its two measurements, one at each end of the run. Null
// where there is none.
export function baseCost(points, operation, connections, of) {
  const smallest = points.filter((point) => point.items === points[0].items && !point.one_partition);
  const costs = smallest
    .map((point) => runAt(point, operation, connections))
    .filter(Boolean)
    .map(of);
  return costs.length ? costs.reduce((sum, cost) => sum + cost, 0) / costs.length : null;
}

export const cpuCost = (run) => run.server_cpu_us_per_request;
export const timeCost = (run) => 1 / run.throughput_per_s;

// Whether a server syncs before it answers a write, as counted: true, false, or undefined where it was not counted.
export function syncsWrites(results, id) {
  const counted = results.parts.durability?.peers[id]?.syncs_per_write;
  return counted === undefined ? undefined : counted >= 0.9;
}

const spreadOf = ({ low, high }, write) => `${write(low)} to ${write(high)}`;

// [{name, asked, measured, spread, reached, note}]; `measured` is undefined where this run did not measure it.
export function holdAgainstTargets(results) {
  return [
    ...ratioTargets(results),
    ...shareTargets(results),
    ...latencyTargets(results),
    ...startTargets(results),
    ...changesTargets(results),
    ...queueTargets(results),
    ...jobTargets(results),
    ...workerTargets(results),
    ...growthTargets(results),
  ];
}

function ratioTargets(results) {
  const rows = [];
  for (const { operation, ...asked } of wanted_ratios) {
    for (const [peer, least] of Object.entries(asked)) {
      const found = ratio(results, { operation, connections: 64, peer });
      const unequal =
        write_operations.includes(operation) && syncsWrites(results, 'waybill') && syncsWrites(results, peer) === false;
      rows.push({
        name: `${titles[operation]}, 64 connections, against ${peerOf(peer).title}`,
        asked: `at least ${least}x`,
        ...(found && { measured: times(found.median), spread: spreadOf(found, times), reached: found.median >= least }),
        note: unequal ? `Waybill's write is synced, ${peerOf(peer).title}'s is not` : '',
      });
    }
  }
  return rows;
}

function shareTargets(results) {
  const shares = [
    ['get', 0.55, 'GetItem'],
    ['put', 0.25, 'durable PutItem'],
  ].map(([operation, least, name]) => {
    const found = ratio(results, { operation, connections: 64, peer: 'null_server' });
    return {
      name: `${name}, 64 connections, as a share of the null server`,
      asked: `at least ${percent(least)}`,
      ...(found && {
        measured: percent(found.median),
        spread: spreadOf(found, percent),
        reached: found.median >= least,
      }),
    };
  });
  const found = ratio(results, {
    operation: 'get',
    connections: 1,
    peer: 'null_server',
    of: (run) => run.latency_us.p50,
  });
  const latency = {
    name: 'GetItem, 1 connection, p50 against the null server',
    asked: 'at most 1.3x',
    ...(found && { measured: times(found.median), spread: spreadOf(found, times), reached: found.median <= 1.3 }),
  };
  return [...shares, latency];
}

function latencyTargets(results) {
  return ['get', 'put'].map((operation) => {
    const run = results.parts.half_load?.runs.find((one) => one.peer === 'waybill' && one.operation === operation);
    return {
      name: `${titles[operation]}, p99 at half load, 64 connections`,
      asked: 'under 1 ms',
      ...(run && { measured: `${figure(run.latency_us.p99 / 1000)} ms`, reached: run.latency_us.p99 < 1000 }),
    };
  });
}

function startTargets(results) {
  const { empty, restart } = results.parts;
  const row = (name, most, values_ms) => ({
    name,
    asked: `at most ${most} ms`,
    ...(values_ms && {
      measured: `${figure(median(values_ms))} ms`,
      spread: spreadOf({ low: Math.min(...values_ms), high: Math.max(...values_ms) }, figure),
      reached: median(values_ms) <= most,
    }),
  });
  const million = restart?.peers.waybill?.items === 1_000_000 ? restart.peers.waybill : undefined;
  const idle = empty?.peers.waybill?.memory;
  return [
    row('start to first answer, empty', 50, empty?.peers.waybill?.start_ms),
    row('start to first answer, 1 million items', 300, million?.clean_ms),
    {
      name: 'idle memory (RSS)',
      asked: 'at most 40 MB',
      ...(idle && { measured: megabytes(idle.rss_bytes), reached: idle.rss_bytes <= 40e6 }),
    },
  ];
}

function changesTargets(results) {
  const { changes } = results.parts;
  if (!changes) return [];
  const operations = [...new Set(changes.runs.map(({ operation }) => operation))];
  return [
    ...operations.map((operation) => {
      const found = keptShares(changes, operation);
      return {
        name: `${titles[operation]}, 64 connections, with a stream and recovery, of what it is without`,
        asked: 'at least 70 %',
        ...(found && { measured: percent(found.median), spread: spreadOf(found, percent), reached: found.median >= 0.7 }),
      };
    }),
    ...changes.restores.map(({ items, undone, seconds }) => ({
      name: `restoring ${count(items)} items${undone ? `, ${count(undone)} changes undone` : ''}`,
      asked: 'at least 150,000 items/s',
      measured: `${figure(items / seconds)}/s`,
      reached: items / seconds >= 150_000,
    })),
  ];
}

function growthTargets(results) {
  return ['get', 'put', 'update', 'query'].map((operation) => {
    const cpu = growthRatio(results, operation, { of: cpuCost });
    const time = growthRatio(results, operation, { of: timeCost });
    return {
      name: `${titles[operation]}, server CPU with 10 million items against 10,000`,
      asked: 'at most 1.5x',
      ...(cpu && { measured: times(cpu), reached: cpu <= 1.5, note: `time per operation ${times(time)}` }),
    };
  });
}
