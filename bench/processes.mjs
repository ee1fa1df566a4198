// Servers and tools as child processes, each in a process group of its own, none of which outlives the run.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

export const bench_folder = new URL('.', import.meta.url).pathname;
export const repository = new URL('..', import.meta.url).pathname;

// Waits for `probe` to give something true and returns it.
export async function until(what, probe, { timeout_ms = 30_000, every_ms = 20 } = {}) {
  const deadline = performance.now() + timeout_ms;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`not within ${timeout_ms} ms: ${what}`);
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

const running = new Set();

// Starts `command` and keeps the end of what it says. `user` is {uid, gid}: run as that user. `onMessage`: it is a
// Node.js program that talks with its parent, and `send(message)` is for that.
//
// The result: `pid`, `started_ms` (performance.now() before the spawn), `output()`, `exited` (resolves to the
// exit code or signal), `ended` (that value once it is known), `kill()` for it and all its descendants.
export function start(command, args, { user = {}, cwd, env, onStdout, onMessage } = {}) {
  const started_ms = performance.now();
  const stdio = ['ignore', 'pipe', 'pipe', ...(onMessage ? ['ipc'] : [])];
  const child = spawn(command, args, { cwd, env, ...user, detached: true, stdio });
  const process_ = { command, pid: child.pid, started_ms, ended: undefined };
  let output = '';
  const collect = (text) => (output = (output + text).slice(-20_000));
  child.stdout.setEncoding('utf8').on('data', onStdout ?? collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  if (onMessage) child.on('message', onMessage);
  process_.send = (message) => child.send(message);
  process_.output = () => output;
  // Descendants are named one by one as well: PostgreSQL's leave the group.
  process_.kill = () => {
    if (child.pid === undefined) return;
    for (const pid of processTree(child.pid)) send(pid, 'SIGKILL');
    send(-child.pid, 'SIGKILL');
  };
  process_.exited = new Promise((resolve) => {
    const end = (how) => {
      process_.ended = how;
      running.delete(process_);
      resolve(how);
    };
    child.once('error', (error) => (collect(String(error)), end('not started')));
    child.once('close', (code, signal) => end(code ?? signal));
  });
  running.add(process_);
  return process_;
}

// Runs a tool to its end and returns its stdout; throws with what it said when it fails. `failures_allowed`
// are exit codes that are answers too.
export async function run(command, args, { failures_allowed = [], ...options } = {}) {
  let stdout = '';
  const tool = start(command, args, { ...options, onStdout: (text) => (stdout += text) });
  const how = await tool.exited;
  if (how !== 0 && !failures_allowed.includes(how)) {
    throw new Error(`${command} ${args.join(' ')}\n  ended with ${how}: ${(tool.output() + stdout).trim()}`);
  }
  return stdout;
}

// Ends a server: `signal` first, and what is left of it after `grace_ms` is killed.
export async function end(process_, { signal = 'SIGTERM', grace_ms = 60_000 } = {}) {
  if (signal === 'SIGKILL') process_.kill();
  else if (process_.ended === undefined) send(process_.pid, signal);
  const timer = setTimeout(() => process_.kill(), grace_ms);
  const how = await process_.exited;
  clearTimeout(timer);
  return how;
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

// Asks everything that start() began to stop, and kills what has not after `grace_ms`.
export async function endAll({ grace_ms = 5000 } = {}) {
  const all = [...running];
  for (const process_ of all) send(process_.pid, 'SIGINT');
  await Promise.race([Promise.all(all.map((process_) => process_.exited)), sleep(grace_ms)]);
  killAll();
}

// Every process that start() began and that is still there, with its descendants: gone. Safe in an exit handler.
export function killAll() {
  for (const process_ of running) process_.kill();
}

// The process and its descendants that exist now.
export function processTree(root_pid) {
  const children = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(Number(name));
    if (!stat) continue;
    if (!children.has(stat.parent_pid)) children.set(stat.parent_pid, []);
    children.get(stat.parent_pid).push(Number(name));
  }
  const tree = [root_pid];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

// What /proc/PID/stat says, or null where the process is gone. Ticks include those of children that have ended
// and were waited for, so the sum over a tree never falls.
export function statOf(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { parent_pid: Number(fields[1]), ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) };
}
