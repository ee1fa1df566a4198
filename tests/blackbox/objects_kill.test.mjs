// The server is killed again and again while clients write, write over, delete and upload in parts. What was
// acknowledged is there and whole, what was not is the old or the new; and on disk there is nothing but the contents
// of what is there. Files that somebody plants in the data folder are not followed, and damage is noticed.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ours, scratchDir, until } from './harness.mjs';
import { everywhere, inFolder, onlyContents } from './object_backends.mjs';
import { bytesOf, newBucket, patterned, s3Client } from './s3_clients.mjs';

const MB = 1024 * 1024;

describe('objects and kill -9', ours, () => {
// What may be under a key: what was acknowledged last, and what was under way when the server was killed.
class Expected {
  constructor() {
    this.may = [null];
  }
  begin(value) {
    this.may.push(value);
  }
  acknowledged(value) {
    this.may = [value];
  }
}

for (const backend of everywhere())
test(`kill -9 in a loop while clients write, contents in ${backend.name}`, async () => {
  await backend.start();
  let server = await backend.server();
  let s3 = s3Client({ endpoint: server.endpoint });
  const Bucket = await newBucket(s3);
  const keys = Array.from({ length: 12 }, (_, i) => `key-${i}`);
  const expected = new Map(keys.map((key) => [key, new Expected()]));
  let seed = 1;
  const bodyOf = (n) => patterned(1000 + (n % 7) * 150_000, n);

  const writer = async (Key, alive) => {
    const mine = expected.get(Key);
    while (alive()) {
      const n = ++seed;
      try {
        if (n % 9 === 0) {
          mine.begin(null);
          await s3.deleteObject({ Bucket, Key });
          mine.acknowledged(null);
        } else if (n % 7 === 0) {
          mine.begin(n);
          const { UploadId } = await s3.createMultipartUpload({ Bucket, Key });
          const { ETag } = await s3.uploadPart({ Bucket, Key, UploadId, PartNumber: 1, Body: bodyOf(n) });
          await s3.completeMultipartUpload({ Bucket, Key, UploadId, MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] } });
          mine.acknowledged(n);
        } else {
          mine.begin(n);
          await s3.putObject({ Bucket, Key, Body: bodyOf(n) });
          mine.acknowledged(n);
        }
      } catch {
        return; // killed: what was begun may be there or not
      }
    }
  };

  for (let round = 0; round < 15; ++round) {
    let running = true;
    const writers = keys.map((key) => writer(key, () => running));
    await new Promise((resolve) => setTimeout(resolve, 20 + (round * 37) % 300));
    await server.stop('SIGKILL');
    running = false;
    await Promise.all(writers);
    server = await backend.server({ data: server.data });
    s3 = s3Client({ endpoint: server.endpoint });
    let present = 0;
    for (const Key of keys) {
      const mine = expected.get(Key);
      const got = await s3.getObject({ Bucket, Key }).then(bytesOf, (error) => (assert.equal(error.name, 'NoSuchKey'), null));
      const matches = mine.may.filter((n) => (n === null ? got === null : got !== null && bodyOf(n).equals(got)));
      assert.ok(matches.length > 0, `round ${round}, ${Key}: ${got === null ? 'nothing' : `${got.length} bytes`} instead of ${mine.may}`);
      mine.acknowledged(matches.at(-1));
      present += got === null ? 0 : 1;
    }
    // Parts of uploads that were under way are there as long as the uploads are.
    for (const { Key, UploadId } of (await s3.listMultipartUploads({ Bucket })).Uploads ?? []) await s3.abortMultipartUpload({ Bucket, Key, UploadId });
    await onlyContents(server, present);
  }
  await server.stop();
  await backend.stop();
});

test('links that are planted in the data folder are not followed', async () => {
  let server = await inFolder().server();
  let s3 = s3Client({ endpoint: server.endpoint });
  const Bucket = await newBucket(s3);
  await s3.putObject({ Bucket, Key: 'a', Body: 'content' });
  await server.stop();
  const secret = join(scratchDir(), 'secret');
  writeFileSync(secret, 'a secret of the machine'.repeat(1000));
  const [name] = (await server.contents()).contents;
  const folder = join(server.data, 'objects', 'contents', name.at(-1));
  renameSync(join(folder, name), join(folder, '..', '..', 'kept'));
  symlinkSync(secret, join(folder, name));
  server = await inFolder().server({ data: server.data });
  s3 = s3Client({ endpoint: server.endpoint });
  const answer = await s3.getObject({ Bucket, Key: 'a' }).then(bytesOf, (error) => error);
  assert.ok(answer instanceof Error, String(answer).slice(0, 100));
  assert.equal(readFileSync(secret, 'utf8'), 'a secret of the machine'.repeat(1000));
  await s3.putObject({ Bucket, Key: 'a', Body: 'new' });
  assert.equal((await bytesOf(await s3.getObject({ Bucket, Key: 'a' }))).toString(), 'new');
  await until('the link is gone', () => !readdirSync(folder).includes(name));
  assert.ok(existsSync(secret));
  await server.stop();

  // A folder of contents that is a link somewhere else.
  const elsewhere = join(scratchDir(), 'elsewhere');
  mkdirSync(elsewhere);
  rmSync(join(server.data, 'objects', 'incoming'), { recursive: true });
  symlinkSync(elsewhere, join(server.data, 'objects', 'incoming'));
  await assert.rejects(inFolder().server({ data: server.data, ready_ms_max: 5_000 }));
  assert.deepEqual(readdirSync(elsewhere), []);
});

test('a content that the disk has changed is an error, never other bytes', async () => {
  const server = await inFolder().server();
  const s3 = s3Client({ endpoint: server.endpoint });
  const Bucket = await newBucket(s3);
  const body = patterned(3 * MB, 4);
  await s3.putObject({ Bucket, Key: 'damaged', Body: body });
  const [name] = (await server.contents()).contents;
  const file = join(server.data, 'objects', 'contents', name.at(-1), name);
  const bytes = readFileSync(file);
  bytes[2 * MB + 5] ^= 1;
  writeFileSync(file, bytes);
  assert.ok((await s3.getObject({ Bucket, Key: 'damaged' }).then(bytesOf).catch((error) => error)) instanceof Error);
  assert.deepEqual(await bytesOf(await s3.getObject({ Bucket, Key: 'damaged', Range: 'bytes=0-99' })), body.subarray(0, 100));
  await server.stop();
});
});
