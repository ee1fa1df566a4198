// Producers and consumers on queues under kill -9; every call goes into a history, and a checker proves from it what
// a queue promises.
//
//   node run.mjs [--rounds 200] [--seed N] [--at-once 14] [--no-kills] [--self-check] [--url http://…] [--keep]
//
// --url: a server that runs already, e.g. a peer, to check the test itself; it is not killed.

import {parseArgs} from 'node:util';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {Random} from '../differential/random.mjs';
import {Server} from '../crash/server.mjs';
import {Kills} from './kills.mjs';
import {check_metrics} from './metrics.mjs';
import {Round} from './round.mjs';
import {self_check} from './self_check.mjs';
import {Tally} from './tally.mjs';
import {tell} from './stories.mjs';

const {values: options} = parseArgs({options: {
  rounds: {type: 'string', default: '200'}, seed: {type: 'string', default: '20'}, 'at-once': {type: 'string', default: '14'}, kills: {type: 'boolean', default: true},
  'self-check': {type: 'boolean', default: false}, url: {type: 'string'}, keep: {type: 'boolean', default: false},
}, allowNegative: true});

let passed = 0;
let failed = 0;

function record(name, wrong, history = []) {
  if (!wrong.length) return passed++;
  failed++;
  const origin = history[0]?.begin ?? 0;
  console.log(`NOT OK  ${name}`);
  for (const {text, story} of wrong.slice(0, 5)) {
    console.log(`    ${text}`);
    if (story) console.log(tell(story, origin).map((line) => `        ${line}`).join('\n'));
  }
  if (wrong.length > 5) console.log(`    and ${wrong.length - 5} more`);
}

const as_text = (history) => history.map((event) => JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? String(value) : value))).join('\n');

// A test that never meets what it is about would pass for ever; what is rare is waited for a while longer.
const rounds_enough = 200;
const patience = 3;

// Rounds that overlap: while one waits for timeouts to run out, others are at work.
async function run_rounds(url, random, directory, {has_tokens, meets_all}) {
  const tally = new Tally();
  const rounds = [];
  const wanted = Number(options.rounds);
  let next = 0;
  const goes_on = () => next < wanted || (meets_all && next < patience * wanted && tally.missing().length > 0);
  const lane = async () => {
    while (goes_on()) {
      const number = next++;
      const round = new Round(number, url, random.fork(`round${number}`), {has_tokens});
      const wrong = await round.run();
      tally.add(round);
      record(`round ${number} (${round.kind})`, wrong, round.history);
      if (wrong.length) writeFileSync(path.join(directory, `history-${number}.jsonl`), as_text(round.history));
      if (round.random.chance(0.5)) await round.remove();
      else rounds.push(round);
    }
  };
  await Promise.all(Array.from({length: Number(options['at-once'])}, lane));
  return {tally, rounds, count: next};
}

async function run_all(random) {
  const directory = mkdtempSync(path.join(tmpdir(), 'waybill-queues-'));
  const server = options.url ? null : new Server(path.join(directory, 'data'));
  const kills = options.kills && server ? new Kills(server, random.fork('kills')) : null;
  const started = Date.now();
  try {
    await server?.start();
    kills?.begin();
    const meets_all = Boolean(kills) && Number(options.rounds) >= rounds_enough;
    const {tally, rounds, count} = await run_rounds(options.url ?? server.url, random, directory, {has_tokens: Boolean(server), meets_all});
    await kills?.stop();
    if (server) await check_after_restart(server, rounds);
    console.log(`${count} rounds in ${((Date.now() - started) / 1000).toFixed(1)} s, ${kills?.count ?? 0} kills under load and ${kills?.during_start ?? 0} during start-up`);
    for (const line of tally.lines()) console.log(line);
    if (meets_all) record('everything was met', tally.missing().map((text) => ({text})));
  } catch (error) {
    record('rounds', [{text: error.stack}]);
  } finally {
    await kills?.stop().catch(() => {});
    await server?.kill().catch(() => {});
    if (options.keep || failed) console.log(`data and histories kept in ${directory}`);
    else rmSync(directory, {recursive: true, force: true});
  }
}

// What rounds left behind is there in the same number after one more kill.
async function check_after_restart(server, rounds) {
  await server.kill();
  await server.start();
  const wrong = [];
  for (const round of rounds) {
    await round.count();
    wrong.push(...round.check().filter(({text}) => text.startsWith('counts of')));
  }
  record('what was left is there after a restart', wrong);
  record('the metrics are what the queues say', await check_metrics(server.url, rounds));
}

async function main() {
  console.log(`seed ${options.seed}`);
  const random = new Random(options.seed);
  if (options['self-check']) return self_check(random, options.url);
  await run_all(random);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

process.exitCode = (await main()) ? 0 : 1;
