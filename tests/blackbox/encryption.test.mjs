// With a key, nothing of what clients wrote can be read in the data directory, at any moment of a server's
// life; without its key a store does not open, and says so; keys change under load and under kill -9.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { N, S, clientConfig, createTable, freePort, ours, runBinary, scratchDir, sleep, startServer, until } from './harness.mjs';
import { s3Client } from './s3_clients.mjs';

const clientOf = (server) => new DynamoDB(clientConfig({ endpoint: server.endpoint }));
const newKey = () => randomBytes(32).toString('hex');

function keyFile(...keys) {
  const path = join(scratchDir(), 'keys');
  setKeys(path, ...keys);
  return path;
}
function setKeys(path, ...keys) {
  writeFileSync(path, keys.map((key) => `${key}\n`).join(''));
  chmodSync(path, 0o600);
}
const withKeys = (path, ...more) => ['--encryption-key-file', path, ...more];

// Every file in the directory in whose bytes one of the words stands.
function filesWith(directory, words) {
  const found = [];
  for (const name of readdirSync(directory, { recursive: true }).map(String)) {
    const path = join(directory, name);
    let bytes;
    try {
      if (!statSync(path).isFile()) continue;
      bytes = readFileSync(path);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error; // a running server deletes files
      continue;
    }
    for (const word of words) if (bytes.includes(word)) found.push(`${name}: ${word}`);
  }
  return found;
}

const words = ['FindTable', 'FindIndex', 'FindPartition', 'FindSort', 'FindAttribute', 'FindValue', 'FindTag', 'FindLabel'];

// Writes something of every kind that a client can name.
async function writeWords(db, count) {
  const TableName = await createTable('FindPartition:S FindSort:N', {
    client: db, gsi: { FindIndex: 'FindAttribute:S' }, Tags: [{ Key: 'FindTag', Value: 'FindLabel' }],
    SSESpecification: { Enabled: true }, TableName: 'FindTable',
  });
  for (let i = 0; i < count; i++) {
    await db.putItem({ TableName, Item: { FindPartition: S('FindPartition'), FindSort: N(i), FindAttribute: S(`FindAttribute${i}`), text: S('FindValue'.repeat(20)) } });
  }
  return TableName;
}

const count = async (db, TableName) => {
  let [items, ExclusiveStartKey] = [0];
  do {
    const page = await db.scan({ TableName, Select: 'COUNT', ConsistentRead: true, ExclusiveStartKey });
    items += page.Count;
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
};

// A start that must be refused: what it says.
async function refusal(data, args = [], env = {}) {
  const run = runBinary(['serve', '--listen', `127.0.0.1:${await freePort()}`, '--data', data, ...args], { within_ms: 10_000, env });
  const code = await run.exited;
  assert.ok(typeof code === 'number' && code !== 0, `exit: ${code}\n${run.output}`);
  return run.output;
}

// What an operator is told of a data directory.
async function tell(data) {
  const run = runBinary(['encryption', '--data', data], { within_ms: 10_000 });
  assert.equal(await run.exited, 0, run.output);
  return run.output;
}

test('P9: nothing readable is on disk: in the log, in tables, after a kill and after a stop', ours, async () => {
  const keys = keyFile(newKey());
  let server = await startServer({ args: withKeys(keys) });
  const data = server.data;
  const TableName = await writeWords(clientOf(server), 100);
  assert.deepEqual(filesWith(data, words), []);
  await server.stop('SIGKILL');
  assert.deepEqual(filesWith(data, words), []);
  server = await startServer({ data, args: withKeys(keys) });
  assert.equal(await count(clientOf(server), TableName), 100);
  assert.deepEqual(filesWith(data, words), []);
  await server.stop(); // flushes: from here on all is in table files
  assert.deepEqual(filesWith(data, words), []);
  assert.ok(readdirSync(join(data, 'engine')).some((name) => name.endsWith('.sst')));
  server = await startServer({ data, args: withKeys(keys) });
  assert.equal(await count(clientOf(server), TableName), 100);
  await server.stop();
});

test('the same search finds every word where nothing is encrypted', ours, async () => {
  const server = await startServer();
  await writeWords(clientOf(server), 10);
  await server.stop('SIGKILL');
  const found = filesWith(server.data, words).join('\n');
  for (const word of words) assert.ok(found.includes(word), `${word} in\n${found}`);
});

test('P9: a table that asks for encryption is told of it, and the log warns only where it is not so', ours, async () => {
  for (const encrypted of [true, false]) {
    const server = await startServer({ args: encrypted ? withKeys(keyFile(newKey())) : [] });
    const db = clientOf(server);
    const TableName = await createTable('pk:S', { client: db, SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: 'alias/mine' } });
    const { SSEDescription } = (await db.describeTable({ TableName })).Table;
    assert.deepEqual(SSEDescription, { Status: 'ENABLED', SSEType: 'KMS', KMSMasterKeyArn: 'arn:aws:kms:us-east-1:000000000000:alias/mine' });
    await server.stop();
    assert.equal(/asks for encryption at rest/.test(server.run.output), !encrypted, server.run.output);
  }
});

test('P9: a store opens with its key alone, and says what is missing', ours, async () => {
  const key = newKey();
  const other = newKey();
  const server = await startServer({ args: withKeys(keyFile(key)) });
  const { data } = server;
  await createTable('pk:S', { client: clientOf(server) });
  await server.stop();

  assert.match(await refusal(data), /is encrypted with key [0-9a-f]{16}\. Give it with --encryption-key-file FILE, or in WAYBILL_ENCRYPTION_KEY/);
  assert.match(await refusal(data, withKeys(keyFile(other))), /is encrypted with key [0-9a-f]{16}, which is not among the given keys \([0-9a-f]{16}\)/);
  assert.match(await refusal(data, withKeys('/nowhere/key')), /\/nowhere\/key: cannot be opened/);
  assert.match(await refusal(data, withKeys(keyFile('password'))), /line 1 is not a key of 32 bytes.*openssl rand -hex 32/);
  const open = keyFile(key);
  chmodSync(open, 0o644);
  assert.match(await refusal(data, withKeys(open)), /can be read by others; run: chmod 600/);
  assert.match(await refusal(data, withKeys(keyFile(key)), { WAYBILL_ENCRYPTION_KEY: other }), /give one of them/);
  for (const output of [await refusal(data, withKeys(keyFile(key, 'x'))), await refusal(data, [], { WAYBILL_ENCRYPTION_KEY: `${other},x` })]) {
    assert.ok(!output.includes(key) && !output.includes(other), 'a key was printed');
  }

  // And by the environment it opens as well.
  const run = await startServer({ data, env: { WAYBILL_ENCRYPTION_KEY: key } });
  assert.ok(!readFileSync(`/proc/${run.run.child.pid}/environ`).includes(key), 'the key is still in the environment');
  await run.stop();
  assert.match(await tell(data), /: encrypted\nkey [0-9a-f]{16}: \d+ files, /);
});

test('a plain store is refused with a key, and encrypted while it serves where that is asked for', ours, async () => {
  const keys = keyFile(newKey());
  let server = await startServer();
  const { data } = server;
  const TableName = await writeWords(clientOf(server), 200);
  await server.stop();
  assert.ok(filesWith(data, words).length > 0);
  assert.match(await tell(data), /: not encrypted \(\d+ files/);
  assert.match(await refusal(data, withKeys(keys)), /is not encrypted, and a key was given\. Start with --encrypt-existing/);
  assert.match(await refusal(data, ['--encrypt-existing']), /--encrypt-existing needs a key/);

  server = await startServer({ data, args: withKeys(keys, '--encrypt-existing') });
  await clientOf(server).putItem({ TableName, Item: { FindPartition: S('FindPartition'), FindSort: N(1000) } });
  await server.stop('SIGKILL');
  server = await startServer({ data, args: withKeys(keys) }); // goes on without being asked again
  assert.equal(await count(clientOf(server), TableName), 201);
  await until('every file is encrypted', () => /every file is encrypted now/.test(server.run.output));
  assert.match(await tell(data), /: encrypted\n/);
  assert.deepEqual(filesWith(data, words), []);
  assert.equal(await count(clientOf(server), TableName), 201);
  await server.stop('SIGKILL');
  assert.match(await refusal(data), /is encrypted with key/);
  server = await startServer({ data, args: withKeys(keys) });
  assert.equal(await count(clientOf(server), TableName), 201);
  await server.stop();
});

test('keys change while writes go on and the server is killed; afterwards only the new key opens the store', ours, async () => {
  const first = newKey();
  const path = keyFile(first);
  let server = await startServer({ args: withKeys(path) });
  const { data } = server;
  let db = clientOf(server);
  const TableName = await createTable('pk:S', { client: db });
  let [written, unknown] = [0, 0];
  let current = first;
  const keysInUse = async () => (await tell(data)).match(/^key [0-9a-f]+/gm) ?? [];
  let [used] = await keysInUse();
  // A server that was started amid a change has told of that one's end already.
  const changes = () => server.run.output.match(/no older key is needed any more/g)?.length ?? 0;
  for (let round = 0; round < 6; round++) {
    let stop = false;
    const writer = (async () => {
      while (!stop) {
        try {
          await db.putItem({ TableName, Item: { pk: S(String(written)), text: S('x'.repeat(500)) } });
          written += 1;
        } catch {
          unknown += 1; // it may be there all the same
          return;
        }
      }
    })();
    await sleep(50);
    const next = newKey();
    setKeys(path, next, current);
    const changes_before = changes();
    server.run.child.kill('SIGHUP');
    if (round % 2 === 0) await sleep([0, 3, 10][round / 2]);
    else await until('the change is over', () => changes() > changes_before);
    await server.stop('SIGKILL');
    stop = true;
    await writer;
    server = await startServer({ data, args: withKeys(path) });
    db = clientOf(server);
    const items = await count(db, TableName);
    assert.ok(items >= written && items <= written + unknown, `${written} acknowledged, ${unknown} unknown, ${items} found`);
    const last = used;
    await until('the new key alone is left', async () => {
      const found = await keysInUse();
      used = found[0];
      return found.length === 1 && used !== last;
    });
    current = next;
  }
  await server.stop('SIGKILL');
  assert.match(await refusal(data, withKeys(keyFile(first))), /which is not among the given keys|is still needed/);
  server = await startServer({ data, args: withKeys(keyFile(current)) });
  assert.ok(await count(clientOf(server), TableName) >= written);
  await server.stop();
});

test('a key that is still needed cannot be taken away from a running server', ours, async () => {
  const path = keyFile(newKey());
  const server = await startServer({ args: withKeys(path) });
  setKeys(path, newKey());
  server.run.child.kill('SIGHUP');
  await until('the refusal is in the log', () => /the keys for encryption stay as they were: key [0-9a-f]{16} is still needed/.test(server.run.output));
  assert.equal((await fetch(`${server.endpoint}/health`)).status, 200);
  await createTable('pk:S', { client: clientOf(server) });
  await server.stop();
});

test('P9: what records, messages, events and names of objects of a contract say is not readable on disk either', ours, async () => {
  const contracts = fileURLToPath(new URL('../../contracts', import.meta.url));
  const server = await startServer({ args: withKeys(keyFile(newKey()), '--contracts', contracts) });
  const secret = { fileType: 'image/png-FindType', originalFileName: 'FindName.png', userId: 'FindUser', correlationId: 'FindTrace' };
  const answer = await fetch(`${server.endpoint}/v1/photo-editor/job`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ fileSize: 1, provider: 'stub', ...secret }),
  });
  assert.equal(answer.status, 201, await answer.clone().text());
  const s3 = s3Client({ endpoint: server.endpoint });
  await s3.putObject({ Bucket: 'photoeditor-dev-temp', Key: 'FindKey.png', Body: Buffer.from('bytes'), ContentType: 'image/png' });
  // Contents of objects are files of their own, and not encrypted: docs/OBJECTS.md.
  const found = ['FindType', 'FindName', 'FindUser', 'FindTrace', 'FindKey'];
  assert.deepEqual(filesWith(server.data, found), []);
  await server.stop();
  assert.deepEqual(filesWith(server.data, found), []);
});
