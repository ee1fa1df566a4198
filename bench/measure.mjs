// Measuring: one run of waybill_load with what it cost the server, memory, syncs, start-up.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository, run, sleep, start, statOf, until } from './processes.mjs';

const ticks_per_s = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

// Where the programs of this build are; run.mjs may set others.
export const programs = {
  load: join(repository, 'build/release/bench/load/waybill_load'),
  plain: join(repository, 'build/release/bench/plain/waybill_plain'),
};

// Seconds of CPU, user and system, that the processes have used since they began.
export const cpuSecondsOf = (pids) => pids.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0), 0) / ticks_per_s;

// The same of all processes of a server.
export const cpuSeconds = (peer) => cpuSecondsOf(peer.pids());

// Memory of all its processes: pss_bytes counts a shared page once, rss_bytes in every process that maps it.
export function memory(peer) {
  const sum = { pss_bytes: 0, rss_bytes: 0 };
  for (const pid of peer.pids()) {
    let text;
    try {
      text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    } catch {
      continue;
    }
    for (const [name, field] of [
      ['Pss', 'pss_bytes'],
      ['Rss', 'rss_bytes'],
    ]) {
      sum[field] += Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
    }
  }
  return sum;
}

// Waits until the servers together used less than 4 % of a core over `for_s`. Says how long that took; `quiet` is
// false where they were still busy after `timeout_s`.
export async function untilQuiet(peers, { for_s = 2, timeout_s = 300 } = {}) {
  const began_ms = performance.now();
  const samples = [];
  for (;;) {
    const now_ms = performance.now();
    samples.push({ ms: now_ms, cpu_s: peers.reduce((sum, peer) => sum + cpuSeconds(peer), 0) });
    while (samples.length > 1 && samples[1].ms <= now_ms - for_s * 1000) samples.shift();
    const [first, last] = [samples[0], samples.at(-1)];
    const quiet = last.ms - first.ms >= for_s * 1000 && last.cpu_s - first.cpu_s < 0.04 * for_s;
    const waited_s = (now_ms - began_ms) / 1000;
    if (quiet || waited_s > timeout_s) return { quiet, waited_s };
    await sleep(100);
  }
}

// One run of waybill_load against a server, with what it cost the server.
//
// `flags` are waybill_load's, by name. `settled`: the server's CPU is counted from before the run until it is quiet
// again, so that work that the run left for later is in it; otherwise in a window inside the measured time, so that
// connecting is not. Wrong answers and errors do not throw: the result
// then has a `complaint`.
export async function runLoad(peer, operation, flags, { settled = false } = {}) {
  const args = [operation, '--target', peer.target];
  for (const [name, value] of Object.entries({ warmup: 0, ...flags }))
    args.push(`--${name.replaceAll('_', '-')}`, `${value}`);

  const before_s = cpuSeconds(peer);
  let stdout = '';
  const tool = start(programs.load, args, { onStdout: (text) => (stdout += text) });
  let cpu_share;
  let how;
  try {
    if (!settled && flags.seconds) cpu_share = await cpuShare(peer, tool, flags);
    how = await tool.exited;
    peer.assertRunning();
  } finally {
    if (tool.ended === undefined) tool.kill();
  }

  const result = parseResult(stdout);
  if (!result) throw new Error(`waybill_load ${args.join(' ')}\n  ended with ${how}: ${tool.output()}${stdout}`);
  // The null server's answers are all the same one: nothing to check.
  if (!peer.constructor.stores) Object.assign(result, { checked: 0, wrong: 0 });
  else if (how !== 0) result.complaint = tool.output().trim().slice(0, 500) || `ended with ${how}`;
  if (settled) result.settled = await untilQuiet([peer]);
  result.server_cpu_us_per_request = cpu_share
    ? (cpu_share * 1e6) / result.throughput_per_s
    : ((cpuSeconds(peer) - before_s) * 1e6) / result.requests;
  return result;
}

function parseResult(stdout) {
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1));
  } catch {
    return null;
  }
}

// Cores that the server keeps busy during the measured seconds of a run, or undefined where the run ends too soon.
async function cpuShare(peer, tool, { connections, seconds, warmup = 0 }) {
  const ended = () => tool.ended !== undefined;
  while (!ended() && !peer.hasTaken(connections)) await sleep(20);
  const connected_ms = performance.now();
  const sampleAfter = async (wait_ms) => {
    await Promise.race([sleep(connected_ms + wait_ms - performance.now()), tool.exited]);
    return { cpu_s: cpuSeconds(peer), ms: performance.now() };
  };
  const from = await sampleAfter(warmup * 1000 + 100);
  const to = await sampleAfter((warmup + seconds) * 1000 - 100);
  return ended() ? undefined : ((to.cpu_s - from.cpu_s) * 1000) / (to.ms - from.ms);
}

// Not sync_file_range, which starts the disk and waits for nothing.
const sync_calls = ['fsync', 'fdatasync', 'msync', 'syncfs'];

// Counts the system calls that force data to disk while `work` runs: {fdatasync: 200, …}. Throws where the server's
// processes cannot be traced.
export async function countSyncs(peer, work) {
  const pids = peer.pids().flatMap((pid) => ['-p', `${pid}`]);
  const tracer = start('strace', ['-f', '-c', '-e', `trace=${sync_calls.join(',')}`, ...pids]);
  await until('strace has attached', () => {
    if (tracer.ended !== undefined) throw new Error(`strace ended with ${tracer.ended}: ${tracer.output()}`);
    return tracer.output().includes('attached');
  });
  // New threads and processes are followed, but the attaching itself takes a moment.
  await sleep(200);
  try {
    await work();
  } finally {
    process.kill(tracer.pid, 'SIGINT');
    await tracer.exited;
  }
  const counts = {};
  for (const row of tracer.output().split('\n')) {
    const [, , , calls, ...rest] = row.trim().split(/\s+/);
    if (sync_calls.includes(rest.at(-1))) counts[rest.at(-1)] = Number(calls);
  }
  return counts;
}
