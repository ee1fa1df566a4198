// The tables of queues in docs/PERFORMANCE.md.
import { count, figure, gigabytes, median, megabytes, percent, times } from './numbers.mjs';
import { peerOf } from './peers/index.mjs';
import { filledShare, queueRatio } from './queue_targets.mjs';

const titles = { round_trip: 'send, receive, delete', send: 'send', receive: 'receive', delete: 'delete' };
const titleOf = (id) => peerOf(id).title;
const described = ({ median: middle, low, high }, write) => `**${write(middle)}** (${write(low)} to ${write(high)})`;

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

// Median of the runs that fit, or a dash.
const medianOf = (runs, of) => (runs.length ? figure(median(runs.map(of))) : '–');

export function queuesSection({ parts: { queues } }) {
  if (!queues) return '';
  const ids = Object.keys(queues.peers);
  return [
    `Bodies of 1,024 bytes. Round trips per second at 64 clients, medians of ${queues.rounds} rounds or more:`,
    roundTable(queues, ids),
    'Everything that was measured; latency in microseconds:',
    caseTable(queues, ids),
    aloneText(queues),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function roundTable(queues, ids) {
  const rows = ids.map((id) => {
    const rate = (queue) =>
      medianOf(
        queues.runs.filter((run) => run.peer === id && run.queue === queue && run.round !== undefined),
        (run) => run.throughput_per_s,
      );
    const ratio = id === 'waybill' ? null : queueRatio(queues, id);
    const share = filledShare(queues, id);
    const { waiting, processes, syncs } = queues.peers[id];
    return [
      titleOf(id),
      count(waiting),
      peerOf(id).library ? processes : '–',
      syncs === undefined ? '–' : figure(syncs),
      rate('empty'),
      rate('filled'),
      share ? described(share, percent) : '–',
      ratio ? described(ratio, times) : '–',
    ];
  });
  const head = [
    '',
    'waiting in the filled queue',
    'processes of the library',
    'syncs per round trip, 1 client',
    'empty queue',
    'filled queue',
    'filled, of empty',
    'Waybill against it, empty queue',
  ];
  return table(head, rows);
}

function caseTable(queues, ids) {
  const rows = [];
  for (const operation of Object.keys(titles))
    for (const clients of [64, 1])
      for (const queue of ['empty', 'filled'])
        for (const id of ids) {
          const runs = queues.runs.filter(
            (run) =>
              run.peer === id &&
              run.operation === operation &&
              run.connections === clients &&
              run.queue === queue,
          );
          if (!runs.length) continue;
          rows.push([
            titles[operation],
            clients,
            queue,
            titleOf(id),
            medianOf(runs, (run) => run.throughput_per_s),
            medianOf(runs, (run) => run.latency_us.p50),
            medianOf(runs, (run) => run.latency_us.p99),
          ]);
        }
  return table(['', 'clients', 'queue', '', 'per second', 'p50', 'p99'], rows);
}

function aloneText({ sends = [], wake }) {
  if (!wake) return '';
  const bare = medianOf(sends, ({ bare_us }) => bare_us);
  const send = medianOf(sends, ({ send_us }) => send_us.p50);
  return (
    `Waybill, one client: a send takes ${send} µs (p50), a bare write of its size with its sync ${bare} µs. A receiver ` +
    `that waits in a long poll has the message ${figure(wake.from_send_us.p50)} µs after the begin of the send (p99 ` +
    `${figure(wake.from_send_us.p99)} µs), ${figure(wake.from_answer_us.p50)} µs after the answer to it.`
  );
}

export function deepQueueSection({ parts: { queues_deep: deep } }) {
  if (!deep) return '';
  const figuresOf = (queue, operation) => {
    const runs = deep.runs.filter((run) => run.queue === queue && run.operation === operation);
    return [
      medianOf(runs, (run) => run.throughput_per_s),
      medianOf(runs, (run) => run.latency_us.p50),
      medianOf(runs, (run) => run.latency_us.p99),
    ];
  };
  const rows = Object.entries(titles).map(([operation, title]) => [
    title,
    ...figuresOf('empty', operation),
    ...figuresOf('filled', operation),
  ]);
  return [
    `${count(deep.waiting)} messages of ${deep.body_bytes} bytes: loaded by SendMessageBatch of 10 at ` +
      `${figure(deep.waiting / deep.fill_s)}/s; ${megabytes(deep.memory.rss_bytes)} resident once at rest, ` +
      `${megabytes(deep.most_bytes)} at most while they were loaded, ${megabytes(deep.memory_after.rss_bytes)} after the ` +
      `runs below; ${gigabytes(deep.disk.total_bytes)} on disk; started again in ${figure(deep.start_ms)} ms.`,
    'At 64 clients, in turns on two queues of the same server, messages of 1,024 bytes; medians of the rounds, latency in microseconds:',
    table(['', 'empty, per second', 'p50', 'p99', `${count(deep.waiting)} waiting, per second`, 'p50', 'p99'], rows),
  ].join('\n\n');
}
