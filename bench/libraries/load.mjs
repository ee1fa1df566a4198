// Load through a queue library: what its users run is Node.js with the library in it, so that is what is measured. The
// clients are spread over processes; results have the shape of waybill_load's.
import { ClientProcess, inAll } from '../clients.mjs';
import { bench_folder } from '../processes.mjs';

const client_program = `${bench_folder}libraries/client.mjs`;

// Opens `clients` clients in `processes` processes, does `work` with them, and ends them.
async function withClients(peer, queue, { clients = 1, processes = 1 }, work) {
  const each = Array.from({ length: Math.min(processes, clients) }, (_, n) => {
    const share = Math.floor(clients / processes) + (n < clients % processes ? 1 : 0);
    return new ClientProcess(client_program, [peer.constructor.library, peer.target, queue, share, n]);
  });
  try {
    await Promise.all(each.map(({ ready }) => ready));
    return await work(each);
  } finally {
    for (const client of each) client.end();
  }
}

// Latencies of all processes as one, and their rates together: they ran in the same seconds.
function asRun(name, results, { clients, processes }) {
  const latencies = Float64Array.from(results.flatMap(({ latencies_us }) => latencies_us)).sort();
  const quantile = (share) => latencies[Math.max(0, Math.ceil(share * latencies.length) - 1)] ?? 0;
  const seconds = Math.max(...results.map((result) => result.seconds));
  return {
    operation: name,
    connections: clients,
    processes,
    seconds,
    requests: latencies.length,
    throughput_per_s: latencies.length / seconds,
    latency_us: {
      mean: latencies.reduce((sum, one) => sum + one, 0) / latencies.length,
      p50: quantile(0.5),
      p90: quantile(0.9),
      p95: quantile(0.95),
      p99: quantile(0.99),
      max: quantile(1),
    },
  };
}

// Whether nothing was lost, changed or received twice, in the words of waybill_load's results.
function messagesOf(results) {
  const sum = (field) => results.reduce((total, { counts }) => total + counts[field], 0);
  const messages = {
    sent: sum('sent'),
    received: sum('received'),
    deleted: sum('settled'),
    received_twice: sum('received_twice'),
    empty_receives: sum('empty'),
  };
  const balanced = messages.sent === messages.received && messages.received === messages.deleted;
  const wrong = sum('changed') + messages.received_twice + (balanced ? 0 : 1);
  return {
    messages,
    errors: 0,
    refused: 0,
    checked: messages.received,
    wrong,
    ...(wrong && { complaint: `messages were lost, changed or received twice: ${JSON.stringify(messages)}` }),
  };
}

// `operation` is round_trip or steps; the runs that were measured, one or three.
export function runLibrary(peer, queue, operation, { clients, processes, seconds, warmup, round }) {
  return withClients(peer, queue, { clients, processes }, async (each) => {
    const names = operation === 'steps' ? ['send', 'receive', 'delete'] : [operation];
    const runs = [];
    let results;
    for (const name of names) {
      results = await inAll(each, { name, seconds, warmup, round });
      runs.push(asRun(name, results, { clients, processes: each.length }));
    }
    return runs.map((run) => ({ ...run, ...messagesOf(results) }));
  });
}

export function fillByLibrary(peer, queue, { count, first = 0, onProgress }) {
  return withClients(peer, queue, {}, async ([client]) => {
    client.onProgress = onProgress;
    await client.do({ name: 'fill', first, count });
  });
}

// {waiting, active}
export function countByLibrary(peer, queue) {
  return withClients(peer, queue, {}, async ([client]) => (await client.do({ name: 'counts' })).queue);
}
