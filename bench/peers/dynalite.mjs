// dynalite from npm, with its data on disk (LevelDB), on the Node.js of this benchmark.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bench_folder } from '../processes.mjs';
import { Peer } from './peer.mjs';

const package_folder = join(bench_folder, 'node_modules/dynalite');

export class Dynalite extends Peer {
  static id = 'dynalite';
  static title = 'dynalite';
  static durability = 'default with `--path`: LevelDB without sync, no option for it';
  static items_max = 100_000;

  static can(operation) {
    return operation !== 'transact_write';
  }

  static async check() {
    if (!existsSync(package_folder)) throw new Error(`there is no ${package_folder}; run \`scripts/setup bench\``);
  }

  static async version() {
    const { version } = JSON.parse(readFileSync(join(package_folder, 'package.json'), 'utf8'));
    return `${version} on Node.js ${process.versions.node}`;
  }

  commandLine() {
    const cli = join(package_folder, 'cli.js');
    const args = [cli, '--host', '127.0.0.1', '--port', `${this.port}`, '--path', this.folder, '--createTableMs', '10'];
    return { command: process.execPath, args };
  }

  isLog(path) {
    return path.endsWith('.log');
  }
}
