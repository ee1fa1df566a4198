// `waybill contract`: the five contracts are sound, and what is wrong with one is named with its place.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
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

// What the documents say, in their own words: names with a ? may be absent.
const documents = {
  'photo-editor': {
    table: 'photoeditor-{env}-jobs', key: 'jobId', ttl: 'ttl', recovery: '35d', stream: 'none',
    indexes: { 'userId-createdAt-index': ['userId', 'createdAt'], 'status-createdAt-index': ['status', 'createdAt'] },
    records: {
      job: {
        fields: 'jobId userId status createdAt updatedAt fileSize fileType originalFileName? s3TempKey? s3FinalKey? provider processingStartedAt? processingCompletedAt? analysisResult? editResult? error? correlationId? traceId? ttl',
        inside: {
          analysisResult: 'labels description? safeSearch?', 'analysisResult.labels': 'name confidence', 'analysisResult.safeSearch': 'adult violence',
          editResult: 's3Key width height format size', error: 'code message stack? retryCount',
        },
        states: 'QUEUED PROCESSING EDITING COMPLETED FAILED',
        words: { provider: 'gemini seedream stub', 'editResult.format': 'jpeg png webp', 'analysisResult.safeSearch.adult': 'VERY_UNLIKELY UNLIKELY POSSIBLE LIKELY VERY_LIKELY' },
      },
    },
  },
  'image-service': {
    table: 'ImageMetadata', key: ['PK', 'SK'], ttl: 'ttl', recovery: '35d', stream: 'new_and_old',
    indexes: { UserIndex: ['GSI1PK', 'GSI1SK'], AlbumIndex: ['GSI2PK', 'GSI2SK'] },
    records: {
      image: {
        // What is known after processing alone may be absent before it: processedSize, width, height, aspectRatio.
        fields: 'id userId albumId? originalFilename mimeType fileSize processedSize? width? height? aspectRatio? s3Key s3Bucket thumbnailKey imageUrl thumbnailUrl processingStatus processingError? format quality title? description? altText? tags? createdAt updatedAt uploadedAt ttl? version GSI1PK GSI1SK GSI2PK? GSI2SK?',
        states: 'pending processing completed failed', words: { format: 'webp jpeg png' },
      },
      version: { fields: 'id number s3Key createdAt' },
      tags: { fields: 'id tags' },
    },
  },
  orchestrator: {
    table: 'lifebook-orchestrator-jobs', key: 'job_id', ttl: 'ttl_at', indexes: { workspace_created_at: ['workspace_id', 'created_at'] },
    records: {
      job: {
        fields: 'job_id workspace_id user_id workflow_id trigger_type status attempts max_attempts step_cursor steps_total credits_estimate credits_reserved credits_spent idempotency_key last_error_code? last_error_message? created_at updated_at started_at? completed_at? ttl_at? next_attempt_at? trace_id?',
        worker: 'input? step_names? step_outputs?',
        states: 'pending queued running completed failed dead canceled', words: { trigger_type: 'manual schedule webhook file_drop' },
      },
    },
  },
  'asset-creator': {
    table: 'asset_creator', key: ['PK', 'SK'], ttl: 'ttl', recovery: '35d', stream: 'new_and_old',
    indexes: { GSI1: ['GSI1PK', 'GSI1SK'], GSI2: ['GSI2PK', 'GSI2SK'], GSI3: ['GSI3PK', 'GSI3SK'] },
    records: {
      project: { fields: 'project_id name style_profile? quotas? created_at' },
      job: { fields: 'project_id job_id asset_type status current_step error? created_at updated_at ttl? GSI1PK GSI1SK', worker: 'prompt? seed? parameters? review? asset_id?', words: { current_step: 'text-to-image refine 3d retopo rig anim export' } },
      step: { fields: 'project_id job_id step_name ts status artifacts metrics error? approved_by? decided_at? ttl? GSI2PK GSI2SK' },
      asset: { fields: 'project_id asset_id version type files metadata cdn_url? created_at GSI3PK GSI3SK', words: { type: '2D 3D' } },
      outbox: { fields: 'event_id type payload status ts', words: { status: 'pending published' } },
      idempotency: { fields: 'key job_id step_name? created_at ttl' },
      audit: { fields: 'project_id ts actor action details' },
    },
  },
  'text-analyzer': {
    table: 'text-analyzer-history', key: ['PK', 'SK'], indexes: {},
    records: {
      file: {
        fields: 'fileId ownerId s3Bucket s3Key originalFileName status createdAt updatedAt result? errorMessage?',
        inside: { result: 'totalWords uniqueWords avgWordLength top10Words', 'result.top10Words': 'word count' },
        states: 'PENDING IN_PROGRESS COMPLETED FAILED',
      },
    },
  },
};

// `worker`: what is beside the document's own, for the built-in worker, and may always be absent.
test('P2, I2, O2, A1, T1: every field, key, index and state of the documents is in its contract, and no other', () => {
  const sorted = (text) => text.split(' ').sort();
  for (const [name, document] of Object.entries(documents)) {
    const { table, records } = parse(readFileSync(join(contracts, `${name}.yaml`), 'utf8'));
    const { table: table_name, records: kinds, ...about } = document;
    assert.equal(table.name, table_name);
    assert.deepEqual({ key: table.key, ttl: table.ttl, recovery: table.recovery, stream: table.stream }, { key: about.key, ttl: about.ttl, recovery: about.recovery, stream: about.stream }, name);
    assert.deepEqual(Object.fromEntries(Object.entries(table.indexes ?? {}).map(([index, { key }]) => [index, key])), about.indexes, name);
    assert.deepEqual(Object.keys(records), Object.keys(kinds), name);
    for (const [kind, wanted] of Object.entries(kinds)) {
      const record = records[kind];
      const implied = [record.id?.field, record.status?.field, record.version].filter((field) => field && !(field in record.fields));
      assert.deepEqual([...Object.keys(record.fields), ...implied].sort(), sorted([wanted.fields, wanted.worker].filter(Boolean).join(' ')), `${name}, ${kind}`);
      const at = (path) => path.split('.').reduce((fields, part) => {
        const field = fields[part] ?? fields[`${part}?`];
        return field.fields ?? field.list_of?.fields ?? field;
      }, record.fields);
      for (const [path, names] of Object.entries(wanted.inside ?? {})) assert.deepEqual(Object.keys(at(path)).sort(), sorted(names), `${name}, ${path}`);
      for (const [path, words] of Object.entries(wanted.words ?? {})) assert.deepEqual(at(path).one_of.map(String), words.split(' '), `${name}, ${path}`);
      if (!wanted.states) continue;
      const { start, moves, ends } = record.status;
      const states = new Set([start, ...Object.entries(moves).flatMap(([from, to]) => [from, ...[].concat(to)]), ...(Array.isArray(ends) ? ends : Object.keys(ends))]);
      assert.deepEqual([...states].sort(), sorted(wanted.states), `${name}, ${kind}`);
    }
  }
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
  const another = await diff(before, changed((text) => text.replace('      title?: string\n', '      title?: int\n')));
  assert.equal(another.code, 1);
  assert.ok(another.output.startsWith('refused    the field "title" of "image" has another type\n'), another.output);
  const untagged = await diff(before, changed((text) => text.replace('    tags: {field: tags, within: userId, newest_by: uploadedAt}\n', '')));
  assert.ok(untagged.output.startsWith('migration  the search by tags of "image" is gone\n'), untagged.output);
});
