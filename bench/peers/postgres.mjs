// PostgreSQL 15 from Debian, a cluster of its own. As root it runs as user postgres, otherwise as oneself.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../processes.mjs';
import { Peer, ask } from './peer.mjs';

const programs = '/usr/lib/postgresql/15/bin';

// Everything else is PostgreSQL's default, autovacuum included. A quarter of the memory is what its manual
// advises for shared_buffers on a machine that it has to itself; here it shares one.
const settings = {
  listen_addresses: "'127.0.0.1'",
  unix_socket_directories: "''",
  shared_buffers: '2GB',
  max_wal_size: '4GB',
  max_connections: '300',
  fsync: 'on',
  synchronous_commit: 'on',
};

// Who runs it: root may not.
function owner() {
  if (process.getuid() !== 0) return {};
  const id = (option) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export class Postgres extends Peer {
  static id = 'postgres';
  static title = 'PostgreSQL';
  static durability =
    '`fsync=on`, `synchronous_commit=on`: answers after the log is synced; commits that wait together share a sync';
  static loading = '`COPY`';
  static settings = settings;

  static async check() {
    if (!existsSync(join(programs, 'postgres'))) throw new Error('PostgreSQL 15 is missing; run `scripts/setup bench`');
  }

  static async version() {
    return (await run(join(programs, 'postgres'), ['--version'])).trim().replace(/^postgres \(PostgreSQL\) /, '');
  }

  // Whether the server's user may work below `folder`.
  static async canUse(folder) {
    const said = await run('/bin/sh', ['-c', 'test -x "$0" && echo yes', folder], {
      user: owner(),
      failures_allowed: [1],
    });
    return said.trim() === 'yes';
  }

  get data() {
    return join(this.folder, 'data');
  }

  async prepare() {
    const user = owner();
    mkdirSync(this.data, { recursive: true });
    if (user.uid !== undefined) for (const path of [this.folder, this.data]) chownSync(path, user.uid, user.gid);
    const initdb = ['-D', this.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
    await run(join(programs, 'initdb'), initdb, { user, cwd: this.folder });
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    appendFileSync(join(this.data, 'postgresql.conf'), lines.join(''));
    await this.start();
    const createdb = ['-h', '127.0.0.1', '-p', `${this.port}`, '-U', 'postgres', 'bench'];
    await run(join(programs, 'createdb'), createdb);
    await this.stop();
  }

  commandLine() {
    const args = ['-D', this.data, '-p', `${this.port}`];
    return { command: join(programs, 'postgres'), args, user: owner(), cwd: this.folder };
  }

  // A fast shutdown: open connections do not hold it back.
  async stop(signal = 'SIGTERM') {
    await super.stop(signal === 'SIGTERM' ? 'SIGINT' : signal);
  }

  // A process for each.
  hasTaken(connections) {
    return this.pids().length > connections;
  }

  get target() {
    return `postgres://127.0.0.1:${this.port}/bench?user=postgres`;
  }

  // One connection to the database that always exists: whether the server says that it is ready for a query.
  answers() {
    const parameters = Buffer.from('user\0postgres\0database\0postgres\0\0', 'latin1');
    const startup = Buffer.alloc(8);
    startup.writeInt32BE(8 + parameters.length, 0);
    startup.writeInt32BE(3 << 16, 4);
    return ask(this.port, Buffer.concat([startup, parameters]), (answer) => answer.includes('Z\0\0\0\x05I'));
  }

  isLog(path) {
    return path.startsWith('data/pg_wal/');
  }
}
