// Processes of `waybill work` that are killed at random moments and started again, and a server beside them.
import {runBinary, scratchDir} from '../blackbox/servers.mjs';

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Workers {
  constructor(url, args, count) {
    this.args = ['work', '--endpoint', url, '--temp', scratchDir(), '--lease', '2', '--slots', '2', ...args];
    this.runs = Array.from({length: count}, () => this.#start());
    this.kills = 0;
    this.output = '';
  }

  #start() {
    return runBinary(this.args);
  }

  async kill(at) {
    const run = this.runs[at];
    run.child.kill('SIGKILL');
    await run.exited;
    this.output += run.output;
    this.runs[at] = this.#start();
    this.kills += 1;
  }

  // Their exit codes. One that has just been started does not know of signals yet.
  async stop() {
    for (const run of this.runs) while (!run.output.includes('waybill works for')) await pause(10);
    for (const run of this.runs) run.child.kill('SIGTERM');
    return Promise.all(this.runs.map((run) => run.exited));
  }
}

// Kills workers often, and the server now and then, until it is told to stop; then all are up.
export class Killer {
  constructor(workers, server, random) {
    Object.assign(this, {workers, server, random, server_kills: 0, stopping: false});
  }

  begin() {
    this.done = Promise.all([this.#workers(), this.#server()]);
  }

  async stop() {
    this.stopping = true;
    await this.done;
  }

  async #wait(ms) {
    for (const end = Date.now() + ms; Date.now() < end && !this.stopping; ) await pause(10);
    return !this.stopping;
  }

  async #workers() {
    if (this.workers.runs.length === 0) return;
    while (await this.#wait(this.random.between(60, 900))) await this.workers.kill(this.random.int(this.workers.runs.length));
  }

  async #server() {
    while (await this.#wait(this.random.between(800, 3_000))) {
      await this.server.kill();
      this.server_kills += 1;
      await pause(this.random.between(0, 500));
      await this.server.start();
    }
  }
}
