// `waybill backup` and `waybill restore`: the whole store, online, incremental, checked.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { N, S, active, clientConfig, createTable, ours, runBinary, scratchDir, startServer, until } from './harness.mjs';

async function waybill(...args) {
  const run = runBinary(args, { within_ms: 60_000 });
  return { code: await run.exited, output: run.output };
}

const clientOf = (server) => new DynamoDB(clientConfig({ endpoint: server.endpoint }));
const scan = async (client, TableName, more) => (await client.scan({ TableName, ...more })).Items.map((i) => JSON.stringify(i)).sort();

test('the whole store is backed up while it is written to, and restored', ours, async () => {
  const server = await startServer();
  const db = clientOf(server);
  const TableName = await createTable('pk:S', { client: db, gsi: { byOwner: 'owner:S n:N' }, Tags: [{ Key: 'k', Value: 'v' }], StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } });
  await db.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
  await db.createBackup({ TableName, BackupName: 'inside' });
  const put = (i) => db.putItem({ TableName, Item: { pk: S(`k${i}`), owner: S(`o${i % 3}`), n: N(i), pad: S('x'.repeat(500)) } });
  await Promise.all(Array.from({ length: 200 }, (_, i) => put(i)));

  const folder = join(scratchDir(), 'backups');
  let written = 200;
  let writing = true;
  const acknowledged = new Set();
  const writer = (async () => {
    while (writing) {
      const i = written++;
      await put(i);
      acknowledged.add(`k${i}`);
    }
  })();
  const before = [...Array(200).keys()].map((i) => `k${i}`);
  const first = await waybill('backup', folder, '--data', server.data);
  assert.equal(first.code, 0, first.output);
  assert.match(first.output, /backup 1 in .*: .* in \d+ files, .* of it new/);
  writing = false;
  await writer;
  const sure = new Set([...before, ...acknowledged]); // all that was answered before the second backup begins
  const second = await waybill('backup', folder, '--data', server.data);
  assert.equal(second.code, 0, second.output);
  const listed = await waybill('backup', folder, '--list');
  assert.match(listed.output, /^ +1 +\d{4}-\d\d-\d\d.*\n +2 /m);
  const expected = await scan(db, TableName);

  for (const number of ['2', '1']) {
    const data = join(scratchDir(), 'data');
    const restored = await waybill('restore', folder, '--data', data, '--backup', number);
    assert.equal(restored.code, 0, restored.output);
    const copy = await startServer({ data });
    const there = clientOf(copy);
    const items = await scan(there, TableName);
    const keys = new Set(items.map((text) => JSON.parse(text).pk.S));
    assert.deepEqual(await scan(there, TableName, { IndexName: 'byOwner' }), items, 'the index agrees');
    if (number === '2') {
      assert.deepEqual(items, expected);
      assert.ok([...sure].every((key) => keys.has(key)));
      assert.deepEqual((await there.listTagsOfResource({ ResourceArn: (await there.describeTable({ TableName })).Table.TableArn })).Tags, [{ Key: 'k', Value: 'v' }]);
      const [inside] = (await there.listBackups({})).BackupSummaries;
      await there.restoreTableFromBackup({ BackupArn: inside.BackupArn, TargetTableName: 'from-inside' });
      await active('from-inside', there);
    } else {
      // A prefix of what was written: with one writer after another no later item is there without an earlier one.
      assert.ok(before.every((key) => keys.has(key)));
      const numbers = [...keys].map((key) => Number(key.slice(1))).sort((a, b) => a - b);
      assert.deepEqual(numbers, [...numbers.keys()]);
    }
    await there.putItem({ TableName, Item: { pk: S('after') } });
    await copy.stop();
  }
  await server.stop();
});

test('backups share what is the same, and old ones can go', ours, async () => {
  const server = await startServer();
  const db = clientOf(server);
  const TableName = await createTable('pk:S', { client: db });
  for (let i = 0; i < 40; i++) await db.putItem({ TableName, Item: { pk: S(`k${i}`), pad: S('x'.repeat(300_000)) } });
  await server.stop(); // what is in memory goes to files
  const again = await startServer({ data: server.data });
  const folder = scratchDir();
  const newBytes = (text) => Number(/, ([\d.]+) (bytes|kB|MB) of it new/.exec(text)[1]) * { bytes: 1, kB: 1e3, MB: 1e6 }[/([a-zA-Z]+) of it new/.exec(text)[1]];
  const first = await waybill('backup', folder, '--data', again.data);
  const second = await waybill('backup', folder, '--data', again.data);
  assert.ok(newBytes(first.output) > 11e6, first.output);
  assert.ok(newBytes(second.output) < 1e6, second.output);
  const third = await waybill('backup', folder, '--data', again.data, '--keep', '1');
  assert.equal(third.code, 0, third.output);
  const listed = await waybill('backup', folder, '--list');
  assert.doesNotMatch(listed.output, /^ +[12] /m);
  assert.match(listed.output, /^ +3 /m);
  await again.stop();
});

test('damage is noticed, and what cannot be done is said', ours, async () => {
  const server = await startServer();
  const db = clientOf(server);
  const TableName = await createTable('pk:S', { client: db });
  await db.putItem({ TableName, Item: { pk: S('a'), pad: S('x'.repeat(100_000)) } });
  const folder = join(scratchDir(), 'backups');
  assert.equal((await waybill('backup', folder, '--data', server.data)).code, 0);
  const full = await waybill('restore', folder, '--data', server.data);
  assert.equal(full.code, 1);
  assert.match(full.output, /is not empty/);
  await server.stop();
  const stopped = await waybill('backup', folder, '--data', server.data);
  assert.equal(stopped.code, 1);
  assert.match(stopped.output, /no server runs on .*: start one with/);
  const nothing = await waybill('restore', scratchDir(), '--data', join(scratchDir(), 'new'));
  assert.match(nothing.output, /holds no backups/);
  const none = await waybill('restore', folder, '--data', join(scratchDir(), 'new'), '--backup', '7');
  assert.match(none.output, /no such backup/);

  const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, name)).filter((name) => statSync(name).isFile());
  const largest = files.sort((a, b) => statSync(b).size - statSync(a).size)[0];
  const bytes = readFileSync(largest);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(largest, bytes);
  const data = join(scratchDir(), 'new');
  const damaged = await waybill('restore', folder, '--data', data);
  assert.equal(damaged.code, 1);
  assert.match(damaged.output, /is damaged and was not restored/);
});

test('backups of an encrypted store are encrypted, and want its key', ours, async () => {
  const marker = 'plainly-readable-marker';
  const keys = join(scratchDir(), 'keys');
  writeFileSync(keys, '0f'.repeat(32), { mode: 0o600 });
  const key_args = ['--encryption-key-file', keys];
  const server = await startServer({ args: key_args });
  const db = clientOf(server);
  const TableName = await createTable('pk:S', { client: db });
  await db.putItem({ TableName, Item: { pk: S(marker), pad: S(marker.repeat(1000)) } });
  await db.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
  await db.restoreTableToPointInTime({ SourceTableName: TableName, TargetTableName: 'copy-of-it', UseLatestRestorableTime: true });
  await active('copy-of-it', db);
  const folder = join(scratchDir(), 'backups');
  for (const number of [1, 2]) assert.match((await waybill('backup', folder, '--data', server.data)).output, new RegExp(`backup ${number} in`));
  await server.stop();

  const readable = (root) => readdirSync(root, { recursive: true }).map((name) => join(root, name)).filter((name) => statSync(name).isFile() && readFileSync(name).includes(marker));
  assert.deepEqual(readable(folder), []);
  assert.deepEqual(readable(server.data), [], 'nor in what a restored table was made of');
  const refused = await waybill('restore', folder, '--data', join(scratchDir(), 'new'));
  assert.equal(refused.code, 1);
  assert.match(refused.output, /are encrypted with key [0-9a-f]{16}: give it with --encryption-key-file/);
  writeFileSync(`${keys}.other`, 'f0'.repeat(32), { mode: 0o600 });
  const other = await waybill('restore', folder, '--data', join(scratchDir(), 'new'), '--encryption-key-file', `${keys}.other`);
  assert.match(other.output, /which is not among the given keys/);

  assert.match((await waybill('backup', folder, '--list', ...key_args)).output, /^ +2 /m);
  const data = join(scratchDir(), 'new');
  const restored = await waybill('restore', folder, '--data', data, ...key_args);
  assert.equal(restored.code, 0, restored.output);
  assert.deepEqual(readable(data), []);
  const copy = await startServer({ data, args: key_args });
  assert.equal((await clientOf(copy).getItem({ TableName, Key: { pk: S(marker) } })).Item.pk.S, marker);
  await copy.stop();
});
