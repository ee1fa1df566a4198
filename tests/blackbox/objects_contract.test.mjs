// Buckets of contracts (P14, I7): made with the contract, with limits on size, type and time that hold for every
// writer. And arrivals (T3): an upload by presigned URL makes its record ready for work, whichever of the two comes
// first, once, and also where the server is killed in between.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SQS } from '@aws-sdk/client-sqs';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { fileURLToPath } from 'node:url';
import { ahead, clientConfig, connect, fails, ours, runBinary, scratchDir, until } from './harness.mjs';
import { inFolder, inWaybill, onlyContents, settled } from './object_backends.mjs';
import { bytesOf, patterned, s3Client } from './s3_clients.mjs';

const contracts = fileURLToPath(new URL('../../contracts', import.meta.url));
const temp = 'photoeditor-dev-temp';

for (const backend of [inFolder(), inWaybill()])
describe(`buckets of contracts, contents in ${backend.name}`, ours, () => {
let server;
let s3;
let sqs;
let db;
const clients = (endpoint) => {
  s3 = s3Client({ endpoint });
  sqs = new SQS(clientConfig({ endpoint }));
  db = new DynamoDB(clientConfig({ endpoint }));
};
before(async () => {
  await backend.start();
  server = await backend.server({ args: ['--contracts', contracts] });
  clients(server.endpoint);
});
after(async () => {
  await server?.stop();
  await backend.stop();
});

test('P14: they are there with the contract', async () => {
  const names = (await s3.listBuckets({})).Buckets.map((one) => one.Name);
  for (const name of [temp, 'photoeditor-dev-final', 'images-lego-moc-dev', 'text-analyzer-uploads', 'asset-creator-artifacts']) assert.ok(names.includes(name), name);
});

test('P14: what is too large is refused, by its head before the body, and while the body comes', async () => {
  const before = await settled(server);
  const connection = await connect({ host: '127.0.0.1', port: server.port });
  await connection.send(`PUT /objects/${temp}/big HTTP/1.1\r\nhost: x\r\ncontent-type: image/png\r\ncontent-length: 25000001\r\nexpect: 100-continue\r\n\r\n`);
  const told = await connection.answer();
  assert.equal(told.status, 400);
  assert.match(told.text, /<Code>EntityTooLarge</);
  connection.close();
  const streaming = await connect({ host: '127.0.0.1', port: server.port });
  await streaming.send(`PUT /objects/${temp}/big HTTP/1.1\r\nhost: x\r\ncontent-type: image/png\r\ntransfer-encoding: chunked\r\n\r\n`);
  const piece = patterned(1_000_000);
  for (let i = 0; i < 26 && !streaming.closed; ++i) await streaming.send(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]));
  const answer = await streaming.answer();
  assert.equal(answer.status, 400);
  assert.match(answer.text, /<Code>EntityTooLarge</);
  streaming.close();
  // One that waits for the answer in the middle of its body, with nothing more on its way.
  const waiting = await connect({ host: '127.0.0.1', port: server.port });
  const chunk = (bytes) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  await waiting.send(`PUT /objects/${temp}/big HTTP/1.1\r\nhost: x\r\ncontent-type: image/png\r\ntransfer-encoding: chunked\r\n\r\n`);
  for (let i = 0; i < 25; ++i) await waiting.send(chunk(piece));
  await new Promise((resolve) => setTimeout(resolve, 500));
  await waiting.send(chunk(Buffer.from('too much')));
  const refused = await waiting.answer({ timeout_ms: 5_000 });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /<Code>EntityTooLarge</);
  waiting.close();
  await fails(s3.headObject({ Bucket: temp, Key: 'big' }), 'NotFound');
  const { UploadId } = await s3.createMultipartUpload({ Bucket: temp, Key: 'parts', ContentType: 'image/png' });
  const Parts = [];
  for (const PartNumber of [1, 2]) {
    const Body = patterned(13_000_000, PartNumber);
    Parts.push({ PartNumber, ETag: (await s3.uploadPart({ Bucket: temp, Key: 'parts', UploadId, PartNumber, Body })).ETag });
  }
  await fails(s3.completeMultipartUpload({ Bucket: temp, Key: 'parts', UploadId, MultipartUpload: { Parts } }), 'EntityTooLarge');
  await s3.abortMultipartUpload({ Bucket: temp, Key: 'parts', UploadId });
  await onlyContents(server, before);
});

test('P14: other types are refused, and the answer says which are taken', async () => {
  await s3.putObject({ Bucket: temp, Key: 'a.jpg', Body: 'x', ContentType: 'image/JPEG; q=1' });
  const error = await fails(s3.putObject({ Bucket: temp, Key: 'a.txt', Body: 'x', ContentType: 'text/plain' }), 'InvalidRequest');
  assert.match(error.message, /image\/jpeg, image\/png, image\/webp.*text\/plain/);
  await fails(s3.createMultipartUpload({ Bucket: temp, Key: 'a.txt', ContentType: 'text/plain' }), 'InvalidRequest');
  await s3.createBucket({ Bucket: 'anything' });
  await s3.putObject({ Bucket: 'anything', Key: 'a.txt', Body: 'x', ContentType: 'text/plain' });
  await fails(s3.copyObject({ Bucket: temp, Key: 'a.txt', CopySource: 'anything/a.txt' }), 'InvalidRequest');
});

test('I7: objects of temporary buckets are gone after their time, contents and all', async () => {
  let own = await backend.server({ args: ['--contracts', contracts] });
  let client = s3Client({ endpoint: own.endpoint });
  await client.putObject({ Bucket: temp, Key: 'soon-gone', Body: 'x', ContentType: 'image/png' });
  await client.putObject({ Bucket: 'photoeditor-dev-final', Key: 'kept', Body: 'y' });
  const { UploadId } = await client.createMultipartUpload({ Bucket: 'photoeditor-dev-final', Key: 'abandoned' });
  await client.uploadPart({ Bucket: 'photoeditor-dev-final', Key: 'abandoned', UploadId, PartNumber: 1, Body: 'z' });
  assert.ok((await client.headObject({ Bucket: temp, Key: 'soon-gone' })).Expiration);
  await own.stop();
  own = await backend.server({ data: own.data, env: ahead(3601) });
  client = s3Client({ endpoint: own.endpoint });
  await fails(client.headObject({ Bucket: temp, Key: 'soon-gone' }), 'NotFound');
  assert.equal((await client.listObjectsV2({ Bucket: temp })).KeyCount, 0);
  await onlyContents(own, 2);
  await own.stop();
  own = await backend.server({ data: own.data, env: ahead(8 * 24 * 3600) });
  client = s3Client({ endpoint: own.endpoint });
  await fails(client.listParts({ Bucket: 'photoeditor-dev-final', Key: 'abandoned', UploadId }), 'NoSuchUpload');
  assert.equal((await bytesOf(await client.getObject({ Bucket: 'photoeditor-dev-final', Key: 'kept' }))).toString(), 'y');
  await onlyContents(own, 1);
  await own.stop();
});

test('a contract with buckets is checked', async () => {
  const file = join(scratchDir(), 'bad.yaml');
  const head = 'contract: bad\nversion: 1\ntable: {name: bad, key: id}\n';
  const tail = 'records: {thing: {id: {field: id, kind: ulid}, fields: {}}}\n';
  const check = async (buckets) => {
    writeFileSync(file, `${head}buckets: ${buckets}\n${tail}`);
    const run = runBinary(['contract', 'check', file], { within_ms: 10_000 });
    await run.exited;
    return run.output;
  };
  assert.match(await check('{photos: {size_max: big}}'), /size_max is a size/);
  assert.match(await check('{Photos_: {}}'), /a name that no bucket can have/);
  assert.match(await check('{"photos-{env}": {}}'), /which is no parameter/);
  assert.match(await check('{photos: {types: [images]}}'), /no media type/);
  assert.match(await check('{photos: {expires: soon}}'), /a length of time/);
  assert.doesNotMatch(await check('{photos: {size_max: 25MiB, types: image/png, expires: 1h}}'), /error/);
});

// ----------------------------------------------------------------------------------------------- arrivals

const QueueUrl = () => `${server.endpoint}/000000000000/text-analyzer-queue`;
const record = (fileId, s3Key) => ({
  TableName: 'text-analyzer-history',
  Item: { PK: { S: `FILE#${fileId}` }, SK: { S: 'META' }, fileId: { S: fileId }, ownerId: { S: 'o1' }, s3Bucket: { S: 'text-analyzer-uploads' }, s3Key: { S: s3Key }, originalFileName: { S: 'a.txt' }, status: { S: 'PENDING' } },
});
const upload = async (Key, body = 'some words') => {
  const url = await getSignedUrl(s3, new PutObjectCommand({ Bucket: 'text-analyzer-uploads', Key }), { expiresIn: 60 });
  assert.equal((await fetch(url, { method: 'PUT', body })).status, 200);
};
// All messages that are there now.
async function messages() {
  const found = [];
  for (;;) {
    const { Messages } = await sqs.receiveMessage({ QueueUrl: QueueUrl(), MaxNumberOfMessages: 10 });
    if (!Messages) return found;
    for (const message of Messages) {
      found.push(JSON.parse(message.Body).fileId);
      await sqs.deleteMessage({ QueueUrl: QueueUrl(), ReceiptHandle: message.ReceiptHandle });
    }
  }
}

test('T3: an upload by presigned URL starts the analysis, and only once', async () => {
  await db.putItem(record('F1', 'in/f1'));
  assert.deepEqual(await messages(), []);
  await upload('in/another');
  assert.deepEqual(await messages(), []);
  await upload('in/f1');
  await upload('in/f1', 'written over');
  assert.deepEqual(await messages(), ['F1']);
  await upload('in/f1', 'and again, while the record still waits');
  assert.deepEqual(await messages(), []);
});

test('T3: a record that comes after its object is enqueued as well', async () => {
  await upload('in/f2');
  await db.putItem(record('F2', 'in/f2'));
  assert.deepEqual(await messages(), ['F2']);
  await db.updateItem({ TableName: 'text-analyzer-history', Key: { PK: { S: 'FILE#F2' }, SK: { S: 'META' } }, UpdateExpression: 'SET originalFileName = :n', ExpressionAttributeValues: { ':n': { S: 'b.txt' } } });
  assert.deepEqual(await messages(), []);
});

test('T3: a record that waits for another object from now on, or for none any more', async () => {
  const Key = { PK: { S: 'FILE#F3' }, SK: { S: 'META' } };
  await db.putItem(record('F3', 'in/f3'));
  await db.updateItem({ TableName: 'text-analyzer-history', Key, UpdateExpression: 'SET s3Key = :k', ExpressionAttributeValues: { ':k': { S: 'in/f3-new' } } });
  await upload('in/f3');
  assert.deepEqual(await messages(), []);
  await upload('in/f3-new');
  assert.deepEqual(await messages(), ['F3']);
  await db.putItem(record('F4', 'in/f4'));
  await db.updateItem({ TableName: 'text-analyzer-history', Key: { PK: { S: 'FILE#F4' }, SK: { S: 'META' } }, UpdateExpression: 'SET #s = :f', ExpressionAttributeNames: { '#s': 'status' }, ExpressionAttributeValues: { ':f': { S: 'FAILED' } } });
  await upload('in/f4');
  assert.deepEqual(await messages(), []);
});

test('T3: several records wait for one object; an upload in parts arrives when it is whole; the history tells of it', async () => {
  await db.putItem(record('F5', 'in/shared'));
  await db.putItem(record('F6', 'in/shared'));
  const at = { Bucket: 'text-analyzer-uploads', Key: 'in/shared' };
  const { UploadId } = await s3.createMultipartUpload(at);
  const { ETag } = await s3.uploadPart({ ...at, UploadId, PartNumber: 1, Body: Readable.from(['words']), ContentLength: 5 });
  assert.deepEqual(await messages(), []);
  await s3.completeMultipartUpload({ ...at, UploadId, MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] } });
  assert.deepEqual((await messages()).sort(), ['F5', 'F6']);
  const history = await (await fetch(`${server.endpoint}/v1/text-analyzer/file/F5:history`)).json();
  assert.ok(JSON.stringify(history).includes('"arrived"'), JSON.stringify(history));
});

test('T3: killed at any moment, an object that was acknowledged has its message', async () => {
  let own = await backend.server({ args: ['--contracts', contracts] });
  server = own;
  clients(own.endpoint);
  const uploaded = new Set();
  for (let round = 0; round < 6; ++round) {
    const ids = Array.from({ length: 40 }, (_, i) => `R${round}-${i}`);
    await Promise.all(ids.map((id) => db.putItem(record(id, `in/${id}`))));
    const puts = ids.map((id) => s3.putObject({ Bucket: 'text-analyzer-uploads', Key: `in/${id}`, Body: id }).then(() => uploaded.add(id)));
    const running = puts.map((put) => put.catch(() => {}));
    // Every other time once one is acknowledged, however slow the machine is.
    if (round % 2) await Promise.any(puts);
    await new Promise((resolve) => setTimeout(resolve, 5 + round * 12));
    await own.stop('SIGKILL');
    await Promise.all(running);
    own = await backend.server({ data: own.data });
    server = own;
    clients(own.endpoint);
  }
  assert.ok(uploaded.size > 0);
  const told = await messages();
  assert.equal(new Set(told).size, told.length, 'no message twice');
  for (const id of uploaded) assert.ok(told.includes(id), id);
  for (const id of told) await s3.headObject({ Bucket: 'text-analyzer-uploads', Key: `in/${id}` });
});
});
