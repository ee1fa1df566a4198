// The figures that Waybill's queues are to reach.
import { count, figure, median, megabytes, percent, times } from './numbers.mjs';
import { peerOf } from './peers/index.mjs';

const wanted_ratios = { pg_boss: 3, bullmq: 3, fauxqs: 10 };
const send_most = 1.5;
const wake_most_us = 2000;
const filled_least = 0.9;
const deep_messages = 10_000_000;
const deep_most_bytes = 200e6;

const perSecond = (run) => run.throughput_per_s;

const spread = (values) =>
  values.length ? { median: median(values), low: Math.min(...values), high: Math.max(...values) } : null;

// The round trips at 64 clients of a server in one queue, a run for each round.
const roundsOf = (runs, peer, queue) =>
  runs.filter(
    (run) =>
      run.peer === peer &&
      run.queue === queue &&
      run.operation === 'round_trip' &&
      run.connections === 64 &&
      run.round !== undefined,
  );

// Round by round Waybill's round trips against a peer's: {median, low, high}; null where a side is missing.
export function queueRatio({ runs }, peer, queue = 'empty') {
  const theirs = roundsOf(runs, peer, queue);
  return spread(
    roundsOf(runs, 'waybill', queue).flatMap((ours) => {
      const other = theirs.find(({ round }) => round === ours.round);
      return other ? [perSecond(ours) / perSecond(other)] : [];
    }),
  );
}

// What a queue with many messages waiting carries, of what an empty one does. The machine's mood moves a single
// round by more than the difference: medians are compared, and the rounds are the spread.
export function filledShare({ runs }, peer = 'waybill') {
  const empty = roundsOf(runs, peer, 'empty');
  const filled = roundsOf(runs, peer, 'filled');
  if (!empty.length || !filled.length) return null;
  const shares = filled.map((run) => perSecond(run) / perSecond(empty.find(({ round }) => round === run.round)));
  return { ...spread(shares), median: median(filled.map(perSecond)) / median(empty.map(perSecond)) };
}

const row = (name, asked, found, write, isReached) => ({
  name,
  asked,
  ...(found && {
    measured: write(found.median),
    spread: `${write(found.low)} to ${write(found.high)}`,
    reached: isReached(found.median),
  }),
});

// As holdAgainstTargets().
export function queueTargets({ parts: { queues, queues_deep } }) {
  return [...(queues ? sharedTargets(queues) : []), ...(queues_deep ? deepTargets(queues_deep) : [])];
}

function sharedTargets(queues) {
  const ratios = Object.entries(wanted_ratios).map(([peer, least]) =>
    row(
      `a message sent, received and deleted, 64 clients, against ${peerOf(peer).title}`,
      `at least ${least}x`,
      queueRatio(queues, peer),
      times,
      (value) => value >= least,
    ),
  );
  const { sends = [], wake, peers } = queues;
  const wakeRow = (name, found) => ({
    name,
    asked: 'under 2 ms',
    ...(found && { measured: `${figure(found.p50 / 1000)} ms`, reached: found.p50 < wake_most_us }),
  });
  return [
    ...ratios,
    row(
      'a send, 1 client, p50 against a bare synced write',
      `at most ${send_most}x`,
      spread(sends.map(({ bare_us, send_us }) => send_us.p50 / bare_us)),
      times,
      (value) => value <= send_most,
    ),
    wakeRow('a waiting receiver has a message, p50 from the begin of the send', wake?.from_send_us),
    wakeRow('a waiting receiver has a message, p50 from the answer to the send', wake?.from_answer_us),
    row(
      `round trips with ${count(peers.waybill?.waiting ?? 0)} messages waiting, of an empty queue's`,
      `at least ${percent(filled_least)}`,
      filledShare(queues),
      percent,
      (value) => value >= filled_least,
    ),
  ];
}

function deepTargets(deep) {
  const most_bytes = Math.max(deep.memory.rss_bytes, deep.memory_after.rss_bytes);
  const is_whole = deep.waiting >= deep_messages;
  return [
    {
      name: `resident memory with ${count(deep.waiting)} messages waiting`,
      asked: `under ${megabytes(deep_most_bytes)}`,
      measured: megabytes(most_bytes),
      spread: `${megabytes(deep.memory.rss_bytes)} filled, ${megabytes(deep.memory_after.rss_bytes)} after the runs`,
      reached: is_whole && most_bytes < deep_most_bytes,
      note: is_whole ? `bodies of ${deep.body_bytes} bytes` : 'fewer messages than asked',
    },
    row(
      `round trips with ${count(deep.waiting)} messages waiting, of an empty queue's`,
      `at least ${percent(filled_least)}`,
      filledShare(deep),
      percent,
      (value) => value >= filled_least,
    ),
  ];
}
