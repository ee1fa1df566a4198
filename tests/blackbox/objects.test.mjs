// Objects through the AWS SDK's own S3 client, with nothing set but the endpoint: what is put is what is got, by
// whole or range; names, metadata, conditions and checksums are S3's. What is refused leaves nothing behind.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { connect, fails, ours, unique } from './harness.mjs';
import { everywhere, onlyContents, settled } from './object_backends.mjs';
import { bytesOf, newBucket, patterned, s3Client } from './s3_clients.mjs';

for (const backend of everywhere())
describe(`objects, contents in ${backend.name}`, ours, () => {
let server;
let s3;
let Bucket;
before(async () => {
  await backend.start();
  server = await backend.server();
  s3 = s3Client({ endpoint: server.endpoint });
  Bucket = await newBucket(s3);
});
after(async () => {
  await server?.stop();
  await backend.stop();
});

const md5 = (bytes) => createHash('md5').update(bytes).digest('hex');
const put = (Key, Body, more = {}) => s3.putObject({ Bucket, Key, Body, ...more });
const get = (Key, more = {}) => s3.getObject({ Bucket, Key, ...more });

test('buckets are made, found, listed and deleted', async () => {
  const name = await newBucket(s3, 'made');
  await s3.headBucket({ Bucket: name });
  const { Buckets } = await s3.listBuckets({});
  assert.ok(Buckets.some((one) => one.Name === name && one.CreationDate instanceof Date));
  assert.deepEqual(Buckets.map((one) => one.Name), Buckets.map((one) => one.Name).toSorted());
  assert.equal((await s3.getBucketLocation({ Bucket: name })).LocationConstraint, undefined);
  assert.equal((await s3.getBucketVersioning({ Bucket: name })).Status, undefined);
  await fails(s3.createBucket({ Bucket: name }), 'BucketAlreadyOwnedByYou');
  await s3.putObject({ Bucket: name, Key: 'one', Body: 'x' });
  await fails(s3.deleteBucket({ Bucket: name }), 'BucketNotEmpty');
  await s3.deleteObject({ Bucket: name, Key: 'one' });
  await s3.deleteBucket({ Bucket: name });
  await fails(s3.headBucket({ Bucket: name }), 'NotFound');
  await fails(s3.deleteBucket({ Bucket: name }), 'NoSuchBucket');
  await fails(s3.createBucket({ Bucket: 'Not_A_Bucket' }), 'InvalidBucketName');
  await fails(s3.putObject({ Bucket: name, Key: 'a', Body: 'x' }), 'NoSuchBucket');
  await fails(s3.getObject({ Bucket: name, Key: 'a' }), 'NoSuchBucket');
  await fails(s3.listObjectsV2({ Bucket: name }), 'NoSuchBucket');
});

test('what is put is what is got, with all that was said of it', async () => {
  const body = patterned(300_000);
  const made = await put('photos/cat.jpg', body, {
    ContentType: 'image/jpeg', CacheControl: 'max-age=60', ContentDisposition: 'attachment; filename="cat.jpg"',
    ContentLanguage: 'de', ContentEncoding: 'gzip', Expires: new Date('2031-01-01T00:00:00Z'), Metadata: { owner: 'u1', note: 'a b' },
  });
  assert.equal(made.ETag, `"${md5(body)}"`);
  const got = await get('photos/cat.jpg');
  assert.deepEqual(await bytesOf(got), body);
  assert.equal(got.ETag, made.ETag);
  assert.equal(got.ContentLength, body.length);
  assert.equal(got.ContentType, 'image/jpeg');
  assert.equal(got.CacheControl, 'max-age=60');
  assert.equal(got.ContentDisposition, 'attachment; filename="cat.jpg"');
  assert.equal(got.ContentLanguage, 'de');
  assert.equal(got.ContentEncoding, 'gzip');
  assert.deepEqual(got.Metadata, { owner: 'u1', note: 'a b' });
  assert.ok(Math.abs(got.LastModified - Date.now()) < 60_000);
  const head = await s3.headObject({ Bucket, Key: 'photos/cat.jpg' });
  assert.equal(head.ContentLength, body.length);
  assert.deepEqual(head.Metadata, got.Metadata);
  const other = await get('photos/cat.jpg', { ResponseContentType: 'text/plain', ResponseCacheControl: 'no-store' });
  assert.equal(other.ContentType, 'text/plain');
  assert.equal(other.CacheControl, 'no-store');
  await other.Body.transformToByteArray();
});

test('an empty object, and one without a type', async () => {
  await put('empty', '');
  const got = await get('empty');
  assert.equal((await bytesOf(got)).length, 0);
  assert.equal(got.ContentType, 'application/octet-stream');
  const plain = await fetch(`${server.endpoint}/objects/${Bucket}/no-type`, { method: 'PUT', body: new Uint8Array([1]) });
  assert.equal(plain.status, 200);
  assert.equal((await s3.headObject({ Bucket, Key: 'no-type' })).ContentType, 'binary/octet-stream');
});

test('ranges', async () => {
  const body = patterned(200_000, 3);
  await put('ranged', body);
  for (const [range, from, to] of [['bytes=0-0', 0, 1], ['bytes=65535-65536', 65535, 65537], ['bytes=100000-', 100000, 200000], ['bytes=-7', 199993, 200000], ['bytes=5-999999', 5, 200000]]) {
    const got = await get('ranged', { Range: range });
    assert.equal(got.$metadata.httpStatusCode, 206, range);
    assert.equal(got.ContentRange, `bytes ${from}-${to - 1}/200000`);
    assert.deepEqual(await bytesOf(got), body.subarray(from, to), range);
  }
  await fails(get('ranged', { Range: 'bytes=200000-' }), 'InvalidRange');
  const whole = await get('ranged', { Range: 'lines=1-2' });
  assert.equal(whole.$metadata.httpStatusCode, 200);
  await whole.Body.transformToByteArray();
  const head = await s3.headObject({ Bucket, Key: 'ranged', Range: 'bytes=10-19' });
  assert.equal(head.ContentLength, 10);
});

test('conditions on reads', async () => {
  const { ETag } = await put('conditional', 'one');
  const past = new Date(Date.now() - 3_600_000);
  const future = new Date(Date.now() + 3_600_000);
  await (await get('conditional', { IfMatch: ETag })).Body.transformToByteArray();
  await fails(get('conditional', { IfMatch: '"other"' }), 'PreconditionFailed');
  const unchanged = await get('conditional', { IfNoneMatch: ETag }).catch((error) => error);
  assert.equal(unchanged.$metadata.httpStatusCode, 304);
  await fails(get('conditional', { IfUnmodifiedSince: past }), 'PreconditionFailed');
  assert.equal((await get('conditional', { IfModifiedSince: future }).catch((error) => error)).$metadata.httpStatusCode, 304);
});

test('conditional writes: only one of many makes the object; a change needs the tag it was read with', async () => {
  const racing = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => put('once', `writer ${i}`, { IfNoneMatch: '*' })));
  const winners = racing.map((one, i) => (one.status === 'fulfilled' ? i : -1)).filter((i) => i >= 0);
  assert.equal(winners.length, 1);
  for (const one of racing) if (one.status === 'rejected') assert.equal(one.reason.name, 'PreconditionFailed');
  const got = await get('once');
  assert.equal((await bytesOf(got)).toString(), `writer ${winners[0]}`);
  await put('once', 'second', { IfMatch: got.ETag });
  await fails(put('once', 'third', { IfMatch: got.ETag }), 'PreconditionFailed');
  await fails(put('not-there', 'x', { IfMatch: '"a"' }), 'NoSuchKey');
  assert.equal((await bytesOf(await get('once'))).toString(), 'second');
});

test('checksums of every kind, in headers and behind the body', async () => {
  for (const ChecksumAlgorithm of ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256']) {
    const body = Buffer.from(`checked by ${ChecksumAlgorithm}`);
    const field = `Checksum${ChecksumAlgorithm}`;
    const made = await put(`sum-${ChecksumAlgorithm}`, body, { ChecksumAlgorithm });
    assert.ok(made[field], ChecksumAlgorithm);
    const streamed = await put(`stream-${ChecksumAlgorithm}`, Readable.from([body.subarray(0, 5), body.subarray(5)]), { ChecksumAlgorithm, ContentLength: body.length });
    assert.equal(streamed[field], made[field]);
    assert.equal(streamed.ETag, made.ETag);
    const got = await get(`stream-${ChecksumAlgorithm}`, { ChecksumMode: 'ENABLED' });
    assert.equal(got[field], made[field]);
    assert.deepEqual(await bytesOf(got), body);
    assert.equal(got.ContentEncoding, undefined);
  }
});

test('a body that is not what its head says is refused, and leaves nothing', async () => {
  const before = await settled(server);
  await fails(put('wrong', 'body', { ContentMD5: Buffer.alloc(16).toString('base64') }), 'BadDigest');
  await fails(put('wrong', 'body', { ChecksumSHA256: Buffer.alloc(32).toString('base64') }), 'BadDigest');
  await fails(put('wrong', 'body', { ContentMD5: 'nonsense' }), 'InvalidDigest');
  const mismatch = await fetch(`${server.endpoint}/objects/${Bucket}/wrong`, { method: 'PUT', body: 'body', headers: { 'x-amz-content-sha256': '0'.repeat(64) } });
  assert.equal(mismatch.status, 400);
  assert.match(await mismatch.text(), /<Code>XAmzContentSHA256Mismatch</);
  await fails(get('wrong'), 'NoSuchKey');
  await onlyContents(server, before);
});

test('a client that goes away in the middle of its body leaves nothing', async () => {
  const before = await settled(server);
  const connection = await connect({ host: '127.0.0.1', port: server.port });
  await connection.send(`PUT /objects/${Bucket}/cut HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n`);
  await connection.send(patterned(400_000));
  connection.close();
  await onlyContents(server, before);
  await fails(get('cut'), 'NoSuchKey');
});

test('an object that is written over or deleted leaves no content behind', async () => {
  const before = await settled(server);
  for (let i = 0; i < 5; ++i) await put('over', patterned(1000, i));
  await onlyContents(server, before + 1);
  await s3.deleteObject({ Bucket, Key: 'over' });
  await s3.deleteObject({ Bucket, Key: 'over' });
  await onlyContents(server, before);
  await fails(get('over'), 'NoSuchKey');
});

test('many are deleted at once, and each is told of', async () => {
  for (const Key of ['d/1', 'd/2', 'd/<&>']) await put(Key, 'x');
  const { Deleted, Errors } = await s3.deleteObjects({ Bucket, Delete: { Objects: [{ Key: 'd/1' }, { Key: 'd/<&>' }, { Key: 'd/none' }] } });
  assert.deepEqual(Deleted.map((one) => one.Key), ['d/1', 'd/<&>', 'd/none']);
  assert.equal(Errors, undefined);
  assert.equal((await s3.deleteObjects({ Bucket, Delete: { Quiet: true, Objects: [{ Key: 'd/2' }] } })).Deleted, undefined);
  assert.equal((await s3.listObjectsV2({ Bucket, Prefix: 'd/' })).KeyCount, 0);
});

test('copies: as it is, with other metadata, on condition', async () => {
  const body = patterned(150_000, 9);
  const { ETag } = await put('source', body, { ContentType: 'text/a', Metadata: { a: '1' } });
  await s3.copyObject({ Bucket, Key: 'copies/as it is', CopySource: `${Bucket}/source` });
  const copy = await get('copies/as it is');
  assert.deepEqual(await bytesOf(copy), body);
  assert.deepEqual([copy.ETag, copy.ContentType, copy.Metadata], [ETag, 'text/a', { a: '1' }]);
  await s3.copyObject({ Bucket, Key: 'replaced', CopySource: encodeURI(`${Bucket}/copies/as it is`), MetadataDirective: 'REPLACE', ContentType: 'text/b', Metadata: { b: '2' } });
  const replaced = await s3.headObject({ Bucket, Key: 'replaced' });
  assert.deepEqual([replaced.ContentType, replaced.Metadata], ['text/b', { b: '2' }]);
  await s3.copyObject({ Bucket, Key: 'source', CopySource: `${Bucket}/source`, MetadataDirective: 'REPLACE', Metadata: { c: '3' } });
  assert.deepEqual(await bytesOf(await get('source')), body);
  await fails(s3.copyObject({ Bucket, Key: 'source', CopySource: `${Bucket}/source` }), 'InvalidRequest');
  await fails(s3.copyObject({ Bucket, Key: 'x', CopySource: `${Bucket}/none` }), 'NoSuchKey');
  await fails(s3.copyObject({ Bucket, Key: 'x', CopySource: `${Bucket}/source`, CopySourceIfMatch: '"other"' }), 'PreconditionFailed');
});

test('listings: pages, prefixes, delimiters, keys of any kind', async () => {
  const listed = await newBucket(s3, 'listed');
  const keys = ['a', 'b/1', 'b/2', 'b/c/1', 'd', 'ä/ü', 'e f', 'g+h', 'i<j>&k', 'ω'];
  for (const Key of keys) await s3.putObject({ Bucket: listed, Key, Body: Key });
  const sorted = keys.toSorted((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
  for (const EncodingType of [undefined, 'url']) {
    const { Contents } = await s3.listObjectsV2({ Bucket: listed, EncodingType });
    const shown = Contents.map((one) => (EncodingType ? decodeURIComponent(one.Key) : one.Key));
    assert.deepEqual(shown, sorted);
    assert.deepEqual(Contents.map((one) => one.Size), sorted.map((key) => Buffer.byteLength(key)));
  }
  const found = [];
  let ContinuationToken;
  do {
    const page = await s3.listObjectsV2({ Bucket: listed, MaxKeys: 3, ContinuationToken });
    assert.ok(page.KeyCount <= 3);
    found.push(...(page.Contents ?? []).map((one) => one.Key));
    ContinuationToken = page.NextContinuationToken;
    assert.equal(page.IsTruncated, ContinuationToken !== undefined);
  } while (ContinuationToken);
  assert.deepEqual(found, sorted);
  const folders = await s3.listObjectsV2({ Bucket: listed, Delimiter: '/' });
  assert.deepEqual(folders.CommonPrefixes.map((one) => one.Prefix), ['b/', 'ä/']);
  const within = await s3.listObjectsV2({ Bucket: listed, Delimiter: '/', Prefix: 'b/' });
  assert.deepEqual(within.Contents.map((one) => one.Key), ['b/1', 'b/2']);
  assert.deepEqual(within.CommonPrefixes.map((one) => one.Prefix), ['b/c/']);
  assert.deepEqual((await s3.listObjectsV2({ Bucket: listed, StartAfter: 'e f', Prefix: '' })).Contents.map((one) => one.Key), sorted.slice(sorted.indexOf('e f') + 1));
  const first = await s3.listObjects({ Bucket: listed, MaxKeys: 2, Delimiter: '/' });
  assert.deepEqual([first.Contents.map((one) => one.Key), first.CommonPrefixes.map((one) => one.Prefix), first.NextMarker], [['a'], ['b/'], 'b/']);
  const second = await s3.listObjects({ Bucket: listed, MaxKeys: 2, Delimiter: '/', Marker: first.NextMarker });
  assert.deepEqual(second.Contents.map((one) => one.Key), ['d', 'e f']);
  await fails(s3.listObjectsV2({ Bucket: listed, ContinuationToken: 'made up' }), 'InvalidArgument');
});

test('keys that look like paths are names and nothing else', async () => {
  const keys = ['../../../etc/passwd', '..', '.', '/', '//', 'a/../b', '/absolute', '%2e%2e%2fescaped', 'nul\0byte', 'x'.repeat(1024)];
  const before = await settled(server);
  for (const Key of keys) await put(Key, `of ${Key}`);
  for (const Key of keys) assert.equal((await bytesOf(await get(Key))).toString(), `of ${Key}`, JSON.stringify(Key));
  assert.equal((await server.contents()).contents.length, before + keys.length);
  for (const name of (await server.contents()).contents) assert.match(name, /^[0-9A-Z]{26}$/);
  await fails(put('x'.repeat(1025), 'y'), 'KeyTooLongError');
  const raw = await connect({ host: '127.0.0.1', port: server.port });
  await raw.send(`GET /objects/../../../../etc/passwd HTTP/1.1\r\nhost: x\r\n\r\n`);
  const answer = await raw.answer();
  assert.ok(answer.status === 400 || answer.status === 404, answer.text);
  assert.doesNotMatch(answer.text, /root:/);
  raw.close();
  for (const Key of keys) await s3.deleteObject({ Bucket, Key });
});

test('a large object goes both ways in pieces, and the server stays small', async () => {
  const size = 160 * 1024 * 1024;
  const piece = patterned(1024 * 1024, 5);
  async function* pieces() {
    for (let i = 0; i < size / piece.length; ++i) yield piece;
  }
  await put('large', Readable.from(pieces()), { ContentLength: size });
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of (await get('large')).Body) {
    hash.update(chunk);
    length += chunk.length;
  }
  assert.equal(length, size);
  const expected = createHash('sha256');
  for (let i = 0; i < size / piece.length; ++i) expected.update(piece);
  assert.equal(hash.digest('hex'), expected.digest('hex'));
  await s3.deleteObject({ Bucket, Key: 'large' });
});

test('a reader that stops in the middle does not hold on to the object', async () => {
  const before = await settled(server);
  await put('half', patterned(8 * 1024 * 1024));
  const connection = await connect({ host: '127.0.0.1', port: server.port });
  await connection.send(`GET /objects/${Bucket}/half HTTP/1.1\r\nhost: x\r\n\r\n`);
  await new Promise((resolve) => connection.socket.once('data', resolve));
  connection.close();
  await s3.deleteObject({ Bucket, Key: 'half' });
  await onlyContents(server, before);
});

test('what S3 has and this has not is said to be so', async () => {
  await fails(s3.getBucketLifecycleConfiguration({ Bucket }), 'NotImplemented');
  await fails(s3.getObjectTagging({ Bucket, Key: 'a' }), 'NotImplemented');
  await fails(put('sse', 'x', { ServerSideEncryption: 'AES256' }), 'NotImplemented');
  await fails(put('acl', 'x', { ACL: 'public-read' }), 'AccessControlListNotSupported');
});

test('the bucket may stand in the host', async () => {
  await put('hosted', 'by host');
  const connection = await connect({ host: '127.0.0.1', port: server.port });
  await connection.send(`GET /objects/hosted HTTP/1.1\r\nhost: ${Bucket}.localhost:8000\r\n\r\n`);
  assert.equal((await connection.answer()).text, 'by host');
  connection.close();
});

test('pages of this machine may use it from a browser, pages of others may not while no keys are asked for', async () => {
  const url = `${server.endpoint}/objects/${Bucket}/from-a-page`;
  const ask = (origin) => fetch(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' } });
  const local = await ask('http://localhost:3000');
  assert.equal(local.status, 200);
  assert.equal(local.headers.get('access-control-allow-origin'), 'http://localhost:3000');
  assert.match(local.headers.get('access-control-allow-methods'), /PUT/);
  assert.equal(local.headers.get('access-control-allow-headers'), 'content-type');
  assert.equal((await ask('https://elsewhere.example')).status, 403);
  const sent = await fetch(url, { method: 'PUT', body: 'x', headers: { origin: 'http://localhost:3000' } });
  assert.equal(sent.headers.get('access-control-allow-origin'), 'http://localhost:3000');
  assert.match(sent.headers.get('access-control-expose-headers'), /ETag/);
  assert.equal((await fetch(url, { method: 'PUT', body: 'x', headers: { origin: 'https://elsewhere.example' } })).status, 403);
});

test('one endpoint serves all clients: a table and a bucket of one name', async () => {
  const name = unique('both');
  await s3.createBucket({ Bucket: name });
  const health = await fetch(`${server.endpoint}/health`);
  assert.equal(health.status, 200);
  assert.equal((await fetch(`${server.endpoint}/${name}/key`)).status, 404);
});
});
