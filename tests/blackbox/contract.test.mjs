// `waybill contract`: the five contracts are sound, and what is wrong with one is named with its place.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ours, runBinary, scratchDir } from './harness.mjs';

const contracts = fileURLToPath(new URL('../../contracts/', import.meta.url));

async function check(...args) {
  const run = runBinary(['contract', 'check', ...args], { within_ms: 30_000 });
  return { code: await run.exited, output: run.output };
}

test('P2, I2, O2, A1, T1: the five contracts have no errors', ours, async () => {
  const files = readdirSync(contracts).filter((name) => name.endsWith('.yaml'));
  assert.equal(files.length, 5);
  const { code, output } = await check(...files.map((name) => join(contracts, name)));
  assert.equal(code, 0, output);
  assert.ok(!output.includes(': error: '), output);
  assert.match(output, /photo-editor\.yaml:\d+:\d+: warning: .*"PROCESSING" and cannot fail there/);
});

test('a contract with errors ends with 1, and each error says where and what to do', ours, async () => {
  const file = join(scratchDir(), 'wrong.yaml');
  writeFileSync(file, 'contract: wrong\nversion: 1\ntable: {name: t, key: id}\nrecords:\n  r:\n    fields:\n      id: strin\n');
  const { code, output } = await check(file);
  assert.equal(code, 1);
  assert.ok(output.includes(`${file}:7:11: error: the field "id" has no type "strin"\n    did you mean "string"?\n`), output);
  const told = JSON.parse((await check('--json', file)).output);
  assert.deepEqual(told, [{ file, line: 7, column: 11, weight: 'error', what: 'the field "id" has no type "strin"', remedy: 'did you mean "string"?' }]);
});

test('a file that is not there is an error', ours, async () => {
  const { code, output } = await check('/nowhere/contract.yaml');
  assert.equal(code, 1);
  assert.ok(output.startsWith('/nowhere/contract.yaml: error: the file cannot be read\n'), output);
});

test('contract show draws the states as text and as a picture', ours, async () => {
  const show = async (...args) => {
    const run = runBinary(['contract', 'show', ...args], { within_ms: 30_000 });
    return { code: await run.exited, output: run.output };
  };
  const orchestrator = join(contracts, 'orchestrator.yaml');
  const text = await show(orchestrator);
  assert.equal(text.code, 0, text.output);
  assert.ok(text.output.includes('orchestrator: the states of job\n\npending  (start)\n'), text.output);
  const file = join(scratchDir(), 'states.svg');
  assert.equal((await show(orchestrator, '--svg', file)).code, 0);
  assert.match(readFileSync(file, 'utf8'), /^<svg [^]*<\/svg>\n$/);
  const several = await show(join(contracts, 'asset-creator.yaml'), '--svg', file);
  assert.equal(several.code, 1);
  assert.ok(several.output.includes('say which one to draw, with --record NAME'), several.output);
});

test('I8: contract diff tells safe changes from those that need a migration', ours, async () => {
  const diff = async (...args) => {
    const run = runBinary(['contract', 'diff', ...args], { within_ms: 30_000 });
    return { code: await run.exited, output: run.output };
  };
  const before = join(contracts, 'image-service.yaml');
  const changed = (replace) => {
    const file = join(scratchDir(), 'changed.yaml');
    writeFileSync(file, replace(readFileSync(before, 'utf8').replace('version: 1\n', 'version: 2\n')));
    return file;
  };
  const same = await diff(before, before);
  assert.deepEqual(same, { code: 0, output: 'they say the same\n' });
  const optional = await diff(before, changed((text) => text.replace('      title?: string\n', '      title?: string\n      exifData?: map\n')));
  assert.equal(optional.code, 0, optional.output);
  assert.ok(optional.output.startsWith('safe       the field "exifData" of "image" is new\n'), optional.output);
  const removed = await diff(before, changed((text) => text.replace('      altText?: string\n', '')));
  assert.equal(removed.code, 1);
  assert.ok(removed.output.startsWith('migration  the field "altText" of "image" is gone\n'), removed.output);
});
