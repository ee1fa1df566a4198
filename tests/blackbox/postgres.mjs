// A PostgreSQL server of one's own for tests, from Debian's package. As root it runs as user postgres, who is not
// root; otherwise as oneself. It is gone when the process is.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from './servers.mjs';

const versions = '/usr/lib/postgresql';
const newest = readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0];
const program = (name) => join(versions, newest, 'bin', name);

function owner() {
  if (process.getuid() !== 0) return {};
  const id = (option) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

// Nothing here is about the source's own durability.
const settings = {
  listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', shared_buffers: '64MB', max_connections: '40',
};

export async function startPostgres() {
  const user = owner();
  const folder = mkdtempSync(join(tmpdir(), 'waybill-postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] };
  execFileSync(program('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'], options);
  const port = await freePort();
  const arguments_ = ['-D', data, '-p', String(port), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const server = spawn(program('postgres'), arguments_, { ...user, cwd: folder, stdio: 'ignore' });
  process.on('exit', () => {
    server.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  });
  server.unref();
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const made = { url, sql: (text) => run(url, text), start: (text) => begin(url, text) };
  await until('PostgreSQL answers', () => made.sql('SELECT 1').then(() => true, () => false));
  return made;
}

// What psql prints for a script, without headings; an Error with its words where a statement fails.
function run(url, text) {
  return begin(url, text).done;
}

// The same while other things go on: `done` resolves when the script has ended.
function begin(url, text) {
  const child = spawn(program('psql'), [url, '-X', '-q', '-tA', '-v', 'ON_ERROR_STOP=1', '-f', '-'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (part) => (out += part));
  child.stderr.setEncoding('utf8').on('data', (part) => (errors += part));
  child.stdin.end(text);
  const done = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(out.trim()) : reject(new Error(errors))));
  });
  return { done, child };
}
