// Holds what callgrind counted against the baseline. Run by scripts/micro.
//
//   node compare.mjs COUNTS [--update | --self-check]
//
// COUNTS is a directory with `parts` (what waybill_micro --count printed) and callgrind's file for each part.

import {readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {execFileSync} from 'node:child_process';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {self_check} from './self_check.mjs';

const growth_max = 0.1;  // of instructions
const more_allocations_max = 0.1;  // for one run: not one more, but where some are made for many runs at once
const baseline_path = fileURLToPath(new URL('baseline.json', import.meta.url));

// What the counts depend on besides our own source.
const packages = ['libc6', 'libstdc++6', 'libsimdjson14', 'libssl3', 'librocksdb7.8', 'libdeflate0', 'libboost1.81-dev', 'valgrind'];

function output_of(program, ...args) {
  try {
    return execFileSync(program, args, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']}).trim();
  } catch {
    return 'unknown';
  }
}

const made_with = () => ({
  compiler: output_of('clang++-19', '--version').split('\n')[0],
  ...Object.fromEntries(packages.map((name) => [name, output_of('dpkg-query', '-W', '-f', '${Version}', name)])),
});

// {name: {instructions, allocations}}, both for one run of the part.
function read_counts(directory) {
  const totals = new Map();
  for (const file of readdirSync(directory).filter((name) => name.startsWith('callgrind.out.'))) {
    const text = readFileSync(path.join(directory, file), 'utf8');
    const name = /^desc: Trigger: Client Request: (.+)$/m.exec(text)?.[1];
    if (name) totals.set(name, Number(/^totals: (\d+)$/m.exec(text)[1]));
  }
  const counts = {};
  for (const line of readFileSync(path.join(directory, 'parts'), 'utf8').trim().split('\n')) {
    const [name, runs, allocations] = line.split(' ');
    if (!totals.get(name)) throw new Error(`callgrind counted nothing for ${name}`);
    counts[name] = {instructions: Math.round(totals.get(name) / runs), allocations: Math.round(allocations / runs * 100) / 100};
  }
  return counts;
}

// One verdict for each part that is on either side: `wrong` says why it fails, `note` what else is to be said.
export function compare(baseline, counts) {
  const names = [...new Set([...Object.keys(baseline), ...Object.keys(counts)])];
  return names.map((name) => {
    const [before, now] = [baseline[name], counts[name]];
    if (!before) return {name, now, wrong: 'not in the baseline'};
    if (!now) return {name, before, wrong: 'no longer measured'};
    const growth = now.instructions / before.instructions - 1;
    const verdict = {name, before, now, growth};
    if (growth > growth_max) verdict.wrong = 'more instructions';
    const more_allocations = now.allocations - before.allocations;
    if (more_allocations > more_allocations_max) verdict.wrong = verdict.wrong ? `${verdict.wrong} and allocations` : 'more allocations';
    if (!verdict.wrong && (growth < -growth_max || more_allocations < -more_allocations_max)) verdict.note = 'cheaper';
    return verdict;
  });
}

function print_table(verdicts) {
  const count = (value) => value === undefined ? '–' : value.toLocaleString('en-US');
  const row = (name, ...cells) => console.log([name.padEnd(32), ...cells.map((cell, i) => i < 5 ? cell.padStart(11) : `  ${cell}`)].join('').trimEnd());
  row('', 'instructions', '', '', 'allocations');
  row('part', 'baseline', 'now', 'change', 'baseline', 'now');
  for (const {name, before, now, growth, wrong, note} of verdicts) {
    const change = growth === undefined ? '' : `${growth < 0 ? '−' : '+'}${Math.abs(growth * 100).toFixed(1)} %`;
    row(name, count(before?.instructions), count(now?.instructions), change, count(before?.allocations), count(now?.allocations), wrong ? `FAILED: ${wrong}` : note ?? '');
  }
}

function check_against_baseline(counts) {
  const {made_with: made_then, parts} = JSON.parse(readFileSync(baseline_path, 'utf8'));
  const verdicts = compare(parts, counts);
  print_table(verdicts);
  const differing = Object.entries(made_with()).filter(([name, version]) => made_then[name] !== version);
  for (const [name, version] of differing) console.log(`the baseline was made with ${name} ${made_then[name]}, this with ${version}: counts may differ for that alone`);
  const failed = verdicts.filter(({wrong}) => wrong).length;
  if (failed) console.log('a part has become dearer, or is new or gone. Where that is meant: scripts/micro --update. By function: scripts/micro --functions PART');
  if (verdicts.some(({note}) => note)) console.log('some parts are cheaper than the baseline: run scripts/micro --update, so that they stay so');
  return {passed: verdicts.length - failed, failed};
}

// One line for each part, so that a change of the baseline reads well.
function write_baseline(counts) {
  const lines = (object) => Object.entries(object).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(',\n');
  writeFileSync(baseline_path, `{\n  "made_with": {\n${lines(made_with())}\n  },\n  "parts": {\n${lines(counts)}\n  }\n}\n`);
  console.log(`${Object.keys(counts).length} parts written to ${path.relative(process.cwd(), baseline_path)}`);
}

const {values: options, positionals: [directory]} = parseArgs({
  allowPositionals: true,
  options: {update: {type: 'boolean', default: false}, 'self-check': {type: 'boolean', default: false}},
});
const counts = read_counts(directory);
if (options.update) {
  write_baseline(counts);
} else {
  const results = [self_check(compare, counts)];
  if (!options['self-check']) results.push(check_against_baseline(counts));
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') ? 1 : 0;
}
