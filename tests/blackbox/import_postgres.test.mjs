// `waybill import postgres` (I9, I8) against a real PostgreSQL: the document's table of images, some rows of it odd,
// comes to the contract's records, while the import, the server and the follower are killed; changes follow; what
// differs is found.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { clientConfig, freePort, onPeer, ours, runBinary, scratchDir, sleep, until } from './harness.mjs';
import { startPostgres } from './postgres.mjs';

const project = fileURLToPath(new URL('../../', import.meta.url));
const galleryMapping = join(project, 'share/import/gallery_images.yaml');
const rowCount = 20_000;

// A server that can be killed and comes back at the same address.
class Server {
  static async open(args = []) {
    const server = new Server();
    server.data = scratchDir();
    server.args = args;
    server.port = await freePort();
    server.endpoint = `http://127.0.0.1:${server.port}`;
    server.db = new DynamoDB(clientConfig({ endpoint: server.endpoint, maxAttempts: 10 }));
    server.doc = DynamoDBDocument.from(server.db);
    await server.start();
    return server;
  }
  async start() {
    this.run = runBinary(['serve', '--listen', `127.0.0.1:${this.port}`, '--data', this.data, ...this.args]);
    this.run.child.unref();
    await until('the server answers', () => fetch(`${this.endpoint}/health`).then((r) => r.status === 200, () => false));
  }
  async kill() {
    this.run.child.ref();
    this.run.child.kill('SIGKILL');
    await this.run.exited;
  }
}

// The command with one mapping, in a folder of its own.
class Import {
  constructor(postgres, server, mapping) {
    const folder = scratchDir();
    this.mapping = mapping.endsWith('.yaml') ? mapping : join(folder, 'mapping.yaml');
    if (this.mapping !== mapping) writeFileSync(this.mapping, mapping);
    this.progress = join(folder, 'progress');
    this.fixed = ['--from', postgres.url, '--server', server.endpoint, '--progress', this.progress];
  }
  begin(...args) {
    return runBinary(['import', 'postgres', this.mapping, ...this.fixed, ...args], { within_ms: 120_000 });
  }
  async run(...args) {
    const run = this.begin(...args);
    return { code: await run.exited, output: run.output };
  }
  async does(...args) {
    const { code, output } = await this.run(...args);
    assert.equal(code, 0, output);
    return output;
  }
  async fails(...args) {
    const { code, output } = await this.run(...args);
    assert.equal(code, 1, output);
    return output;
  }
  get state() {
    return JSON.parse(readFileSync(this.progress, 'utf8'));
  }
}

const galleryTable = (name) => `
  CREATE TABLE ${name} (
    id UUID PRIMARY KEY, user_id UUID NOT NULL, album_id UUID, original_filename VARCHAR(255) NOT NULL,
    mime_type VARCHAR(50) NOT NULL, file_size INTEGER NOT NULL, width INTEGER, height INTEGER, s3_key VARCHAR(500) NOT NULL,
    thumbnail_key VARCHAR(500), title VARCHAR(255), description TEXT, alt_text VARCHAR(255), tags JSONB,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT NOW(), updated_at TIMESTAMP WITH TIME ZONE DEFAULT NOW());
  CREATE INDEX ON ${name}(user_id); CREATE INDEX ON ${name}(album_id); CREATE INDEX ON ${name} USING GIN(tags);`;

const uuid = (first, n) => `('${first}0000000-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

// Ordinary rows: md5 of a number as id, so that reading by key is reading in no other order.
const ordinaryRows = (name, from, to) => `
  INSERT INTO ${name} SELECT md5(n::text)::uuid, ${uuid(0, 'n % 100')}, CASE WHEN n % 3 = 0 THEN ${uuid(1, 'n % 50')} END,
    'file ' || n || '.jpg', 'image/jpeg', n, 1920, 1080, 'images/' || n || '.webp',
    CASE WHEN n % 5 > 0 THEN 'thumbs/' || n || '.webp' END, 'Title ' || n, repeat('words ', n % 40), NULL,
    jsonb_build_array('t' || n % 20, 'lego'), timestamptz '2020-01-01 00:00:00+00' + n * interval '1.000123 s',
    timestamptz '2021-01-01 00:00:00.999999+00' + n * interval '1 s' FROM generate_series(${from}, ${to}) n;`;

const oddId = (n) => `ffffffff-0000-4000-8000-${String(n).padStart(12, '0')}`;

// Rows as years of use leave them, all of which can be images.
const oddRows = (name) => `
  INSERT INTO ${name} (id, user_id, original_filename, mime_type, file_size, s3_key, title, description, tags, created_at, updated_at) VALUES
    ('${oddId(1)}', ${uuid(0, 1)}, '', 'image/png', 0, 'k', NULL, '', NULL, NULL, NULL),
    ('${oddId(2)}', ${uuid(0, 1)}, '鴨 🦆 "quoted" \\back', 'image/webp', 2147483647, 'ключ/ü', E'tab\\tline\\nend', '', 'null', '0001-01-01 00:00:00+00', '9999-12-31 23:59:59.999999+00'),
    ('${oddId(3)}', ${uuid(0, 1)}, 'many.jpg', 'image/gif', 1, 'k', 'many tags', NULL, (SELECT jsonb_agg('tag ' || n) FROM generate_series(1, 500) n), '1969-12-31 23:59:59.999999+00', '2020-02-29 12:00:00.000001+00'),
    ('${oddId(4)}', ${uuid(0, 1)}, 'long.jpg', 'image/avif', 1, 'k', NULL, repeat('ü', 150000), '[]', '2020-06-15 12:00:00.123456+05:30', '2020-06-15 12:00:00-11');`;

let postgres;
before(async () => {
  if (!onPeer) postgres = await startPostgres();
});

const scan = async (doc, TableName) => {
  const items = [];
  for (let ExclusiveStartKey; ;) {
    const page = await doc.scan({ TableName, ExclusiveStartKey, ConsistentRead: true });
    items.push(...page.Items);
    if (!(ExclusiveStartKey = page.LastEvaluatedKey)) return items;
  }
};

describe('waybill import postgres', ours, () => {
  test('I9, I8: twenty thousand images come over, through kill -9 of the import and of the server, and follow until the cut-over', async () => {
    const server = await Server.open(['--contracts', join(project, 'contracts/image-service.yaml')]);
    await postgres.sql(galleryTable('gallery_images') + ordinaryRows('gallery_images', 1, rowCount - 4) + oddRows('gallery_images'));
    const gallery = new Import(postgres, server, galleryMapping);

    const shown = await gallery.does('--dry-run', '--rows', '3');
    assert.equal(shown.trim().split('\n').length, 3);
    assert.match(shown, /"processingStatus":\{"S":"completed"\}/);
    assert.equal((await server.doc.scan({ TableName: 'ImageMetadata', Limit: 1 })).Count, 0);

    await gallery.does('--prepare');
    assert.match(await gallery.fails('--prepare'), /noted already/);

    // Killed a dozen times; each run goes on where the last one was.
    let kills = 0;
    let places = [];
    while (kills < 12) {
      const run = gallery.begin('--rate', '3000', '--no-check');
      await sleep(200 + Math.random() * 350);
      run.child.kill('SIGKILL');
      kills += (await run.exited) === 'SIGKILL' ? 1 : assert.fail(`ended before it was killed: ${run.output}`);
      try {
        places.push(gallery.state.rows);
      } catch (error) {
        if (error.code !== 'ENOENT') throw error;
      }
    }
    assert.deepEqual(places, [...places].sort((a, b) => a - b));
    assert.ok(places.at(-1) > 1000 && places.at(-1) < rowCount, String(places));

    // The server goes away twice while rows are on their way to it.
    const run = gallery.begin('--rate', '6000', '--no-check');
    for (let i = 0; i < 2; i += 1) {
      await sleep(400);
      await server.kill();
      await sleep(200);
      await server.start();
    }
    assert.equal(await run.exited, 0, run.output);
    assert.match(run.output, /going on behind row [1-9]/);
    assert.match(run.output, /20,000 rows, 20,000 written, 0 rejected/);
    assert.ok(gallery.state.is_complete);
    const equal = await gallery.does('--check');
    assert.match(equal, /source: 20,000 rows, checksum (\w+)\ntarget: 20,000 items, checksum \1\nboth sides are equal/);
    assert.equal(equal.match(/source: .* checksum (\w+)/)[1], gallery.state.checksum);

    await looksLikeTheDocument(server);
    await changesFollow(server, gallery);
    await differencesAreFound(server, gallery);
    await theMoveEnds(server, gallery);
  });

  // What the contract makes of a row: the document's item, and what it lists by.
  async function looksLikeTheDocument({ doc, endpoint }) {
    const items = await scan(doc, 'ImageMetadata');
    const seven = items.find((item) => item.originalFilename === 'file 7.jpg');
    assert.match(seven.id, /^01DX[0-9A-Z]{22}$/);
    const user = '00000000-0000-4000-8000-000000000007';
    assert.deepEqual(seven, {
      PK: `IMAGE#${seven.id}`, SK: 'METADATA', id: seven.id, userId: user, originalFilename: 'file 7.jpg', mimeType: 'image/jpeg',
      fileSize: 7, width: 1920, height: 1080, aspectRatio: 1.7777777777777777, s3Key: 'images/7.webp', s3Bucket: 'images-lego-moc-prod',
      thumbnailKey: 'thumbs/7.webp', imageUrl: 'https://d123.cloudfront.net/images/7.webp',
      thumbnailUrl: 'https://d123.cloudfront.net/thumbs/7.webp', processingStatus: 'completed', format: 'webp', quality: 85,
      title: 'Title 7', description: 'words '.repeat(7), tags: ['t7', 'lego'], createdAt: '2020-01-01T00:00:07.000Z',
      updatedAt: '2021-01-01T00:00:07.999Z', uploadedAt: '2020-01-01T00:00:07.000Z', version: 1,
      GSI1PK: `USER#${user}`, GSI1SK: 'UPLOADED#2020-01-01T00:00:07.000Z',
    });
    const of = async (IndexName, name, value) => (await doc.query({ TableName: 'ImageMetadata', IndexName,
      KeyConditionExpression: '#k = :v', ExpressionAttributeNames: { '#k': name }, ExpressionAttributeValues: { ':v': value }, Select: 'COUNT' })).Count;
    assert.equal(await of('UserIndex', 'GSI1PK', `USER#${user}`), 200);
    assert.equal(await of('AlbumIndex', 'GSI2PK', 'ALBUM#10000000-0000-4000-8000-000000000003'),
      Number(await postgres.sql(`SELECT count(*) FROM gallery_images WHERE album_id = ${uuid(1, 3)}`)));
    const api = async (path) => (await fetch(`${endpoint}/v1/image-service/image${path}`)).json();
    assert.equal((await api(':counts')).completed, rowCount);
    assert.equal((await api(`?userId=${user}&tag=t7&limit=100`)).items.length, 100);
    const odd = items.find((item) => item.originalFilename.startsWith('鴨'));
    assert.deepEqual([odd.originalFilename, odd.title, odd.description, odd.s3Key, odd.tags, odd.createdAt, odd.updatedAt],
      ['鴨 🦆 "quoted" \\back', 'tab\tline\nend', '', 'ключ/ü', undefined, '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']);
    const many = items.find((item) => item.title === 'many tags');
    assert.deepEqual([many.tags.length, many.createdAt, many.updatedAt], [500, '1969-12-31T23:59:59.999Z', '2020-02-29T12:00:00.000Z']);
    const long = items.find((item) => item.originalFilename === 'long.jpg');
    assert.deepEqual([long.description.length, long.createdAt, long.tags], [150_000, '2020-06-15T06:30:00.123Z', []]);
  }

  // An application that goes on writing to PostgreSQL, several sessions at once, in another time zone.
  const busy = (seed) => `
    SET timezone = 'Asia/Tokyo';
    SELECT setseed(${seed});
    DO $$
    DECLARE n int; what int;
    BEGIN
      FOR i IN 1..400 LOOP
        n := 1 + floor(random() * ${rowCount - 4});
        what := floor(random() * 6);
        IF what = 0 THEN DELETE FROM gallery_images WHERE id = md5(n::text)::uuid;
        ELSIF what = 1 THEN
          INSERT INTO gallery_images (id, user_id, original_filename, mime_type, file_size, s3_key) VALUES
            (gen_random_uuid(), ${uuid(0, 5)}, 'new', 'image/png', i, 'k');
        ELSIF what = 2 THEN UPDATE gallery_images SET created_at = now() - n * interval '1 s' WHERE id = md5(n::text)::uuid;
        ELSIF what = 3 THEN
          DELETE FROM gallery_images WHERE id = md5(n::text)::uuid;
          INSERT INTO gallery_images (id, user_id, original_filename, mime_type, file_size, s3_key) VALUES
            (md5(n::text)::uuid, ${uuid(0, 6)}, 'again', 'image/png', i, 'k');
        ELSIF what = 4 THEN UPDATE gallery_images SET user_id = ${uuid(0, 77)}, album_id = NULL WHERE id = md5(n::text)::uuid;
        ELSE UPDATE gallery_images SET title = 'changed ' || i, tags = NULL, updated_at = now() WHERE id = md5(n::text)::uuid;
        END IF;
        IF i % 7 = 0 THEN ROLLBACK; ELSE COMMIT; END IF;
        PERFORM pg_sleep(0.004);
      END LOOP;
    END $$;`;

  async function changesFollow(server, gallery) {
    await assert.rejects(postgres.sql('TRUNCATE gallery_images'), /is being moved/);
    const writers = [0.1, 0.4, 0.8].map((seed) => postgres.start(busy(seed)).done);
    let follower = gallery.begin('--follow');
    await until('it follows', () => /following/.test(follower.output));
    assert.match(await gallery.fails('--follow'), /another import with this mapping is running/);
    for (let i = 0; i < 3; i += 1) {
      await sleep(300 + Math.random() * 300);
      follower.child.kill('SIGKILL');
      await follower.exited;
      follower = gallery.begin('--follow');
    }
    await server.kill();
    await sleep(100);
    await server.start();
    // An administrator ends its sessions: it comes back by itself.
    await postgres.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'waybill import'`);
    await Promise.all(writers);
    await until('no change waits', () => /no change waits.*\n$/.test(follower.output)).catch((error) => assert.fail(`${error.message}: ${follower.output}`));
    follower.child.kill('SIGTERM');
    assert.equal(await follower.exited, 0, follower.output);
    const output = await gallery.does('--follow', '--drain', '--check');
    assert.match(output, /both sides are equal/);
    const count = Number(await postgres.sql('SELECT count(*) FROM gallery_images'));
    assert.notEqual(count, rowCount);
    assert.equal((await scan(server.doc, 'ImageMetadata')).length, count);
    const counts = await (await fetch(`${server.endpoint}/v1/image-service/image:counts`)).json();
    assert.equal(counts.completed, count);
  }

  async function differencesAreFound({ doc }, gallery) {
    const items = await scan(doc, 'ImageMetadata');
    const key = ({ PK, SK }) => ({ PK, SK });
    const rowOf = (item) => postgres.sql(`SELECT id FROM gallery_images WHERE s3_key = '${item.s3Key}'`);
    const [wrong, gone] = items.filter((item) => item.s3Key.startsWith('images/') && item.title?.startsWith('Title'));
    await doc.update({ TableName: 'ImageMetadata', Key: key(wrong), UpdateExpression: 'SET title = :t', ExpressionAttributeValues: { ':t': 'planted' } });
    await doc.delete({ TableName: 'ImageMetadata', Key: key(gone) });
    const extra = { PK: 'IMAGE#nobodys', SK: 'METADATA', userId: 'u', originalFilename: 'x', mimeType: 'image/png', fileSize: 1 };
    await doc.put({ TableName: 'ImageMetadata', Item: extra });
    // Of the same table, and of no row: none of the import's business.
    await doc.put({ TableName: 'ImageMetadata', Item: { PK: wrong.PK, SK: 'TAGS', tags: ['x'] } });
    const output = await gallery.fails('--check');
    assert.match(output, new RegExp(`different: id=${await rowOf(wrong)} \\(title, updatedAt, version\\)`));
    assert.match(output, new RegExp(`missing in the target: id=${await rowOf(gone)}\n`));
    assert.match(output, /in the target alone: \{"PK":"IMAGE#nobodys","SK":"METADATA"\}/);
    assert.match(output, /\n3 differences/);
    await doc.delete({ TableName: 'ImageMetadata', Key: key(extra) });
    // Importing again mends the rest.
    assert.match(await gallery.does('--restart'), /both sides are equal/);
  }

  async function theMoveEnds(server, gallery) {
    await postgres.sql(`UPDATE gallery_images SET title = 'late' WHERE id = '${oddId(1)}'`);
    assert.match(await gallery.fails('--finish'), /1 changes were noted and not brought along/);
    await gallery.does('--follow', '--drain');
    await gallery.does('--finish');
    assert.equal(await postgres.sql(`SELECT count(*) FROM pg_class WHERE relname LIKE 'waybill%'`), '0');
    assert.equal(await postgres.sql(`SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'waybill%'`), '0');
    assert.match(await gallery.fails(), /was finished/);
    assert.match(await gallery.fails('--follow'), /was finished/);
    await server.kill();
  }

  test('I9: rows that can be no image are told with the reason, and the others come', async () => {
    const server = await Server.open(['--contracts', join(project, 'contracts/image-service.yaml')]);
    const mapping = readFileSync(galleryMapping, 'utf8').replace('table: gallery_images', 'table: odd.images');
    await postgres.sql('CREATE SCHEMA odd;' + galleryTable('odd.images') + ordinaryRows('odd.images', 1, 60) + `
      UPDATE odd.images SET created_at = 'infinity' WHERE file_size = 1;
      UPDATE odd.images SET created_at = '0044-03-15 00:00:00+00 BC' WHERE file_size = 2;
      UPDATE odd.images SET mime_type = 'image/tiff' WHERE file_size = 3;
      UPDATE odd.images SET description = repeat('x', 420000) WHERE file_size = 4;
      UPDATE odd.images SET tags = '{"a": 1}' WHERE file_size = 5;`);
    const output = await new Import(postgres, server, mapping).fails();
    assert.match(output, /id: "infinity" is no moment/);
    assert.match(output, /createdAt is "-000043-03-15T00:00:00.000Z", and must be a time/);
    assert.match(output, /mimeType is "image\/tiff", and must be one of/);
    assert.match(output, /Item size has exceeded the maximum allowed size/);
    assert.match(output, /tags is a map, and must be a list/);
    assert.match(output, /60 rows, 55 written, 5 rejected/);
    assert.match(output, /source: 59 rows.*\ntarget: 55 items/);
    assert.match(output, /\n5 differences/);
    await server.kill();
  });

  test('I9: a query of many types becomes plain items, by a key of two parts', async () => {
    const server = await Server.open();
    await server.db.createTable({ TableName: 'things', BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'owner', AttributeType: 'S' }, { AttributeName: 'nr', AttributeType: 'N' }],
      KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }, { AttributeName: 'nr', KeyType: 'RANGE' }] });
    await postgres.sql(`
      CREATE TABLE "Odd things" (tenant int, "the nr" bigint, price numeric, ok boolean, raw bytea, names text[], grid int[],
        doc json, day date, at timestamp, ratio float8, PRIMARY KEY (tenant, "the nr"));
      INSERT INTO "Odd things" VALUES
        (1, 9223372036854775807, 12345678901234567890.123456789, true, '\\x00ff', '{a,"b,c",NULL}', '{{1,2},{3,4}}',
          '{"b": 1.50, "a": [null, "é"]}', '2024-02-29', '2024-02-29 23:59:59.999999', 0.1),
        (1, -5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        (2, 0, 0, false, '', '{}', '{}', '[]', '0001-01-01', '1969-12-31 23:59:59.5', 1e-7);`);
    const mapping = `
source:
  table: Odd things
  query: |
    SELECT t.*, 'x' || tenant AS prefix FROM "Odd things" t WHERE tenant < 10;
  key: [tenant, the nr]
target: {table: things, key: {owner: "T#{tenant}", nr: "{nr}"}}
attributes:
  tenant: tenant
  nr: the nr
  price: price
  ok: ok
  raw: raw
  names: names
  unique: {column: grid, type: list}
  doc: doc
  day: day
  at: {column: at, type: epoch_ms}
  exact: {column: at, type: timestamp, precision: us}
  ratio: {column: ratio, if_null: 1}
  kind: {value: "thing {prefix}"}
  prefix: prefix
`;
    const wrong = await new Import(postgres, server, mapping).fails();
    assert.match(wrong, /mapping.yaml:\d+:\d+: error: the attribute "kind" is made of \{prefix\}, which is no attribute above it/);
    const right = mapping.replace(/ {2}kind.*\n/, '').concat('  kind: {value: "thing {prefix}"}\n');
    const things = new Import(postgres, server, right);
    assert.match(await things.does(), /source: 3 rows, .*\ntarget: 3 items, .*\nboth sides are equal/);
    const get = async (owner, nr) => (await server.db.getItem({ TableName: 'things', Key: { owner: { S: owner }, nr: { N: nr } } })).Item;
    assert.deepEqual(await get('T#1', '9223372036854775807'), {
      owner: { S: 'T#1' }, nr: { N: '9223372036854775807' }, tenant: { N: '1' }, price: { N: '12345678901234567890.123456789' },
      ok: { BOOL: true }, raw: { B: new Uint8Array([0, 255]) }, names: { L: [{ S: 'a' }, { S: 'b,c' }, { NULL: true }] },
      unique: { L: [{ L: [{ N: '1' }, { N: '2' }] }, { L: [{ N: '3' }, { N: '4' }] }] },
      doc: { M: { b: { N: '1.5' }, a: { L: [{ NULL: true }, { S: 'é' }] } } }, day: { S: '2024-02-29' }, at: { N: '1709251199999' },
      exact: { S: '2024-02-29T23:59:59.999999Z' }, ratio: { N: '0.1' }, prefix: { S: 'x1' }, kind: { S: 'thing x1' },
    });
    assert.deepEqual(await get('T#1', '-5'), { owner: { S: 'T#1' }, nr: { N: '-5' }, tenant: { N: '1' }, ratio: { N: '1' }, prefix: { S: 'x1' }, kind: { S: 'thing x1' } });
    // Its changes follow as well: those of the table that it names.
    await things.does('--prepare');
    assert.match(await things.fails('--follow', '--drain'), /begun before --prepare/);
    await things.does('--restart');
    await postgres.sql(`DELETE FROM "Odd things" WHERE tenant = 2; UPDATE "Odd things" SET "the nr" = 6 WHERE "the nr" = -5;
      INSERT INTO "Odd things" VALUES (3, 3); INSERT INTO "Odd things" VALUES (30, 3);`);
    assert.match(await things.does('--follow', '--drain', '--check'), /4 changes brought along: 2 items written, 2 removed/);
    assert.deepEqual((await server.db.scan({ TableName: 'things' })).Items.map((item) => item.nr.N).sort(), ['3', '6', '9223372036854775807']);
    // A mapping that has changed does not go on where another one was.
    writeFileSync(things.mapping, right.replace('if_null: 1', 'if_null: 2'));
    assert.match(await things.fails(), /is of another mapping, or this one was changed since/);
    await things.does('--finish');
    await server.kill();
  });

  test('I9: what is wrong is said plainly, and no password with it', async () => {
    const server = await Server.open();
    const mapping = (source, target = 'table: goal, key: {pk: "{id}"}') => `source: {${source}}\ntarget: {${target}}\nattributes: {id: id, pk: id}\n`;
    await postgres.sql('CREATE TABLE loose (id int, other int)');
    const says = async (text, ...args) => new Import(postgres, server, text).fails(...args);
    assert.match(await says(mapping('table: loose, key: id')), /there is no table "goal" on the server: make it first/);
    assert.match(await says(mapping('table: loose, key: id', 'contract: c, record: r')), /the contract "c" is not in force/);
    await server.db.createTable({ TableName: 'goal', BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] });
    assert.match(await says(mapping('table: nothing, key: id')), /PostgreSQL has no table "nothing"/);
    assert.match(await says(mapping('table: loose, key: id')), /mapping.yaml:1:\d+: error: no unique index without NULLs is on the source's key/);
    assert.match(await says(mapping('query: SELECT NULL::int AS id, key: id')), /the query has rows whose key is NULL, or there twice/);
    assert.match(await says(mapping('query: SELEC 1, key: id')), /PostgreSQL: ERROR:.*syntax error/);
    const url = 'postgresql://me:hush-hush@[bad/x';
    const output = (await says(mapping('table: loose, key: id'), '--from', url).catch((e) => e.message));
    assert.doesNotMatch(output, /hush-hush/);
    const away = runBinary(['import', 'postgres', galleryMapping, '--from', 'postgresql://me:hush-hush@127.0.0.1:1/x', '--server', server.endpoint, '--patience', '0']);
    assert.equal(await away.exited, 1);
    assert.doesNotMatch(away.output, /hush-hush/);
    await server.kill();
  });

  test('I9: only keys that may do everything import', async () => {
    const keys = join(scratchDir(), 'keys.json');
    const grant = { tables: ['ImageMetadata'], verbs: ['read', 'write', 'admin'] };
    writeFileSync(keys, JSON.stringify({ keys: [{ id: 'ALL', secret: 'a-long-secret-of-all' }, { id: 'SOME', secret: 'a-long-secret-of-some', policy: grant }] }), { mode: 0o600 });
    const server = await Server.open(['--keys', keys, '--contracts', join(project, 'contracts/image-service.yaml')]);
    const put = async (accessKeyId, secretAccessKey, word) => {
      const db = new DynamoDB(clientConfig({ endpoint: server.endpoint, credentials: { accessKeyId, secretAccessKey } }));
      db.middlewareStack.add((next) => (args) => ((args.request.headers['waybill-operation'] = word), next(args)), { step: 'build' });
      const Item = { PK: { S: 'IMAGE#1' }, SK: { S: 'METADATA' }, userId: { S: 'u' }, originalFilename: { S: 'f' }, mimeType: { S: 'image/png' }, fileSize: { N: '1' }, processingStatus: { S: 'completed' } };
      return db.putItem({ TableName: 'ImageMetadata', Item }).then(() => 'done', (error) => `${error.name}: ${error.message}`);
    };
    assert.match(await put('SOME', 'a-long-secret-of-some', 'import'), /^AccessDeniedException: .*keys that may do everything/);
    assert.match(await put('ALL', 'a-long-secret-of-all', 'export'), /^ValidationException: Waybill-Operation can be "import"/);
    assert.equal(await put('ALL', 'a-long-secret-of-all', 'import'), 'done');
    // The command signs its requests.
    await postgres.sql('CREATE SCHEMA signed;' + galleryTable('signed.images') + ordinaryRows('signed.images', 1, 30));
    const mapping = readFileSync(galleryMapping, 'utf8').replace('table: gallery_images', 'table: signed.images').replace('record: image', 'record: image\n  shared: true');
    const images = new Import(postgres, server, mapping);
    assert.match(await images.fails(), /no|Missing|authentic/i);
    const run = runBinary(['import', 'postgres', images.mapping, ...images.fixed], { env: { WAYBILL_ACCESS_KEY_ID: 'ALL', WAYBILL_SECRET_ACCESS_KEY: 'a-long-secret-of-all' } });
    assert.equal(await run.exited, 0, run.output);
    assert.match(run.output, /both sides are equal/);
    await server.kill();
  });
});
