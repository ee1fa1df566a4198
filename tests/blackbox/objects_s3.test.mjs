// A server whose contents of objects lie in another server that speaks S3: what it says where that cannot be used, what
// it does where that goes away and comes back, and that nothing half is left there. What clients see otherwise is
// in the other tests of objects, which run over all places.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { connect, fails, freePort, ours, runBinary, scratchDir, sleep, startServer, until } from './harness.mjs';
import { inWaybill, onlyContents } from './object_backends.mjs';
import { bytesOf, newBucket, patterned, s3Client } from './s3_clients.mjs';

const MB = 1024 * 1024;
const secret = 'secret/of+CONTENTS/0123456789';

describe('contents of objects in S3', ours, () => {
let backing; // checks signatures
before(async () => {
  const keys = join(scratchDir(), 'keys.json');
  writeFileSync(keys, JSON.stringify({ keys: [{ id: 'CONTENTS', secret }] }), { mode: 0o600 });
  backing = inWaybill({ args: ['--keys', keys] });
  backing.key = { accessKeyId: 'CONTENTS', secretAccessKey: secret };
  await backing.start();
});
after(() => backing?.stop());

// What a server says that does not start.
async function refusal({ args = [], env = {}, data = scratchDir() }) {
  const run = runBinary(['serve', '--listen', '127.0.0.1:0', '--data', data, '--workers', 'none', ...args], { env, within_ms: 20_000 });
  assert.ok([1, 2].includes(await run.exited), run.output);
  assert.ok(!run.output.includes(secret));
  return run.output;
}

test('a place that cannot be used is told at the start, with what to do', async () => {
  const { args, env } = backing.options();
  const with_args = (objects, endpoint = backing.endpoint) => ['--objects', objects, '--objects-endpoint', endpoint];
  assert.match(await refusal({ args: with_args('s3://no-such-bucket/a'), env }), /s3:\/\/no-such-bucket\/a.*cannot be used[^]*NoSuchBucket/);
  assert.match(await refusal({ args: with_args('s3://contents/a', `http://127.0.0.1:${await freePort()}`), env }), /cannot be used[^]*--objects-endpoint[^]*[Cc]onnect/);
  assert.match(await refusal({ args, env: { ...env, AWS_SECRET_ACCESS_KEY: 'wrong' } }), /AWS_SECRET_ACCESS_KEY[^]*SignatureDoesNotMatch/);
  assert.match(await refusal({ args: with_args('contents/a'), env }), /--objects takes s3:\/\/BUCKET/);
  assert.match(await refusal({ args: with_args('s3://contents/a', 'ftp://x'), env }), /--objects-endpoint takes a URL/);
  assert.match(await refusal({ args: ['--objects-endpoint', backing.endpoint], env }), /of no use without --objects/);
});

test('a place is one server\'s, and a server stays with its place', async () => {
  const first = await backing.server();
  const s3 = s3Client({ endpoint: first.endpoint });
  const Bucket = await newBucket(s3);
  await s3.putObject({ Bucket, Key: 'a', Body: 'content' });
  const { args, env } = backing.options({ data: first.data });
  assert.match(await refusal({ args, env }), /are another server's/);
  await first.stop();
  assert.match(await refusal({ data: first.data }), /are in S3: give --objects s3:\/\/contents\/server-/);
  const other = args.map((arg) => (arg.startsWith('s3://') ? `${arg}-other` : arg));
  assert.match(await refusal({ data: first.data, args: other, env }), /Give --objects as before/);
  const again = await backing.server({ data: first.data });
  assert.equal((await bytesOf(await s3Client({ endpoint: again.endpoint }).getObject({ Bucket, Key: 'a' }))).toString(), 'content');
  await again.stop();
});

test('contents of a folder are files that can be copied to S3', async () => {
  const folder = await startServer();
  const Bucket = await newBucket(s3Client({ endpoint: folder.endpoint }));
  const bodies = [patterned(100, 1), patterned(3 * MB, 2)];
  for (const [i, Body] of bodies.entries()) await s3Client({ endpoint: folder.endpoint }).putObject({ Bucket, Key: `${i}`, Body });
  await folder.stop();
  const { data } = folder;
  const { args, env } = backing.options({ data });
  assert.match(await refusal({ data, args, env }), /aws s3 cp --recursive/);
  for (const file of readdirSync(join(data, 'objects/contents'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())) {
    await backing.s3.putObject({ Bucket: 'contents', Key: `${backing.prefixes.get(data)}/${file.name}`, Body: readFileSync(join(file.parentPath, file.name)) });
  }
  renameSync(join(data, 'objects'), join(data, 'objects-before'));
  const server = await backing.server({ data });
  const s3 = s3Client({ endpoint: server.endpoint });
  for (const [i, body] of bodies.entries()) assert.deepEqual(await bytesOf(await s3.getObject({ Bucket, Key: `${i}` })), body);
  assert.ok(!existsSync(join(data, 'objects')));
  await server.stop();
});

test('S3 goes away and comes back', async () => {
  const server = await backing.server();
  const s3 = s3Client({ endpoint: server.endpoint });
  const Bucket = await newBucket(s3);
  const body = patterned(300_000, 5);
  await s3.putObject({ Bucket, Key: 'kept', Body: body });
  await s3.putObject({ Bucket, Key: 'deleted', Body: body });
  const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: 'kept' }), { expiresIn: 300 });
  // An upload that is half way, of which parts are there already.
  const half = await connect({ host: '127.0.0.1', port: server.port });
  await half.send(`PUT /objects/${Bucket}/half HTTP/1.1\r\nhost: x\r\ncontent-length: ${30 * MB}\r\n\r\n`);
  await half.send(patterned(20 * MB, 6));
  await until('parts have come', async () => (await server.contents()).incoming.length === 1);

  await backing.stop('SIGKILL');
  const refused = await fails(s3.putObject({ Bucket, Key: 'new', Body: body }), 'ServiceUnavailable');
  assert.equal(refused.$metadata.httpStatusCode, 503);
  assert.match(refused.message, /storage of the objects cannot be used at the moment. Please try again/);
  await fails(s3.getObject({ Bucket, Key: 'kept' }), 'ServiceUnavailable');
  assert.equal((await s3.headObject({ Bucket, Key: 'kept' })).ContentLength, body.length);
  await s3.deleteObject({ Bucket, Key: 'deleted' });
  await half.send(patterned(10 * MB, 7));
  assert.equal((await half.answer({ timeout_ms: 30_000 })).status, 503);
  half.close();
  await fails(s3.headObject({ Bucket, Key: 'new' }), 'NotFound');
  await fails(s3.headObject({ Bucket, Key: 'half' }), 'NotFound');

  await backing.run();
  await s3.putObject({ Bucket, Key: 'new', Body: body });
  for (const Key of ['kept', 'new']) assert.deepEqual(await bytesOf(await s3.getObject({ Bucket, Key })), body);
  assert.deepEqual(Buffer.from(await (await fetch(url)).arrayBuffer()), body);
  await until('the content of what was deleted is gone', async () => (await server.contents()).contents.length === 2, { timeout_ms: 30_000 });
  assert.ok(!server.run.output.includes(secret));
  // What could not be aborted is at the next start.
  await server.stop();
  const again = await backing.server({ data: server.data });
  await onlyContents(again, 2);
  await again.stop();
});

test('a body that ends because S3 has gone is short, never wrong', async () => {
  const server = await backing.server();
  const s3 = s3Client({ endpoint: server.endpoint });
  const Bucket = await newBucket(s3);
  const body = patterned(64 * MB, 8);
  await s3.putObject({ Bucket, Key: 'large', Body: body });
  const got = await s3.getObject({ Bucket, Key: 'large' });
  const pieces = [];
  let failure;
  try {
    for await (const piece of got.Body) {
      if (pieces.length === 0) await backing.stop('SIGKILL');
      pieces.push(piece);
    }
  } catch (error) {
    failure = error;
  }
  await backing.run();
  const received = Buffer.concat(pieces);
  assert.ok(failure, `${received.length} bytes came`);
  assert.ok(received.length < body.length && received.equals(body.subarray(0, received.length)));
  assert.deepEqual(await bytesOf(await s3.getObject({ Bucket, Key: 'large' })), body);
  await server.stop();
});

test('large uploads that are cut short leave nothing', async () => {
  const server = await backing.server();
  const Bucket = await newBucket(s3Client({ endpoint: server.endpoint }));
  const cut = await connect({ host: '127.0.0.1', port: server.port });
  await cut.send(`PUT /objects/${Bucket}/cut HTTP/1.1\r\nhost: x\r\ncontent-length: ${40 * MB}\r\n\r\n`);
  await cut.send(patterned(20 * MB, 9));
  await until('parts have come', async () => (await server.contents()).incoming.length === 1);
  cut.close();
  await onlyContents(server, 0);
  await server.stop();
});

test('kill -9 while large uploads are under way leaves no half object, and no parts after the next start', async () => {
  let server = await backing.server();
  const Bucket = await newBucket(s3Client({ endpoint: server.endpoint }));
  const body = patterned(20 * MB, 10);
  const done = new Set();
  for (let round = 0; round < 3; ++round) {
    const s3 = s3Client({ endpoint: server.endpoint });
    const uploads = Array.from({ length: 4 }, (_, i) => `${round}-${i}`).map((Key) => s3.putObject({ Bucket, Key, Body: body }).then(() => done.add(Key), () => {}));
    await until('parts have come', async () => (await server.contents()).incoming.length > 0 || done.size > 4 * round);
    await sleep(50 * round);
    await server.stop('SIGKILL');
    await Promise.all(uploads);
    server = await backing.server({ data: server.data });
    const { Contents = [] } = await s3Client({ endpoint: server.endpoint }).listObjectsV2({ Bucket });
    const present = Contents.map((one) => one.Key);
    for (const Key of done) assert.ok(present.includes(Key), `${Key} was acknowledged`);
    for (const Key of present) assert.deepEqual(await bytesOf(await s3Client({ endpoint: server.endpoint }).getObject({ Bucket, Key })), body, Key);
    await onlyContents(server, present.length);
  }
  await server.stop();
});

test('what somebody has changed in S3 is an error, never other bytes', async () => {
  const server = await backing.server();
  const s3 = s3Client({ endpoint: server.endpoint });
  const Bucket = await newBucket(s3);
  const body = patterned(3 * MB, 11);
  await s3.putObject({ Bucket, Key: 'damaged', Body: body });
  const [name] = (await server.contents()).contents;
  const there = { Bucket: 'contents', Key: `${backing.prefixes.get(server.data)}/${name}` };
  const bytes = await bytesOf(await backing.s3.getObject(there));
  assert.deepEqual(bytes.subarray(0, body.length), body);
  bytes[2 * MB + 5] ^= 1;
  await backing.s3.putObject({ ...there, Body: bytes });
  assert.ok((await s3.getObject({ Bucket, Key: 'damaged' }).then(bytesOf).catch((error) => error)) instanceof Error);
  assert.deepEqual(await bytesOf(await s3.getObject({ Bucket, Key: 'damaged', Range: 'bytes=0-99' })), body.subarray(0, 100));
  await backing.s3.deleteObject(there);
  await fails(s3.getObject({ Bucket, Key: 'damaged' }), 'InternalError');
  await server.stop();
});
});
