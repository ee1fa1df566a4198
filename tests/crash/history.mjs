// The change log against everything else. Every table has a stream with both images; what it says is replayed, and
// after each restart the replay must equal the table: each change there once, in order, beginning where the one before
// it ended. Copies that were begun before the kill, by recovery and by backup, must equal the replay at their moment.

import {canonical, compare_multisets, normalise} from '../differential/compare.mjs';
import {index_entries, online_index, tables} from './schema.mjs';

const streams_service = 'DynamoDBStreams_20120810';
const text = (value) => canonical(normalise(value ?? null));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
// A sequence number begins with the milliseconds of its commit.
const time_digits = 13;

// What one table's stream has said so far.
class Replay {
  constructor(table) {
    this.table = table;
    this.state = new Map();
    this.records = [];
    this.last = null;
  }

  async follow(endpoint, wrong) {
    const {body: described} = await endpoint.call('DescribeTable', {TableName: this.table});
    const StreamArn = described.Table.LatestStreamArn;
    const stream = await endpoint.call('DescribeStream', {StreamArn}, streams_service);
    for (const {ShardId} of stream.body.StreamDescription.Shards) {
      const from = this.last ? {ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: this.last} : {ShardIteratorType: 'TRIM_HORIZON'};
      let {ShardIterator} = (await endpoint.call('GetShardIterator', {StreamArn, ShardId, ...from}, streams_service)).body;
      while (ShardIterator) {
        const page = await endpoint.call('GetRecords', {ShardIterator}, streams_service);
        if (page.status !== 200) return wrong.push(`GetRecords of ${this.table}: ${page.status} ${page.type} ${page.message}`);
        for (const record of page.body.Records) this.#take(record, wrong);
        if (page.body.Records.length === 0) break;
        ShardIterator = page.body.NextShardIterator;
      }
    }
  }

  #take({eventName, userIdentity, dynamodb: {Keys, OldImage, NewImage, SequenceNumber}}, wrong) {
    const key = text(Keys);
    if (this.last && BigInt(SequenceNumber) <= BigInt(this.last)) wrong.push(`log of ${this.table}: ${SequenceNumber} comes after ${this.last}`);
    if (text(OldImage) !== text(this.state.get(key))) wrong.push(`log of ${this.table}: ${eventName} of ${key} begins with ${text(OldImage)}, the one before it ended with ${text(this.state.get(key))}`);
    if (text(OldImage) === text(NewImage)) wrong.push(`log of ${this.table}: ${eventName} of ${key} changes nothing`);
    this.last = SequenceNumber;
    this.#apply(this.state, key, NewImage);
    this.records.push({time_ms: Number(SequenceNumber.slice(0, time_digits)), key, after: NewImage, by_service: userIdentity?.Type === 'Service'});
  }

  #apply(state, key, item) {
    if (item) state.set(key, item);
    else state.delete(key);
  }

  // The items behind every change up to this moment.
  at(time_ms) {
    const state = new Map();
    for (const {key, after} of this.records.filter((record) => record.time_ms <= time_ms)) this.#apply(state, key, after);
    return [...state.values()];
  }

  // Whether these were all items at some moment between two changes.
  was_once(items) {
    const wanted = new Map(items.map((item) => [text(Object.fromEntries([tables[this.table].hash, tables[this.table].range].filter(Boolean).map((name) => [name, item[name]]))), text(item)]));
    const state = new Map();
    let different = wanted.size;
    if (different === 0) return true;
    const is_right = (key) => (state.get(key) ?? 'null') === (wanted.get(key) ?? 'null');
    for (const {key, after} of this.records) {
      const before = is_right(key);
      if (after) state.set(key, text(after));
      else state.delete(key);
      different += Number(before) - Number(is_right(key));
      if (different === 0) return true;
    }
    return false;
  }
}

export class History {
  constructor() {
    this.replays = Object.fromEntries(Object.keys(tables).map((name) => [name, new Replay(name)]));
    this.copies = 0;
    // How many copies the kill really cut short.
    this.cut_short = {restore: 0, backup: 0};
    this.checked = {restore: 0, backup: 0};
  }

  // Begins a copy of the large table by recovery and one by backup; half of the kills may come before the answer.
  async begin_copies(endpoint, random) {
    const number = ++this.copies;
    this.begun = {
      number,
      restore: endpoint.call('RestoreTableToPointInTime', {SourceTableName: 'bulk', TargetTableName: `restored_${number}`, UseLatestRestorableTime: true}),
      backup: endpoint.call('CreateBackup', {TableName: 'bulk', BackupName: `backup_${number}`}),
    };
    if (random.chance(0.5)) await Promise.all([this.begun.restore, this.begun.backup]);
  }

  // The log says what the tables have.
  async check(endpoint, scan) {
    const wrong = [];
    for (const replay of Object.values(this.replays)) {
      await replay.follow(endpoint, wrong);
      if (replay.table === 'fleeting') continue;
      for (const found of compare_multisets(await scan(replay.table), [...replay.state.values()], 'log')) {
        wrong.push(`table ${replay.table} holds ${found.a.size} items, its log gives ${found.b.size}; only in the table: ${found.a.only.map(text)}; missing: ${found.b.only.map(text)}`);
      }
    }
    return wrong;
  }

  // Copies whose begin was acknowledged are finished after the restart, and right.
  // `said`: what the server has written since its start, among it the copies that it has finished only then.
  async check_copies(endpoint, scan, said) {
    const wrong = [];
    const {number, ...begun} = this.begun;
    const [restore, backup] = [await begun.restore, await begun.backup];
    const restored = `restored_${number}`;
    const state = async (TableName) => (await endpoint.call('DescribeTable', {TableName})).body?.Table;
    const found = (await endpoint.call('ListBackups', {TableName: 'bulk'})).body.BackupSummaries.find(({BackupName}) => BackupName === `backup_${number}`);
    const now = await state(restored);
    if (restore.status === 200 && !now) wrong.push(`the restore ${number} was acknowledged and is gone`);
    if (backup.status === 200 && !found) wrong.push(`the backup ${number} was acknowledged and is gone`);
    for (const [what, answer] of Object.entries({restore, backup})) {
      if (answer.status !== 200 && answer.status !== 0) wrong.push(`${what} ${number}: ${answer.status} ${answer.type} ${answer.message}`);
    }
    if (now?.TableName) {
      await until(async () => (await state(restored)).TableStatus === 'ACTIVE', `${restored} ACTIVE`);
      const {RestoreSummary} = await state(restored);
      await this.#compare(endpoint, scan, restored, this.replays.bulk.at(Math.round(RestoreSummary.RestoreDateTime * 1000)), wrong);
      this.checked.restore++;
      if (said().includes(`table ${restored} is restored`)) this.cut_short.restore++;
    }
    if (found) {
      const {BackupArn} = found;
      const status = async () => (await endpoint.call('DescribeBackup', {BackupArn})).body.BackupDescription.BackupDetails.BackupStatus;
      await until(async () => (await status()) === 'AVAILABLE', `backup ${number} AVAILABLE`);
      const target = `from_backup_${number}`;
      const answer = await endpoint.call('RestoreTableFromBackup', {BackupArn, TargetTableName: target});
      if (answer.status !== 200) wrong.push(`RestoreTableFromBackup ${number}: ${answer.status} ${answer.type} ${answer.message}`);
      await until(async () => (await state(target))?.TableStatus === 'ACTIVE', `${target} ACTIVE`);
      const items = await scan(target);
      if (!this.replays.bulk.was_once(items)) wrong.push(`backup ${number} holds ${items.length} items that were never together in the table`);
      await this.#compare(endpoint, scan, target, items, wrong);
      await endpoint.call('DeleteBackup', {BackupArn});
      this.checked.backup++;
      if (said().includes(`backup backup_${number} of table bulk is made`)) this.cut_short.backup++;
    }
    return wrong;
  }

  // The copy holds these items, and its indexes what follows from them. Then it goes.
  async #compare(endpoint, scan, TableName, expected, wrong) {
    for (const found of compare_multisets(await scan(TableName), expected, 'copy')) {
      wrong.push(`${TableName} holds ${found.a.size} items, the log gives ${found.b.size} for its moment; only there: ${found.a.only.map(text)}; missing: ${found.b.only.map(text)}`);
    }
    const {Table} = (await endpoint.call('DescribeTable', {TableName})).body;
    if (Table.ItemCount !== expected.length) wrong.push(`ItemCount of ${TableName} is ${Table.ItemCount}, should be ${expected.length}`);
    for (const {IndexName} of Table.GlobalSecondaryIndexes ?? []) {
      for (const found of compare_multisets(await scan(TableName, IndexName), index_entries('bulk', online_index, expected), 'index')) {
        wrong.push(`index ${TableName}.${IndexName} holds ${found.a.size} entries, should be ${found.b.size}`);
      }
    }
    await endpoint.call('DeleteTable', {TableName});
  }

  // Items that were to live for seconds are all gone, each removed once by the service: none was lost from the index
  // that the sweep goes by.
  async check_expiry(endpoint, last_ttl) {
    const wrong = [];
    await pause(Math.max(0, last_ttl * 1000 - Date.now()));
    const count = async () => (await endpoint.call('DescribeTable', {TableName: 'fleeting'})).body.Table.ItemCount;
    try {
      await until(async () => (await count()) === 0, 'expired items swept');
    } catch (error) {
      wrong.push(`${error.message}: ${await count()} are left`);
    }
    const replay = this.replays.fleeting;
    await replay.follow(endpoint, wrong);
    for (const key of replay.state.keys()) wrong.push(`the log does not say that ${key} of fleeting expired`);
    const by_hand = replay.records.filter((record) => !record.after && !record.by_service);
    if (by_hand.length) wrong.push(`${by_hand.length} items of fleeting were removed by nobody knows whom`);
    return wrong;
  }
}

async function until(condition, what, within_ms = 20_000) {
  const deadline = Date.now() + within_ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${within_ms / 1000} s`);
    await pause(10);
  }
}
