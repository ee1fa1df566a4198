// `waybill migrate`: fields are added, renamed and removed, and a primary key changed, while SDK clients go on writing
// to the table; the way forward survives kill -9, and the way back leads to what was there.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { clientConfig, createTable, fill, ours, runBinary, scratchDir, startServer, until } from './harness.mjs';

const contract = (name) => readFileSync(fileURLToPath(new URL(`../../contracts/${name}.yaml`, import.meta.url)), 'utf8');

// A server with its clients and its command line; restart() leaves all that hold it with the new one.
class Place {
  static async open(args = []) {
    const place = new Place();
    place.args = args;
    place.use(await startServer({ args }));
    return place;
  }
  use(server) {
    this.server = server;
    this.db = new DynamoDB(clientConfig({ endpoint: server.endpoint }));
    this.doc = DynamoDBDocument.from(this.db);
  }
  async restart(signal) {
    await this.server.stop(signal);
    this.use(await startServer({ data: this.server.data, args: this.args }));
  }
  async migrate(...args) {
    const run = runBinary(['migrate', ...args, '--data', this.server.data], { within_ms: 120_000 });
    return { code: await run.exited, output: run.output };
  }
  async does(...args) {
    const { code, output } = await this.migrate(...args);
    assert.equal(code, 0, output);
    return output;
  }
  async state(table) {
    return JSON.parse(await this.does('status', table, '--json')).migrations[0];
  }
  async all(TableName) {
    const items = [];
    for (let ExclusiveStartKey; ;) {
      const page = await this.doc.scan({ TableName, ExclusiveStartKey, ConsistentRead: true });
      items.push(...page.Items);
      if (!(ExclusiveStartKey = page.LastEvaluatedKey)) return items;
    }
  }
}

// Writes until it is told to end; what failed because the server was down is done again. `write(i)` is one change.
function keepWriting(write) {
  let going = true;
  let count = 0;
  const done = (async () => {
    while (going) {
      try {
        await write(count);
        count += 1;
      } catch (error) {
        if (!['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(error.code) && error.name !== 'TimeoutError') throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  })();
  return { get count() { return count; }, async end() { going = false; await done; return count; } };
}

const titles = (count) => Array.from({ length: count }, (_, i) => ({ pk: { S: `r${i}` }, title: { S: `t${i}` } }));

describe('waybill migrate', ours, () => {
  test('P11: a field is renamed under writers, with kill -9 in the middle of the backfill', async () => {
    const place = await Place.open();
    const TableName = await createTable('pk:S', { client: place.db });
    await fill(TableName, titles(1500), { client: place.db });
    // What each record's title must be in the end: the last that was acknowledged, or that may have been.
    const wanted = new Map(titles(1500).map((item) => [item.pk.S, new Set([item.title.S])]));
    const name = { value: 'title' };
    const writer = keepWriting(async (i) => {
      const pk = `r${(i * 37) % 1600}`;
      const value = `w${i}`;
      wanted.set(pk, new Set([...(wanted.get(pk) ?? []), value]));
      if (i % 3 === 0) await place.doc.put({ TableName, Item: { pk, [name.value]: value } });
      else await place.doc.update({ TableName, Key: { pk }, UpdateExpression: 'SET #t = :v', ExpressionAttributeNames: { '#t': name.value }, ExpressionAttributeValues: { ':v': value } });
      wanted.set(pk, new Set([value]));
    });
    assert.match(await place.does('start', TableName, '--rename', 'title=caption'), /the field title becomes caption\n {2}dual_write; next: `waybill migrate backfill/);
    const early = await place.migrate('switch', TableName);
    assert.equal(early.code, 1);
    assert.match(early.output, /at the step dual_write, from which switch leads nowhere; there is: backfill, back-out/);

    const cut = place.migrate('backfill', TableName, '--rate', '400');
    await until('a part is filled', async () => (await place.state(TableName)).changed > 100);
    await new Promise((resolve) => setTimeout(resolve, 1200)); // its place is kept every second
    await place.restart('SIGKILL');
    assert.notEqual((await cut).code, 0);
    const resumed = await place.state(TableName);
    assert.equal(resumed.step, 'backfilling');
    assert.ok(resumed.seen > 100 && resumed.seen < 1500, JSON.stringify(resumed));
    const filled = await place.does('backfill', TableName, '--rate', '0');
    assert.match(filled, /filled/);

    assert.match(await place.does('verify', TableName), /records: all agree\n/);
    await place.does('switch', TableName);
    const [old, fresh] = await Promise.all([place.does('status', TableName), place.doc.get({ TableName, Key: { pk: 'r1' }, ConsistentRead: true })]);
    assert.match(old, /switched/);
    assert.equal(fresh.Item.caption, fresh.Item.title);
    name.value = 'caption'; // writers move over
    const before = writer.count;
    await until('they have written', () => writer.count > before + 50);
    await place.does('stop', TableName);
    await place.does('drop', TableName);
    assert.ok((await writer.end()) > 100);
    const items = await place.all(TableName);
    assert.equal(items.length, wanted.size);
    for (const item of items) {
      assert.deepEqual(Object.keys(item).sort(), ['caption', 'pk']);
      assert.ok(wanted.get(item.pk).has(item.caption), `${item.pk}: ${item.caption}`);
    }
    assert.equal((await place.state(TableName)).step, 'done');
    await place.server.stop();
  });

  test('P11: backing out from before and from after the switch leaves what was written', async () => {
    const place = await Place.open();
    const TableName = await createTable('pk:S', { client: place.db });
    await fill(TableName, titles(300), { client: place.db });
    const written = new Map(titles(300).map((item) => [item.pk.S, item.title.S]));
    const writer = keepWriting(async (i) => {
      const pk = `r${(i * 7) % 320}`;
      await place.doc.put({ TableName, Item: { pk, title: `w${i}` } });
      written.set(pk, `w${i}`);
    });
    const check = async () => {
      for (const item of await place.all(TableName)) assert.deepEqual(item, { pk: item.pk, title: written.get(item.pk) });
    };
    await place.does('start', TableName, '--rename', 'title=caption');
    await place.does('backfill', TableName);
    await place.does('back-out', TableName);
    assert.equal((await place.state(TableName)).step, 'backed_out');

    await place.does('start', TableName, '--rename', 'title=caption');
    for (const step of ['backfill', 'verify', 'switch', 'stop']) await place.does(step, TableName);
    await until('old writers wrote after the stop', () => writer.count > 100);
    assert.match(await place.does('back-out', TableName), /verified/);
    for (const item of await place.all(TableName)) assert.equal(item.caption, item.title);
    assert.match(await place.does('back-out', TableName), /backed_out/);
    await writer.end();
    await check();
    const gone = await place.migrate('back-out', TableName);
    assert.equal(gone.code, 1);
    assert.match(gone.output, /it is over/);
    await place.server.stop();
  });

  test('P11, I8: a field is added and another is removed from the contract of a live table', async () => {
    const dir = scratchDir();
    const first = join(dir, 'images.yaml');
    const text = contract('image-service');
    writeFileSync(first, text);
    const place = await Place.open();
    const apply = runBinary(['contract', 'apply', first, '--data', place.server.data], { within_ms: 30_000 });
    assert.equal(await apply.exited, 0, apply.output);
    const TableName = /table (\S+)/.exec(apply.output)[1];
    const image = (id) => ({
      PK: `IMAGE#${id}`, SK: 'METADATA', id, userId: 'u', originalFilename: 'a.png', mimeType: 'image/png', fileSize: 1, processedSize: 1,
      width: 4, height: 2, s3Key: 'k', s3Bucket: 'b', thumbnailKey: 't', altText: `alt ${id}`,
    });
    const made = [];
    for (let i = 0; i < 30; ++i) {
      const Item = image(`old${i}`);
      await place.doc.put({ TableName, Item });
      made.push(Item.id);
    }
    const writer = keepWriting((i) => place.doc.put({ TableName, Item: image(`w${i % 40}`) }));

    await place.does('start', TableName, '--add', 'rating=0', '--having', 'originalFilename');
    await place.does('backfill', TableName);
    assert.match(await place.does('verify', TableName), /all agree/);
    await place.does('switch', TableName);
    await place.does('stop', TableName);
    const rated = await place.doc.get({ TableName, Key: { PK: 'IMAGE#old3', SK: 'METADATA' } });
    assert.equal(rated.Item.rating, 0);

    const refused = await place.migrate('start', TableName, '--remove', 'altText');
    assert.equal(refused.code, 1);
    assert.match(refused.output, /contract image-service names the field altText: give its next version, without it, with --contract FILE/);
    const second = join(dir, 'next.yaml');
    writeFileSync(second, text.replace('version: 1\n', 'version: 2\n').replace('      altText?: string\n', ''));
    const removing = await place.does('start', TableName, '--remove', 'altText', '--contract', second);
    assert.match(removing, /the field altText goes\n {2}stopped;/);
    const kept = await place.doc.get({ TableName, Key: { PK: 'IMAGE#old3', SK: 'METADATA' } });
    assert.equal(kept.Item.altText, 'alt old3');
    await place.doc.put({ TableName, Item: image('late') });
    assert.equal((await place.doc.get({ TableName, Key: { PK: 'IMAGE#late', SK: 'METADATA' } })).Item.altText, undefined);
    assert.match(await place.does('back-out', TableName), /backed_out/);
    await place.doc.put({ TableName, Item: image('late') });
    assert.equal((await place.doc.get({ TableName, Key: { PK: 'IMAGE#late', SK: 'METADATA' } })).Item.altText, 'alt late');
    await place.does('start', TableName, '--remove', 'altText', '--contract', second);
    await place.does('drop', TableName);
    await writer.end();
    // Writers that still give it are let alone once the migration is over, as any field that no contract names.
    for (const item of (await place.all(TableName)).filter((one) => made.includes(one.id))) assert.equal(item.altText, undefined);
    await place.server.stop();
  });

  test('I8: a primary key changes by a new table, dual write, backfill and cut-over, with a kill on the way', async () => {
    const place = await Place.open();
    const TableName = await createTable('PK:S SK:S', { client: place.db, gsi: { byUser: 'userId:S' } });
    const next = `${TableName}-by-user`;
    const user = (i) => `u${i % 5}`;
    const item = (i, title) => ({ PK: `IMAGE#${i}`, SK: 'METADATA', id: `${i}`, userId: user(i), title });
    const moved = (i, title) => ({ ...item(i, title), PK: `USER#${user(i)}`, SK: `IMAGE#${i}` });
    await fill(TableName, Array.from({ length: 1200 }, (_, i) => ({ PK: { S: `IMAGE#${i}` }, SK: { S: 'METADATA' }, id: { S: `${i}` }, userId: { S: user(i) }, title: { S: `t${i}` } })), { client: place.db });
    let cutOver = false;
    const writer = keepWriting(async (i) => {
      const n = (i * 31) % 1300;
      if (i % 10 === 9) {
        const Key = cutOver ? { PK: `USER#${user(n)}`, SK: `IMAGE#${n}` } : { PK: `IMAGE#${n}`, SK: 'METADATA' };
        await place.doc.delete({ TableName: cutOver ? next : TableName, Key });
      } else {
        await place.doc.put({ TableName: cutOver ? next : TableName, Item: cutOver ? moved(n, `w${i}`) : item(n, `w${i}`) });
      }
    });
    const without = await place.migrate('start', TableName, '--key', next, 'PK=USER#{userId}', 'SK=IMAGE#{id}');
    assert.equal(without.code, 1);
    assert.match(without.output, /say with --back how the old key is made/);
    await place.does('start', TableName, '--key', next, 'PK=USER#{userId}', 'SK=IMAGE#{id}', '--back', 'PK=IMAGE#{id}', 'SK=METADATA');
    await assert.rejects(place.doc.put({ TableName: next, Item: moved(1, 'x') }), /is being filled with the records of table/);
    const cut = place.migrate('backfill', TableName, '--rate', '300');
    await until('a part is filled', async () => (await place.state(TableName)).changed > 50);
    await place.restart('SIGKILL');
    await cut;
    await place.does('backfill', TableName, '--rate', '0');
    assert.match(await place.does('verify', TableName), /all agree/);
    await place.does('switch', TableName);
    cutOver = true;
    const count = writer.count;
    await until('they have written', () => writer.count > count + 50);
    const same = async () => {
      const [old, fresh] = [await place.all(TableName), await place.all(next)];
      const byId = (items) => items.map((one) => `${one.id} ${one.userId} ${one.title}`).sort();
      assert.deepEqual(byId(old), byId(fresh));
      for (const one of fresh) assert.deepEqual([one.PK, one.SK], [`USER#${one.userId}`, `IMAGE#${one.id}`]);
      for (const one of old) assert.deepEqual([one.PK, one.SK], [`IMAGE#${one.id}`, 'METADATA']);
      return fresh.length;
    };
    await place.does('stop', TableName);
    await assert.rejects(place.doc.put({ TableName, Item: item(1, 'x') }), /are in table .* now: write there/);
    await writer.end();
    const records = await same();
    await place.does('drop', TableName);
    await assert.rejects(place.db.describeTable({ TableName }), { name: 'ResourceNotFoundException' });
    assert.equal((await place.all(next)).length, records);
    await place.doc.put({ TableName: next, Item: { PK: 'free', SK: 'again' } });
    await place.server.stop();
  });

  test('I8: backing out of a change of key, after the switch, loses no write', async () => {
    const place = await Place.open();
    const TableName = await createTable('id:S', { client: place.db });
    const next = `${TableName}-2`;
    await fill(TableName, Array.from({ length: 100 }, (_, i) => ({ id: { S: `${i}` }, owner: { S: 'ann' } })), { client: place.db });
    await place.does('start', TableName, '--key', next, 'PK=OWNER#{owner}', 'SK={id}');
    for (const step of ['backfill', 'verify', 'switch']) await place.does(step, TableName);
    await place.doc.put({ TableName: next, Item: { PK: 'OWNER#bob', SK: 'n', id: 'n', owner: 'bob' } });
    await place.does('stop', TableName);
    assert.match(await place.does('back-out', TableName), /verified/);
    assert.match(await place.does('back-out', TableName), /backed_out/);
    assert.equal((await place.all(TableName)).length, 101);
    assert.deepEqual((await place.doc.get({ TableName, Key: { id: 'n' } })).Item, { id: 'n', owner: 'bob' });
    await assert.rejects(place.db.describeTable({ TableName: next }), { name: 'ResourceNotFoundException' });
    await place.server.stop();
  });
});
