// Waybill beside what people would use instead: starts each server, loads the same data, drives the same load, checks
// a sample of the answers, stops everything again. Started by scripts/bench; --help has the options.
//
// Exit code: 0; 1 where something failed or an answer was wrong; 130 after Ctrl-C. A figure that is not reached is
// reported and is no failure.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inLines, readRaw, writeDocs } from './docs.mjs';
import { Driver } from './driver.mjs';
import { Fleet } from './fleet.mjs';
import { busyCores, describeMachine, freeBytes, isInMemory, revision } from './machine.mjs';
import { programs } from './measure.mjs';
import { duration, gigabytes } from './numbers.mjs';
import { help, parseOptions } from './options.mjs';
import { diskNeed } from './parts/growth.mjs';
import { NullServer, Postgres, Waybill, peerOf } from './peers/index.mjs';
import { makePlan, startedPeers } from './plan.mjs';
import { endAll, killAll, repository } from './processes.mjs';
import { makeProgress } from './progress.mjs';
import { summary } from './report.mjs';

let options;
try {
  options = parseOptions();
  if (options.help) console.log(help);
  else if (options.render) render();
  else await main();
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exit(1);
}

function render() {
  const results = readRaw();
  if (!results) throw new Error('there is no docs/performance.json yet: a run with --write makes it');
  console.log(`written: ${writeDocs(results).join(', ')}`);
}

async function main() {
  const plan = makePlan(options);
  const { waybill, null_server, load } = options.binaries;
  Waybill.binary = waybill ?? Waybill.binary;
  NullServer.binary = null_server ?? NullServer.binary;
  programs.load = load ?? programs.load;
  for (const id of startedPeers(plan)) await peerOf(id).check();
  const needed = plan.parts.map((part) => (part === 'workers' ? programs.plain : programs.load));
  for (const program of new Set(needed))
    if (!existsSync(program)) throw new Error(`there is no ${program}; build target ${basename(program)}`);

  const base = await chooseBase(plan);
  const folder = ownFolder(base);
  // On every way out: servers first, then their data.
  process.on('exit', () => {
    killAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  const interrupted = exitCodeOfSignal();
  const measured = measureAll(plan, folder, join(base, 'last.json')).catch((error) => ({ error }));
  const results = await Promise.race([measured, interrupted]);
  if (typeof results === 'number' || results.error) {
    if (results.error) console.error(results.error);
    await endAll();
    process.exit(results.error ? 1 : results);
  }
  console.log(`\n${summary(results)}\n`);
  if (options.write) console.log(`written: ${writeDocs(results).join(', ')}`);
  for (const fault of results.faults) console.log(`FAULT ${fault}`);
  process.exit(results.faults.length ? 1 : 0);
}

// Resolves when a signal asks the benchmark to end, to the exit code for it.
function exitCodeOfSignal() {
  const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
  return new Promise((resolve) => {
    for (const [signal, code] of Object.entries(codes)) process.on(signal, () => resolve(code));
  });
}

// Goes through the parts. What is there after each of them is kept in `kept_file`, so that hours are not lost.
async function measureAll(plan, folder, kept_file) {
  const parts = await Promise.all(plan.parts.map(async (name) => ({ name, ...(await import(`./parts/${name}.mjs`)) })));
  const total_s = parts.reduce((sum, part) => sum + part.seconds(plan), 0);
  const { say, elapsed_s } = makeProgress(total_s);
  console.log(`${plan.parts.join(', ')} of ${startedPeers(plan).join(', ')}: about ${duration(total_s)}. Data in ${folder}`);
  await checkSurroundings(plan, folder);

  const driver = new Driver(say);
  const fleet = new Fleet(folder);
  const results = {
    machine: describeMachine(folder),
    versions: {},
    settings: { plan, postgres: Postgres.settings },
    faults: driver.faults,
    parts: {},
  };
  for (const id of startedPeers(plan)) results.versions[id] = await peerOf(id).version();
  const measured = { date: new Date().toISOString().slice(0, 10), revision: options.binaries.waybill ?? revision() };
  for (const part of parts) {
    results.parts[part.name] = { measured, ...(await part.measure({ plan, fleet, folder, results, say, driver })) };
    writeFileSync(kept_file, inLines(results));
  }
  await fleet.removeAll();
  say(`done after ${duration(elapsed_s())}`);
  return results;
}

async function checkSurroundings(plan, folder) {
  const { busy, stolen } = await busyCores();
  if (busy > 0.2)
    console.log(`note: other programs keep ${busy.toFixed(1)} cores busy; the figures will be worse for it`);
  if (stolen > 0.1) console.log(`note: the hypervisor takes ${stolen.toFixed(1)} cores away`);
  // Four servers with up to five kilobytes for each item, logs included.
  const need = Math.max(plan.items * 20_000, plan.parts.includes('growth') ? diskNeed(plan) : 0);
  const free = freeBytes(folder);
  if (free < need)
    console.log(
      `note: the disk has ${gigabytes(free)} free, and ${gigabytes(need)} would be safe; growth takes as many items as fit`,
    );
}

// Where the servers' folders go: on a disk, and where PostgreSQL's user can reach them.
async function chooseBase(plan) {
  let base = options.data ?? join(repository, 'build/bench');
  mkdirSync(base, { recursive: true });
  const has_postgres = startedPeers(plan).some((id) => ['postgres', 'pg_boss', 'graphile_worker'].includes(id));
  if (has_postgres && !(await Postgres.canUse(base))) {
    console.log(`user postgres cannot reach ${base}; the data goes to /var/tmp/waybill-bench instead`);
    base = '/var/tmp/waybill-bench';
    mkdirSync(base, { recursive: true });
  }
  if (isInMemory(base))
    throw new Error(`${base} is in memory, where a sync costs nothing; name a folder on a disk with --data`);
  return base;
}

// A folder for this run. Those of runs that were killed go.
function ownFolder(base) {
  for (const name of readdirSync(base)) {
    const owner = /^run-(\d+)$/.exec(name)?.[1];
    if (owner && !existsSync(`/proc/${owner}`)) rmSync(join(base, name), { recursive: true, force: true });
  }
  const folder = join(base, `run-${process.pid}`);
  mkdirSync(folder);
  return folder;
}
