// One differential run: epochs of random tables, random operations on them, and comparisons of all that
// they hold.

import {Random} from './random.mjs';
import {Coverage} from './coverage.mjs';
import {Report} from './report.mjs';
import {Session, writes} from './session.mjs';
import {compare_answers} from './compare.mjs';
import {known_differences, leads_oracle_astray} from './known_differences.mjs';
import {new_table, item_of} from './generate/tables.mjs';
import {put_item, put_large_item, update_item, delete_item} from './generate/writes.mjs';
import {get_item, query, scan} from './generate/reads.mjs';
import {batch_get_item, batch_write_item, transact_get_items, transact_write_items} from './generate/batches.mjs';
import {control_operations} from './generate/control.mjs';
import {mutate} from './generate/mutations.mjs';

const operations_per_epoch = 400;
const operations_per_contents = 100;
const tables_per_epoch = 4;
const mutation_probability = 0.35;

const settings = new Set(['UpdateTimeToLive', 'TagResource', 'UntagResource']);

const operations = [
  [18, put_item], [0.25, put_large_item], [18, update_item], [6, delete_item], [9, get_item], [16, query], [6, scan],
  [4, batch_get_item], [5, batch_write_item], [7, transact_write_items], [3, transact_get_items],
  [8, (context) => context.random.weighted(control_operations)(context)],
];

// The first epochs cover every kind of key and index; later ones are random.
const shapes = [
  {hash: 'S', range: null, global_indexes: 1}, {hash: 'N', range: null, global_indexes: 0}, {hash: 'B', range: null, global_indexes: 2},
  {hash: 'S', range: 'S', local_indexes: 2, global_indexes: 2}, {hash: 'S', range: 'N', local_indexes: 1, global_indexes: 1},
  {hash: 'N', range: 'N', local_indexes: 1}, {hash: 'B', range: 'B', local_indexes: 1}, {hash: 'S', range: 'B', global_indexes: 3},
];

export class Trial {
  constructor({a, b, seed, operation_count, samples_max}) {
    this.random = new Random(seed);
    this.operation_count = operation_count;
    this.coverage = new Coverage();
    this.report = new Report({samples_max});
    this.session = new Session(a, b, this.coverage);
    this.done = 0;
  }

  async run() {
    for (let epoch = 0; this.done < this.operation_count; epoch++) await this.#epoch(epoch);
  }

  async #epoch(epoch) {
    const context = this.#context(epoch);
    for (let i = 0; i < tables_per_epoch; i++) await this.#create(context, i);
    if (!context.tables.length) {
      this.done += operations_per_epoch;
      return;
    }
    for (let i = 1; i <= operations_per_epoch && this.done < this.operation_count && context.tables.length; i++) {
      context.random = this.random.fork(`${epoch}/${i}`);
      await this.#operation(context, `${epoch}/${i}`);
      if (i % operations_per_contents === 0) await this.#contents(context, `${epoch}/${i}`);
    }
    for (const table of context.tables) {
      const [a, b] = await this.session.drop_table(table.name);
      const request = {operation: 'DeleteTable', body: {TableName: table.name}};
      this.coverage.request(request, a.status === 200 && b.status === 200);
      this.#judge(`${epoch}/end`, request, a, b, compare_answers(request, a, b));
    }
  }

  #context(epoch) {
    let counter = 0;
    const context = {
      epoch, tables: [], tokens: [], random: null, operation: null,
      table: () => context.random.pick(context.tables),
      tag: (name) => this.coverage.feature(name),
      counter: () => counter++,
    };
    return context;
  }

  async #create(context, number) {
    const random = this.random.fork(`${context.epoch}/table${number}`);
    const shape = shapes[context.epoch * tables_per_epoch + number] ?? {};
    const table = new_table(random, `e${context.epoch}-t${number}`, shape);
    const request = {operation: 'CreateTable', body: table.definition, table};
    const {a, b, found} = await this.session.run(request);
    this.coverage.request(request, a.status === 200 && b.status === 200);
    this.#judge(`${context.epoch}/create`, request, a, b, found);
    if (a.status !== 200 || b.status !== 200 || !(await this.session.until_active(table.name))) {
      await this.session.drop_table(table.name);
      return;
    }
    this.coverage.feature(`key.hash.${table.hash.type}`);
    if (table.range) this.coverage.feature(`key.range.${table.range.type}`);
    context.tables.push(table);
    for (let i = 0; i < 12; i++) await this.session.both('PutItem', {TableName: table.name, Item: item_of(random, table)});
    await this.session.make_equal(table);
  }

  async #operation(context, at) {
    const {random} = context;
    const request = structuredCloneRequest(random.weighted(operations)(context));
    if (request.tag) this.coverage.feature(request.tag);
    if (random.chance(mutation_probability)) mutate(request, random, context);
    const {a, b, found} = await this.session.run(request);
    this.done++;
    if (found.length && a.status === 400) request.found = await this.session.updated_items(request);
    const accepted = a.status === 200 && b.status === 200;
    this.coverage.request(request, accepted);
    const judged = this.#judge(at, request, a, b, found);
    await this.#settle(context, request, a, b, judged);
  }

  // What an operation leaves to do: other state than expected, tables made or changed.
  async #settle(context, request, a, b, judged) {
    const any_ok = a.status === 200 || b.status === 200;
    // A token that only one of them has used is of no more use.
    if (a.status !== b.status && request.body?.ClientRequestToken) context.tokens = context.tokens.filter(({ClientRequestToken}) => ClientRequestToken !== request.body.ClientRequestToken);
    if (request.operation === 'CreateTable' && any_ok && !context.tables.some((t) => t.name === request.body?.TableName)) {
      await this.session.until_active(request.body.TableName, 5000);
      await this.session.drop_table(request.body.TableName);
    } else if (['UpdateTable', 'DeleteTable', 'CreateTable'].includes(request.operation) && any_ok) {
      // A transaction that comes again after its table has changed: whether it is held against the table or against
      // its token first is not documented.
      context.tokens = [];
      const table = context.tables.find((t) => t.name === request.body?.TableName);
      if (table && a.status === b.status) await this.#refresh(context, table);
      await this.#give_up_changed(context, request, a, b);
    } else if (settings.has(request.operation)) {
      await this.#give_up_changed(context, request, a, b);
    } else if (writes.has(request.operation) && (judged === 'mismatch' || a.status !== b.status || leads_oracle_astray(request))) {
      const text = request.raw ?? JSON.stringify(request.body);
      for (const table of context.tables) if (text.includes(table.name)) await this.#make_equal(context, table);
    }
  }

  // The indexes as they are now, from the description that the second server gives.
  async #refresh(context, table) {
    const description = await this.session.until_active(table.name);
    if (!description) return this.#give_up(context, table);
    const types = Object.fromEntries(description.AttributeDefinitions.map((d) => [d.AttributeName, d.AttributeType]));
    const key = (element) => element && {name: element.AttributeName, type: types[element.AttributeName]};
    const of_kind = (list, kind) => (list ?? []).map((index) => ({
      name: index.IndexName, kind, projection: index.Projection,
      hash: key(index.KeySchema.find((k) => k.KeyType === 'HASH')), range: key(index.KeySchema.find((k) => k.KeyType === 'RANGE')) ?? null,
    }));
    table.indexes = [...of_kind(description.LocalSecondaryIndexes, 'LSI'), ...of_kind(description.GlobalSecondaryIndexes, 'GSI')];
    table.definition.AttributeDefinitions = description.AttributeDefinitions;
    await this.session.remove_bad_index_keys(table);
  }

  async #contents(context, at) {
    for (const table of context.tables) {
      let equal = true;
      for (const index of [null, ...table.indexes]) {
        this.coverage.feature(`contents.${index?.kind ?? 'table'}`);
        const found = await this.session.compare_contents(table, index);
        const request = {operation: `contents of ${index ? `${index.kind} ${index.projection.ProjectionType}` : 'table'}`, body: {TableName: table.name, IndexName: index?.name}};
        if (this.#judge(at, request, {status: 200}, {status: 200}, found) === 'mismatch') equal = false;
      }
      if (!equal) await this.#make_equal(context, table);
    }
  }

  async #make_equal(context, table) {
    if (!(await this.session.make_equal(table))) await this.#give_up(context, table);
  }

  // A change of a table that only one of them made.
  async #give_up_changed(context, request, a, b) {
    if (a.status === b.status) return;
    const text = request.raw ?? JSON.stringify(request.body);
    for (const table of context.tables) if (text.includes(table.name)) await this.#give_up(context, table);
  }

  // A table that the two no longer have in common.
  async #give_up(context, table) {
    context.tables = context.tables.filter((one) => one !== table);
    await this.session.drop_table(table.name);
  }

  #judge(at, request, a, b, found) {
    if (!found.length) {
      this.report.agreed();
      return 'agreed';
    }
    const names = found.map((difference) => known_differences.find((known) => known.matches(request, a, b, difference))?.name);
    if (names.every(Boolean)) {
      this.report.explained(new Set(names), request);
      return 'explained';
    }
    this.report.mismatch(at, request, found.filter((_, i) => !names[i]));
    return 'mismatch';
  }
}

// Requests share values with the tables they were drawn from, and mutations change them in place.
function structuredCloneRequest(request) {
  return {...request, body: structuredClone(request.body)};
}
