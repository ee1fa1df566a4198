// Uploads in parts, as lib-storage and all large uploads do them: parts in any order, again, from other objects;
// completed, aborted, listed; of more than 100 MB; and what is left of them on disk afterwards.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { Upload } from '@aws-sdk/lib-storage';
import { fails, ours } from './harness.mjs';
import { everywhere, onlyContents, settled } from './object_backends.mjs';
import { bytesOf, newBucket, patterned, s3Client } from './s3_clients.mjs';

const MB = 1024 * 1024;

for (const backend of everywhere())
describe(`uploads in parts, contents in ${backend.name}`, ours, () => {
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

const begin = async (Key, more = {}) => (await s3.createMultipartUpload({ Bucket, Key, ...more })).UploadId;
const part = async (Key, UploadId, PartNumber, Body, more = {}) => ({ PartNumber, ETag: (await s3.uploadPart({ Bucket, Key, UploadId, PartNumber, Body, ...more })).ETag });
const complete = (Key, UploadId, Parts, more = {}) => s3.completeMultipartUpload({ Bucket, Key, UploadId, MultipartUpload: { Parts }, ...more });
const md5 = (...pieces) => createHash('md5').update(Buffer.concat(pieces)).digest();

test('parts in any order and twice become one object', async () => {
  const before = await settled(server);
  const pieces = [patterned(5 * MB, 1), patterned(5 * MB + 12_345, 2), patterned(777, 3)];
  const UploadId = await begin('parts', { ContentType: 'video/mp4', Metadata: { a: 'b' } });
  const third = await part('parts', UploadId, 3, pieces[2]);
  await part('parts', UploadId, 1, patterned(5 * MB, 99));
  const first = await part('parts', UploadId, 1, pieces[0]);
  const second = await part('parts', UploadId, 2, pieces[1]);
  await part('parts', UploadId, 9, patterned(100, 4)); // in no list: it goes
  await fails(s3.getObject({ Bucket, Key: 'parts' }), 'NoSuchKey');
  const made = await complete('parts', UploadId, [first, second, third]);
  assert.equal(made.ETag, `"${md5(...pieces.map((one) => md5(one))).toString('hex')}-3"`);
  const got = await s3.getObject({ Bucket, Key: 'parts' });
  assert.deepEqual(await bytesOf(got), Buffer.concat(pieces));
  assert.deepEqual([got.ETag, got.ContentType, got.Metadata], [made.ETag, 'video/mp4', { a: 'b' }]);
  const range = await s3.getObject({ Bucket, Key: 'parts', Range: `bytes=${5 * MB - 10}-${5 * MB + 9}` });
  assert.deepEqual(await bytesOf(range), Buffer.concat(pieces).subarray(5 * MB - 10, 5 * MB + 10));
  const second_part = await s3.getObject({ Bucket, Key: 'parts', PartNumber: 2 });
  assert.equal(second_part.PartsCount, 3);
  assert.deepEqual(await bytesOf(second_part), pieces[1]);
  await onlyContents(server, before + 1);
  await fails(complete('parts', UploadId, [first, second, third]), 'NoSuchUpload');
});

test('lib-storage uploads 120 MB', async () => {
  const piece = patterned(MB, 6);
  const size = 120;
  async function* stream() {
    for (let i = 0; i < size; ++i) yield piece;
  }
  await new Upload({ client: s3, params: { Bucket, Key: 'large', Body: Readable.from(stream()) }, partSize: 8 * MB, queueSize: 4 }).done();
  const head = await s3.headObject({ Bucket, Key: 'large' });
  assert.equal(head.ContentLength, size * MB);
  assert.match(head.ETag, /-15"$/);
  const hash = createHash('md5');
  for await (const chunk of (await s3.getObject({ Bucket, Key: 'large' })).Body) hash.update(chunk);
  const expected = createHash('md5');
  for (let i = 0; i < size; ++i) expected.update(piece);
  assert.equal(hash.digest('hex'), expected.digest('hex'));
  await s3.deleteObject({ Bucket, Key: 'large' });
});

test('checksums of the whole from those of the parts', async () => {
  const pieces = [patterned(5 * MB, 11), patterned(1000, 12)];
  for (const [ChecksumAlgorithm, ChecksumType] of [['CRC32', 'FULL_OBJECT'], ['CRC32C', 'COMPOSITE'], ['CRC64NVME', 'FULL_OBJECT'], ['SHA256', 'COMPOSITE']]) {
    const Key = `sum-${ChecksumAlgorithm}`;
    const field = `Checksum${ChecksumAlgorithm}`;
    const { UploadId } = await s3.createMultipartUpload({ Bucket, Key, ChecksumAlgorithm, ChecksumType });
    const Parts = [];
    for (const [i, Body] of pieces.entries()) {
      const answer = await s3.uploadPart({ Bucket, Key, UploadId, PartNumber: i + 1, Body, ChecksumAlgorithm });
      Parts.push({ PartNumber: i + 1, ETag: answer.ETag, [field]: answer[field] });
    }
    const made = await complete(Key, UploadId, Parts);
    assert.equal(made.ChecksumType, ChecksumType);
    if (ChecksumType === 'FULL_OBJECT') {
      const whole = await s3.putObject({ Bucket, Key: `${Key}-whole`, Body: Buffer.concat(pieces), ChecksumAlgorithm });
      assert.equal(made[field], whole[field], ChecksumAlgorithm);
    } else {
      assert.match(made[field], /-2$/);
    }
  }
});

test('what does not fit is refused', async () => {
  const UploadId = await begin('refused');
  const small = await part('refused', UploadId, 1, 'small');
  const last = await part('refused', UploadId, 2, 'last');
  await fails(complete('refused', UploadId, [small, last]), 'EntityTooSmall');
  await fails(complete('refused', UploadId, [last, small]), 'InvalidPartOrder');
  await fails(complete('refused', UploadId, [{ PartNumber: 1, ETag: '"0123"' }]), 'InvalidPart');
  await fails(complete('refused', UploadId, [{ PartNumber: 5, ETag: small.ETag }]), 'InvalidPart');
  await fails(complete('refused', UploadId, []), 'MalformedXML');
  await fails(part('refused', UploadId, 0, 'x'), 'InvalidArgument');
  await fails(part('refused', UploadId, 10_001, 'x'), 'InvalidArgument');
  await fails(part('refused', 'made-up', 1, 'x'), 'NoSuchUpload');
  await complete('refused', UploadId, [small]);
  assert.equal((await bytesOf(await s3.getObject({ Bucket, Key: 'refused' }))).toString(), 'small');
});

test('an upload that is aborted leaves nothing', async () => {
  const before = await settled(server);
  const UploadId = await begin('aborted');
  for (let i = 1; i <= 4; ++i) await part('aborted', UploadId, i, patterned(10_000, i));
  assert.equal((await server.contents()).contents.length, before + 4);
  await s3.abortMultipartUpload({ Bucket, Key: 'aborted', UploadId });
  await onlyContents(server, before);
  await fails(s3.listParts({ Bucket, Key: 'aborted', UploadId }), 'NoSuchUpload');
  await fails(s3.abortMultipartUpload({ Bucket, Key: 'aborted', UploadId }), 'NoSuchUpload');
});

test('parts are copied from objects, whole or by range', async () => {
  const body = patterned(6 * MB, 21);
  await s3.putObject({ Bucket, Key: 'source', Body: body });
  const UploadId = await begin('copied');
  const CopySource = `${Bucket}/source`;
  const one = await s3.uploadPartCopy({ Bucket, Key: 'copied', UploadId, PartNumber: 1, CopySource });
  const two = await s3.uploadPartCopy({ Bucket, Key: 'copied', UploadId, PartNumber: 2, CopySource, CopySourceRange: 'bytes=100-199' });
  await fails(s3.uploadPartCopy({ Bucket, Key: 'copied', UploadId, PartNumber: 3, CopySource, CopySourceRange: `bytes=0-${6 * MB}` }), 'InvalidArgument');
  await complete('copied', UploadId, [{ PartNumber: 1, ETag: one.CopyPartResult.ETag }, { PartNumber: 2, ETag: two.CopyPartResult.ETag }]);
  assert.deepEqual(await bytesOf(await s3.getObject({ Bucket, Key: 'copied' })), Buffer.concat([body, body.subarray(100, 200)]));
});

test('uploads and parts are listed in pages', async () => {
  const listed = await newBucket(s3, 'listed');
  const ids = [];
  for (const Key of ['a', 'b/1', 'b/1', 'b/2', 'c']) ids.push([Key, (await s3.createMultipartUpload({ Bucket: listed, Key })).UploadId]);
  const found = [];
  let KeyMarker;
  let UploadIdMarker;
  for (;;) {
    const page = await s3.listMultipartUploads({ Bucket: listed, MaxUploads: 2, KeyMarker, UploadIdMarker });
    found.push(...page.Uploads.map((one) => [one.Key, one.UploadId]));
    if (!page.IsTruncated) break;
    KeyMarker = page.NextKeyMarker;
    UploadIdMarker = page.NextUploadIdMarker;
  }
  assert.deepEqual(found, ids);
  const grouped = await s3.listMultipartUploads({ Bucket: listed, Delimiter: '/' });
  assert.deepEqual([grouped.Uploads.map((one) => one.Key), grouped.CommonPrefixes.map((one) => one.Prefix)], [['a', 'c'], ['b/']]);
  const [Key, UploadId] = ids[0];
  for (const n of [2, 1, 7]) await s3.uploadPart({ Bucket: listed, Key, UploadId, PartNumber: n, Body: `part ${n}` });
  const first = await s3.listParts({ Bucket: listed, Key, UploadId, MaxParts: 2 });
  assert.deepEqual([first.Parts.map((one) => [one.PartNumber, one.Size]), first.IsTruncated, first.NextPartNumberMarker], [[[1, 6], [2, 6]], true, '2']);
  const rest = await s3.listParts({ Bucket: listed, Key, UploadId, PartNumberMarker: '2' });
  assert.deepEqual(rest.Parts.map((one) => one.PartNumber), [7]);
  await s3.deleteBucket({ Bucket: listed });
  await fails(s3.listParts({ Bucket: listed, Key, UploadId }), 'NoSuchBucket');
});

test('an upload goes on after a restart', async () => {
  let own = await backend.server();
  const before = s3Client({ endpoint: own.endpoint });
  const bucket = await newBucket(before);
  const { UploadId } = await before.createMultipartUpload({ Bucket: bucket, Key: 'long' });
  const one = await before.uploadPart({ Bucket: bucket, Key: 'long', UploadId, PartNumber: 1, Body: patterned(5 * MB, 1) });
  await own.stop('SIGKILL');
  own = await backend.server({ data: own.data });
  const after = s3Client({ endpoint: own.endpoint });
  const two = await after.uploadPart({ Bucket: bucket, Key: 'long', UploadId, PartNumber: 2, Body: 'end' });
  await after.completeMultipartUpload({ Bucket: bucket, Key: 'long', UploadId, MultipartUpload: { Parts: [{ PartNumber: 1, ETag: one.ETag }, { PartNumber: 2, ETag: two.ETag }] } });
  assert.deepEqual(await bytesOf(await after.getObject({ Bucket: bucket, Key: 'long' })), Buffer.concat([patterned(5 * MB, 1), Buffer.from('end')]));
  await onlyContents(own, 1);
  await own.stop();
});
});
