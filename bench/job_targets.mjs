// The figures that Waybill's jobs and contracts are to reach.
import { count, figure, median, percent, times } from './numbers.mjs';
import { reads } from './parts/lists.mjs';
import { peerOf } from './peers/index.mjs';

const ratio_least = 3;
const claim_most_us = { p50: 5_000, p99: 20_000 };
const enforcement_most = 0.15;
const read_most_us = 1_000;

const spread = (values) =>
  values.length ? { median: median(values), low: Math.min(...values), high: Math.max(...values) } : null;

// Round by round Waybill's whole lifecycles against a peer's: {median, low, high}; null where a side is missing.
export function jobRatio({ runs }, peer) {
  const ratios = runs
    .filter((run) => run.peer === 'waybill')
    .flatMap((ours) => {
      const theirs = runs.find((run) => run.peer === peer && run.round === ours.round && run.requests > 0);
      return theirs ? [ours.throughput_per_s / theirs.throughput_per_s] : [];
    });
  return spread(ratios);
}

export const jobRate = ({ runs }, peer) => {
  const rates = runs.filter((run) => run.peer === peer).map((run) => run.throughput_per_s);
  return rates.length ? median(rates) : null;
};

// The peer that carries most; undefined where there is none.
export const bestPeer = (jobs) =>
  Object.keys(jobs.peers)
    .filter((id) => id !== 'waybill' && jobRate(jobs, id) !== null)
    .sort((a, b) => jobRate(jobs, b) - jobRate(jobs, a))[0];

// What the contract takes of the updates, round by round: 0.1 where a tenth less is carried.
export function enforcementCost({ runs }) {
  const costs = runs
    .filter(({ table }) => table === 'ruled')
    .flatMap((ruled) => {
      const plain = runs.find(({ table, round }) => table === 'plain' && round === ruled.round);
      return plain ? [1 - ruled.throughput_per_s / plain.throughput_per_s] : [];
    });
  return spread(costs);
}

const row = (name, asked, found, write, isReached, note) => ({
  name,
  asked,
  ...(found && {
    measured: write(found.median),
    ...(found.low !== undefined && { spread: `${write(found.low)} to ${write(found.high)}` }),
    reached: isReached(found.median),
    note,
  }),
});

// As holdAgainstTargets().
export function jobTargets({ parts: { jobs, lists, enforcement } }) {
  return [
    ...(jobs ? lifecycleTargets(jobs) : []),
    ...(enforcement ? enforcementTargets(enforcement) : []),
    ...(lists ? readTargets(lists) : []),
  ];
}

function lifecycleTargets(jobs) {
  const best = bestPeer(jobs);
  const named = best ? ` (${peerOf(best).title})` : '';
  const claim = jobs.latencies.find(({ peer }) => peer === 'waybill');
  const claims = Object.entries(claim_most_us).map(([quantile, most_us]) =>
    row(
      `create to claim by a waiting worker at half load, ${quantile}`,
      `under ${most_us / 1000} ms`,
      claim && { median: claim.latency_us[quantile] },
      (value_us) => `${figure(value_us / 1000)} ms`,
      (value_us) => value_us < most_us,
      claim && `at ${figure(claim.rate)} jobs/s`,
    ),
  );
  return [
    row(
      `jobs through their whole lifecycle, ${jobs.workers} workers, against the best peer${named}`,
      `at least ${ratio_least}x`,
      best && jobRatio(jobs, best),
      times,
      (value) => value >= ratio_least,
      `${count(jobs.finished)} finished, ${count(jobs.waiting)} waiting`,
    ),
    ...claims,
  ];
}

const enforcementTargets = (enforcement) => [
  row(
    'what a contract takes of conditional updates, 64 connections',
    `at most ${percent(enforcement_most)}`,
    enforcementCost(enforcement),
    percent,
    (value) => value <= enforcement_most,
  ),
];

const readTargets = ({ runs, records }) =>
  runs.map(({ read, latency_us }) =>
    row(
      `${reads[read].title}, ${count(records)} records, p50`,
      `under ${read_most_us / 1000} ms`,
      { median: latency_us.p50 },
      (value_us) => `${figure(value_us / 1000)} ms`,
      (value_us) => value_us < read_most_us,
    ),
  );
