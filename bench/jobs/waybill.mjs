// Jobs of Waybill itself, through its jobs API: the load generator is client and workers in one.
import { cpuSeconds } from '../measure.mjs';
import { runTool } from '../tool.mjs';

const table = 'orchestrator/job';
const first_waiting = 50_000_000;
// Filled in parts of so many, to say how far it is.
const fill_part = 100_000;
const working = ['running', 'failed'];
// So many workers share a connection where their requests go in batches.
const batch = 8;

// workers: each has its connection and sends one request after the other. batches: what the workers of one process
// want next goes together, as the libraries of the others do it.
export const styles = ['workers', 'batches'];
export const waits = 'workers';

let rounds = 0;

// What jobs/load.mjs's Workers do for a library.
export class WaybillWorkers {
  processes = 1;
  #peer;
  #workers;

  constructor(peer, { workers }) {
    this.#peer = peer;
    this.#workers = workers;
  }

  async #run(operation, flags) {
    const target = `jobs://127.0.0.1:${this.#peer.port}`;
    const [run] = await runTool(this.#peer, { target, table }, operation, { connections: this.#workers, ...flags });
    return run;
  }

  async #fill(operation, count, first, onProgress) {
    for (let done = 0; done < count; done += fill_part) {
      const part = Math.min(fill_part, count - done);
      const flags = { first: first + done, count: part, items: first + done + part };
      const run = await this.#run(operation, flags);
      if (run.complaint) throw new Error(`${operation}: ${run.complaint}`);
      onProgress?.(done + part);
    }
  }

  fillFinished(count, onProgress) {
    return this.#fill('load_finished', count, 0, onProgress);
  }

  fillWaiting(count, onProgress) {
    return this.#fill('load', count, first_waiting, onProgress);
  }

  // {waiting, active, finished}
  async counts() {
    const headers = { authorization: 'Bearer bench:bench' };
    const answer = await fetch(`http://127.0.0.1:${this.#peer.port}/v1/${table}:counts`, { headers });
    if (!answer.ok) throw new Error(`counts are answered with ${answer.status}: ${await answer.text()}`);
    const by_state = await answer.json();
    const sum = (names) => names.reduce((total, name) => total + (by_state[name] ?? 0), 0);
    return { waiting: sum(['pending', 'queued']), active: sum(working), finished: sum(['completed']) };
  }

  async lifecycle(style, { seconds, warmup }) {
    const before_s = cpuSeconds(this.#peer);
    const shared = style === 'batches' ? { batch, connections: this.#workers / batch } : {};
    const run = await this.#run('lifecycle', { seconds, warmup, round: (rounds += 1), ...shared });
    const server_cpu_us_per_request = ((cpuSeconds(this.#peer) - before_s) * 1e6) / run.messages.deleted;
    return { ...run, style, processes: 1, server_cpu_us_per_request, clients: [ofClient(run)] };
  }

  async latency(rate, { seconds, warmup }) {
    const run = await this.#run('claim_latency', { rate, seconds, warmup, round: (rounds += 1) });
    return { ...run, operation: 'claim', processes: 1, rate };
  }

  end() {}
}

const ofClient = ({ client_cpu_us_per_request, throughput_per_s }) => ({
  cpu_share: (client_cpu_us_per_request * throughput_per_s) / 1e6,
});
