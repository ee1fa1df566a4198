// Load on the jobs of a library: create, claim, record three steps, finish. What its users run is Node.js with the
// library in it, so that is what is measured; workers and clients are spread over processes.
import { ClientProcess, inAll } from '../clients.mjs';
import { cpuSeconds } from '../measure.mjs';
import { bench_folder, until } from '../processes.mjs';

const client_program = `${bench_folder}jobs/client.mjs`;

// How a library's jobs can be worked on (`styles`), how its workers wait (`waits`), and whether it may call a worker
// again for a job that it has (`calls_again`).
export const stylesOf = (peer) => import(`./${peer.constructor.library}.mjs`);

export function latencyOf(latencies_us) {
  const sorted = Float64Array.from(latencies_us).sort();
  const quantile = (share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return {
    mean: sorted.reduce((sum, one) => sum + one, 0) / sorted.length,
    p50: quantile(0.5),
    p90: quantile(0.9),
    p95: quantile(0.95),
    p99: quantile(0.99),
    max: quantile(1),
  };
}

const sumOf = (results) => {
  const sum = {};
  for (const { counts } of results)
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
};

// Whether no job was claimed twice or left behind. Workers that run by themselves are stopped in the midst of things.
function checked(jobs, { style, workers, calls_again }) {
  const left = jobs.claimed - jobs.finished;
  const is_whole =
    style === 'by_hand' ? left === 0 && jobs.created === jobs.claimed : Math.abs(left) <= 4 * workers;
  const wrong = (calls_again ? 0 : jobs.claimed_twice) + (is_whole ? 0 : 1);
  return {
    jobs,
    errors: 0,
    refused: 0,
    checked: jobs.claimed,
    wrong,
    ...(wrong && { complaint: `jobs were lost or claimed twice: ${JSON.stringify(jobs)}` }),
  };
}

let rounds = 0;

// The workers of one server, in some processes that stay until end().
export class Workers {
  #peer;
  #each;
  #workers;

  // `workers` in all, in so many processes.
  static async open(peer, { workers, processes }) {
    const made = new Workers();
    made.#peer = peer;
    made.#workers = workers;
    const share = (n) => Math.floor(workers / processes) + (n < workers % processes ? 1 : 0);
    made.#each = Array.from({ length: processes }, (_, n) => made.#process(share(n), n, processes));
    await Promise.all(made.#each.map(({ ready }) => ready));
    return made;
  }

  #process(workers, number, processes) {
    const { library } = this.#peer.constructor;
    return new ClientProcess(client_program, [library, this.#peer.target, workers, number, processes]);
  }

  get processes() {
    return this.#each.length;
  }

  async #fill(name, count, first, onProgress) {
    const { length } = this.#each;
    const done = new Array(length).fill(0);
    await Promise.all(
      this.#each.map((client, n) => {
        client.onProgress = (progress) => {
          done[n] = progress;
          onProgress?.(done.reduce((sum, one) => sum + one, 0));
        };
        const from = Math.floor((count * n) / length);
        return client.do({ name, first: first + from, count: Math.floor((count * (n + 1)) / length) - from });
      }),
    );
  }

  fillFinished(count, onProgress) {
    return this.#fill('fill_finished', count, 0, onProgress);
  }

  fillWaiting(count, onProgress) {
    return this.#fill('fill_waiting', count, 50_000_000, onProgress);
  }

  // {waiting, active, finished}
  async counts() {
    return (await this.#each[0].do({ name: 'counts' })).jobs;
  }

  // Whole lifecycles by all workers, one after the other on each. `drain`: nothing waited before, so nothing may wait
  // after it.
  async lifecycle(style, { seconds, warmup, drain = false }) {
    const before_s = cpuSeconds(this.#peer);
    const { calls_again } = await stylesOf(this.#peer);
    const task = { name: 'lifecycle', style, seconds, warmup, drain, round: (rounds += 1) };
    let results = await inAll(this.#each, task);
    const server_cpu_s = cpuSeconds(this.#peer) - before_s;
    const done = sumOf(results);
    if (drain && style !== 'by_hand') {
      await this.#until('finished', done.created);
      const stopped = await inAll(this.#each, { name: 'stop_workers' });
      results = results.map((result, n) => ({ ...result, counts: stopped[n].counts }));
    }
    const latencies = results.flatMap(({ latencies_us }) => latencies_us);
    const jobs = sumOf(results);
    return {
      operation: 'lifecycle',
      connections: this.#workers,
      processes: results.length,
      style,
      seconds,
      requests: latencies.length,
      throughput_per_s: latencies.length / seconds,
      latency_us: latencyOf(latencies),
      server_cpu_us_per_request: (server_cpu_s * 1e6) / done.finished,
      clients: results.map(({ self }) => self),
      ...checked(jobs, { style, workers: this.#workers, calls_again }),
    };
  }

  // How long jobs that are created at a rate take to workers that wait. The creator is a process of its own.
  async latency(rate, { seconds, warmup }) {
    const { waits: style, calls_again } = await stylesOf(this.#peer);
    const creator = this.#process(0, 9, this.#each.length);
    try {
      await creator.ready;
      await inAll(this.#each, { name: 'start_workers', style, warmup });
      const created = await creator.do({ name: 'create_at', rate, seconds, warmup, round: (rounds += 1) });
      await this.#until('finished', created.counts.created);
      const results = await inAll(this.#each, { name: 'stop_workers' });
      const latencies = results.flatMap(({ latencies_us }) => latencies_us);
      const twice = calls_again ? 0 : sumOf(results).claimed_twice;
      return {
        operation: 'claim',
        connections: this.#workers,
        processes: results.length,
        style,
        rate,
        seconds,
        requests: latencies.length,
        throughput_per_s: latencies.length / seconds,
        latency_us: latencyOf(latencies),
        clients: [created.self],
        errors: 0,
        wrong: twice,
        ...(twice && { complaint: `${twice} jobs were claimed twice` }),
      };
    } finally {
      creator.end();
    }
  }

  async #until(what, count) {
    const enough = async () => sumOf(await inAll(this.#each, { name: 'so_far' }))[what] >= count;
    await until(`${count} jobs are ${what}`, enough, { timeout_ms: 120_000, every_ms: 100 });
  }

  end() {
    for (const client of this.#each) client.end();
  }
}
