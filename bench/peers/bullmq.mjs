// BullMQ from npm on a Redis 7 from Debian that syncs what it is told before it answers.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bench_folder, run } from '../processes.mjs';
import { Peer, ask } from './peer.mjs';

const package_folder = join(bench_folder, 'node_modules/bullmq');
const server = '/usr/bin/redis-server';

export class Bullmq extends Peer {
  static id = 'bullmq';
  static title = 'BullMQ on Redis';
  static durability = '`--appendonly yes --appendfsync always`: what one turn of its loop was told shares a sync';
  static library = 'bullmq';

  static async check() {
    if (!existsSync(package_folder) || !existsSync(server))
      throw new Error('BullMQ or Redis is missing; run `scripts/setup bench`');
  }

  static async version() {
    const { version } = JSON.parse(readFileSync(join(package_folder, 'package.json'), 'utf8'));
    const redis = /v=(\S+)/.exec(await run(server, ['--version']))[1];
    return `${version} on Redis ${redis} and Node.js ${process.versions.node}`;
  }

  commandLine() {
    const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
    const args = ['--bind', '127.0.0.1', '--port', `${this.port}`, '--dir', this.folder, ...durable];
    return { command: server, args };
  }

  get target() {
    return `redis://127.0.0.1:${this.port}`;
  }

  answers() {
    return ask(this.port, 'PING\r\n', (answer) => answer.startsWith('+PONG'));
  }
}
