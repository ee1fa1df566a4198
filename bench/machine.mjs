// Where a benchmark ran: processor, memory, system, and how long the disk takes to sync.
import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { median } from './numbers.mjs';
import { repository, sleep } from './processes.mjs';

const said = (command, args) => {
  try {
    return execFileSync(command, args, {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
};

export function describeMachine(folder) {
  const os = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  return {
    processor: cpus()[0].model.trim(),
    cores: cpus().length,
    memory_bytes: totalmem(),
    virtual: readFileSync('/proc/cpuinfo', 'utf8').includes('hypervisor'),
    os: os ?? 'Linux',
    kernel: release(),
    file_system: said('findmnt', ['-n', '-o', 'FSTYPE', '-T', folder]),
    disk_sync_us: median(syncTimes(folder)),
  };
}

// Microseconds to append `bytes` to a file and fdatasync it, each of so many times: the least that a durable write
// costs here.
export function syncTimes(folder, { bytes = 4096, writes = 200 } = {}) {
  const path = join(folder, 'sync-probe');
  const block = Buffer.alloc(bytes, 'x');
  const file = openSync(path, 'w');
  const times_us = [];
  for (let n = 0; n < writes; n += 1) {
    const began_ms = performance.now();
    writeSync(file, block);
    fdatasyncSync(file);
    times_us.push((performance.now() - began_ms) * 1000);
  }
  closeSync(file);
  rmSync(path);
  return times_us;
}

// Cores that the whole machine keeps busy over one second, and cores that the hypervisor takes away.
export async function busyCores() {
  const sample = () => readFileSync('/proc/stat', 'utf8').split('\n', 1)[0].trim().split(/\s+/).slice(1).map(Number);
  const before = sample();
  await sleep(1000);
  const [user, nice, system, idle, wait, irq, softirq, steal] = sample().map((ticks, n) => ticks - before[n]);
  const share = cpus().length / (user + nice + system + idle + wait + irq + softirq + steal);
  return { busy: (user + nice + system + irq + softirq) * share, stolen: steal * share };
}

export const freeBytes = (folder) => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

// Whether the folder lives in memory, where a sync costs nothing.
export const isInMemory = (folder) => ['tmpfs', 'ramfs'].includes(said('stat', ['-f', '-c', '%T', folder]));

// The revision of the sources, with "+" where they were changed since.
export function revision() {
  const changed = said('git', ['status', '--porcelain', '--', 'src', 'CMakeLists.txt', 'CMakePresets.json']);
  return said('git', ['rev-parse', '--short=10', 'HEAD']) + (changed === '' || changed === 'unknown' ? '' : '+');
}
