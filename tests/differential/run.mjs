// Random operations, valid and invalid, sent to Waybill and to dynoxide, the answers compared.
//
//   node run.mjs [--seed N|random] [--ops N] [--samples N] [--a URL --b URL] [--self-check]
//
// The same seed gives the same requests; --seed random explores. Without URLs both servers are started here, on
// empty directories. --oracle-twice compares dynoxide with itself: a mismatch then is a fault of this test.

import {parseArgs} from 'node:util';
import {Endpoint} from './wire.mjs';
import {start_dynoxide, start_waybill} from './servers.mjs';
import {known_differences} from './known_differences.mjs';
import {mutations} from './generate/mutations.mjs';
import {Trial} from './trial.mjs';
import {self_check} from './self_check.mjs';

const operations_for_coverage = 20_000;

const {values: options} = parseArgs({options: {
  seed: {type: 'string', default: '1'}, ops: {type: 'string', default: String(operations_for_coverage)}, samples: {type: 'string', default: '2'},
  a: {type: 'string'}, b: {type: 'string'}, 'oracle-twice': {type: 'boolean', default: false}, 'self-check': {type: 'boolean', default: false},
  coverage: {type: 'boolean', default: false},
}});

async function main() {
  const seed = options.seed === 'random' ? String(Math.floor(Math.random() * 2 ** 32)) : options.seed;
  console.log(`seed ${seed}`);
  if (options['self-check']) return self_check(seed);

  const servers = [];
  try {
    if (!options.a) servers.push(await (options['oracle-twice'] ? start_dynoxide() : start_waybill()));
    if (!options.b) servers.push(await start_dynoxide());
    const [a, b] = [options.a ?? servers[0].url, options.b ?? servers.at(-1).url].map((url) => new Endpoint(url));
    for (const endpoint of [a, b]) if (!(await endpoint.ready())) throw new Error(`${endpoint.url} does not answer\n${servers.map((s) => s.output()).join('\n')}`);

    const started = Date.now();
    const trial = new Trial({a, b, seed, operation_count: Number(options.ops), samples_max: Number(options.samples)});
    await trial.run();
    for (const endpoint of [a, b]) endpoint.close();
    return conclude(trial, (Date.now() - started) / 1000) && all_alive(servers);
  } finally {
    for (const server of servers) await server.stop();
  }
}

// A server that is gone before it was stopped has crashed, or was killed: the signal tells.
function all_alive(servers) {
  const gone = servers.filter((server) => server.end());
  for (const server of gone) console.log(`${server.child.spawnfile} ended with code ${server.end().code}, signal ${server.end().signal}\n${server.output()}`);
  return gone.length === 0;
}

function conclude(trial, seconds) {
  const {report, coverage} = trial;
  report.print();
  console.log(`\n${trial.done} operations in ${seconds.toFixed(1)} s`);

  console.log('\nknown differences (of these in requests that were not spoiled)');
  for (const {name} of known_differences) {
    const {all, unspoiled} = report.known.get(name) ?? {all: 0, unspoiled: 0};
    console.log(`  ${all ? `${all} (${unspoiled})` : 'UNUSED'}  ${name}`);
  }

  if (options.coverage) console.log(`\nsent/accepted\n${coverage.table()}`);
  const missing = coverage.missing(Object.keys(mutations));
  const enough = trial.operation_count >= operations_for_coverage;
  if (missing.length) console.log(`\nblind spots${enough ? '' : ' (not counted: too few operations)'}\n  ${missing.join('\n  ')}`);
  else console.log('\nno blind spots');

  const failed = report.failed + (enough ? missing.length : 0);
  console.log(`${report.passed} passed, ${failed} failed`);
  return failed === 0;
}

process.exitCode = (await main()) ? 0 : 1;
