// The tables of jobs, lists and contracts in docs/PERFORMANCE.md.
import { count, figure, median, percent, times } from './numbers.mjs';
import { enforcementCost, jobRate, jobRatio } from './job_targets.mjs';
import { reads } from './parts/lists.mjs';
import { peerOf } from './peers/index.mjs';

const titleOf = (id) => peerOf(id).title;
const described = ({ median: middle, low, high }, write) => `**${write(middle)}** (${write(low)} to ${write(high)})`;

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell ?? '–').join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function jobsSection({ parts: { jobs } }) {
  if (!jobs) return '';
  const ids = Object.keys(jobs.peers);
  return [
    `Create, claim, three steps, finish, by ${jobs.workers} workers, with ${count(jobs.finished)} jobs finished ` +
      `before and ${count(jobs.waiting)} waiting; medians of ${jobs.rounds} rounds. CPU and latency in microseconds:`,
    rateTable(jobs, ids),
    'From create to claim by a worker that waits, with nothing else waiting, at half of what the server carries ' +
      'then; milliseconds:',
    latencyTable(jobs),
    'What was tried of each library, jobs per second; in brackets how much of the time the busiest process of the ' +
      'clients had work:',
    triesTable(jobs, ids),
  ].join('\n\n');
}

function rateTable(jobs, ids) {
  const rows = ids.map((id) => {
    const runs = jobs.runs.filter(({ peer }) => peer === id);
    const medianOf = (of) => (runs.length ? figure(median(runs.map(of))) : null);
    const ratio = id === 'waybill' ? null : jobRatio(jobs, id);
    const { style, processes, syncs } = jobs.peers[id];
    const rate = jobRate(jobs, id);
    return [
      titleOf(id),
      id === 'waybill' ? null : `${style}, ${processes}`,
      syncs === undefined ? null : figure(syncs),
      rate === null ? null : figure(rate),
      medianOf(({ latency_us }) => latency_us.p50),
      medianOf(({ latency_us }) => latency_us.p99),
      medianOf((run) => run.server_cpu_us_per_request),
      medianOf(({ clients }) => clients.reduce((sum, { cpu_share }) => sum + cpu_share, 0)),
      ratio ? described(ratio, times) : null,
    ];
  });
  const head = [
    '',
    'style, processes of the library',
    'syncs per job, one at a time',
    'jobs/s',
    'p50',
    'p99',
    'server CPU per job',
    'cores that clients use',
    'Waybill against it',
  ];
  return table(head, rows);
}

function latencyTable({ latencies }) {
  const rows = latencies.map(({ peer, rate, latency_us }) => [
    titleOf(peer),
    figure(rate),
    ...['p50', 'p95', 'p99', 'max'].map((quantile) => figure(latency_us[quantile] / 1000)),
  ]);
  return table(['', 'jobs/s', 'p50', 'p95', 'p99', 'max'], rows);
}

function triesTable(jobs, ids) {
  const rows = ids
    .filter((id) => id !== 'waybill')
    .flatMap((id) => {
      const { tries, tries_waiting = [] } = jobs.peers[id];
      return [...new Set(tries.map(({ style }) => style))].map((style) => [
        titleOf(id),
        style,
        ...[tries, tries_waiting].flatMap((tried) =>
          [1, 2].map((processes) => {
            const found = tried.find((one) => one.style === style && one.processes === processes);
            return found && `${figure(found.throughput_per_s)} (${percent(found.busiest)})`;
          }),
        ),
      ]);
    });
  const head = ['', 'style', 'none waiting, one process', 'two', `${count(jobs.waiting)} waiting, one process`, 'two'];
  return table(head, rows);
}

export function listsSection({ parts: { lists } }) {
  if (!lists) return '';
  const rows = lists.runs.map(({ read, throughput_per_s, latency_us }) => [
    reads[read].title,
    figure(throughput_per_s),
    figure(latency_us.p50),
    figure(latency_us.p95),
    figure(latency_us.p99),
  ]);
  return (
    `Through the jobs API with ${count(lists.records)} records of \`image-service\`, 1 connection; microseconds:\n\n` +
    table(['', 'per second', 'p50', 'p95', 'p99'], rows)
  );
}

export function enforcementSection({ parts: { enforcement } }) {
  if (!enforcement) return '';
  const of = (name, value) => figure(median(enforcement.runs.filter((run) => run.table === name).map(value)));
  const rows = [
    ['without a contract', 'plain'],
    ['with one', 'ruled'],
  ].map(([title, name]) => [
    title,
    of(name, (run) => run.throughput_per_s),
    of(name, (run) => run.latency_us.p50),
    of(name, (run) => run.latency_us.p99),
    of(name, (run) => run.server_cpu_us_per_request),
  ]);
  const cost = enforcementCost(enforcement);
  return [
    `UpdateItem with a condition on the status that it changes, 64 connections, in turns on two tables with the same ` +
      `${count(enforcement.items)} items; medians of ${enforcement.rounds} rounds, microseconds:`,
    table(['', 'per second', 'p50', 'p99', 'server CPU per request'], rows),
    cost ? `The contract takes ${described(cost, percent)} of the updates.` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}
