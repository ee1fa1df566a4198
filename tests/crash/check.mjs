// What must hold after every restart. Returns what is wrong, as text; an empty list is a pass.

import {Endpoint} from '../differential/wire.mjs';
import {canonical, normalise, compare_multisets} from '../differential/compare.mjs';
import {index_entries, item_bytes, key_of, tables, online_index} from './schema.mjs';

const key_text = (table, key) => `${table} ${canonical(key)}`;
const brief = (value) => { const text = JSON.stringify(value) ?? 'nothing'; return text.length > 300 ? `${text.slice(0, 300)}…` : text; };

export class Checker {
  // view(items, source): the negative controls look through this, to hide or change something.
  constructor(url, workload, {sizes = true, view = (items) => items} = {}) {
    this.endpoint = new Endpoint(url, {connections_max: 8});
    this.workload = workload;
    this.sizes = sizes;
    this.view = view;
  }

  close() {
    this.endpoint.close();
  }

  async check({bulk = false, online = null} = {}) {
    const wrong = [];
    const names = bulk ? ['main', 'mirror', 'bulk'] : ['main', 'mirror'];
    const contents = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await this.scan(name, null, wrong)])));
    this.#check_cells(contents, wrong);
    this.#check_shared(contents.main, wrong);
    this.#check_pairs(contents, wrong);
    for (const name of names) {
      const indexes = {...tables[name].indexes, ...(name === 'bulk' && online ? {[online]: online_index} : {})};
      for (const [index, definition] of Object.entries(indexes)) await this.#check_index(name, index, definition, contents[name], wrong);
      if (this.sizes) await this.#check_description(name, contents[name], indexes, wrong);
    }
    wrong.push(...this.workload.faults.splice(0));
    return wrong;
  }

  // Every item of a table, or every entry of an index.
  async scan(TableName, IndexName = null, wrong = this.workload.faults) {
    const items = [];
    const body = {TableName, ...(IndexName ? {IndexName} : {ConsistentRead: true})};
    for (;;) {
      const answer = await this.endpoint.call('Scan', body);
      if (answer.status !== 200) {
        wrong.push(`Scan of ${TableName} ${IndexName ?? ''}: ${answer.status} ${answer.type} ${answer.message}`);
        return items;
      }
      items.push(...answer.body.Items);
      if (!answer.body.LastEvaluatedKey) return this.view(items, IndexName ?? TableName);
      body.ExclusiveStartKey = answer.body.LastEvaluatedKey;
    }
  }

  // Every acknowledged operation is there, exactly; of the others each is there as a whole or not at all;
  // nothing else is there.
  #check_cells(contents, wrong) {
    const there = new Map();
    for (const [table, items] of Object.entries(contents)) for (const item of items) there.set(key_text(table, key_of(table, item)), item);
    for (const cell of this.workload.cells) {
      if (!cell.members.every(({table}) => contents[table])) continue;
      const state = cell.members.map(({table, key}) => there.get(key_text(table, key)) ?? null);
      for (const {table, key} of cell.members) there.delete(key_text(table, key));
      const possible = cell.observed(state);
      if (possible && cell.outcome) this.workload.stats[cell.outcome] = (this.workload.stats[cell.outcome] ?? 0) + 1;
      if (!possible) wrong.push(`${cell.members.map(({table, key}) => key_text(table, key)).join(' + ')} is ${brief(state)}, possible: ${cell.expected.map(brief).join(' or ')}`);
    }
    for (const key of there.keys()) if (!key.includes('"shared"')) wrong.push(`an item from nowhere: ${key}`);
  }

  #check_shared(items, wrong) {
    const shared = new Map(items.filter((item) => item.pk.S === 'shared').map((item) => [item.sk.S, item]));
    this.workload.counters.forEach((counter, i) => {
      const value = Number(shared.get(`counter${i}`)?.hits.N ?? 0);
      if (value < counter.acknowledged || value > counter.acknowledged + counter.unknown) wrong.push(`counter${i} is ${value}: ${counter.acknowledged} additions acknowledged, ${counter.unknown} unknown`);
      Object.assign(counter, {acknowledged: value, unknown: 0});
    });
    this.workload.versions.forEach((record, i) => {
      const value = Number(shared.get(`version${i}`)?.ver.N ?? 0);
      if (value < record.highest) wrong.push(`version${i} is ${value}, but ${record.highest} was acknowledged`);
      record.highest = value;
      wrong.push(...record.wrong.splice(0).map((text) => `version${i}: ${text}`));
    });
  }

  #check_pairs(contents, wrong) {
    const of_mirror = new Map(contents.mirror.map((item) => [item.pk.S, item]));
    const of_main = contents.main.filter((item) => /^p\d/.test(item.pk.S));
    const value = (item) => item && `${item.n?.N}/${item.payload?.S}`;
    for (const item of of_main) {
      const other = of_mirror.get(`${item.pk.S}.${item.sk.S}`);
      if (value(item) !== value(other)) wrong.push(`a torn transaction: ${item.pk.S}.${item.sk.S} is ${value(item)} in main, ${value(other)} in mirror`);
    }
    if (of_main.length !== of_mirror.size) wrong.push(`a torn transaction: ${of_main.length} halves in main, ${of_mirror.size} in mirror`);
  }

  async #check_index(table, name, definition, items, wrong) {
    const entries = await this.scan(table, name, wrong);
    for (const found of compare_multisets(entries, index_entries(table, definition, items), 'index')) {
      wrong.push(`index ${table}.${name} holds ${found.a.size} entries, the table gives ${found.b.size}; only in the index: ${found.a.only.map(brief)}; missing: ${found.b.only.map(brief)}`);
    }
  }

  async #check_description(table, items, indexes, wrong) {
    const answer = await this.endpoint.call('DescribeTable', {TableName: table});
    const description = answer.body?.Table;
    if (!description) return wrong.push(`DescribeTable ${table}: ${answer.status} ${answer.message}`);
    const expect = (what, is, should) => { if (is !== should) wrong.push(`${what} is ${is}, should be ${should}`); };
    const bytes = (list) => list.reduce((sum, item) => sum + item_bytes(item), 0);
    expect(`ItemCount of ${table}`, description.ItemCount, items.length);
    expect(`TableSizeBytes of ${table}`, description.TableSizeBytes, bytes(items));
    for (const index of [...(description.GlobalSecondaryIndexes ?? []), ...(description.LocalSecondaryIndexes ?? [])]) {
      if (!indexes[index.IndexName]) continue;
      const entries = index_entries(table, indexes[index.IndexName], items);
      expect(`ItemCount of ${table}.${index.IndexName}`, index.ItemCount, entries.length);
      expect(`IndexSizeBytes of ${table}.${index.IndexName}`, index.IndexSizeBytes, bytes(entries));
    }
  }

  // The last transaction of every client once more, with its token: it must have happened once, and no more.
  async repeat_transactions() {
    const wrong = [];
    for (const client of this.workload.clients) {
      const last = client.last_transaction;
      client.last_transaction = null;
      if (!last) continue;
      const [item] = last.cell.certain;
      const mine = item?.payload?.S === last.body.TransactItems[0].Update.ExpressionAttributeValues[':payload'].S;
      const before = Number(item?.n.N ?? 0);
      const should = mine ? before : before + 1;
      if (last.acknowledged && !mine) wrong.push(`client ${client.id}: its last acknowledged transaction is not there`);
      const answer = await this.endpoint.call('TransactWriteItems', last.body);
      if (answer.status !== 200) wrong.push(`client ${client.id}: the token was refused: ${answer.status} ${answer.type} ${answer.message}`);
      const now = [];
      for (const {table, key} of last.cell.members) {
        const read = await this.endpoint.call('GetItem', {TableName: table, Key: key, ConsistentRead: true});
        now.push(read.body?.Item ?? null);
        const value = Number(read.body?.Item?.n.N ?? 0);
        if (value !== should) wrong.push(`client ${client.id}: ${table} ${canonical(key)} is ${value} after its token came again, should be ${should} (was ${before}, ${last.acknowledged ? 'acknowledged' : 'unknown'})`);
      }
      last.cell.observed(normalise(now));
    }
    return wrong;
  }
}
