// The disk is bounded: overwriting the same items for ever takes no more room, and with a stream and recovery on only
// what the retention window holds. Days go by with the server's clock.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { S, ahead, clientConfig, createTable, ours, scratchDir, sleep, startServer } from './harness.mjs';

const day_s = 86_400;
const items = 250;
const pad_bytes = 4_000;
const rounds_per_day = 40;
const day_bytes = items * pad_bytes * rounds_per_day;

const bytesUnder = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, found) => sum + (found?.isFile() ? found.size : 0), 0);

// Overwrites every item many times, then lets the server come to rest. The bytes on disk after each day.
async function soak(days, settings) {
  const data = scratchDir();
  const sizes = [];
  let TableName;
  for (let day = 0; day < days; day++) {
    const server = await startServer({ data, args: ['--memory-mb', '64'], env: ahead(day * day_s) });
    const client = new DynamoDB(clientConfig({ endpoint: server.endpoint }));
    if (day === 0) TableName = await settings(client);
    for (let round = 0; round < rounds_per_day; round++) {
      const put = (i) => ({ PutRequest: { Item: { pk: S(`k${i}`), pad: S(`${day}.${round}.${i}`.padEnd(pad_bytes, String(round))) } } });
      const batches = Array.from({ length: items / 25 }, (_, b) => Array.from({ length: 25 }, (_, i) => put(b * 25 + i)));
      await Promise.all(batches.map((batch) => client.batchWriteItem({ RequestItems: { [TableName]: batch } })));
    }
    await sleep(700); // housekeeping comes twice a second
    await server.stop(); // everything in memory goes to files
    sizes.push(bytesUnder(join(data, 'engine')));
  }
  if (process.env.VERBOSE) process.stderr.write(`${shown(sizes)}\n`);
  return sizes;
}

const shown = (sizes) => sizes.map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`).join(', ');

test('overwrites do not make the disk grow', ours, async () => {
  const sizes = await soak(5, (client) => createTable('pk:S', { client }));
  assert.ok(Math.max(...sizes) < day_bytes, `after each ${day_bytes / 1e6} MB of overwrites of 1 MB: ${shown(sizes)}`);
  assert.ok(sizes.at(-1) < 1.5 * Math.max(...sizes.slice(0, 3)), shown(sizes));
});

test('with a stream and recovery it grows by the retention window only', ours, async () => {
  const sizes = await soak(7, async (client) => {
    const TableName = await createTable('pk:S', { client, StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } });
    await client.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 1 } });
    return TableName;
  });
  // A day's log holds each item before and after; the window reaches over two of our days at most, and there is what
  // compaction has not got to.
  assert.ok(sizes[0] > 1.8 * day_bytes, `the log is there: ${shown(sizes)}`);
  assert.ok(Math.max(...sizes) < 3.5 * 2 * day_bytes, shown(sizes));
  assert.ok(sizes.at(-1) < 1.3 * Math.max(...sizes.slice(1, 4)), `it does not go on growing: ${shown(sizes)}`);
});
