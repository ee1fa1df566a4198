// Starts and stops servers for the tests. Nothing here knows how the server is built; it sees a binary.
//
//   WAYBILL_BIN   the binary (default: build/release/waybill of this repository)
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export { sleep };

export const binary = process.env.WAYBILL_BIN ?? fileURLToPath(new URL('../../build/release/waybill', import.meta.url));

// Waits for `probe` to give something true and returns it. For what the server does in its own time;
// what it must do at once is asserted, not waited for.
export async function until(what, probe, { timeout_ms = 15_000, every_ms = 20 } = {}) {
  const deadline = Date.now() + timeout_ms;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > deadline) assert.fail(`not within ${timeout_ms} ms: ${what}`);
    await sleep(every_ms);
  }
}

export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const leftovers = new Set();
process.on('exit', () => {
  for (const clean of leftovers) clean();
});

// A directory that is gone when the process is.
export function scratchDir() {
  const dir = mkdtempSync(join(tmpdir(), 'waybill-test-'));
  leftovers.add(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

// Runs the binary and collects what it says; `exited` resolves to its exit code (or signal name). `within_ms`
// is for a run that should end by itself: it is killed when it does not.
export function runBinary(args, { command = binary, within_ms, env = {} } = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const run = { child, output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => (run.output = (run.output + text).slice(-20_000)));
    stream.unref();
  }
  run.exited = new Promise((resolve) => {
    child.once('error', (error) => {
      run.output += String(error);
      resolve('not started');
    });
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
  const kill = () => child.kill('SIGKILL');
  leftovers.add(kill);
  const timer = within_ms && setTimeout(kill, within_ms);
  run.exited.then(() => (leftovers.delete(kill), clearTimeout(timer)));
  return run;
}

// For the environment of a server: its wall clock is `seconds` ahead (clock_ahead.cc). Timers run as ever.
export const ahead = (seconds) => ({
  LD_PRELOAD: join(dirname(binary), 'tests/blackbox/libclock_ahead.so'),
  WAYBILL_TEST_AHEAD_S: String(seconds),
});

// Starts a server of one's own and resolves when it is ready. `data` keeps its files across a restart, `port` its address. One that
// nobody stops does not hold the process back, and ends with it. Built-in workers run where `workers` names them: most
// tests want the jobs for themselves.
export async function startServer({ data = scratchDir(), port: wanted, args = [], env = {}, workers = 'none', ready_ms_max = 20_000 } = {}) {
  const port = wanted ?? (await freePort());
  const run = runBinary(['serve', '--listen', `127.0.0.1:${port}`, '--data', data, '--workers', workers, ...args], { env });
  const endpoint = `http://127.0.0.1:${port}`;
  let ended;
  run.exited.then((how) => (ended = how));
  const deadline = Date.now() + ready_ms_max;
  for (;;) {
    const health = await fetch(`${endpoint}/health`).catch(() => null);
    if (health?.status === 200) break;
    if (ended !== undefined || Date.now() > deadline) {
      run.child.kill('SIGKILL');
      throw new Error(`${binary} did not get ready (${ended ?? 'still starting'}):\n${run.output}`);
    }
    await sleep(20);
  }
  run.child.unref();
  return {
    endpoint, port, data, run,
    async stop(signal = 'SIGTERM') {
      run.child.ref();
      run.child.kill(signal);
      return run.exited;
    },
  };
}
