// What built-in workers cost: words counted and photos converted by them, in the server and in a process beside it, in
// turns with a plain loop that does the same to the same files, with as many at a time.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { busyCores } from '../machine.mjs';
import { programs } from '../measure.mjs';
import { count, duration, figure, megabytes, percent } from '../numbers.mjs';
import { run } from '../processes.mjs';
import { makeFiles, sets } from '../workers/files.mjs';
import { System } from '../workers/system.mjs';
import { overheadOf, places } from '../workers/targets.mjs';

const slots = availableParallelism();
// Counters that are slow get texts up to this size.
const small_bytes_max = 5e6;
const counted_files = 6;

export const seconds = ({ workers: { rounds, every_nth } }) => 60 / every_nth + ((rounds + 1) * 50) / every_nth;

export async function measure({ plan, fleet, folder, say, driver }) {
  await fleet.removeAll();
  const { workers, quiet_seconds_max } = plan;
  const kept = { runs: [], made: {}, empty: {}, systems: {} };
  const bench = { ...workers, quiet_seconds_max, folder: join(folder, 'files'), say, driver, ...kept };
  for (const place of Object.keys(places)) bench.systems[place] = await System.open({ fleet, place, slots });
  await makeAll(bench);
  const counters = await compareCounters(bench);
  for (const set of Object.keys(sets)) await measureSet(set, bench);
  await measureEmpty(bench);
  for (const system of Object.values(bench.systems)) await system.close(fleet);
  rmSync(bench.folder, { recursive: true, force: true });
  const { runs, empty, rounds, made } = bench;
  const about = Object.fromEntries(
    Object.entries(made).map(([set, files]) => [set, { files: files.length, bytes: bytesOf(files) }]),
  );
  return { slots, rounds, sets: about, runs, empty, counters };
}

const bytesOf = (files) => files.reduce((sum, { bytes }) => sum + bytes, 0);

async function makeAll({ folder, every_nth, made, say }) {
  const began_ms = performance.now();
  for (const [name, set] of Object.entries(sets)) made[name] = await makeFiles(set, join(folder, name), every_nth);
  const all = Object.values(made).flat();
  say(`${count(all.length)} files, ${megabytes(bytesOf(all))}, in ${duration((performance.now() - began_ms) / 1000)}`);
}

// A plain loop: {seconds, cpu_seconds, files}, the last as the program tells it.
const loop = async (what, threads, ...args) => JSON.parse(await run(programs.plain, [what, `${threads}`, ...args]));

const pathsOf = (files) => files.map(({ path }) => path);

async function plainly(kind, files, folder) {
  if (kind === 'text') return loop('count', slots, ...pathsOf(files));
  const out = join(folder, 'out');
  mkdirSync(out, { recursive: true });
  const done = await loop('convert', slots, out, ...pathsOf(files));
  rmSync(out, { recursive: true });
  return done;
}

// Whoever else uses the machine takes another share of the turns that have more threads.
async function untilMachineIsQuiet(seconds_max) {
  const deadline = performance.now() + seconds_max * 1000;
  while ((await busyCores()).busy > 0.2 && performance.now() < deadline);
}

// One round more than is counted: the first warms everything up.
async function measureSet(set, { made, systems, runs, rounds, quiet_seconds_max, folder, say, driver }) {
  const { kind } = sets[set];
  const files = made[set];
  for (let round = 0; round <= rounds; round += 1) {
    await untilMachineIsQuiet(quiet_seconds_max);
    const plain = await plainly(kind, files, folder);
    const found = { plain };
    for (const [place, system] of Object.entries(systems)) {
      found[place] = await system.work(kind, files);
      checkResults(`${set} ${place}`, found[place].results, plain.files, driver);
    }
    if (round === 0) continue;
    for (const [place, { seconds: taken_s, cpu_seconds }] of Object.entries(found)) {
      runs.push({ set, place, round, seconds: taken_s, cpu_seconds });
    }
    const told = Object.entries(found).map(([place, one]) => `${place} ${figure(one.seconds)} s, CPU ${figure(one.cpu_seconds)}`);
    say(`${set}, round ${round}: ${told.join('; ')}`);
  }
  const shares = Object.keys(places).map((place) => `${place} ${percent(overheadOf({ runs }, set, place).median)}`);
  say(`${set}: longer than a plain loop by ${shares.join(', ')}`);
}

// Workers must have found what the loop did. Of images they leave out EXIF, which libvips makes up.
function checkResults(what, results, wanted, driver) {
  const tolerance = (name, value) => (name === 'processedSize' ? 500 : value * 1e-9);
  results.forEach((result, n) => {
    const wrong = Object.entries(wanted[n]).filter(
      ([name, value]) => !(Math.abs(result[name] - value) <= tolerance(name, value)),
    );
    if (wrong.length) driver.note(`${what}: file ${n} has ${JSON.stringify(wrong)} in the loop, not so in its record`);
  });
}

async function measureEmpty({ systems, empty, empty_jobs, rounds, folder, say }) {
  const path = join(folder, 'empty.txt');
  writeFileSync(path, '');
  for (const [place, system] of Object.entries(systems)) empty[place] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const [place, system] of Object.entries(systems)) {
      const files = Array.from({ length: empty_jobs }, (_, n) => ({ path, name: `empty-${n}.txt`, bytes: 0 }));
      const { seconds: taken_s, cpu_seconds } = await system.work('text', files);
      if (round > 0) empty[place].push({ jobs: empty_jobs, seconds: taken_s, cpu_seconds });
      say(`empty texts, ${place}: ${figure((taken_s * 1000) / empty_jobs)} ms a job`);
    }
  }
}

// How fast others count: some texts, those that are not too long.
async function compareCounters({ made, say }) {
  const files = made.texts.filter(({ bytes }) => bytes < small_bytes_max).slice(0, counted_files);
  if (!files.length) return [];
  const bytes = bytesOf(files);
  const counters = [];
  for (const counter of ['count', 'count_icu']) {
    await loop(counter, slots, files.at(-1).path);
    counters.push({ counter, bytes, seconds: (await loop(counter, slots, ...pathsOf(files))).seconds });
  }
  const began_ms = performance.now();
  await run('wc', ['-w', ...pathsOf(files)], { env: { LC_ALL: 'C.UTF-8', PATH: process.env.PATH } });
  counters.push({ counter: 'wc', bytes, seconds: (performance.now() - began_ms) / 1000 });
  say(counters.map(({ counter, seconds: taken_s }) => `${counter} ${figure(bytes / 1e6 / taken_s)} MB/s`).join(', '));
  return counters;
}
