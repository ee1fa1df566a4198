// fauxqs from npm, with its messages on disk (SQLite), on the Node.js of this benchmark.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bench_folder } from '../processes.mjs';
import { Peer, askForQueues } from './peer.mjs';

const package_folder = join(bench_folder, 'node_modules/fauxqs');

export class Fauxqs extends Peer {
  static id = 'fauxqs';
  static title = 'fauxqs';
  static durability = 'with a data folder: a SQLite transaction, synced, for each request';
  // It takes some four thousand a second.
  static messages_max = 10_000;

  static async check() {
    if (!existsSync(package_folder)) throw new Error(`there is no ${package_folder}; run \`scripts/setup bench\``);
  }

  static async version() {
    const { version } = JSON.parse(readFileSync(join(package_folder, 'package.json'), 'utf8'));
    return `${version} on Node.js ${process.versions.node}`;
  }

  commandLine() {
    const program = join(bench_folder, 'peers/fauxqs_server.mjs');
    return { command: process.execPath, args: [program, `${this.port}`, this.folder] };
  }

  answers() {
    return askForQueues(this.port);
  }
}
