// DynamoDB Streams (P10, I1): what each view type shows, order and completeness, iterators, shards, switching on and
// off on a live table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams';
import { N, S, ahead, clientConfig, createTable, db, differs, fails, ours, startServer, unique, until } from './harness.mjs';

const streams = new DynamoDBStreams(clientConfig());
const spec = (StreamViewType) => ({ StreamSpecification: { StreamEnabled: true, StreamViewType } });
const arnOf = async (TableName) => (await db.describeTable({ TableName })).Table.LatestStreamArn;

async function shardsOf(StreamArn) {
  const { StreamDescription } = await streams.describeStream({ StreamArn });
  return StreamDescription.Shards;
}

async function iterator(StreamArn, ShardIteratorType = 'TRIM_HORIZON', more = {}) {
  const [{ ShardId }] = await shardsOf(StreamArn);
  return (await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType, ...more })).ShardIterator;
}

// All records from an iterator on, until an answer is empty.
async function drain(ShardIterator, Limit) {
  const records = [];
  for (let at = ShardIterator; at; ) {
    const page = await streams.getRecords({ ShardIterator: at, Limit });
    records.push(...page.Records);
    at = page.NextShardIterator;
    if (page.Records.length === 0) break;
  }
  return records;
}

const recordsOf = async (StreamArn) => drain(await iterator(StreamArn));

test('P10: the four views show what they promise of insert, modify and remove', differs('its region is its own name'), async () => {
  for (const [view, shows] of [
    ['KEYS_ONLY', { old: false, new: false }],
    ['NEW_IMAGE', { old: false, new: true }],
    ['OLD_IMAGE', { old: true, new: false }],
    ['NEW_AND_OLD_IMAGES', { old: true, new: true }],
  ]) {
    const TableName = await createTable('pk:S sk:N', spec(view));
    const Key = { pk: S('a'), sk: N(1) };
    const first = { ...Key, v: S('one') };
    const second = { ...Key, v: S('two') };
    await db.putItem({ TableName, Item: first });
    await db.putItem({ TableName, Item: second });
    await db.deleteItem({ TableName, Key });
    const records = await until(`${view} has its records`, async () => {
      const found = await recordsOf(await arnOf(TableName));
      return found.length >= 3 && found;
    });
    assert.deepEqual(records.map((r) => r.eventName), ['INSERT', 'MODIFY', 'REMOVE'], view);
    const expected = [
      { old: undefined, new: first },
      { old: first, new: second },
      { old: second, new: undefined },
    ];
    records.forEach((record, i) => {
      assert.deepEqual(record.dynamodb.Keys, Key, view);
      assert.deepEqual(record.dynamodb.NewImage, shows.new ? expected[i].new : undefined, `${view} ${i}`);
      assert.deepEqual(record.dynamodb.OldImage, shows.old ? expected[i].old : undefined, `${view} ${i}`);
      assert.equal(record.dynamodb.StreamViewType, view);
      assert.equal(record.userIdentity, undefined);
      assert.equal(record.eventSource, 'aws:dynamodb');
      assert.equal(record.awsRegion, 'us-east-1');
      assert.match(record.eventID, /^[0-9a-f]{32}$/);
      assert.match(record.dynamodb.SequenceNumber, /^\d{21,40}$/);
      assert.ok(record.dynamodb.SizeBytes > 0);
      assert.ok(Math.abs(record.dynamodb.ApproximateCreationDateTime - Date.now()) < 60_000);
    });
    assert.equal(new Set(records.map((r) => r.eventID)).size, 3);
  }
});

test('a write that changes nothing, and one that is refused, make no record', differs('it records them'), async () => {
  const TableName = await createTable('pk:S', spec('NEW_AND_OLD_IMAGES'));
  const Item = { pk: S('a'), n: N(1), m: { M: { x: N(1) } } };
  await db.putItem({ TableName, Item });
  await db.putItem({ TableName, Item });
  await db.putItem({ TableName, Item: { m: Item.m, n: Item.n, pk: Item.pk } });
  await db.updateItem({ TableName, Key: { pk: S('a') }, UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': N(1) } });
  await db.deleteItem({ TableName, Key: { pk: S('not there') } });
  await fails(db.putItem({ TableName, Item: { pk: S('a') }, ConditionExpression: 'attribute_not_exists(pk)' }), 'ConditionalCheckFailedException');
  await db.putItem({ TableName, Item: { pk: S('last') } });
  const records = await recordsOf(await arnOf(TableName));
  assert.deepEqual(records.map((r) => [r.eventName, r.dynamodb.Keys.pk.S]), [['INSERT', 'a'], ['INSERT', 'last']]);
});

test('batches and transactions: every item once, in order of their commits', async () => {
  const TableName = await createTable('pk:S', spec('NEW_IMAGE'));
  const items = Array.from({ length: 25 }, (_, i) => ({ pk: S(`b${i}`) }));
  await db.batchWriteItem({ RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } });
  await db.transactWriteItems({
    TransactItems: [
      { Delete: { TableName, Key: { pk: S('b0') } } },
      { Update: { TableName, Key: { pk: S('b1') }, UpdateExpression: 'SET n = :n', ExpressionAttributeValues: { ':n': N(1) } } },
      { Put: { TableName, Item: { pk: S('new') } } },
      { ConditionCheck: { TableName, Key: { pk: S('b2') }, ConditionExpression: 'attribute_exists(pk)' } },
    ],
  });
  const records = await recordsOf(await arnOf(TableName));
  assert.equal(records.length, 28);
  assert.deepEqual(new Set(records.slice(0, 25).map((r) => r.dynamodb.Keys.pk.S)), new Set(items.map((i) => i.pk.S)));
  assert.deepEqual(
    records.slice(25).map((r) => [r.eventName, r.dynamodb.Keys.pk.S]).sort(),
    [['INSERT', 'new'], ['MODIFY', 'b1'], ['REMOVE', 'b0']],
  );
  const numbers = records.map((r) => BigInt(r.dynamodb.SequenceNumber));
  assert.ok(numbers.every((n, i) => i === 0 || n > numbers[i - 1]), 'sequence numbers rise');
});

test('the four kinds of iterator, and pages by Limit', async () => {
  const TableName = await createTable('pk:S', spec('KEYS_ONLY'));
  const StreamArn = await arnOf(TableName);
  for (let i = 0; i < 5; i++) await db.putItem({ TableName, Item: { pk: S(`k${i}`) } });
  const names = (records) => records.map((r) => r.dynamodb.Keys.pk.S);
  const all = await drain(await iterator(StreamArn), 2);
  assert.deepEqual(names(all), ['k0', 'k1', 'k2', 'k3', 'k4']);
  const SequenceNumber = all[2].dynamodb.SequenceNumber;
  assert.deepEqual(names(await drain(await iterator(StreamArn, 'AT_SEQUENCE_NUMBER', { SequenceNumber }))), ['k2', 'k3', 'k4']);
  assert.deepEqual(names(await drain(await iterator(StreamArn, 'AFTER_SEQUENCE_NUMBER', { SequenceNumber }))), ['k3', 'k4']);
  const latest = await iterator(StreamArn, 'LATEST');
  assert.deepEqual(names(await drain(latest)), []);
  await db.putItem({ TableName, Item: { pk: S('k5') } });
  assert.deepEqual(names(await drain(latest)), ['k5']);
});

test('P10: a stream is switched on, off and on again on a live table', differs('it switches off what is not on'), async () => {
  const TableName = await createTable('pk:S');
  assert.equal(await arnOf(TableName), undefined);
  await fails(db.updateTable({ TableName, StreamSpecification: { StreamEnabled: false } }), 'ValidationException', /no stream to disable/);
  await db.putItem({ TableName, Item: { pk: S('before') } });
  await db.updateTable({ TableName, ...spec('KEYS_ONLY') });
  const { Table } = await db.describeTable({ TableName });
  assert.deepEqual(Table.StreamSpecification, { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' });
  const first = Table.LatestStreamArn;
  assert.ok(first.endsWith(`/stream/${Table.LatestStreamLabel}`));
  await fails(db.updateTable({ TableName, ...spec('NEW_IMAGE') }), 'ValidationException', /already has an enabled stream/);
  await db.putItem({ TableName, Item: { pk: S('during') } });
  await db.updateTable({ TableName, StreamSpecification: { StreamEnabled: false } });
  await db.putItem({ TableName, Item: { pk: S('between') } });
  assert.equal((await db.describeTable({ TableName })).Table.StreamSpecification, undefined);
  await db.updateTable({ TableName, ...spec('NEW_IMAGE') });
  await db.putItem({ TableName, Item: { pk: S('after') } });
  const second = await arnOf(TableName);
  assert.notEqual(second, first);
  assert.deepEqual((await recordsOf(first)).map((r) => r.dynamodb.Keys.pk.S), ['during']);
  assert.deepEqual((await recordsOf(second)).map((r) => r.dynamodb.Keys.pk.S), ['after']);
  const { StreamDescription: ended } = await streams.describeStream({ StreamArn: first });
  assert.equal(ended.StreamStatus, 'DISABLED');
  assert.ok(ended.Shards.at(-1).SequenceNumberRange.EndingSequenceNumber, 'its last shard is closed');
  const { StreamDescription: open } = await streams.describeStream({ StreamArn: second });
  assert.equal(open.StreamStatus, 'ENABLED');
  assert.equal(open.TableName, TableName);
  assert.deepEqual(open.KeySchema, [{ AttributeName: 'pk', KeyType: 'HASH' }]);
  const last = await streams.getRecords({ ShardIterator: await iterator(first) });
  assert.equal(last.NextShardIterator, undefined, 'a closed shard that was read has no next iterator');
});

test('a deleted table leaves its stream to be read', ours, async () => {
  const TableName = await createTable('pk:S', spec('OLD_IMAGE'));
  const StreamArn = await arnOf(TableName);
  await db.putItem({ TableName, Item: { pk: S('a') } });
  await db.deleteTable({ TableName });
  assert.deepEqual((await recordsOf(StreamArn)).map((r) => r.eventName), ['INSERT']);
  assert.equal((await streams.describeStream({ StreamArn })).StreamDescription.StreamStatus, 'DISABLED');
});

test('ListStreams: by table, in pages', async () => {
  const prefix = unique('list');
  const tables = [`${prefix}.a`, `${prefix}-b`, `${prefix}_c`];
  for (const TableName of tables) {
    await createTable('pk:S', { TableName, ...spec('KEYS_ONLY') });
  }
  const { Streams } = await streams.listStreams({ TableName: tables[1] });
  assert.equal(Streams.length, 1);
  assert.equal(Streams[0].StreamArn, await arnOf(tables[1]));
  assert.equal(Streams[0].TableName, tables[1]);
  const seen = [];
  let ExclusiveStartStreamArn;
  do {
    const page = await streams.listStreams({ Limit: 1, ExclusiveStartStreamArn });
    seen.push(...page.Streams.map((s) => s.TableName));
    ExclusiveStartStreamArn = page.LastEvaluatedStreamArn;
  } while (ExclusiveStartStreamArn);
  for (const name of tables) assert.equal(seen.filter((s) => s === name).length, 1, name);
});

test('P7: what the sweep removes is marked as removed by the service', ours, async () => {
  const TableName = await createTable('pk:S', spec('OLD_IMAGE'));
  await db.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } });
  const past = N(Math.floor(Date.now() / 1000) - 60);
  await db.putItem({ TableName, Item: { pk: S('swept'), ttl: past } });
  const StreamArn = await arnOf(TableName);
  const records = await until('the item is swept', async () => {
    const found = await recordsOf(StreamArn);
    return found.some((r) => r.eventName === 'REMOVE') && found;
  });
  assert.deepEqual(records.map((r) => r.eventName), ['INSERT', 'REMOVE']);
  assert.deepEqual(records[1].userIdentity, { PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' });
  assert.deepEqual(records[1].dynamodb.OldImage, { pk: S('swept'), ttl: past });
  assert.equal(records[0].userIdentity, undefined);
});

test('what is wrong with a request is said', differs('it takes streams that are not there'), async () => {
  const TableName = await createTable('pk:S', spec('KEYS_ONLY'));
  const StreamArn = await arnOf(TableName);
  const [{ ShardId }] = await shardsOf(StreamArn);
  const gone = StreamArn.replace(/stream\/.*/, 'stream/2020-01-01T00:00:00.000');
  await fails(streams.describeStream({ StreamArn: gone }), 'ResourceNotFoundException');
  await fails(streams.getShardIterator({ StreamArn: gone, ShardId, ShardIteratorType: 'LATEST' }), 'ResourceNotFoundException');
  await fails(streams.getShardIterator({ StreamArn, ShardId: `${ShardId.slice(0, -1)}9`, ShardIteratorType: 'LATEST' }), 'ResourceNotFoundException');
  await fails(streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'WRONG' }), 'ValidationException');
  await fails(streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'AT_SEQUENCE_NUMBER' }), 'ValidationException');
  await fails(streams.getRecords({ ShardIterator: 'nonsense' }), 'ValidationException');
  await fails(streams.getRecords({ ShardIterator: await iterator(StreamArn), Limit: 1001 }), 'ValidationException');
  await fails(createTable('pk:S', { StreamSpecification: { StreamEnabled: true } }), 'ValidationException');
  await fails(createTable('pk:S', { StreamSpecification: { StreamEnabled: true, StreamViewType: 'ALL' } }), 'ValidationException');
});

test('the replay of a stream under load equals the table', ours, async () => {
  const TableName = await createTable('pk:S', spec('NEW_AND_OLD_IMAGES'));
  const StreamArn = await arnOf(TableName);
  const replayed = new Map();
  let replayedTo = 0n;
  let writing = true;
  const apply = ({ eventName, dynamodb: { Keys, NewImage, OldImage, SequenceNumber } }) => {
    const key = Keys.pk.S;
    assert.ok(BigInt(SequenceNumber) > replayedTo, 'records come in order, each once');
    replayedTo = BigInt(SequenceNumber);
    assert.deepEqual(OldImage, replayed.get(key), `${eventName} of ${key} begins where the one before ended`);
    if (NewImage) replayed.set(key, NewImage);
    else replayed.delete(key);
  };
  const follow = async () => {
    let at = await iterator(StreamArn);
    for (;;) {
      const last = !writing;
      const page = await streams.getRecords({ ShardIterator: at });
      page.Records.forEach(apply);
      at = page.NextShardIterator;
      if (last && page.Records.length === 0) return;
    }
  };
  const write = async (writer) => {
    for (let i = 0; i < 150; i++) {
      const key = { pk: S(`k${Math.floor(Math.random() * 20)}`) };
      if (Math.random() < 0.2) await db.deleteItem({ TableName, Key: key });
      else if (Math.random() < 0.5) await db.putItem({ TableName, Item: { ...key, writer: N(writer), i: N(i) } });
      else await db.updateItem({ TableName, Key: key, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': N(1) } });
    }
  };
  const following = follow();
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
  writing = false;
  await following;
  const { Items } = await db.scan({ TableName, ConsistentRead: true });
  assert.deepEqual(Object.fromEntries([...replayed].sort()), Object.fromEntries(Items.map((item) => [item.pk.S, item]).sort()));
});

test('shards follow each other every four hours, and what is a day old is trimmed', ours, async () => {
  let server = await startServer();
  const hour = 3600;
  const clients = () => [new DynamoDB(clientConfig({ endpoint: server.endpoint })), new DynamoDBStreams(clientConfig({ endpoint: server.endpoint }))];
  const goTo = async (hours) => {
    await server.stop();
    server = await startServer({ data: server.data, env: ahead(hours * hour) });
    return clients();
  };
  let [tables, reader] = clients();
  const TableName = await createTable('pk:S', { client: tables, ...spec('KEYS_ONLY') });
  const StreamArn = (await tables.describeTable({ TableName })).Table.LatestStreamArn;
  const shards = async () => (await reader.describeStream({ StreamArn })).StreamDescription.Shards;
  const at = async (ShardId, ShardIteratorType, SequenceNumber) =>
    (await reader.getShardIterator({ StreamArn, ShardId, ShardIteratorType, SequenceNumber })).ShardIterator;
  const names = (page) => page.Records.map((r) => r.dynamodb.Keys.pk.S);

  await tables.putItem({ TableName, Item: { pk: S('first') } });
  const [first] = await shards();
  assert.equal(first.SequenceNumberRange.EndingSequenceNumber, undefined, 'the shard is open');
  const early = await at(first.ShardId, 'TRIM_HORIZON');
  const page = await reader.getRecords({ ShardIterator: early });
  assert.deepEqual(names(page), ['first']);
  assert.ok(page.NextShardIterator);
  const { SequenceNumber } = page.Records[0].dynamodb;

  [tables, reader] = await goTo(5);
  await tables.putItem({ TableName, Item: { pk: S('second') } });
  await fails(reader.getRecords({ ShardIterator: early }), 'ExpiredIteratorException');
  const [closed, open, ...more] = await shards();
  assert.deepEqual(more, []);
  assert.equal(closed.ShardId, first.ShardId);
  assert.equal(open.ParentShardId, first.ShardId);
  assert.equal(open.SequenceNumberRange.EndingSequenceNumber, undefined);
  assert.ok(BigInt(closed.SequenceNumberRange.EndingSequenceNumber) < BigInt(open.SequenceNumberRange.StartingSequenceNumber));
  const rest = await reader.getRecords({ ShardIterator: await at(closed.ShardId, 'TRIM_HORIZON') });
  assert.deepEqual([names(rest), rest.NextShardIterator], [['first'], undefined], 'a closed shard has an end');
  assert.deepEqual(names(await reader.getRecords({ ShardIterator: await at(open.ShardId, 'TRIM_HORIZON') })), ['second']);
  const children = await reader.describeStream({ StreamArn, ShardFilter: { Type: 'CHILD_SHARDS', ShardId: closed.ShardId } });
  assert.deepEqual(children.StreamDescription.Shards.map((s) => s.ShardId), [open.ShardId]);

  [tables, reader] = await goTo(25);
  await fails(at(first.ShardId, 'AT_SEQUENCE_NUMBER', SequenceNumber), 'TrimmedDataAccessException');
  assert.deepEqual(names(await reader.getRecords({ ShardIterator: await at(first.ShardId, 'TRIM_HORIZON') })), []);
  assert.deepEqual(names(await reader.getRecords({ ShardIterator: await at(open.ShardId, 'TRIM_HORIZON') })), ['second']);
  assert.equal((await shards()).length, 7);

  [tables, reader] = await goTo(29);
  assert.ok((await shards()).every((s) => s.ShardId !== first.ShardId), 'the oldest shard is gone');
  await fails(at(first.ShardId, 'TRIM_HORIZON'), 'ResourceNotFoundException');
  await server.stop();
});
