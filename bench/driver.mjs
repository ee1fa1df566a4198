// Drives load at servers for the parts: says what it saw, remembers what went wrong.
import { runLoad } from './measure.mjs';
import { describeRun } from './progress.mjs';

export class Driver {
  #say;
  // What went wrong, a line each.
  faults = [];

  constructor(say) {
    this.#say = say;
  }

  // One run of `operation`, added to `runs` together with `facts`. A peer that ends or cannot answer is noted and
  // started again; where Waybill does, the benchmark ends.
  async drive(runs, peer, operation, flags, { label = '', facts = {}, settled = false } = {}) {
    let run;
    try {
      run = { peer: peer.id, ...facts, ...(await runLoad(peer, operation, flags, { settled })) };
    } catch (error) {
      await this.#carryOn(peer, `${operation} at ${flags.connections} connections`, error);
      return;
    }
    runs.push(run);
    this.#say(`${label}${describeRun(run)}`);
    if (run.complaint)
      this.note(
        `${run.peer} ${operation} at ${run.connections} connections: ${run.errors} errors, ${run.wrong} wrong answers, ${run.refused} refused: ${run.complaint}`,
      );
  }

  note(fault) {
    this.faults.push(fault);
    this.#say(`FAULT ${fault}`);
  }

  async #carryOn(peer, what, error) {
    if (peer.id === 'waybill') throw error;
    this.note(`${peer.id} ${what}: ${error.message}`);
    if (!peer.isRunning()) await peer.start();
  }
}
