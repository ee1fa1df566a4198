// Waybill's own HTTP layer with nothing behind it: what a request costs before anything is looked up.
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { repository } from '../processes.mjs';
import { Peer } from './peer.mjs';

export class NullServer extends Peer {
  static id = 'null_server';
  static title = 'null server';
  static durability = 'keeps nothing';
  static stores = false;

  static can(operation) {
    return operation === 'get' || operation === 'put';
  }

  static binary = join(repository, 'build/release/bench/null_server/waybill_null_server');

  static async check() {
    if (!existsSync(this.binary)) throw new Error(`there is no ${this.binary}; build target waybill_null_server`);
  }

  static async version() {
    return 'of the same build as Waybill';
  }

  commandLine() {
    return {
      command: NullServer.binary,
      args: ['--listen', `127.0.0.1:${this.port}`, '--threads', `${cpus().length}`],
    };
  }
}
