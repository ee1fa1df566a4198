// The three systems from upload to result, through the AWS SDK and nothing else: one server, started with its contracts, has
// the records, the uploads and the workers.
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { ulid } from 'ulid';
import { clientConfig, ours, runBinary, scratchDir, startServer, unique, until } from './harness.mjs';
import { clientOf, contracts, newPhoto, ok } from './jobs_client.mjs';
import { jpeg, png, turnedJpeg, webpSize } from './pictures.mjs';
import { bytesOf, s3Client } from './s3_clients.mjs';
import { startWorker } from './worker_client.mjs';

const docOf = (overrides) => DynamoDBDocument.from(new DynamoDB(clientConfig(overrides)), { marshallOptions: { removeUndefinedValues: true } });

// The item once its attribute is one of these values.
const ended = (doc, TableName, Key, field, values) =>
  until(`${TableName} ${JSON.stringify(Key)} is ${values.join(' or ')}`, async () => {
    const { Item } = await doc.get({ TableName, Key, ConsistentRead: true });
    return values.includes(Item?.[field]) && Item;
  }, { timeout_ms: 30_000 });

// A file's record as the document's presign request makes it, and the URL to upload to.
async function presign({ doc, s3 }, ownerId = 'o1') {
  const fileId = ulid();
  const place = { s3Bucket: 'text-analyzer-uploads', s3Key: `uploads/${fileId}.txt` };
  const now = Date.now();
  await doc.put({ TableName: 'text-analyzer-history', Item: { PK: `FILE#${fileId}`, SK: 'META', fileId, ownerId, ...place, originalFileName: 'a.txt', status: 'PENDING', createdAt: now, updatedAt: now } });
  const url = await getSignedUrl(s3, new PutObjectCommand({ Bucket: place.s3Bucket, Key: place.s3Key }), { expiresIn: 300 });
  return { fileId, url, key: { PK: `FILE#${fileId}`, SK: 'META' } };
}
const upload = async (url, body) => assert.equal((await fetch(url, { method: 'PUT', body })).status, 200);

describe('one server with its workers', ours, () => {
  let server, doc, s3, api;
  before(async () => {
    server = await startServer({ args: ['--contracts', contracts], workers: 'all' });
    doc = docOf({ endpoint: server.endpoint });
    s3 = s3Client({ endpoint: server.endpoint });
    api = clientOf(server.endpoint);
  });
  after(() => server.stop());

  test('T3, T4: an upload by presigned URL is analysed, and both items of the document tell it', async () => {
    const { fileId, url, key } = await presign({ doc, s3 });
    await upload(url, 'It was the best of times, it was the worst of times');
    const file = await ended(doc, 'text-analyzer-history', key, 'status', ['COMPLETED', 'FAILED']);
    assert.equal(file.status, 'COMPLETED', file.errorMessage);
    assert.deepEqual(file.result.top10Words.slice(0, 4), [{ word: 'it', count: 2 }, { word: 'of', count: 2 }, { word: 'the', count: 2 }, { word: 'times', count: 2 }]);
    assert.deepEqual([file.result.totalWords, file.result.uniqueWords], [12, 7]);
    const { Item } = await doc.get({ TableName: 'text-analyzer-history', Key: { PK: 'OWNER#o1', SK: `FILE#${fileId}` } });
    assert.equal(Item.status, 'COMPLETED');
  });

  test('T5: what is no text fails with its message, in both items', async () => {
    const { fileId, url, key } = await presign({ doc, s3 }, 'o2');
    await upload(url, Buffer.from([1, 2, 3, 0, 0]));
    const file = await ended(doc, 'text-analyzer-history', key, 'status', ['COMPLETED', 'FAILED']);
    assert.equal(file.status, 'FAILED');
    assert.ok(file.errorMessage);
    assert.equal((await doc.get({ TableName: 'text-analyzer-history', Key: { PK: 'OWNER#o2', SK: `FILE#${fileId}` } })).Item.errorMessage, file.errorMessage);
  });

  test('I11: an uploaded image becomes WebP and thumbnail', async () => {
    for (const [bytes, mimeType, width, height] of [[png(500, 250), 'image/png', 500, 250], [turnedJpeg(), 'image/jpeg', 32, 48]]) {
      const image = await ok(api('POST', 'image-service/image', { userId: unique('user'), originalFilename: 'a', mimeType, fileSize: bytes.length }), 201);
      const Bucket = image.s3Bucket;
      await s3.putObject({ Bucket, Key: `uploads/${image.userId}/${image.id}`, Body: bytes, ContentType: mimeType });
      const item = await ended(doc, 'ImageMetadata', { PK: `IMAGE#${image.id}`, SK: 'METADATA' }, 'processingStatus', ['completed', 'failed']);
      assert.equal(item.processingStatus, 'completed', item.processingError);
      assert.deepEqual([item.width, item.height], [width, height]);
      const made = await s3.getObject({ Bucket, Key: item.s3Key });
      assert.equal(made.ContentType, 'image/webp');
      const webp = await bytesOf(made);
      assert.equal(webp.length, item.processedSize);
      assert.deepEqual(webpSize(webp), { width, height });
      webpSize(await bytesOf(await s3.getObject({ Bucket, Key: item.thumbnailKey })));
    }
  });

  test('I11: a hostile image is failed, and nothing is made of it', async () => {
    const image = await ok(api('POST', 'image-service/image', { userId: unique('user'), originalFilename: 'a', mimeType: 'image/png', fileSize: 1 }), 201);
    await s3.putObject({ Bucket: image.s3Bucket, Key: `uploads/${image.userId}/${image.id}`, Body: png(8, 8, { claims: [65_000, 65_000] }), ContentType: 'image/png' });
    const item = await ended(doc, 'ImageMetadata', { PK: `IMAGE#${image.id}`, SK: 'METADATA' }, 'processingStatus', ['completed', 'failed']);
    assert.equal(item.processingStatus, 'failed');
    assert.ok(item.processingError);
    const { KeyCount } = await s3.listObjectsV2({ Bucket: image.s3Bucket, Prefix: `images/${image.userId}/` });
    assert.equal(KeyCount, 0);
  });

  test('P14: a photo goes from the temp bucket to the final one', async () => {
    const s3TempKey = `${unique('photo')}.jpg`;
    await s3.putObject({ Bucket: 'photoeditor-dev-temp', Key: s3TempKey, Body: jpeg(), ContentType: 'image/jpeg' });
    const { jobId } = await ok(api('POST', 'photo-editor/job', newPhoto({ s3TempKey, fileType: 'image/jpeg' })), 201);
    const job = await ended(doc, 'photoeditor-dev-jobs', { jobId }, 'status', ['COMPLETED', 'FAILED']);
    assert.equal(job.status, 'COMPLETED', JSON.stringify(job.error));
    const edited = await s3.getObject({ Bucket: 'photoeditor-dev-final', Key: job.s3FinalKey });
    assert.equal(edited.ContentType, 'image/jpeg');
    const bytes = await bytesOf(edited);
    assert.equal(bytes.length, job.editResult.size);
    assert.equal(bytes.readUInt16BE(0), 0xffd8);
    assert.ok(job.analysisResult.labels.length > 0);
  });

  test('a text of 30 MB arrives whole', async () => {
    const { url, key } = await presign({ doc, s3 });
    await upload(url, 'alpha beta '.repeat(2_800_000));
    const file = await ended(doc, 'text-analyzer-history', key, 'status', ['COMPLETED', 'FAILED']);
    assert.equal(file.result?.totalWords, 5_600_000, file.errorMessage);
  });
});

describe('workers where keys are asked for', ours, () => {
  const key = { accessKeyId: 'AKIDPERSON', secretAccessKey: 'a secret of a person' };
  const keysFile = () => {
    const file = join(scratchDir(), 'keys.json');
    writeFileSync(file, JSON.stringify({ keys: [{ id: key.accessKeyId, secret: key.secretAccessKey }] }));
    chmodSync(file, 0o600);
    return file;
  };
  const analyse = async (server) => {
    const doc = docOf({ endpoint: server.endpoint, credentials: key });
    const s3 = s3Client({ endpoint: server.endpoint, credentials: key });
    const { fileId, url, key: item } = await presign({ doc, s3 });
    await upload(url, 'two words');
    const file = await ended(doc, 'text-analyzer-history', item, 'status', ['COMPLETED', 'FAILED']);
    assert.equal(file.status, 'COMPLETED', file.errorMessage);
    const api = clientOf(server.endpoint);
    const { items } = await ok(api('GET', `text-analyzer/file/${fileId}:history`, undefined, { authorization: `Bearer ${key.accessKeyId}:${key.secretAccessKey}` }));
    return items.at(-1).actor;
  };

  test("the server's own have a key of their own", async () => {
    const server = await startServer({ args: ['--contracts', contracts, '--keys', keysFile()], workers: 'text' });
    assert.match(await analyse(server), /^waybill-built-in-workers\/text@/);
    await server.stop();
  });

  test('waybill work signs with that of its environment', async () => {
    const server = await startServer({ args: ['--contracts', contracts, '--keys', keysFile()] });
    const env = { AWS_ACCESS_KEY_ID: key.accessKeyId, AWS_SECRET_ACCESS_KEY: key.secretAccessKey };
    const worker = startWorker(server, ['--only', 'text'], { env });
    assert.match(await analyse(server), /^AKIDPERSON\/text@/);
    assert.ok(!worker.run.output.includes(key.secretAccessKey));
    assert.equal(await worker.stop(), 0);
    const stranger = startWorker(server, ['--only', 'text'], { env: { ...env, AWS_SECRET_ACCESS_KEY: 'wrong' } });
    await until('a wrong key is told', () => /built-in workers wait for .*signature/.test(stranger.run.output));
    assert.equal(await stranger.stop(), 0);
    await server.stop();
  });

  test('waybill work reads ~/.aws/credentials', async () => {
    const server = await startServer({ args: ['--contracts', contracts, '--keys', keysFile()] });
    const file = join(scratchDir(), 'credentials');
    writeFileSync(file, `[default]\naws_access_key_id = other\naws_secret_access_key = other\n\n[work]\naws_access_key_id=${key.accessKeyId}\naws_secret_access_key = ${key.secretAccessKey}\n`);
    const worker = startWorker(server, ['--only', 'text'], { env: { AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: 'work', AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' } });
    assert.match(await analyse(server), /^AKIDPERSON\/text@/);
    assert.equal(await worker.stop(), 0);
    await server.stop();
  });
});

describe('which workers run', ours, () => {
  test('those of a contract that comes later begin with it, and --workers chooses', async () => {
    const server = await startServer({ workers: 'text' });
    const applied = runBinary(['contract', 'apply', join(contracts, 'text-analyzer.yaml'), '--data', server.data], { within_ms: 10_000 });
    assert.equal(await applied.exited, 0, applied.output);
    const clients = { doc: docOf({ endpoint: server.endpoint }), s3: s3Client({ endpoint: server.endpoint }) };
    const { url, key } = await presign(clients);
    await upload(url, 'one');
    await ended(clients.doc, 'text-analyzer-history', key, 'status', ['COMPLETED']);
    assert.match(server.run.output, /worker text works on text-analyzer\/file/);
    await server.stop();
  });

  test('none run with --workers none, and a name that is none is refused', async () => {
    const server = await startServer({ args: ['--contracts', contracts] });
    const clients = { doc: docOf({ endpoint: server.endpoint }), s3: s3Client({ endpoint: server.endpoint }) };
    const { url, key } = await presign(clients);
    await upload(url, 'one');
    const api = clientOf(server.endpoint);
    const { jobs } = await ok(api('POST', 'text-analyzer/file:claim', { worker: 'me', wait_s: 5 }));
    assert.equal(jobs.length, 1, 'the job is for others');
    assert.equal((await clients.doc.get({ TableName: 'text-analyzer-history', Key: key })).Item.status, 'IN_PROGRESS');
    await server.stop();
    const run = runBinary(['serve', '--data', scratchDir(), '--workers', 'texts'], { within_ms: 10_000 });
    assert.equal(await run.exited, 2);
    assert.match(run.output, /--workers: there is no worker "texts"/);
  });

  test('a server that is stopped gives its jobs back and ends in time', async () => {
    const server = await startServer({ args: ['--contracts', contracts], workers: 'all' });
    const clients = { doc: docOf({ endpoint: server.endpoint }), s3: s3Client({ endpoint: server.endpoint }) };
    for (let i = 0; i < 20; i++) await upload((await presign(clients)).url, 'word '.repeat(200_000));
    const begun = Date.now();
    assert.equal(await server.stop(), 0, server.run.output);
    assert.ok(Date.now() - begun < 12_000);
  });
});
