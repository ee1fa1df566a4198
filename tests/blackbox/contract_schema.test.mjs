// The JSON Schema of contracts, from which editors complete and underline: it knows the keys and words that the reader
// knows, no more and no fewer, and refuses what `waybill contract check` refuses, as far as a schema can.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Ajv from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { ours, scratchDir } from './harness.mjs';
import { binary } from './servers.mjs';

const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const text_of_schema = readFileSync(path('share/contract.schema.json'), 'utf8');
const schema = JSON.parse(text_of_schema);
const validate = new Ajv({ allErrors: true, strictTypes: false, strictRequired: false }).compile(schema);

// All that the binary prints, whatever its exit code.
const said = (...args) =>
  new Promise((resolve) => execFile(binary, args, { maxBuffer: 10e6 }, (_, stdout) => resolve(stdout)));

// What the binary says of contracts, by name: [{weight, what, remedy}, …].
async function checked(contracts) {
  const folder = scratchDir();
  const files = Object.entries(contracts).map(([name, text]) => {
    const file = join(folder, `${name.replaceAll(/\W+/g, '_')}.yaml`);
    writeFileSync(file, text);
    return { name, file };
  });
  const told = JSON.parse(await said('contract', 'check', '--json', ...files.map(({ file }) => file)));
  return new Map(files.map(({ name, file }) => [name, told.filter((problem) => problem.file === file)]));
}

const hasError = (problems) => problems.some(({ weight }) => weight === 'error');

const sound = `contract: runs
version: 1
enforcement: log
parameters:
  env: {type: string, one_of: [dev, prod], default: dev}
table:
  name: runs-{env}
  key: [PK, SK]
  indexes:
    by_owner: {key: [owner, created_at], project: keys}
  ttl: ttl_at
  recovery: 35d
  stream: new
  billing: {read: 25, write: 10}
buckets:
  runs-{env}-in: {size_max: 25MB, types: [image/png, text/plain], expires: 1h}
records:
  run:
    key: {PK: "RUN#{run_id}", SK: "V#{number:08}"}
    id: {field: run_id, kind: ulid, prefix: run_}
    other_fields: refuse
    owner: owner
    tenant: owner
    version: revision
    trace: [code]
    tags: {field: tags, within: owner, newest_by: created_at}
    fields:
      number: {type: int, min: 1}
      owner: string
      tags?: {list_of: {type: string, max_length: 40}}
      attempts: {type: int, default: 0}
      most: {type: int, default: 5, max: 100}
      estimate: {type: number, default: 0}
      created_at: {type: timestamp, set: on_create}
      ended_at?: {type: timestamp, set: {on_entering: [done, dead]}}
      kind: {one_of: [small, large], default: small}
      size?: {fields: {width: int, "stack?": {type: string, dropped_where: {env: prod}}}}
      note?: {type: string, only_in: failed}
      code?: string
      at?: timestamp
      step: {type: int, default: 0}
      idempotency_key: string
      link: {type: string, computed: "https://x/{run_id}"}
      ttl_at?: epoch_s
    status:
      field: status
      start: queued
      moves:
        queued: working
        working: [paused, done, failed, dead]
        paused: [working, dead]
        failed: [working, dead]
      ends:
        done: {keep: 90d, then: archive}
        dead: {}
    work:
      queue: {name: "runs-{env}-queue", dead_letters: "runs-{env}-dead", receives: 5, visibility: 15m}
      enqueue: {when: object_arrives, bucket: owner, key: "in/{run_id}"}
      message: {run_id: "{run_id}", number: "{number}", attempt: attempts + 1}
      claim: {from: [queued, failed], to: working}
      done: {from: working, to: done}
      fail: {from: working, to: failed, dead_letter: true}
      cancel: dead
      replay: {from: dead, to: queued, by_hand: true}
      steps: {cursor: step, total: most, record: part, review: {pause: paused, resume: working, reject: dead}}
      give_up: {after: most, to: dead}
      backoff: [30s, 30s, 2m]
      attempts: attempts
      next_attempt_at: at
      error: {code: code, message: note}
      built_in: {worker: image, with: {original: "in/{env}/{run_id}"}}
    idempotency: {field: idempotency_key, within: owner, record: keys, keep: 72h}
    counters:
      credits: {estimate: estimate, reserved: estimate, spent: estimate}
    events:
      - {on: [done, dead], type: run_ended, with: {success: true}}
    mirrors:
      history: {key: {PK: "OWNER#{owner}", SK: "RUN#{run_id}"}, fields: [owner]}
    keep_latest: {by: run_id, count: 10, then: archive}
    audit: {by: owner}
  keys:
    key: {PK: "KEY#{key}", SK: KEY}
    role: idempotency
    fields: {key: string}
`;

const published = (place) => `${sound}publish: ${JSON.stringify([place])}\n`;

const changed = (from, to) => {
  assert.ok(sound.includes(from), from);
  return sound.replace(from, to);
};

// What is wrong, by what it breaks.
const broken = {
  'no name': ['contract: runs\n', ''],
  'no version': ['version: 1\n', ''],
  'a version that is no number': ['version: 1\n', 'version: first\n'],
  'a version below 1': ['version: 1\n', 'version: 0\n'],
  'an unknown key': ['enforcement: log', 'enforcment: log'],
  'an unknown enforcement': ['enforcement: log', 'enforcement: warn'],
  'parameters that are a list': ['parameters:\n  env: {type: string, one_of: [dev, prod], default: dev}', 'parameters: [env]'],
  'a parameter without a default': [', default: dev}', '}'],
  'no table': [/^table:\n(?: .*\n)*/m, ''],
  'a table without a key': ['  key: [PK, SK]\n', ''],
  'a key of three attributes': ['key: [PK, SK]\n', 'key: [PK, SK, TK]\n'],
  'an index without a key': ['key: [owner, created_at], ', ''],
  'an attribute of an index twice': ['[owner, created_at]', '[owner, owner]'],
  'a recovery that is no time': ['35d', '35'],
  'an unknown stream': ['stream: new', 'stream: newest'],
  'units below 1': ['read: 25', 'read: 0'],
  'units without writes': [', write: 10', ''],
  'buckets that are a list': [/^buckets:\n(?: .*\n)*/m, 'buckets: [runs]\n'],
  'a size that is none': ['25MB', 'large'],
  'a size of nothing': ['25MB', '0MB'],
  'an unknown key of a bucket': ['size_max: 25MB', 'size: 25MB'],
  'a time of objects that is none': ['expires: 1h', 'expires: soon'],
  'records that are a list': [/^records:\n[^]*/m, 'records: [run]\n'],
  'an unknown key of a record': ['    owner: owner\n', '    ownr: owner\n'],
  'an unknown role': ['role: idempotency', 'role: keys'],
  'other fields that are neither kept nor refused': ['other_fields: refuse', 'other_fields: drop'],
  'a key with an open brace': ['"RUN#{run_id}"', '"RUN#{run_id"'],
  'a width of nothing': ['{number:08}', '{number:00}'],
  'an unknown kind of id': ['kind: ulid', 'kind: serial'],
  'an id without a field': ['field: run_id, ', ''],
  'a record without fields': ['    fields: {key: string}\n', ''],
  'an unknown type': ['owner: string', 'owner: strng'],
  'a field of two types': ['{one_of: [small, large]', '{type: int, one_of: [small, large]'],
  'a list that is a set': ['{list_of: {', '{set_of: string, list_of: {'],
  'a field without a name': ['code?: string', '"?": string'],
  'a least length': ['max_length: 40', 'min_length: 40'],
  'a least text': ['owner: string', 'owner: {type: string, min: 1}'],
  'a length of a number': ['{type: int, min: 1}', '{type: int, max_length: 1}'],
  'a set number': ['created_at: {type: timestamp', 'created_at: {type: int'],
  'a set without a moment': ['{on_entering: [done, dead]}', '{}'],
  'a set with two moments': ['{on_entering: [done, dead]}', '{on_entering: done, on_leaving: dead}'],
  'a value in two ways': ['set: on_create', 'set: on_create, default: 0'],
  'a field that is only there sometimes and always': ['note?:', 'note:'],
  'a field that is dropped and always there': ['"stack?":', 'stack:'],
  'a default that is a list': ['default: small', 'default: [small]'],
  'no start': ['      start: queued\n', ''],
  'no ends': [/ {6}ends:\n(?: {8}.*\n)*/, ''],
  'moves that are a list': [/ {6}moves:\n(?: {8}.*\n)*/, '      moves: [queued, working]\n'],
  'a state twice': ['[working, dead]\n', '[working, working, dead]\n'],
  'an unknown end of a life': ['then: archive}\n', 'then: forget}\n'],
  'work without a status': [/ {4}status:\n(?: {6,}.*\n)*/, ''],
  'work without a queue': [/ {6}queue: .*\n/, ''],
  'work without a message': [/ {6}message: .*\n/, ''],
  'work without a claim': [/ {6}claim: .*\n/, ''],
  'work that cannot fail': [/ {6}fail: .*\n/, ''],
  'a queue without a name': ['name: "runs-{env}-queue", ', ''],
  'too many receives': ['receives: 5', 'receives: 5000'],
  'a move without an end': ['{from: working, to: done}', '{from: working}'],
  'an arrival without a bucket': ['bucket: owner, ', ''],
  'a backoff that is no time': ['[30s, 30s, 2m]', '[30s, soon]'],
  'a worker that there is not': ['{worker: image, with', '{worker: video, with'],
  'a worker without a name': ['{worker: image, with', '{with'],
  'a worker that is told a list': ['with: {original: "in/{env}/{run_id}"}', 'with: [original]'],
  'steps without a cursor': ['cursor: step, ', ''],
  'a review without a no': [', reject: dead', ''],
  'a give up without an end': ['{after: most, to: dead}', '{after: most}'],
  'idempotency for ever': [', keep: 72h', ''],
  'idempotency by nothing': ['{field: idempotency_key, ', '{'],
  'idempotency by two things': ['{field: idempotency_key, ', '{field: idempotency_key, hash_of: [owner], '],
  'a counter without an estimate': ['{estimate: estimate, ', '{'],
  'events that are a map': ['      - {on: [done, dead], type: run_ended, with: {success: true}}', '      {on: done, type: run_ended}'],
  'an event without a type': ['type: run_ended, ', ''],
  'a mirror without a key': ['key: {PK: "OWNER#{owner}", SK: "RUN#{run_id}"}, ', ''],
  'versions without a count': ['count: 10, ', ''],
  'an audit by nothing': ['{by: owner}', '{}'],
};

// What only the binary can know: whether names agree.
const beyond = {
  'a bucket with a name that none can have': ['runs-{env}-in:', 'Runs_in:'],
  'a bucket named by what is no parameter': ['runs-{env}-in:', 'runs-{stage}-in:'],
  'a type that is none': ['image/png', 'images'],
  'an owner that is no field': ['    owner: owner\n', '    owner: ownr\n'],
  'a worker that is told of a field that there is not': ['"in/{env}/{run_id}"', '"in/{env}/{run}"'],
  'a state that there is not': ['start: queued', 'start: waiting'],
  'a move that is not allowed': ['{from: working, to: done}', '{from: queued, to: done}'],
  'a default that is none of the words': ['default: small', 'default: tiny'],
  'a message without the key': ['number: "{number}", ', ''],
  'a message with a part of the key in another form': ['number: "{number}", ', 'number: "N{number}", '],
  'a give up that the moves do not allow': ['failed: [working, dead]', 'failed: working'],
};

test('the binary prints the schema that lies beside it', ours, async () => {
  assert.equal(await said('contract', 'schema'), text_of_schema);
});

test('P2, I2, O2, A1, T1: the five contracts fit the schema, and tell editors of it', () => {
  const files = readdirSync(path('contracts')).filter((name) => name.endsWith('.yaml'));
  assert.equal(files.length, 5);
  for (const name of files) {
    const text = readFileSync(path(`contracts/${name}`), 'utf8');
    assert.ok(text.startsWith('# yaml-language-server: $schema=../share/contract.schema.json\n'), name);
    assert.ok(validate(parse(text)), `${name}: ${JSON.stringify(validate.errors)}`);
  }
});

test('what uses all of the language is sound to both', ours, async () => {
  assert.ok(validate(parse(sound)), JSON.stringify(validate.errors));
  const told = await checked({ sound });
  assert.ok(!hasError(told.get('sound')), JSON.stringify(told.get('sound')));
});

test('what is broken is refused by both', ours, async () => {
  const contracts = Object.fromEntries(
    Object.entries(broken).map(([name, [from, to]]) => {
      const text = sound.replace(from, () => to);
      assert.notEqual(text, sound, name);
      return [name, text];
    }),
  );
  Object.assign(contracts, {
    'a place of no kind': published({ url: 'https://x' }),
    'a place of an unknown kind': published({ to: 'pigeon' }),
    'a webhook to nowhere': published({ to: 'webhook' }),
    'a webhook that is no URL': published({ to: 'webhook', url: 'x.example' }),
    'a secret in the file': published({ to: 'webhook', url: 'https://x', secret_env: 'not a name' }),
    'a topic without brokers': published({ to: 'kafka', topic: 't' }),
    'a bus without a region': published({ to: 'eventbridge', bus: 'b' }),
    'a queue without a name to publish to': published({ to: 'queue' }),
    'places that are no list': `${sound}publish: {to: queue, name: q}\n`,
  });
  const told = await checked(contracts);
  for (const [name, text] of Object.entries(contracts)) {
    assert.ok(!validate(parse(text)), `the schema lets pass: ${name}`);
    assert.ok(hasError(told.get(name)), `the check lets pass: ${name}`);
  }
});

test('what does not agree is refused by the check alone', ours, async () => {
  const contracts = Object.fromEntries(Object.entries(beyond).map(([name, [from, to]]) => [name, changed(from, to)]));
  const told = await checked(contracts);
  for (const [name, text] of Object.entries(contracts)) {
    assert.ok(validate(parse(text)), `${name}: ${JSON.stringify(validate.errors)}`);
    assert.ok(hasError(told.get(name)), `the check lets pass: ${name}`);
  }
});

const wordsOf = (list) => list.split(/, | or /);

// The maps of the language, as the reader calls them in `sound`, and what they are in the schema.
const maps = {
  'a contract': schema,
  'the parameter "env"': schema.$defs.parameter,
  'the table': schema.$defs.table,
  'the index "by_owner"': schema.$defs.index,
  "the table's billing": schema.$defs.billing,
  'the bucket "runs-{env}-in"': schema.$defs.bucket,
  'the record "run"': schema.$defs.record,
  'the record "run": id': schema.$defs.id,
  'the record "run": tags': schema.$defs.tags,
  'the field "number"': schema.$defs.field_options,
  'the field "ended_at": set': schema.$defs.set_by_state,
  'the record "run": status': schema.$defs.status,
  'the record "run": the end done': schema.$defs.end,
  'the record "run": work': schema.$defs.work,
  'the record "run": work: queue': schema.$defs.queue,
  'the record "run": work: enqueue': schema.$defs.arrival,
  'the record "run": work: claim': schema.$defs.move_options,
  'the record "run": work: steps': schema.$defs.steps,
  'the record "run": work: review': schema.$defs.review,
  'the record "run": work: give_up': schema.$defs.give_up,
  'the record "run": work: error': schema.$defs.error,
  'the record "run": work: built_in': schema.$defs.built_in_options,
  'the record "run": idempotency': schema.$defs.idempotency,
  'the record "run": the counter "credits"': schema.$defs.counter,
  'the record "run": an event': schema.$defs.event,
  'the record "run": the mirror "history"': schema.$defs.mirror,
  'the record "run": keep_latest': schema.$defs.keep_latest,
  'the record "run": audit': schema.$defs.audit,
};

// Places that events are published to.
const places = {
  webhook: { url: 'https://x/hook', secret_env: 'HOOK_SECRET' },
  kafka: { brokers: 'a:9092,b:9092', topic: 'runs-{env}' },
  eventbridge: { region: 'us-east-1', endpoint: 'http://x', bus: 'b', access_key_env: 'A', secret_key_env: 'B' },
  queue: { name: 'runs-{env}-events' },
};

test('the schema has the keys that the reader has', ours, async () => {
  const places_of_schema = Object.keys(places).map((to) => schema.$defs[`${to}_place`]);
  assert.deepEqual(
    new Set([schema, ...Object.values(schema.$defs)].filter((part) => part.additionalProperties === false && part.properties)),
    new Set([...Object.values(maps), ...places_of_schema]),
    'every map of the schema is looked at',
  );
  // One key that nobody knows in every map: the reader names those it knows.
  const text = `zzzz: 1\n${sound}`
    .replaceAll(/\{(?=\w+: )/g, '{zzzz: 1, ')
    .replace('dead: {}', 'dead: {zzzz: 1}')
    .replaceAll(/^( *)(name|field|queue|owner): (?=\S)/gm, '$1zzzz: 1\n$1$2: ');
  const told = (await checked({ text })).get('text');
  const known = new Map();
  for (const { what, remedy } of told) {
    const map = /^(.*) has no "zzzz"$/.exec(what)?.[1];
    const keys = /^it may have (.*)$/.exec(remedy)?.[1];
    if (map && keys) known.set(map, wordsOf(keys).sort());
  }
  for (const [name, part] of Object.entries(maps)) {
    assert.deepEqual(known.get(name), Object.keys(part.properties).sort(), name);
  }
});

test('the schema has the places to publish to that the reader has', ours, async () => {
  for (const [to, place] of Object.entries(places)) {
    const withPlace = (more) => published({ to, ...place, ...more });
    const told = await checked({ sound: withPlace({}), unknown: withPlace({ zzzz: 1 }) });
    assert.ok(validate(parse(withPlace({}))), JSON.stringify(validate.errors));
    assert.ok(!hasError(told.get('sound')), JSON.stringify(told.get('sound')));
    assert.ok(!validate(parse(withPlace({ zzzz: 1 }))), to);
    const keys = told.get('unknown').map(({ remedy }) => /^it may have (.*)$/.exec(remedy)?.[1]).find(Boolean);
    assert.deepEqual(wordsOf(keys ?? '').sort(), Object.keys(schema.$defs[`${to}_place`].properties).sort(), to);
  }
});

test('the schema has the words that the reader has', ours, async () => {
  const { $defs } = schema;
  const choices = {
    'enforcement: log': schema.properties.enforcement,
    'type: string, one_of: [dev': $defs.parameter.properties.type,
    'stream: new': $defs.table.properties.stream,
    'role: idempotency': $defs.record.properties.role,
    'other_fields: refuse': $defs.record.properties.other_fields,
    'kind: ulid': $defs.id.properties.kind,
    'when: object_arrives': $defs.arrival.properties.when,
    'then: archive': $defs.after_life,
    'owner: string': $defs.type,
  };
  for (const [part, { enum: words }] of Object.entries(choices)) {
    const word = /: (\w+)/.exec(part)[1];
    const told = (await checked({ text: changed(part, part.replace(`: ${word}`, ': zzzzzzzz')) })).get('text');
    const list = told.map(({ remedy }) => /^write ([\w, ]+)/.exec(remedy)?.[1]).find(Boolean);
    assert.deepEqual(wordsOf(list ?? '').sort(), [...words].sort(), part);
  }
});
