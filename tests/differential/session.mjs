// Sends one request to both servers, follows pages, and says how the answers differ.

import {canonical, compare_answers, compare_multisets, differences, normalise, outcome} from './compare.mjs';

const pages_max = 100;
export const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);

export class Session {
  constructor(a, b, coverage) {
    this.a = a;
    this.b = b;
    this.coverage = coverage;
  }

  both(operation, payload) {
    return Promise.all([this.a.call(operation, payload), this.b.call(operation, payload)]);
  }

  // {a, b, found}: the first answers, and what differs, in them or in what follows them.
  async run(request) {
    const [a, b] = await this.both(request.operation, request.raw ?? request.body);
    const paged = a.status === 200 && b.status === 200 && request.raw === undefined;
    if (paged && request.operation === 'Query') return {a, b, found: await this.#query(request, a, b)};
    if (paged && request.operation === 'Scan') return {a, b, found: await this.#scan(request, a, b)};
    return {a, b, found: compare_answers(request, a, b)};
  }

  async #follow(endpoint, request, first) {
    const pages = [first];
    while (pages.at(-1).body.LastEvaluatedKey && pages.length < pages_max) {
      this.coverage.feature(`pages.${request.operation}`);
      const body = {...request.body, ExclusiveStartKey: pages.at(-1).body.LastEvaluatedKey};
      const next = await endpoint.call(request.operation, body);
      this.coverage.request({operation: request.operation, body}, next.status === 200);
      pages.push(next);
      if (next.status !== 200) break;
    }
    return pages;
  }

  // A table's order within a partition is promised, so page by page. In an index, items with the same
  // index key stand in no promised order: there the whole is compared, and the order of the index keys.
  async #query(request, a, b) {
    // One item at most, so the first page is all. (dynoxide 1.2 ignores ExclusiveStartKey here and never ends.)
    if (!request.body.IndexName && request.table && !request.table.range) return compare_answers(request, a, b);
    const [left, right] = await Promise.all([this.#follow(this.a, request, a), this.#follow(this.b, request, b)]);
    if (!request.body.IndexName) return this.#pages_in_order(request, left, right);
    return this.#pages_as_a_whole(request, left, right);
  }

  #pages_in_order(request, left, right) {
    for (let i = 0; i < Math.min(left.length, right.length); i++) {
      const found = compare_answers(request, left[i], right[i]);
      if (found.length) return found;
    }
    return left.length === right.length ? [] : [{path: 'pages', a: left.length, b: right.length}];
  }

  #pages_as_a_whole(request, left, right) {
    const failed = [left.at(-1), right.at(-1)];
    if (failed.some((answer) => answer.status !== 200)) return compare_answers(request, ...failed);
    const items = (pages) => pages.flatMap((page) => page.body?.Items ?? []);
    const sum = (pages, field) => pages.reduce((total, page) => total + (page.body?.[field] ?? 0), 0);
    const found = compare_multisets(items(left), items(right), 'body.Items');
    for (const field of ['Count', 'ScannedCount']) {
      if (sum(left, field) !== sum(right, field)) found.push({path: `body.${field}`, a: sum(left, field), b: sum(right, field)});
    }
    if (found.length) return found;
    found.push(...this.#index_order(request, items(left), items(right)));
    // Without a limit there is one page on both sides, and all of it is comparable but the order.
    if (left.length === 1 && right.length === 1) {
      const rest = ({Items, ...body}) => normalise({...body, ...(Items ? {Items: Items.length} : {})});
      found.push(...differences(rest(left[0].body), rest(right[0].body), 'body'));
    } else {
      if (left.length !== right.length) found.push({path: 'pages', a: left.length, b: right.length});
      const shape = (page) => Object.keys(page.body.LastEvaluatedKey ?? {}).sort().join();
      if (shape(left[0]) !== shape(right[0])) found.push({path: 'body.LastEvaluatedKey', a: left[0].body.LastEvaluatedKey, b: right[0].body.LastEvaluatedKey});
    }
    return found;
  }

  #index_order(request, left, right) {
    const range = request.operation === 'Query' && request.index?.range?.name;
    if (!range || request.index.name !== request.body.IndexName) return [];
    const sequence = (items) => items.map((item) => canonical(normalise(item[range]) ?? null));
    return sequence(left).join() === sequence(right).join() ? [] : [{path: 'body.Items.order', a: sequence(left), b: sequence(right)}];
  }

  // A scan's order is open. Segments divide the table in no promised way, but together they are the table.
  async #scan(request, a, b) {
    const {Segment, TotalSegments} = request.body;
    if (!(TotalSegments > 1 && TotalSegments <= 5)) return this.#pages_as_a_whole(request, ...(await this.#follow_both(request, a, b)));
    this.coverage.feature('segments.Scan');
    const left = [];
    const right = [];
    for (let segment = 0; segment < TotalSegments; segment++) {
      const part = {...request, body: {...request.body, Segment: segment}};
      const [first_a, first_b] = segment === Segment ? [a, b] : await this.both('Scan', part.body);
      if (first_a.status !== 200 || first_b.status !== 200) return compare_answers(part, first_a, first_b);
      const [pages_a, pages_b] = await this.#follow_both(part, first_a, first_b);
      left.push(...pages_a);
      right.push(...pages_b);
    }
    const bad = [left, right].map((pages) => pages.find((page) => page.status !== 200));
    if (bad[0] || bad[1]) return compare_answers(request, bad[0] ?? a, bad[1] ?? b);
    const items = (pages) => pages.flatMap((page) => page.body.Items ?? []);
    const sum = (pages, field) => pages.reduce((total, page) => total + (page.body?.[field] ?? 0), 0);
    return [
      ...compare_multisets(items(left), items(right), 'body.Items(segments)'),
      ...['Count', 'ScannedCount'].filter((field) => sum(left, field) !== sum(right, field)).map((field) => ({path: `body.${field}(segments)`, a: sum(left, field), b: sum(right, field)})),
    ];
  }

  #follow_both(request, a, b) {
    return Promise.all([this.#follow(this.a, request, a), this.#follow(this.b, request, b)]);
  }

  // What the first server holds where a request wanted to update something: [{at, part, item}], `at` being the
  // number of the action in a transaction.
  async updated_items(request) {
    const body = request.body ?? {};
    const parts = Array.isArray(body.TransactItems) ? body.TransactItems.map((item) => item?.Update) : [body];
    const found = [];
    for (const [at, part] of parts.entries()) {
      if (typeof part?.UpdateExpression !== 'string') continue;
      const {status, body: answer} = await this.a.call('GetItem', {TableName: part.TableName, Key: part.Key, ConsistentRead: true});
      if (status === 200) found.push({at, part, item: answer.Item});
    }
    return found;
  }

  async scan_all(endpoint, table, index) {
    const items = [];
    const body = {TableName: table.name, ...(index ? {IndexName: index.name} : {ConsistentRead: true})};
    for (;;) {
      const answer = await endpoint.call('Scan', body);
      if (answer.status !== 200) return {items, failure: outcome(answer)};
      items.push(...answer.body.Items);
      if (!answer.body.LastEvaluatedKey) return {items};
      body.ExclusiveStartKey = answer.body.LastEvaluatedKey;
    }
  }

  // The whole of a table, or of an index of it.
  async compare_contents(table, index) {
    const [left, right] = await Promise.all([this.scan_all(this.a, table, index), this.scan_all(this.b, table, index)]);
    if (left.failure || right.failure) return left.failure === right.failure ? [] : [{path: 'status', a: left.failure ?? '200', b: right.failure ?? '200'}];
    return compare_multisets(left.items, right.items, 'contents');
  }

  // After a write that the two took differently: removes what differs, so that one mismatch stays one. False
  // where that cannot be done, and the table is of no more use.
  async make_equal(table) {
    const [left, right] = await Promise.all([this.scan_all(this.a, table), this.scan_all(this.b, table)]);
    const keyed = ({items}) => new Map(items.map((item) => [canonical(normalise(key_part(table, item))), item]));
    const [of_a, of_b] = [keyed(left), keyed(right)];
    if (canonical([...of_a].sort()) === canonical([...of_b].sort())) return true;
    for (const [key, item] of new Map([...of_a, ...of_b])) {
      if (canonical(normalise(of_a.get(key) ?? null)) === canonical(normalise(of_b.get(key) ?? null))) continue;
      const answers = await this.both('DeleteItem', {TableName: table.name, Key: key_part(table, item)});
      if (answers.some(({status}) => status !== 200)) return false;
    }
    return (await this.compare_contents(table)).length === 0;
  }

  // Items that were there before an index, with a value that cannot be its key (empty, or of another type): AWS
  // leaves them out of the index, dynoxide takes them in, and every later read of the index would differ.
  async remove_bad_index_keys(table) {
    const keys = table.indexes.flatMap(({hash, range}) => [hash, range]).filter(Boolean);
    const bad = (key, value) => value !== undefined && (value[key.type] === undefined || value[key.type] === '');
    for (const item of (await this.scan_all(this.b, table)).items) {
      if (keys.some((key) => bad(key, item[key.name]))) await this.both('DeleteItem', {TableName: table.name, Key: key_part(table, item)});
    }
  }

  // Until the table and all its indexes are there, on both.
  async until_active(name, within_ms = 15_000) {
    const deadline = Date.now() + within_ms;
    while (Date.now() < deadline) {
      const answers = await this.both('DescribeTable', {TableName: name});
      const active = answers.every(({status, body}) => status === 200 && body.Table.TableStatus === 'ACTIVE'
        && (body.Table.GlobalSecondaryIndexes ?? []).every((index) => index.IndexStatus === 'ACTIVE'));
      if (active) return index_names(answers[0]) === index_names(answers[1]) ? answers[1].body.Table : null;
      if (answers.some(({status}) => status !== 200)) return null;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return null;
  }

  async drop_table(name) {
    let answers = await this.both('DeleteTable', {TableName: name});
    if (answers.some(({status, message}) => status === 400 && /protect/i.test(message))) {
      await this.both('UpdateTable', {TableName: name, DeletionProtectionEnabled: false});
      answers = await this.both('DeleteTable', {TableName: name});
    }
    const deadline = Date.now() + 10_000;
    while (Date.now() < deadline) {
      const left = await this.both('DescribeTable', {TableName: name});
      if (left.every(({status}) => status !== 200)) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return answers;
  }
}

const index_names = ({body}) => (body.Table.GlobalSecondaryIndexes ?? []).map((index) => index.IndexName).sort().join();
const key_part = (table, item) => Object.fromEntries([table.hash, table.range].filter(Boolean).map((key) => [key.name, item[key.name]]));
