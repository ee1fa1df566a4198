// A writer under kill -9: every acknowledged write, every index entry and every transaction checked after
// each restart, on one data directory throughout.
//
//   node run.mjs [--cycles 50] [--seed N] [--sync-faults 5] [--log-faults 3] [--encrypted] [--self-check]
//
// --encrypted: the kill cycles run with encryption, and a change of keys is under way at every third kill.

import {parseArgs} from 'node:util';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {Random} from '../differential/random.mjs';
import {Server} from './server.mjs';
import {Cycles} from './cycles.mjs';
import {damaged_log, replayed_logs_synced, strace_trouble, sync_fault, torn_tail} from './faults.mjs';
import {Keys} from './keys.mjs';
import {self_check} from './self_check.mjs';

const {values: options} = parseArgs({options: {
  cycles: {type: 'string', default: '50'}, seed: {type: 'string'}, 'sync-faults': {type: 'string', default: '5'}, 'log-faults': {type: 'string', default: '3'},
  encrypted: {type: 'boolean', default: false}, 'self-check': {type: 'boolean', default: false}, server: {type: 'string', default: 'waybill'}, keep: {type: 'boolean', default: false},
}});

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let passed = 0;
let failed = 0;

function record(name, wrong, detail = '') {
  if (!wrong.length) {
    passed++;
    if (detail) console.log(`ok  ${name}: ${detail}`);
    return;
  }
  failed++;
  console.log(`NOT OK  ${name}\n${wrong.slice(0, 8).map((text) => `    ${text}`).join('\n')}${wrong.length > 8 ? `\n    and ${wrong.length - 8} more` : ''}`);
}

async function kill_cycles(random) {
  const directory = mkdtempSync(path.join(tmpdir(), 'waybill-crash-'));
  const keys = options.encrypted ? new Keys() : null;
  const server = new Server(directory, {program: options.server, more: keys ? ['--encryption-key-file', keys.file] : []});
  const moments = random.fork('keys');
  const before_kill = async () => {
    if (keys && moments.chance(1 / 3) && keys.change(server)) await pause(moments.between(0, 30));
  };
  const cycles = new Cycles({server, random: random.fork('cycles'), sizes: options.server === 'waybill', before_kill});
  const started = Date.now();
  const kinds = {};
  try {
    await cycles.prepare();
    for (let number = 0; number < Number(options.cycles); number++) {
      const kind = cycles.kind_of(number);
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      record(`cycle ${number} (${kind})`, await cycles.run(kind));
    }
    // Whether a kill comes while an index is filled is a matter of luck: there are more tries.
    for (let more = 0; more < 20 && Number(options.cycles) >= 50 && cycles.cut_short.backfill === 0; more++) {
      const kind = cycles.online ? 'drop' : 'backfill';
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      record(`cycle ${options.cycles} + ${more} (${kind})`, await cycles.run(kind));
    }
  } catch (error) {
    record('cycles', [error.stack]);
  } finally {
    await server.kill().catch(() => {});
    keys?.remove();
    if (options.keep) console.log(`data kept in ${directory}`);
    else rmSync(directory, {recursive: true, force: true});
  }
  const {acknowledged, unknown, refused} = cycles.workload.stats;
  const {happened = 0, 'did not happen': never = 0} = cycles.workload.stats;
  console.log(`${JSON.stringify(kinds)} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  console.log(`${acknowledged} writes acknowledged, ${refused} refused, ${unknown} without an answer (of their items ${happened} changed, ${never} did not)`);
  console.log(`cut short: ${cycles.cut_short.backfill} of ${kinds.backfill ?? 0} index creations, ${cycles.cut_short.drop} of ${kinds.drop ?? 0} removals`);
  const {cut_short, checked} = cycles.history;
  console.log(`copies: ${checked.restore} restores (${cut_short.restore} cut short) and ${checked.backup} backups (${cut_short.backup} cut short)`);
  if (keys) console.log(`encrypted; keys were changed ${keys.changes} times`);
  // A test of kills that never hits anything would pass for ever.
  if (Number(options.cycles) >= 50) record('the kills hit something', [
    ...(happened === 0 ? ['no operation was applied without its answer getting out'] : []),
    ...(never === 0 ? ['no operation was lost on its way'] : []),
    ...(checked.restore === 0 || checked.backup === 0 ? ['no copy was begun before a kill'] : []),
    ...(cut_short.restore === 0 && cut_short.backup === 0 ? ['no copy was cut short'] : []),
    ...(cycles.cut_short.backfill === 0 ? ['no index creation was cut short'] : []),
  ]);
}

async function main() {
  const seed = options.seed ?? String(Math.floor(Math.random() * 2 ** 32));
  console.log(`seed ${seed}`);
  const random = new Random(seed);
  if (options['self-check']) return self_check(random, options.server);

  await kill_cycles(random);
  const trouble = Number(options['sync-faults']) ? strace_trouble() : null;
  if (trouble) console.log(`SKIPPED  failing syncs: ${trouble}`);
  else {
    for (let i = 0; i < Number(options['sync-faults']); i++) {
      const {wrong, detail} = await sync_fault(random.fork(`sync${i}`), i, options.server);
      record(`failing sync ${i}`, wrong, detail);
    }
    if (options.server === 'waybill') record('logs that are read again', await replayed_logs_synced(random.fork('replayed')), 'synced before the first answer');
  }
  const log_faults = Number(options['log-faults']);
  for (let i = 0; i < log_faults; i++) record(`damaged log at ${i + 1}/${log_faults + 1}`, await damaged_log(random.fork(`log${i}`), (i + 1) / (log_faults + 1)), 'refused, with a reason');
  if (log_faults) record('torn tail of the log', await torn_tail(random.fork('tail')), 'started, nothing lost');
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

process.exitCode = (await main()) ? 0 : 1;
