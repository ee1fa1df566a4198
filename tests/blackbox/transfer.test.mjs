// Exports and imports: the six calls of the SDK, the files in DynamoDB's format, what a crash leaves, and the
// commands of the terminal. What is exported comes back the same, each item once.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { N, S, active, clientConfig, createTable, fails, fill, ours, pages, runBinary, scratchDir, sleep, startServer, tableShape, unique, until } from './harness.mjs';

const buckets = scratchDir();
let server;
let db;
const clientOf = (of) => new DynamoDB(clientConfig({ endpoint: of.endpoint }));
before(async () => {
  server = await startServer({ args: ['--buckets', buckets] });
  db = clientOf(server);
});

const enable = (TableName, client = db) =>
  client.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
const arnOf = async (TableName, client = db) => (await client.describeTable({ TableName })).Table.TableArn;
const sorted = (value) =>
  value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') }
  : Array.isArray(value) ? value.map(sorted)
  : value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).sort().map(([k, v]) => [k, sorted(v)]))
  : value;
const all = async (TableName, more = {}, client = db) =>
  (await pages('scan', { TableName, ...more }, { client })).items.map((item) => JSON.stringify(sorted(item))).sort();

async function over(describe, what) {
  return until(`${what} is over`, async () => {
    const now = await describe();
    return (now.ExportStatus ?? now.ImportStatus) !== 'IN_PROGRESS' && now;
  }, { timeout_ms: 60_000 });
}
const exported = (ExportArn, client = db) =>
  over(async () => (await client.describeExport({ ExportArn })).ExportDescription, ExportArn);
const imported = (ImportArn, client = db) =>
  over(async () => (await client.describeImport({ ImportArn })).ImportTableDescription, ImportArn);

async function exportTable(TableName, more = {}, client = db) {
  const { ExportDescription } = await client.exportTableToPointInTime({ TableArn: await arnOf(TableName, client), S3Bucket: 'exports', ...more });
  return exported(ExportDescription.ExportArn, client);
}
async function importTable(request, client = db) {
  const { ImportTableDescription } = await client.importTable(request);
  return imported(ImportTableDescription.ImportArn, client);
}

const folderOf = (job, root = buckets) => join(root, job.S3Bucket, job.S3Prefix ?? '', 'AWSDynamoDB', job.ExportArn.split('/').at(-1));
const md5 = (bytes) => createHash('md5').update(bytes).digest('base64');
// The items of an export as its files have them, every checksum looked at.
function itemsIn(folder) {
  const files = readFileSync(join(folder, 'manifest-files.json'));
  const summary = readFileSync(join(folder, 'manifest-summary.json'));
  assert.equal(readFileSync(join(folder, 'manifest-files.md5'), 'utf8'), md5(files));
  assert.equal(readFileSync(join(folder, 'manifest-summary.md5'), 'utf8'), md5(summary));
  const items = [];
  const listed = files.toString().trim().split('\n').map((line) => JSON.parse(line));
  for (const file of listed) {
    const bytes = readFileSync(join(folder, 'data', file.dataFileS3Key.split('/').at(-1)));
    assert.equal(file.md5Checksum, md5(bytes));
    const lines = gunzipSync(bytes).toString().split('\n').filter(Boolean);
    assert.equal(lines.length, file.itemCount);
    items.push(...lines.map((line) => JSON.parse(line).Item));
  }
  assert.deepEqual(readdirSync(join(folder, 'data')).sort(), listed.map((f) => f.dataFileS3Key.split('/').at(-1)).sort(), 'no other files');
  return { items, summary: JSON.parse(summary), listed };
}
const parametersOf = (TableName, key, shape = {}) => ({ TableName, BillingMode: 'PAY_PER_REQUEST', ...tableShape(key, shape) });

const everything = (i) => ({
  pk: S(`p${i % 5}`), sk: N(i), owner: S(`o${i % 3}`), empty: S(''), text: S('ä"\\\n\u0001€😀'), yes: { BOOL: true }, nothing: { NULL: true },
  big: N('12345678901234567890123456789012345678'), small: N('-1.5E-100'), bytes: { B: new Uint8Array([0, 255, 10, 13]) },
  strings: { SS: ['a', 'b'] }, numbers: { NS: ['1', '2.5'] }, binaries: { BS: [new Uint8Array([1]), new Uint8Array([2, 0])] },
  list: { L: [S(''), { L: [] }, { M: { deep: { L: [N(1)] } } }] }, map: { M: { 'a.b c': S('x'), none: { M: {} } } },
});

test('a table is exported in DynamoDB’s format and imported as it was, with its indexes', ours, async () => {
  const shape = { gsi: { byOwner: 'owner:S sk:N', keys: 'owner:S' }, projection: { keys: 'KEYS_ONLY' } };
  const TableName = await createTable('pk:S sk:N', { client: db, ...shape });
  await enable(TableName);
  await fill(TableName, Array.from({ length: 300 }, (_, i) => everything(i)), { client: db });
  const expected = await all(TableName);
  const begun = (await db.exportTableToPointInTime({
    TableArn: await arnOf(TableName), S3Bucket: 'exports', S3Prefix: 'daily/one', S3BucketOwner: '123456789012', S3SseAlgorithm: 'KMS', S3SseKmsKeyId: 'k',
  })).ExportDescription;
  assert.match(begun.ExportArn, new RegExp(`:table/${TableName}/export/\\d{14}-[0-9a-f]{8}$`));
  assert.match(begun.ExportStatus, /IN_PROGRESS|COMPLETED/);
  const job = await exported(begun.ExportArn);
  const id = begun.ExportArn.split('/').at(-1);
  assert.deepEqual(
    { ...job, StartTime: 0, EndTime: 0, ExportTime: 0, ClientToken: 0, BilledSizeBytes: job.BilledSizeBytes > 0, TableId: 0 },
    { ExportArn: begun.ExportArn, ExportStatus: 'COMPLETED', StartTime: 0, EndTime: 0, ExportManifest: `daily/one/AWSDynamoDB/${id}/manifest-summary.json`, TableArn: await arnOf(TableName), TableId: 0, ExportTime: 0, ClientToken: 0, S3Bucket: 'exports', S3BucketOwner: '123456789012', S3Prefix: 'daily/one', S3SseAlgorithm: 'KMS', S3SseKmsKeyId: 'k', ExportFormat: 'DYNAMODB_JSON', BilledSizeBytes: true, ItemCount: 300, ExportType: 'FULL_EXPORT' },
  );
  const folder = folderOf(job);
  assert.ok(existsSync(join(folder, '_started')));
  const { items, summary } = itemsIn(folder);
  assert.equal(items.length, 300);
  assert.deepEqual(items.find((i) => i.sk.N === '7').list, { L: [{ S: '' }, { L: [] }, { M: { deep: { L: [{ N: '1' }] } } }] });
  assert.deepEqual(items.find((i) => i.sk.N === '7').bytes, { B: 'AP8KDQ==' });
  assert.equal(summary.version, '2020-06-30');
  assert.equal(summary.exportArn, job.ExportArn);
  assert.equal(summary.itemCount, 300);
  assert.equal(summary.outputFormat, 'DYNAMODB_JSON');
  assert.equal(summary.exportType, 'FULL_EXPORT');
  assert.equal(summary.s3Prefix, 'daily/one');
  assert.equal(summary.manifestFilesS3Key, `daily/one/AWSDynamoDB/${id}/manifest-files.json`);
  assert.match(summary.exportTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  // By the folder of the export (its manifest counts), and by the folder of its data alone.
  for (const S3KeyPrefix of [`daily/one/AWSDynamoDB/${id}`, `daily/one/AWSDynamoDB/${id}/data/`]) {
    const copy = unique('copy');
    const done = await importTable({
      S3BucketSource: { S3Bucket: 'exports', S3KeyPrefix }, InputFormat: 'DYNAMODB_JSON', InputCompressionType: 'GZIP',
      TableCreationParameters: parametersOf(copy, 'pk:S sk:N', shape),
    });
    assert.equal(done.ImportStatus, 'COMPLETED', done.FailureMessage);
    assert.deepEqual([done.ProcessedItemCount, done.ImportedItemCount, done.ErrorCount], [300, 300, 0]);
    assert.ok(done.ProcessedSizeBytes > 300 * 200 && done.EndTime >= done.StartTime);
    assert.equal(done.TableCreationParameters.TableName, copy);
    assert.deepEqual(done.S3BucketSource, { S3Bucket: 'exports', S3KeyPrefix });
    const table = await active(copy, db);
    assert.equal(table.ItemCount, 300);
    assert.equal(table.RestoreSummary, undefined);
    assert.deepEqual(table.GlobalSecondaryIndexes.map((i) => [i.IndexName, i.ItemCount]), [['byOwner', 300], ['keys', 300]]);
    assert.deepEqual(await all(copy), expected);
    assert.deepEqual(await all(copy, { IndexName: 'byOwner' }), expected);
    await db.putItem({ TableName: copy, Item: everything(1000) });
  }
});

test('an export shows the table at an earlier second, while writes go on', ours, async () => {
  const TableName = await createTable('pk:S', { client: db });
  await enable(TableName);
  await fill(TableName, Array.from({ length: 200 }, (_, i) => ({ pk: S(`k${i}`), v: N(1) })), { client: db });
  const expected = await all(TableName);
  await sleep(1100 - (Date.now() % 1000)); // to the next whole second: the wire carries no less
  const ExportTime = new Date(Math.floor(Date.now() / 1000) * 1000);
  await sleep(20);
  let writing = true;
  const writer = (async () => {
    for (let i = 0; writing; i++) {
      await db.putItem({ TableName, Item: { pk: S(`k${i % 300}`), v: N(2 + i) } });
      if (i % 3 === 0) await db.deleteItem({ TableName, Key: { pk: S(`k${(i * 7) % 200}`) } });
    }
  })();
  await sleep(200);
  const job = await exportTable(TableName, { ExportTime });
  writing = false;
  await writer;
  assert.equal(job.ExportStatus, 'COMPLETED', job.FailureMessage);
  assert.deepEqual(job.ExportTime, ExportTime);
  assert.deepEqual(itemsIn(folderOf(job)).items.map((i) => JSON.stringify(sorted(i))).sort(), expected);
});

test('what is wrong with an export is said', ours, async () => {
  const TableName = await createTable('pk:S', { client: db });
  const TableArn = await arnOf(TableName);
  const request = { TableArn, S3Bucket: 'exports' };
  await fails(db.exportTableToPointInTime(request), 'PointInTimeRecoveryUnavailableException');
  await enable(TableName);
  await fails(db.exportTableToPointInTime({ ...request, TableArn: TableArn + 'x' }), 'TableNotFoundException');
  await fails(db.exportTableToPointInTime({ ...request, TableArn: 'things' }), 'ValidationException');
  await fails(db.exportTableToPointInTime({ ...request, ExportTime: new Date(Date.now() - 86400_000) }), 'InvalidExportTimeException');
  await fails(db.exportTableToPointInTime({ ...request, ExportTime: new Date(Date.now() + 60_000) }), 'InvalidExportTimeException');
  await fails(db.exportTableToPointInTime({ ...request, ExportFormat: 'ION' }), 'ValidationException', /ION is not available/);
  await fails(db.exportTableToPointInTime({ ...request, ExportType: 'INCREMENTAL_EXPORT' }), 'ValidationException', /Incremental exports/);
  await fails(db.exportTableToPointInTime({ ...request, S3BucketOwner: 'me' }), 'ValidationException');
  for (const S3Bucket of ['..', 'a/b', '/etc', '.hidden', 'a']) {
    await fails(db.exportTableToPointInTime({ ...request, S3Bucket }), 'ValidationException');
  }
  for (const S3Prefix of ['..', 'a/../../b', '/etc', './x']) {
    await fails(db.exportTableToPointInTime({ ...request, S3Prefix }), 'ValidationException', /inside of its bucket/);
  }
  symlinkSync('/tmp', join(buckets, 'outside'));
  await fails(db.exportTableToPointInTime({ ...request, S3Bucket: 'outside' }), 'ValidationException', /leads out/);
  mkdirSync(join(buckets, 'linked'));
  symlinkSync('/tmp', join(buckets, 'linked/AWSDynamoDB'));
  await fails(db.exportTableToPointInTime({ ...request, S3Bucket: 'linked' }), 'ValidationException', /leads out/);
  await fails(db.describeExport({ ExportArn: `${TableArn}/export/01234567890123-01234567` }), 'ExportNotFoundException');

  const ClientToken = unique('token');
  const first = (await db.exportTableToPointInTime({ ...request, ClientToken })).ExportDescription;
  const again = (await db.exportTableToPointInTime({ ...request, ClientToken })).ExportDescription;
  assert.equal(again.ExportArn, first.ExportArn);
  await fails(db.exportTableToPointInTime({ ...request, ClientToken, S3Prefix: 'other' }), 'ExportConflictException');
  assert.equal((await exported(first.ExportArn)).ItemCount, 0);
  assert.equal(itemsIn(folderOf(first)).items.length, 0);

  const unwritable = join(buckets, 'unwritable');
  writeFileSync(unwritable, 'a file where a folder should be');
  const failed = await exportTable(TableName, { S3Bucket: 'unwritable' });
  assert.equal(failed.ExportStatus, 'FAILED');
  assert.match(failed.FailureMessage, /cannot make the folder/);
  assert.ok(failed.FailureCode);
  await db.deleteTable({ TableName }); // nobody holds it any more
});

test('exports and imports are listed, page by page and by table', ours, async () => {
  const TableName = await createTable('pk:S', { client: db });
  await enable(TableName);
  const jobs = [];
  for (let i = 0; i < 3; i++) jobs.push((await exportTable(TableName)).ExportArn);
  const TableArn = await arnOf(TableName);
  const page = await db.listExports({ TableArn, MaxResults: 2 });
  const rest = await db.listExports({ TableArn, MaxResults: 2, NextToken: page.NextToken });
  assert.deepEqual([...page.ExportSummaries, ...rest.ExportSummaries].map((e) => e.ExportArn), jobs);
  assert.equal(rest.NextToken, undefined);
  assert.deepEqual(page.ExportSummaries[0], { ExportArn: jobs[0], ExportStatus: 'COMPLETED', ExportType: 'FULL_EXPORT' });
  assert.ok((await db.listExports({})).ExportSummaries.length >= 3);
  await fails(db.listExports({ MaxResults: 26 }), 'ValidationException');

  mkdirSync(join(buckets, 'listed'));
  writeFileSync(join(buckets, 'listed/a.json'), '{"Item":{"pk":{"S":"a"}}}\n');
  const done = await importTable({ S3BucketSource: { S3Bucket: 'listed' }, InputFormat: 'DYNAMODB_JSON', TableCreationParameters: parametersOf(unique(), 'pk:S') });
  const listed = await db.listImports({ TableArn: done.TableArn, PageSize: 5 });
  assert.deepEqual(listed.ImportSummaryList.map((i) => [i.ImportArn, i.ImportStatus, i.InputFormat, i.TableArn]), [[done.ImportArn, 'COMPLETED', 'DYNAMODB_JSON', done.TableArn]]);
  await fails(db.listImports({ PageSize: 0 }), 'ValidationException');
});

test('records that are no items are counted and told, and the last of the same key stays', ours, async () => {
  mkdirSync(join(buckets, 'mixed/b'), { recursive: true });
  const line = (item) => JSON.stringify({ Item: item }) + '\n';
  writeFileSync(join(buckets, 'mixed/a.json'), line({ pk: S('1'), v: N(1) }) + 'not json\n\n' + line({ v: N(1) }) + line({ pk: N(1) }) + line({ pk: S('big'), v: S('x'.repeat(410_000)) }) + '{"Keys":{}}\r\n' + line({ pk: S('gsi'), owner: N(1) }));
  writeFileSync(join(buckets, 'mixed/b/c.json'), line({ pk: S('2') }) + line({ pk: S('1'), v: N(2) }).trimEnd());
  const request = { S3BucketSource: { S3Bucket: 'mixed' }, InputFormat: 'DYNAMODB_JSON', TableCreationParameters: parametersOf(unique(), 'pk:S', { gsi: { byOwner: 'owner:S' } }), ClientToken: unique() };
  const done = await importTable(request);
  assert.equal(done.ImportStatus, 'COMPLETED', done.FailureMessage);
  assert.deepEqual([done.ProcessedItemCount, done.ImportedItemCount, done.ErrorCount], [9, 3, 6]);
  assert.deepEqual(await all(request.TableCreationParameters.TableName), [JSON.stringify({ pk: S('1'), v: N(2) }), JSON.stringify({ pk: S('2') })].sort());
  const [errors] = readdirSync(join(buckets, 'mixed/import-errors'));
  const told = readFileSync(join(buckets, 'mixed/import-errors', errors), 'utf8').trim().split('\n').map((text) => JSON.parse(text));
  assert.deepEqual(told.map((e) => [e.file, e.record]), [2, 3, 4, 5, 6, 7].map((n) => ['a.json', n]));
  assert.match(told[1].error, /Missing the key pk/);
  assert.match(told[3].error, /size/);

  assert.equal((await db.importTable(request)).ImportTableDescription.ImportArn, done.ImportArn, 'the token has done this before');
  await fails(db.importTable({ ...request, InputCompressionType: 'GZIP' }), 'ImportConflictException');
  await fails(db.importTable({ ...request, ClientToken: unique() }), 'ResourceInUseException');
});

test('what is wrong with an import is said, and leaves no table', ours, async () => {
  const request = (more) => ({ S3BucketSource: { S3Bucket: 'no-such-bucket' }, InputFormat: 'DYNAMODB_JSON', TableCreationParameters: parametersOf(unique(), 'pk:S'), ...more });
  await fails(db.importTable(request({ InputFormat: 'ION' })), 'ValidationException', /ION is not available/);
  await fails(db.importTable(request({ InputFormatOptions: { Csv: { Delimiter: ',' } } })), 'ValidationException', /where InputFormat is CSV/);
  await fails(db.importTable(request({ InputFormat: 'CSV', InputFormatOptions: { Csv: { Delimiter: 'x' } } })), 'ValidationException');
  await fails(db.importTable(request({ InputCompressionType: 'RAR' })), 'ValidationException');
  await fails(db.importTable(request({ S3BucketSource: { S3Bucket: 'exports', S3KeyPrefix: '../..' } })), 'ValidationException');
  await fails(db.importTable(request({ TableCreationParameters: { ...parametersOf(unique(), 'pk:S'), AttributeDefinitions: [] } })), 'ValidationException');
  await fails(db.describeImport({ ImportArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/t/import/01234567890123-01234567' }), 'ImportNotFoundException');
  const wanted = request();
  const failed = await importTable(wanted);
  assert.equal(failed.ImportStatus, 'FAILED');
  assert.equal(failed.FailureCode, 'S3NoSuchBucket');
  await fails(db.describeTable({ TableName: wanted.TableCreationParameters.TableName }), 'ResourceNotFoundException');
});

test('damage of an export is noticed before anything is imported', ours, async () => {
  const TableName = await createTable('pk:S', { client: db });
  await enable(TableName);
  await fill(TableName, Array.from({ length: 50 }, (_, i) => ({ pk: S(`k${i}`) })), { client: db });
  for (const damage of ['data', 'manifest-files.json', 'truncated']) {
    const job = await exportTable(TableName, { S3Prefix: damage });
    const folder = folderOf(job);
    const [data] = readdirSync(join(folder, 'data'));
    const file = damage === 'manifest-files.json' ? join(folder, damage) : join(folder, 'data', data);
    const bytes = readFileSync(file);
    if (damage === 'truncated') writeFileSync(file, bytes.subarray(0, bytes.length - 9));
    else writeFileSync(file, bytes.map((byte, i) => (i === bytes.length >> 1 ? byte ^ 1 : byte)));
    const prefix = `${damage}/AWSDynamoDB/${job.ExportArn.split('/').at(-1)}`;
    const load = (S3KeyPrefix) => importTable({ S3BucketSource: { S3Bucket: 'exports', S3KeyPrefix }, InputFormat: 'DYNAMODB_JSON', InputCompressionType: 'GZIP', TableCreationParameters: parametersOf(unique(), 'pk:S') });
    const failed = await load(prefix);
    assert.equal(failed.ImportStatus, 'FAILED');
    assert.equal(failed.FailureCode, 'ChecksumMismatch');
    assert.match(failed.FailureMessage, /is damaged/);
    if (damage === 'truncated') assert.match((await load(`${prefix}/data/`)).FailureMessage, /can't be decompressed/);
  }
});

test('CSV is imported, with a header of its own or a given one', ours, async () => {
  mkdirSync(join(buckets, 'csv/plain'), { recursive: true });
  mkdirSync(join(buckets, 'csv/headless'), { recursive: true });
  writeFileSync(join(buckets, 'csv/plain/a.csv'), '\uFEFFid,n,name,owner\r\n1,10,"Smith, ""J""\nsecond line",o1\r\n2,-2.50,,\n3,x,bad,o1\n4,1,a,b,c\n"5,1\n');
  writeFileSync(join(buckets, 'csv/headless/b.csv.gz'), gzipSync('1|10|ä\n2|11\n'));
  const shape = ['id:S n:N', { gsi: { byOwner: 'owner:S' } }];
  const table = unique();
  const done = await importTable({ S3BucketSource: { S3Bucket: 'csv', S3KeyPrefix: 'plain/' }, InputFormat: 'CSV', TableCreationParameters: parametersOf(table, ...shape) });
  assert.equal(done.ImportStatus, 'COMPLETED', done.FailureMessage);
  assert.deepEqual([done.ProcessedItemCount, done.ImportedItemCount, done.ErrorCount], [5, 2, 3]);
  assert.deepEqual(await all(table), [
    JSON.stringify({ id: S('1'), n: N(10), name: S('Smith, "J"\nsecond line'), owner: S('o1') }),
    JSON.stringify({ id: S('2'), n: N('-2.5'), name: S('') }),
  ]);
  const second = unique();
  const InputFormatOptions = { Csv: { Delimiter: '|', HeaderList: ['id', 'n', 'name'] } };
  const other = await importTable({ S3BucketSource: { S3Bucket: 'csv', S3KeyPrefix: 'headless' }, InputFormat: 'CSV', InputCompressionType: 'GZIP', InputFormatOptions, TableCreationParameters: parametersOf(second, 'id:S n:N') });
  assert.equal(other.ImportedItemCount, 2, other.FailureMessage);
  assert.deepEqual(other.InputFormatOptions, InputFormatOptions);
  assert.deepEqual(await all(second), [JSON.stringify({ id: S('1'), n: N(10), name: S('ä') }), JSON.stringify({ id: S('2'), n: N(11) })]);
});

test('kill -9 in the middle of an export and of an import: both go on and end exact', ours, async () => {
  const data = scratchDir();
  let own = await startServer({ data });
  let client = clientOf(own);
  const TableName = await createTable('pk:S', { client, gsi: { byOwner: 'owner:S' } });
  await enable(TableName, client);
  const chance = (i) => createHash('sha512').update(String(i)).digest('hex').repeat(400);
  const item = (i, v = 0) => ({ pk: S(`k${i}`), owner: S(`o${i % 7}`), v: N(v), pad: S(chance(i)) });
  const count = 2000; // 100 MB: four files
  for (let i = 0; i < count; i += 40) await Promise.all([0, 20].map((j) => fill(TableName, Array.from({ length: 20 }, (_, k) => item(i + j + k)), { client })));
  const keys = (job, root) => itemsIn(folderOf(job, root)).items.map((i) => `${i.pk.S} ${i.v.N} ${i.pad.S === chance(Number(i.pk.S.slice(1)))}`).sort();
  const expected = Array.from({ length: count }, (_, i) => `k${i} 0 true`).sort();
  const begun = (await client.exportTableToPointInTime({ TableArn: await arnOf(TableName, client), S3Bucket: 'big' })).ExportDescription;
  const root = join(data, 'buckets');
  const folder = folderOf(begun, root);
  // Changes behind the export's moment, of items on both sides of where it is.
  await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? client.putItem({ TableName, Item: item(i * 13, 1) }) : client.deleteItem({ TableName, Key: { pk: S(`k${i * 13}`) } }))));
  await until('a file is written', () => existsSync(join(folder, 'data')) && readdirSync(join(folder, 'data')).some((f) => f.endsWith('.gz')), { every_ms: 2 });
  await own.stop('SIGKILL');
  assert.ok(!existsSync(join(folder, 'manifest-summary.json')), 'the server was killed in the middle');
  own = await startServer({ data });
  client = clientOf(own);
  await client.putItem({ TableName, Item: item(count + 1, 1) });
  const state = (await client.describeExport({ ExportArn: begun.ExportArn })).ExportDescription;
  if (state.ExportStatus === 'IN_PROGRESS') {
    await fails(client.deleteTable({ TableName }), 'ResourceInUseException', /being exported/);
    await fails(client.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } }), 'ResourceInUseException');
  }
  const job = await exported(begun.ExportArn, client);
  assert.equal(job.ExportStatus, 'COMPLETED', job.FailureMessage);
  assert.deepEqual(keys(job, root), expected);
  assert.ok(itemsIn(folder).listed.length >= 3);

  // A command that is interrupted leaves its work to the server; repeated, it follows the same work.
  const out = join(scratchDir(), 'out');
  const interrupted = runBinary(['export', TableName, out, '--data', data]);
  await until('a file is written', () => existsSync(join(out, 'AWSDynamoDB')) && readdirSync(out, { recursive: true }).some((f) => f.endsWith('.gz')), { every_ms: 2 });
  interrupted.child.kill('SIGINT');
  await interrupted.exited;
  const repeated = await waybill('export', TableName, out, '--data', data);
  assert.equal(repeated.code, 0, repeated.output);
  assert.equal(readdirSync(join(out, 'AWSDynamoDB')).length, 1);
  assert.match(repeated.output, /is exported: 1981 items/);

  const copy = unique('copy');
  const importing = (await client.importTable({ S3BucketSource: { S3Bucket: 'big', S3KeyPrefix: `AWSDynamoDB/${begun.ExportArn.split('/').at(-1)}` }, InputFormat: 'DYNAMODB_JSON', InputCompressionType: 'GZIP', TableCreationParameters: parametersOf(copy, 'pk:S', { gsi: { byOwner: 'owner:S' } }) })).ImportTableDescription;
  await until('some items are in', async () => (await client.describeImport({ ImportArn: importing.ImportArn })).ImportTableDescription.ImportedItemCount > 600, { every_ms: 2 });
  await fails(client.getItem({ TableName: copy, Key: { pk: S('k1') } }), 'ResourceNotFoundException');
  assert.equal((await client.describeTable({ TableName: copy })).Table.TableStatus, 'CREATING');
  await own.stop('SIGKILL');
  own = await startServer({ data });
  client = clientOf(own);
  const after = (await client.describeImport({ ImportArn: importing.ImportArn })).ImportTableDescription;
  const done = await imported(importing.ImportArn, client);
  assert.equal(after.ImportStatus, 'IN_PROGRESS', 'the server was killed in the middle');
  assert.equal(done.ImportStatus, 'COMPLETED', done.FailureMessage);
  assert.deepEqual([done.ProcessedItemCount, done.ImportedItemCount, done.ErrorCount], [count, count, 0]);
  const table = await active(copy, client);
  assert.equal(table.ItemCount, count);
  assert.equal(table.GlobalSecondaryIndexes[0].ItemCount, count);
  const items = (await pages('scan', { TableName: copy }, { client })).items;
  assert.deepEqual(items.map((i) => `${i.pk.S} ${i.v.N} ${i.pad.S === chance(Number(i.pk.S.slice(1)))}`).sort(), expected);

  // A table without recovery is exported as it is; what a crash interrupts begins anew.
  const whole = join(scratchDir(), 'whole');
  const cut = runBinary(['export', copy, whole, '--data', data]);
  await until('a file is written', () => existsSync(join(whole, 'AWSDynamoDB')) && readdirSync(whole, { recursive: true }).some((f) => f.endsWith('.gz')), { every_ms: 2 });
  await own.stop('SIGKILL');
  assert.equal(await cut.exited, 1);
  assert.match(cut.output, /the server ended before the command did; ask again when it runs/);
  own = await startServer({ data });
  client = clientOf(own);
  await client.deleteItem({ TableName: copy, Key: { pk: S('k0') } }).catch(() => {});
  const [last] = (await client.listExports({ TableArn: await arnOf(copy, client) })).ExportSummaries;
  assert.equal((await exported(last.ExportArn, client)).ExportStatus, 'COMPLETED');
  const [only] = readdirSync(join(whole, 'AWSDynamoDB'));
  const there = new Set(itemsIn(join(whole, 'AWSDynamoDB', only)).items.map((i) => i.pk.S));
  assert.ok(there.size >= count - 1 && [...Array(count - 1).keys()].every((i) => there.has(`k${i + 1}`)));
  await own.stop();
});

async function waybill(...args) {
  const run = runBinary(args, { within_ms: 60_000 });
  return { code: await run.exited, output: run.output };
}

test('waybill export and waybill import: a table into a folder and back, without parameters', ours, async () => {
  const TableName = await createTable('pk:S sk:N', { client: db, gsi: { byOwner: 'owner:S' }, lsi: { byText: 'pk:S text:S' } });
  await fill(TableName, Array.from({ length: 100 }, (_, i) => everything(i)), { client: db });
  const expected = await all(TableName);
  const folder = join(scratchDir(), 'out');
  const out = await waybill('export', TableName, folder, '--data', server.data);
  assert.equal(out.code, 0, out.output);
  assert.match(out.output, new RegExp(`${TableName} is exported: 100 items, .*, in 1 file\n${folder}/AWSDynamoDB/\\d{14}-[0-9a-f]{8}\n`));
  assert.match(out.output, /exporting 100 %/);
  const copy = unique('copy');
  const back = await waybill('import', folder, '--table', copy, '--data', server.data);
  assert.equal(back.code, 0, back.output);
  assert.match(back.output, new RegExp(`${copy} is imported: 100 items\n`));
  assert.match(back.output, /importing 100 %/);
  assert.deepEqual(await all(copy), expected);
  assert.deepEqual(await all(copy, { IndexName: 'byText' }), expected);
  const source = (await db.describeTable({ TableName })).Table;
  const made = (await db.describeTable({ TableName: copy })).Table;
  assert.deepEqual(made.KeySchema, source.KeySchema);
  assert.deepEqual(made.BillingModeSummary.BillingMode, source.BillingModeSummary.BillingMode);

  const taken = await waybill('import', folder, '--data', server.data);
  assert.equal(taken.code, 1);
  assert.match(taken.output, new RegExp(`waybill: Table already exists: ${TableName}`));
  const early = await waybill('export', TableName, folder, '--data', server.data, '--time', '2026-01-01T00:00:00Z');
  assert.equal(early.code, 1);
  assert.match(early.output, /recovery is not enabled/);
  await enable(TableName);
  const outside = await waybill('export', TableName, folder, '--data', server.data, '--time', '2026-01-01T00:00:00Z');
  assert.match(outside.output, /export time must be within/);
  const wrong = await waybill('export', TableName, folder, '--data', server.data, '--time', 'yesterday');
  assert.match(wrong.output, /--time takes a moment like/);
  const missing = await waybill('export', 'no-such-table', folder, '--data', server.data);
  assert.match(missing.output, /Table not found: no-such-table/);
  assert.equal((await waybill('export', TableName, folder, '--data', server.data)).code, 0);
  const several = await waybill('import', folder, '--table', unique(), '--data', server.data);
  assert.match(several.output, /there are 2 exports in .*; name one of them/);
  const nobody = await waybill('export', TableName, folder, '--data', scratchDir());
  assert.match(nobody.output, /no server runs on/);
});

test('waybill import takes plain folders with parameters', ours, async () => {
  const folder = scratchDir();
  const TableName = unique();
  writeFileSync(join(folder, 'a.csv'), 'id,name\n1,one\n2,two\nthree\n');
  const parameters = join(scratchDir(), 'parameters.json');
  writeFileSync(parameters, JSON.stringify(parametersOf(TableName, 'id:S')));
  const none = await waybill('import', folder, '--data', server.data);
  assert.equal(none.code, 1);
  assert.match(none.output, /give --parameters FILE with TableCreationParameters/);
  const done = await waybill('import', folder, '--parameters', parameters, '--data', server.data);
  assert.equal(done.code, 0, done.output);
  assert.match(done.output, new RegExp(`${TableName} is imported: 3 items\n`));
  assert.deepEqual(await all(TableName), ['1', '2', 'three'].map((id, i) => JSON.stringify({ id: S(id), ...(i < 2 && { name: S(['one', 'two'][i]) }) })));
  writeFileSync(join(folder, 'b.json.gz'), gzipSync('{"Item":{"id":{"S":"x"}}}\n'));
  assert.match((await waybill('import', folder, '--table', unique(), '--parameters', parameters, '--data', server.data)).output, /one kind at a time/);
  const empty = await waybill('import', scratchDir(), '--parameters', parameters, '--data', server.data);
  assert.match(empty.output, /there are no files to import/);
});
