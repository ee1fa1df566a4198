// How much a run measures: the full one, and --quick. Durations in seconds.
export const main_operations = ['get', 'put', 'update', 'query'];
// Reads first, then writes, and last what takes items away.
export const all_operations = [
  'get',
  'query',
  'batch_get',
  'scan',
  'put',
  'update',
  'transact_write',
  'batch_write',
  'delete',
];

export const write_operations = ['put', 'put_new', 'update', 'delete', 'transact_write', 'batch_write'];

export const titles = {
  get: 'GetItem',
  put: 'PutItem',
  put_new: 'PutItem, new items',
  update: 'UpdateItem, conditional',
  delete: 'DeleteItem',
  query: 'Query, 20 newest by GSI',
  transact_write: 'TransactWriteItems of 4',
  batch_write: 'BatchWriteItem of 25',
  batch_get: 'BatchGetItem of 25',
  scan: 'Scan, page of 100',
};

const full = {
  items: 1_000_000,
  parts: [
    'empty',
    'loaded',
    'durability',
    'ratios',
    'half_load',
    'operations',
    'restart',
    'changes',
    'queues',
    'queues_deep',
    'jobs',
    'lists',
    'enforcement',
    'workers',
    'growth',
  ],
  peers: ['waybill', 'dynoxide', 'dynalite', 'postgres', 'null_server'],
  queue_peers: ['waybill', 'fauxqs', 'bullmq', 'pg_boss'],
  job_peers: ['waybill', 'pg_boss', 'graphile_worker', 'bullmq', 'restate'],
  rounds: 3,
  ratio_seconds: 6,
  ratio_connections: [64, 1],
  operation_seconds: 4,
  half_load_seconds: 10,
  warmup_seconds: 1,
  // How long a run waits at most for all servers to be quiet.
  quiet_seconds_max: 20,
  starts: 5,
  sync_writes: 300,
  changes: { operations: ['put', 'update', 'transact_write'], write_seconds: 10 },
  queues: {
    waiting: 1_000_000,
    seconds: 5,
    step_seconds: 3, // of sends; what was sent is received and deleted, however long that takes
    warmup_seconds: 1,
    sync_seconds: 0.5, // of counting syncs
    try_seconds: 3, // of a library in one process and in two
    filled_rounds_of_peers: 3,
    turns: 4,
    // What is measured beside the round trips at 64 clients.
    cases: ['empty', 'filled'].flatMap((queue) => [
      { operation: 'round_trip', queue, clients: 1 },
      { operation: 'steps', queue, clients: 64 },
      { operation: 'steps', queue, clients: 1 },
    ]),
    bare_writes: 1000,
    wakes: 500,
    deep_waiting: 10_000_000, // of part queues_deep
  },
  jobs: {
    finished: 1_000_000,
    waiting: 100_000,
    seconds: 6,
    warmup_seconds: 2,
    sync_seconds: 1, // of counting syncs
    try_seconds: 4, // of a library in each of its styles, in one process and in two
  },
  lists: { seconds: 4, warmup_seconds: 1 },
  enforcement: { items: 200_000, rounds: 12, seconds: 5 },
  workers: { rounds: 5, every_nth: 1, empty_jobs: 400 }, // every n-th of the files
  growth: {
    sizes: [10_000, 1_000_000, 10_000_000],
    one_partition: 1_000_000,
    operations: all_operations.toSpliced(-1, 0, 'put_new'),
    read_seconds: 5,
    write_seconds: 8,
    main_write_seconds: 45,
    alone_seconds: 3, // at 1 connection
    cold_operations: ['get', 'query'],
    cold_seconds: 3,
  },
};

const quick = {
  ...full,
  items: 100_000,
  parts: ['empty', 'loaded', 'durability', 'ratios', 'changes', 'queues', 'jobs', 'lists', 'enforcement', 'workers'],
  peers: ['waybill', 'dynoxide', 'postgres', 'null_server'],
  ratio_seconds: 1.5,
  ratio_connections: [64],
  warmup_seconds: 0.3,
  quiet_seconds_max: 1,
  starts: 3,
  sync_writes: 100,
  changes: { operations: ['put', 'update'], write_seconds: 3 },
  queues: {
    ...full.queues,
    waiting: 100_000,
    seconds: 1.5,
    step_seconds: 0.7,
    warmup_seconds: 0.3,
    try_seconds: 1,
    filled_rounds_of_peers: 1,
    cases: [
      { operation: 'round_trip', queue: 'empty', clients: 1 },
      { operation: 'steps', queue: 'empty', clients: 64 },
    ],
    bare_writes: 300,
    wakes: 200,
  },
  jobs: { finished: 20_000, waiting: 2_000, seconds: 2, warmup_seconds: 0.5, sync_seconds: 0.5, try_seconds: 1 },
  lists: { seconds: 1, warmup_seconds: 0.3 },
  enforcement: { items: 50_000, rounds: 4, seconds: 1.5 },
  workers: { rounds: 3, every_nth: 3, empty_jobs: 100 },
};

// Parts for which the servers must have been loaded.
const needs_data = ['durability', 'ratios', 'half_load', 'operations', 'restart'];

// Parts that start servers of their own choice.
const own_parts = ['queues', 'queues_deep', 'jobs', 'lists', 'enforcement', 'workers'];

// The servers that the parts of a plan start.
export const startedPeers = ({ parts, peers, queue_peers, job_peers }) => [
  ...new Set([
    ...(parts.some((part) => !own_parts.includes(part)) ? peers : []),
    ...(parts.includes('queues') ? queue_peers : []),
    ...(parts.includes('jobs') ? job_peers : []),
    ...(['queues_deep', 'lists', 'enforcement', 'workers'].some((part) => parts.includes(part)) ? ['waybill'] : []),
  ]),
];

// `only` holds names of parts and of peers; none of a kind means all of that kind. `growth` adds or leaves out that
// part; undefined: as planned.
export function makePlan({ isQuick = false, only = [], growth, overrides = {} }) {
  const plan = { ...(isQuick ? quick : full), ...overrides };
  const named = (all, planned) =>
    only.some((name) => all.includes(name)) ? all.filter((name) => only.includes(name)) : planned;
  const known = [...full.parts, ...full.peers, ...full.queue_peers, ...full.job_peers];
  const unknown = only.filter((name) => !known.includes(name));
  if (unknown.length) throw new Error(`--only: no part or peer is called ${unknown.join(', ')}`);
  plan.peers = named(full.peers, plan.peers);
  plan.queue_peers = named(full.queue_peers, plan.queue_peers);
  plan.job_peers = named(full.job_peers, plan.job_peers);
  const parts = new Set(named(full.parts, plan.parts));
  if (growth === true) parts.add('growth');
  if (growth === false) parts.delete('growth');
  if (parts.has('half_load')) parts.add('ratios');
  if (needs_data.some((part) => parts.has(part))) parts.add('loaded');
  plan.parts = full.parts.filter((part) => parts.has(part));
  return plan;
}
