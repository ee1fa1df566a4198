// Restate's server from npm, with its defaults but for the number of handlers that it calls at once.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bench_folder, freePort, run } from '../processes.mjs';
import { Peer, ask } from './peer.mjs';

const binary = join(bench_folder, 'node_modules/@restatedev/restate-server-linux-x64/bin/restate-server');
const sdk_folder = join(bench_folder, 'node_modules/@restatedev/restate-sdk');
// The limit is one of each partition, of which there are 24 by default: 72 handlers, the least that is not under 64.
const handlers_per_partition = 3;

const isHealthy = (answer) => answer.startsWith('HTTP/1.1 200');
const health = (path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;

export class Restate extends Peer {
  static id = 'restate';
  static title = 'Restate';
  static durability = 'default: answers after its log is synced; what waits together shares a sync';
  static library = 'restate';

  static async check() {
    if (!existsSync(binary) || !existsSync(sdk_folder))
      throw new Error('Restate is missing; run `scripts/setup bench`');
  }

  static async version() {
    const sdk = JSON.parse(readFileSync(join(sdk_folder, 'package.json'), 'utf8')).version;
    const server = /\d+\.\d+\.\d+/.exec(await run(binary, ['--version']))[0];
    return `${server}, SDK ${sdk} on Node.js ${process.versions.node}`;
  }

  async start(options) {
    this.admin_port = await freePort();
    this.node_port = await freePort();
    return super.start(options);
  }

  commandLine() {
    const file = join(this.folder, 'restate.toml');
    const settings = [
      `base-dir = "${join(this.folder, 'data')}"`,
      `bind-address = "127.0.0.1:${this.node_port}"`,
      'listen-mode = "tcp"',
      'disable-telemetry = true',
      'log-filter = "error"',
      '[ingress]',
      `bind-address = "127.0.0.1:${this.port}"`,
      '[admin]',
      `bind-address = "127.0.0.1:${this.admin_port}"`,
      '[worker.invoker]',
      `concurrent-invocations-limit = ${handlers_per_partition}`,
    ];
    writeFileSync(file, `${settings.join('\n')}\n`);
    return { command: binary, args: ['--no-logo', '--config-file', file] };
  }

  get target() {
    return `http://127.0.0.1:${this.port}/?admin=${this.admin_port}`;
  }

  async answers() {
    return (
      (await ask(this.admin_port, health('/health'), isHealthy)) &&
      (await ask(this.port, health('/restate/health'), isHealthy))
    );
  }

  isLog(path) {
    return /^data\/.*log-store\//.test(path);
  }
}
