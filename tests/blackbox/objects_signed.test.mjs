// With keys every request to S3 is checked in full (A11): signatures in headers and presigned URLs, their time, the
// hash that was signed of the body, the signature of each chunk. A key with a policy reaches its own prefix and no
// other (A10), through any operation.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { ahead, fails, ours, scratchDir } from './harness.mjs';
import { inFolder, inWaybill, onlyContents, settled } from './object_backends.mjs';
import { bytesOf, patterned, s3Client } from './s3_clients.mjs';

const key = (id, more) => ({ id, secret: `secret/of+${id}/0123456789`, ...more });
const keys = [
  key('ROOT'),
  key('ONE', { tenant: 'prj_001', policy: 'project' }),
  key('TWO', { tenant: 'prj_002', policy: 'project' }),
  key('READER', { policy: { buckets: ['assets'], verbs: ['read'] } }),
  key('TABLES', { policy: { tables: ['*'], verbs: ['read', 'write', 'admin'] } }),
];
const policies = { project: [{ buckets: ['assets'], verbs: ['read', 'write'], object_keys: ['{tenant}/*'] }, { buckets: ['{tenant}-*'], verbs: ['read', 'write', 'admin'] }] };

for (const backend of [inFolder(), inWaybill()])
describe(`signed requests for objects, contents in ${backend.name}`, ours, () => {
let server;
let file;
const clients = {};
const clientOf = (id, endpoint = server.endpoint) => {
  const { secret } = keys.find((one) => one.id === id);
  return s3Client({ endpoint, credentials: { accessKeyId: id, secretAccessKey: secret } });
};
before(async () => {
  await backend.start();
  file = join(scratchDir(), 'keys.json');
  writeFileSync(file, JSON.stringify({ policies, keys }), { mode: 0o600 });
  server = await backend.server({ args: ['--keys', file] });
  for (const { id } of keys) clients[id.toLowerCase()] = clientOf(id);
  await clients.root.createBucket({ Bucket: 'assets' });
});
after(async () => {
  await server?.stop();
  await backend.stop();
});

const signed = (command, more = {}, client = clients.root) => getSignedUrl(client, command, { expiresIn: 300, ...more });

test('the right key passes, all others do not', async () => {
  await clients.root.putObject({ Bucket: 'assets', Key: 'free/a b+c', Body: 'x' });
  assert.equal((await bytesOf(await clients.root.getObject({ Bucket: 'assets', Key: 'free/a b+c' }))).toString(), 'x');
  const wrong = s3Client({ endpoint: server.endpoint, credentials: { accessKeyId: 'ROOT', secretAccessKey: 'wrong' } });
  await fails(wrong.getObject({ Bucket: 'assets', Key: 'free/a b+c' }), 'SignatureDoesNotMatch');
  await fails(wrong.putObject({ Bucket: 'assets', Key: 'bad', Body: patterned(300_000) }), 'SignatureDoesNotMatch');
  const unknown = s3Client({ endpoint: server.endpoint, credentials: { accessKeyId: 'NOBODY', secretAccessKey: 'wrong' } });
  await fails(unknown.listBuckets({}), 'InvalidAccessKeyId');
  const nobody = await fetch(`${server.endpoint}/objects/assets/free/a`);
  assert.equal(nobody.status, 403);
  assert.match(await nobody.text(), /<Code>AccessDenied</);
});

test('A11: presigned URLs upload and download without an SDK', async () => {
  const url = await signed(new PutObjectCommand({ Bucket: 'assets', Key: 'presigned/ä b.bin', ContentType: 'text/plain' }));
  const body = patterned(500_000, 2);
  const sent = await fetch(url, { method: 'PUT', body, headers: { 'content-type': 'text/plain' } });
  assert.equal(sent.status, 200, await sent.text());
  const read = await signed(new GetObjectCommand({ Bucket: 'assets', Key: 'presigned/ä b.bin', ResponseContentDisposition: 'attachment' }));
  const got = await fetch(read);
  assert.equal(got.headers.get('content-disposition'), 'attachment');
  assert.deepEqual(Buffer.from(await got.arrayBuffer()), body);
  const part = await fetch(read, { headers: { range: 'bytes=10-19' } });
  assert.equal(part.status, 206);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), body.subarray(10, 20));
  // A page of any site may use it: the signature is what lets it in.
  const page = await fetch(read, { headers: { origin: 'https://shop.example' } });
  assert.equal(page.headers.get('access-control-allow-origin'), 'https://shop.example');
  await page.arrayBuffer();
  const asked = await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://shop.example', 'access-control-request-method': 'PUT' } });
  assert.equal(asked.status, 200);
});

test('A11: a URL is good for its request, its key and its time alone', async () => {
  const url = await signed(new GetObjectCommand({ Bucket: 'assets', Key: 'presigned/ä b.bin' }));
  const refused = async (bent, options, status = 403) => assert.equal((await fetch(bent, options)).status, status);
  await refused(url.replace('presigned', 'elsewhere'));
  await refused(url, { method: 'DELETE' });
  await refused(url, { method: 'PUT', body: 'x' });
  await refused(url.replace('X-Amz-Expires=300', 'X-Amz-Expires=3000'));
  await refused(`${url}&response-content-type=text/html`);
  await refused(url.replace(/X-Amz-Signature=../, 'X-Amz-Signature=00'));
  const late = await backend.server({ args: ['--keys', file], env: ahead(3600) });
  const expired = await fetch(url.replace(server.endpoint, late.endpoint), { headers: { host: new URL(server.endpoint).host } });
  assert.equal(expired.status, 403);
  assert.match(await expired.text(), /<Code>AccessDenied<.*expired/s);
  await late.stop();
});

test('the body is what was signed, or nothing is kept', async () => {
  const before = await settled(server);
  const body = patterned(200_000, 7);
  const request = sign('PUT', '/assets/declared', { 'x-amz-content-sha256': sha256(body) });
  assert.equal((await send(request, body)).status, 200);
  const bent = Buffer.from(body);
  bent[150_000] ^= 1;
  const again = sign('PUT', '/assets/bent', { 'x-amz-content-sha256': sha256(body) });
  const answer = await send(again, bent);
  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /XAmzContentSHA256Mismatch/);
  await fails(clients.root.headObject({ Bucket: 'assets', Key: 'bent' }), 'NotFound');
  const upper = await send(sign('PUT', '/assets/upper', { 'x-amz-content-sha256': sha256(body).toUpperCase() }), bent);
  assert.equal(upper.status, 400);
  assert.match(await upper.text(), /<Code>InvalidArgument</);
  const missing = await send(sign('PUT', '/assets/none', {}), 'x');
  assert.equal(missing.status, 400);
  await onlyContents(server, before + 1);
});

test('chunks that are signed one by one are checked one by one', async () => {
  const body = patterned(150_000, 8);
  const whole = chunked('/assets/chunks', body);
  assert.equal((await send(whole.request, whole.bytes)).status, 200);
  assert.deepEqual(await bytesOf(await clients.root.getObject({ Bucket: 'assets', Key: 'chunks' })), body);
  const bent = chunked('/assets/bent-chunks', body);
  bent.bytes[bent.bytes.length - 100] ^= 1; // the last chunk's own first, in its empty signature
  assert.ok((await send(bent.request, bent.bytes)).status >= 400);
  const changed = chunked('/assets/bent-chunks', body);
  changed.bytes[70_000] ^= 1;
  const answer = await send(changed.request, changed.bytes);
  assert.equal(answer.status, 403, await answer.text());
  await fails(clients.root.headObject({ Bucket: 'assets', Key: 'bent-chunks' }), 'NotFound');
});

test('A10: a tenant reaches its own prefix, and no other by any operation', async () => {
  const { one, two } = clients;
  await one.putObject({ Bucket: 'assets', Key: 'prj_001/a', Body: 'of one' });
  await two.putObject({ Bucket: 'assets', Key: 'prj_002/a', Body: 'of two' });
  const theirs = { Bucket: 'assets', Key: 'prj_002/a' };
  await fails(one.getObject(theirs), 'AccessDenied');
  assert.equal((await one.headObject(theirs).catch((error) => error)).$metadata.httpStatusCode, 403);
  await fails(one.getObject({ Bucket: 'assets', Key: 'prj_002/none' }), 'AccessDenied');
  await fails(one.putObject({ ...theirs, Body: 'x' }), 'AccessDenied');
  await fails(one.deleteObject(theirs), 'AccessDenied');
  await fails(one.copyObject({ Bucket: 'assets', Key: 'prj_001/stolen', CopySource: 'assets/prj_002/a' }), 'AccessDenied');
  await fails(one.copyObject({ ...theirs, CopySource: 'assets/prj_001/a' }), 'AccessDenied');
  await fails(one.createMultipartUpload(theirs), 'AccessDenied');
  await fails(one.listObjectsV2({ Bucket: 'assets' }), 'AccessDenied');
  await fails(one.listObjectsV2({ Bucket: 'assets', Prefix: 'prj_00' }), 'AccessDenied');
  await fails(one.listObjectsV2({ Bucket: 'assets', Prefix: 'prj_002/' }), 'AccessDenied');
  await fails(one.listMultipartUploads({ Bucket: 'assets' }), 'AccessDenied');
  await fails(one.deleteBucket({ Bucket: 'assets' }), 'AccessDenied');
  await fails(one.createBucket({ Bucket: 'somebody-elses' }), 'AccessDenied');
  const { Errors, Deleted } = await one.deleteObjects({ Bucket: 'assets', Delete: { Objects: [{ Key: 'prj_001/none' }, { Key: 'prj_002/a' }] } });
  assert.deepEqual([Deleted.map((x) => x.Key), Errors.map((x) => [x.Key, x.Code])], [['prj_001/none'], [['prj_002/a', 'AccessDenied']]]);
  assert.equal((await bytesOf(await two.getObject(theirs))).toString(), 'of two');
  assert.deepEqual((await one.listObjectsV2({ Bucket: 'assets', Prefix: 'prj_001/' })).Contents.map((x) => x.Key), ['prj_001/a']);
  assert.deepEqual((await one.listBuckets({})).Buckets.map((x) => x.Name), ['assets']);
  const { UploadId } = await clients.root.createMultipartUpload(theirs);
  await fails(one.uploadPart({ ...theirs, UploadId, PartNumber: 1, Body: 'x' }), 'AccessDenied');
  await fails(one.listParts({ ...theirs, UploadId }), 'AccessDenied');
  await fails(one.abortMultipartUpload({ ...theirs, UploadId }), 'AccessDenied');
  await two.abortMultipartUpload({ ...theirs, UploadId });
  const url = await signed(new PutObjectCommand(theirs), {}, one);
  assert.equal((await fetch(url, { method: 'PUT', body: 'x' })).status, 403);
  await fails(clients.reader.putObject({ Bucket: 'assets', Key: 'x', Body: 'x' }), 'AccessDenied');
  assert.equal((await bytesOf(await clients.reader.getObject(theirs))).toString(), 'of two');
  await fails(clients.tables.listObjectsV2({ Bucket: 'assets' }), 'AccessDenied');
});

// ------------------------------------------------------------------------------------- signing by hand

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const hmac = (secret, text) => createHmac('sha256', secret).update(text).digest();
const { id, secret } = keys[0];

function signingKey(date) {
  return ['us-east-1', 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, date));
}

function sign(method, path, headers) {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const all = { host: new URL(server.endpoint).host, 'x-amz-date': time, ...headers };
  const names = Object.keys(all).sort();
  const canonical = [method, path, '', ...names.map((name) => `${name}:${all[name]}`), '', names.join(';'), headers['x-amz-content-sha256'] ?? ''].join('\n');
  const signature = hmac(signingKey(time.slice(0, 8)), ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { method, path, headers: { ...all, authorization }, time, scope, signature };
}

function chunked(path, body, size = 65_536) {
  const request = sign('PUT', path, { 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD', 'x-amz-decoded-content-length': String(body.length), 'content-encoding': 'aws-chunked' });
  const parts = [];
  let previous = request.signature;
  for (let at = 0; ; at += size) {
    const data = body.subarray(at, Math.min(at + size, body.length));
    const text = ['AWS4-HMAC-SHA256-PAYLOAD', request.time, request.scope, previous, sha256(''), sha256(data)].join('\n');
    previous = hmac(signingKey(request.time.slice(0, 8)), text).toString('hex');
    parts.push(Buffer.from(`${data.length.toString(16)};chunk-signature=${previous}\r\n`), data, Buffer.from('\r\n'));
    if (data.length === 0) break;
  }
  return { request, bytes: Buffer.concat(parts) };
}

async function send({ method, path, headers }, body) {
  const { host, ...rest } = headers;
  return fetch(server.endpoint + path, { method, headers: rest, body });
}
});
