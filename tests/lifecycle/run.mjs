// The life of jobs under kill -9: random producers, workers and people on the project's own contracts, and a checker that
// proves from histories, answers and records what the jobs API promises.
//
//   node run.mjs [--rounds 500] [--seed N] [--at-once 18] [--no-kills] [--self-check] [--keep]

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {Server} from '../crash/server.mjs';
import {Random} from '../differential/random.mjs';
import {Kills} from '../queues/kills.mjs';
import {kinds, read_machine, write_contracts} from './contracts.mjs';
import {Round} from './round.mjs';
import {self_check} from './self_check.mjs';
import {Tally} from './tally.mjs';
import {tell} from './tell.mjs';

const {values: options} = parseArgs({options: {
  rounds: {type: 'string', default: '500'}, seed: {type: 'string', default: '6'}, 'at-once': {type: 'string', default: '18'}, kills: {type: 'boolean', default: true},
  'self-check': {type: 'boolean', default: false}, keep: {type: 'boolean', default: false},
}, allowNegative: true});

// A run that is long enough has to meet everything.
const rounds_enough = 400;

let passed = 0;
let failed = 0;

function record(name, wrong, round) {
  if (!wrong.length) return passed++;
  failed++;
  console.log(`NOT OK  ${name}`);
  const told = new Set();
  for (const {text, job} of wrong.slice(0, 5)) {
    console.log(`    ${text}`);
    if (!round || job === undefined || told.has(job)) continue;
    told.add(job);
    console.log(tell(round, job).map((line) => `        ${line}`).join('\n'));
  }
  if (wrong.length > 5) console.log(`    and ${wrong.length - 5} more`);
}

// Lanes of rounds that overlap, each on contracts of its own: while one waits for leases to run out, others are at work.
// What is rare is waited for a while longer.
async function run_rounds(url, random, directory, meets_all) {
  const tally = new Tally();
  const wanted = Number(options.rounds);
  let next = 0;
  const goes_on = () => next < wanted || (meets_all && next < 2 * wanted && tally.missing().length > 0);
  const lane = async (_, number_of_lane) => {
    const counted = Object.fromEntries(kinds.map((kind) => [kind, {}]));
    while (goes_on()) {
      const number = next++;
      const kind = kinds[number % kinds.length];
      const round = new Round(number, url, read_machine(kind, number_of_lane), random.fork(`round${number}`), {...counted[kind]});
      const wrong = await round.run();
      tally.add(round);
      record(`round ${number} (${kind})`, wrong, round);
      for (const {record: {status} = {}} of [...round.seen.jobs.values()].filter((job) => job.record)) counted[kind][status] = (counted[kind][status] ?? 0) + 1;
      if (wrong.length) writeFileSync(path.join(directory, `round-${number}.json`), JSON.stringify({log: round.log, ...round.seen, jobs: [...round.seen.jobs.values()]}, null, 1));
    }
  };
  await Promise.all(Array.from({length: Number(options['at-once'])}, lane));
  return {tally, count: next};
}

export async function start(directory, lanes) {
  const contracts = path.join(directory, 'contracts');
  write_contracts(contracts, lanes);
  const server = new Server(path.join(directory, 'data'), {more: ['--contracts', contracts]});
  await server.start();
  // From now on they are in force, without being named.
  server.more = [];
  return server;
}

async function run_all(random) {
  const directory = mkdtempSync(path.join(tmpdir(), 'waybill-lifecycle-'));
  let [server, kills] = [null, null];
  const begun = Date.now();
  try {
    server = await start(directory, Number(options['at-once']));
    const started = Date.now();
    kills = options.kills ? new Kills(server, random.fork('kills')) : null;
    kills?.begin();
    const meets_all = Boolean(kills) && Number(options.rounds) >= rounds_enough;
    const {tally, count} = await run_rounds(server.url, random, directory, meets_all);
    await kills?.stop();
    console.log(`figure ${count} rounds in ${((Date.now() - started) / 1000).toFixed(1)} s (contracts put in force in ${((started - begun) / 1000).toFixed(1)} s), ${kills?.count ?? 0} kills under load and ${kills?.during_start ?? 0} during start-up`);
    for (const line of tally.lines()) console.log(line);
    // A test that never meets what it is about would pass for ever.
    if (meets_all) record('everything was met', tally.missing().map((text) => ({text})));
  } catch (error) {
    record('rounds', [{text: error.stack}]);
  } finally {
    await kills?.stop().catch(() => {});
    await server?.kill().catch(() => {});
    if (options.keep || failed) console.log(`data and rounds kept in ${directory}`);
    else rmSync(directory, {recursive: true, force: true});
  }
}

async function main() {
  console.log(`seed ${options.seed}`);
  const random = new Random(options.seed);
  if (options['self-check']) return self_check(random, start);
  await run_all(random);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

process.exitCode = (await main()) ? 0 : 1;
