// graphile-worker from npm on the PostgreSQL of this benchmark.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bench_folder } from '../processes.mjs';
import { Postgres } from './postgres.mjs';

const package_folder = join(bench_folder, 'node_modules/graphile-worker');

export class GraphileWorker extends Postgres {
  static id = 'graphile_worker';
  static title = 'graphile-worker on PostgreSQL';
  static library = 'graphile_worker';

  static async check() {
    await super.check();
    if (!existsSync(package_folder)) throw new Error(`there is no ${package_folder}; run \`scripts/setup bench\``);
  }

  static async version() {
    const { version } = JSON.parse(readFileSync(join(package_folder, 'package.json'), 'utf8'));
    return `${version} on PostgreSQL ${await super.version()} and Node.js ${process.versions.node}`;
  }

  get target() {
    return `postgres://postgres@127.0.0.1:${this.port}/bench`;
  }
}
