// Waybill itself, with its defaults but for its own workers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository, run } from '../processes.mjs';
import { Peer } from './peer.mjs';

export class Waybill extends Peer {
  static id = 'waybill';
  static title = 'Waybill';
  static durability =
    'default (`--durability sync`): answers after the log is synced; writes that wait together share a sync';
  static binary = join(repository, 'build/release/waybill');

  static async check() {
    if (!existsSync(this.binary)) throw new Error(`there is no ${this.binary}; build it with \`make build\``);
  }

  static async version() {
    return (await run(this.binary, ['version'])).trim().replace(/^waybill /, '');
  }

  // Files of contracts that it holds its tables to, from its next start on.
  contracts = [];
  // Its built-in workers. None: jobs are for those that are measured.
  workers = 'none';

  commandLine() {
    const contracts = this.contracts.flatMap((file) => ['--contracts', file]);
    const place = ['--listen', `127.0.0.1:${this.port}`, '--data', this.folder];
    return { command: Waybill.binary, args: ['serve', ...place, '--workers', this.workers, ...contracts] };
  }

  isLog(path) {
    return /^engine\/\d+\.log$/.test(path);
  }
}
