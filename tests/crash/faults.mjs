// Failing syncs and damaged logs.

import {execFileSync, spawnSync} from 'node:child_process';
import {closeSync, existsSync, mkdtempSync, openSync, readFileSync, readSync, readdirSync, statSync, writeSync, appendFileSync, writeFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {Server} from './server.mjs';
import {Cycles} from './cycles.mjs';
import {Checker} from './check.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Returns when `promise` has settled, or after `ms`.
async function at_most(promise, ms) {
  let timer;
  await Promise.race([promise, new Promise((resolve) => { timer = setTimeout(resolve, ms); })]);
  clearTimeout(timer);
}
const new_directory = () => mkdtempSync(path.join(tmpdir(), 'waybill-crash-'));

// Why strace cannot be used here, or null.
export function strace_trouble() {
  const result = spawnSync('strace', ['-f', '-e', 'trace=none', 'true'], {encoding: 'utf8'});
  if (result.error) return `strace cannot be started: ${result.error.code}`;
  return result.status === 0 ? null : `strace cannot attach: ${result.stderr.trim()}`;
}

// The call that makes a commit durable fails once. From then on nothing may be acknowledged, the process
// must end with an error, and nothing that was acknowledged may be missing afterwards.
export async function sync_fault(random, number, program) {
  const directory = new_directory();
  const trace = path.join(directory, '..', `${path.basename(directory)}.strace`);
  const plain = new Server(directory, {program});
  const cycles = new Cycles({server: plain, random, sizes: program === 'waybill'});
  try {
    await cycles.prepare();
    await plain.stop();
    // Counted for each thread on its own. fdatasync is what a commit waits for; the others now and then.
    const call = number % 4 === 3 ? 'fsync,fdatasync,sync_file_range,msync,fdatasync' : 'fdatasync,fsync';
    const at = random.between(5, 60);
    cycles.server = new Server(directory, {program, wrap: (command) => ['strace', '-f', '-ttt', '-o', trace, '-e', `trace=${call}`, '-e', `inject=${call}:error=EIO:when=${at}`, ...command]});
    await cycles.server.spawn();
    let how = null;
    cycles.server.exit.then((exit) => { how = exit; });
    const wrong = [];
    if (await cycles.server.ready()) {
      const load = cycles.workload.run(cycles.server.url);
      await at_most(cycles.server.exit, 15_000);
      if (!how) wrong.push('the process went on for 15 s');
      await load.stop();
    } else {
      await at_most(cycles.server.exit, 5000);
    }
    const failed_at = first_injection(trace);
    if (failed_at === null) return {wrong: [`no sync failed (when=${at})`]};
    if (!how) await kill_tree(cycles.server);
    else if (how.code === 0) wrong.push('the process ended with code 0');
    // An operation sent after the failure and yet acknowledged. 5 ms for the clocks of two processes.
    const late = (cycles.workload.last_ack_invoked_at ?? 0) - failed_at;
    if (late > 5) wrong.push(`a write sent ${late.toFixed(0)} ms after the failed sync was acknowledged`);

    cycles.server = plain;
    await plain.start();
    const checker = new Checker(plain.url, cycles.workload, {sizes: program === 'waybill'});
    wrong.push(...await checker.check({bulk: true}));
    checker.close();
    return {wrong, detail: `${call.split(',')[0]} number ${at}, exit ${JSON.stringify(how)}, ${cycles.workload.stats.acknowledged} acknowledged`};
  } finally {
    await plain.kill?.().catch(() => {});
    rmSync(directory, {recursive: true, force: true});
    rmSync(trace, {force: true});
  }
}

function first_injection(trace) {
  if (!existsSync(trace)) return null;
  const line = readFileSync(trace, 'utf8').split('\n').find((text) => text.includes('(INJECTED)'));
  const seconds = line?.match(/\b(\d{9,}\.\d+)\b/);
  return seconds ? Number(seconds[1]) * 1000 : null;
}

// strace and the server beneath it.
async function kill_tree(server) {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.child.pid)], {encoding: 'utf8'}).split(/\s+/).filter(Boolean);
  for (const pid of children) process.kill(Number(pid), 'SIGKILL');
  await server.kill();
}

// The newest log of the storage engine, and how much of it is in use.
function newest_log(directory) {
  const logs = readdirSync(directory, {recursive: true}).map(String).filter((name) => /\.log$/.test(name)).map((name) => path.join(directory, name))
    .filter((file) => statSync(file).isFile() && statSync(file).size > 0);
  const file = logs.sort((x, y) => statSync(y).mtimeMs - statSync(x).mtimeMs || (path.basename(x) < path.basename(y) ? 1 : -1))[0];
  if (!file) return null;
  const bytes = readFileSync(file);
  let used = bytes.length;
  while (used > 0 && bytes[used - 1] === 0) used--;
  return {file, used};
}

function flip_bit(file, offset) {
  const handle = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(handle, byte, 0, 1, offset);
  byte[0] ^= 0x10;
  writeSync(handle, byte, 0, 1, offset);
  closeSync(handle);
}

// kill -9 after acknowledged writes; then `damage(log)`.
async function with_killed_server(random, damage, judge) {
  const directory = new_directory();
  const server = new Server(directory);
  const cycles = new Cycles({server, random});
  try {
    await cycles.prepare();
    const load = cycles.workload.run(server.url);
    await pause(random.between(200, 400));
    await server.kill();
    await load.stop();
    const log = newest_log(directory);
    if (!log) return ['no log file was found'];
    damage(log);
    await server.spawn();
    const up = await server.ready();
    return await judge({up, server, cycles, log});
  } finally {
    await server.kill().catch(() => {});
    rmSync(directory, {recursive: true, force: true});
  }
}

// After kill -9 what is read back may be in the kernel's memory alone. Every log that is read is forced to disk
// before the server answers: later writes build on it, and must not outlive it.
export async function replayed_logs_synced(random) {
  const directory = new_directory();
  const trace = path.join(directory, '..', `${path.basename(directory)}.strace`);
  const plain = new Server(directory);
  const cycles = new Cycles({server: plain, random});
  let traced = null;
  try {
    await cycles.prepare();
    const load = cycles.workload.run(plain.url);
    await pause(random.between(200, 400));
    await plain.kill();
    await load.stop();
    const logs = readdirSync(directory, {recursive: true}).map(String).filter((name) => /\.log$/.test(name)).map((name) => path.basename(name));
    if (!logs.length) return ['no log file was found'];
    traced = new Server(directory, {wrap: (command) => ['strace', '-f', '-y', '-o', trace, '-e', 'trace=fsync,fdatasync', ...command]});
    await traced.spawn();
    if (!await traced.ready()) return ['the server did not start'];
    const synced = readFileSync(trace, 'utf8');
    return logs.filter((log) => !synced.includes(`/${log}>`)).map((log) => `${log} was read and not synced`);
  } finally {
    if (traced) await kill_tree(traced);
    await plain.kill().catch(() => {});
    rmSync(directory, {recursive: true, force: true});
    rmSync(trace, {force: true});
  }
}

// A bit flipped amid acknowledged writes: the server refuses to start, and says why.
export function damaged_log(random, part) {
  return with_killed_server(random, ({file, used}) => flip_bit(file, Math.floor(used * part)), async ({up, server, cycles}) => {
    if (up) {
      const checker = new Checker(server.url, cycles.workload);
      const lost = await checker.check({bulk: true});
      checker.close();
      return [`the server started on a damaged log, with ${lost.length} faults in its contents`, ...lost.slice(0, 3)];
    }
    const how = server.exited ? await server.exit : null;
    const wrong = [];
    if (!how) wrong.push('the server neither started nor ended');
    else if (how.code === 0 || how.code === null) wrong.push(`the server ended with ${JSON.stringify(how)}, not with an error code`);
    if (!/acknowledged|watermark|damage|corrupt|lost/i.test(server.output)) wrong.push(`the operator is not told what happened: ${JSON.stringify(server.output.slice(-500))}`);
    return wrong;
  });
}

// Half a record behind the acknowledged ones is what a crash leaves: the server starts and has everything.
export function torn_tail(random) {
  return with_killed_server(random, ({file, used}) => {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, used));
    appendFileSync(file, Buffer.from('5a17c0de0040', 'hex'));
  }, async ({up, server, cycles}) => {
    if (!up) return [`the server refused a torn tail: ${server.output.slice(-500)}`];
    const checker = new Checker(server.url, cycles.workload);
    const wrong = await checker.check({bulk: true});
    checker.close();
    return wrong;
  });
}

