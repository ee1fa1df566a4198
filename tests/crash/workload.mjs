// The writers. Each client owns its items, so that what they may hold is known exactly; a few shared items
// are fought over by all of them, and there the sums must be right.

import {Endpoint} from '../differential/wire.mjs';
import {Cell} from './model.mjs';

export const client_count = 8;
const items_per_client = 14;
const pairs_per_client = 4;
export const bulk_count = 3000;
const shared_count = 3;

const single_state = ([item]) => item;

// No answer, or an answer that says the server does not know.
const is_unknown = (answer) => answer.status === 0 || answer.status >= 500;
// Never reached a server.
const never_sent = (answer) => answer.status === 0 && answer.message === 'ECONNREFUSED';

export class Workload {
  constructor(random) {
    this.random = random;
    this.cells = [];
    this.stats = {acknowledged: 0, unknown: 0, refused: 0};
    // Of every shared counter: how many additions were acknowledged, and how many may have happened too.
    this.counters = Array.from({length: shared_count}, () => ({acknowledged: 0, unknown: 0}));
    // Of every shared versioned item: which versions were acknowledged, by which the next must be larger.
    this.versions = Array.from({length: shared_count}, () => ({acknowledged: new Set(), highest: 0, wrong: []}));
    this.faults = [];
    this.clients = Array.from({length: client_count}, (_, id) => new Client(this, id, random.fork(`client${id}`)));
    this.bulk = Array.from({length: bulk_count}, (_, i) => this.cell({table: 'bulk', key: {pk: {S: `b${i}`}}}));
  }

  cell(...members) {
    const cell = new Cell(members);
    this.cells.push(cell);
    return cell;
  }

  // Runs until stop() is called; then each client ends with the answer, or the loss, of its last operation.
  run(url, {bulk_writes = false} = {}) {
    this.stopping = false;
    const endpoint = new Endpoint(url, {connections_max: client_count * 2, timeout_ms: 10_000});
    const done = Promise.all(this.clients.map((client) => client.run(endpoint, bulk_writes))).then(() => endpoint.close());
    return {stop: () => { this.stopping = true; return done; }, done};
  }

  // Sends one operation on cells, and keeps the books.
  async send(endpoint, operation, body, changes) {
    for (const [cell, apply] of changes) cell.invoked(apply);
    const invoked_at = Date.now();
    const answer = await endpoint.call(operation, body);
    if (is_unknown(answer)) {
      if (never_sent(answer)) for (const [cell] of changes) cell.refused();
      this.stats.unknown++;
      this.stopping = true;
    } else if (answer.status === 200) {
      for (const [cell] of changes) cell.acknowledged();
      this.stats.acknowledged++;
      this.last_ack_invoked_at = Math.max(this.last_ack_invoked_at ?? 0, invoked_at);
    } else {
      for (const [cell] of changes) cell.refused();
      this.stats.refused++;
    }
    return answer;
  }

  fault(text) {
    this.faults.push(text);
  }
}

class Client {
  constructor(workload, id, random) {
    this.workload = workload;
    this.id = id;
    this.random = random;
    this.version = 0;
    this.items = Array.from({length: items_per_client}, (_, i) => workload.cell({table: 'main', key: {pk: {S: `c${id}`}, sk: {S: `i${i}`}}}));
    this.pairs = Array.from({length: pairs_per_client}, (_, i) => workload.cell(
      {table: 'main', key: {pk: {S: `p${id}`}, sk: {S: `${i}`}}}, {table: 'mirror', key: {pk: {S: `p${id}.${i}`}}}));
    this.last_transaction = null;
  }

  async run(endpoint, bulk_writes) {
    while (!this.workload.stopping) {
      const make = this.random.weighted([
        [6, () => this.put()], [5, () => this.update()], [2, () => this.remove()], [2, () => this.batch()], [4, () => this.transact()],
        [2, () => this.add_to_shared()], [2, () => this.raise_shared()], [bulk_writes ? 8 : 0, () => this.change_bulk()],
        [1, () => this.put_fleeting()],
      ]);
      await make().call(this, endpoint);
    }
  }

  fresh_item(key) {
    const {random} = this;
    const item = {...key, ver: {N: String(++this.version)}, note: {S: `n${random.int(1000)}`}};
    if (random.chance(0.8)) item.grp = {S: `g${random.int(5)}`};
    if (random.chance(0.8)) item.rank = {N: String(random.between(1, 999))};
    if (random.chance(0.25)) item.flagged = {S: random.pick(['yes', 'maybe'])};
    if (random.chance(0.3)) item.filler = {S: 'p'.repeat(random.int(2000))};
    if (random.chance(0.2)) item.tags = {SS: random.sample(['a', 'b', 'c', 'd'], random.between(1, 3))};
    if (random.chance(0.2)) item.doc = {M: {x: {L: [{N: '1'}, {BOOL: true}, {NULL: true}]}, y: {B: 'AAEC'}}};
    return item;
  }

  // Nobody looks at it again; it must be gone in a moment.
  put_fleeting() {
    const ttl = Math.floor(Date.now() / 1000) + this.random.between(0, 2);
    this.workload.last_ttl = Math.max(this.workload.last_ttl ?? 0, ttl);
    const Item = {pk: {S: `f${this.id}.${++this.version}`}, ttl: {N: String(ttl)}};
    return (endpoint) => this.workload.send(endpoint, 'PutItem', {TableName: 'fleeting', Item}, []);
  }

  put() {
    const cell = this.random.pick(this.items);
    const item = this.fresh_item(cell.members[0].key);
    return (endpoint) => this.workload.send(endpoint, 'PutItem', {TableName: 'main', Item: item}, [[cell, () => [item]]]);
  }

  // On the version the client knows. Must succeed where the item is certain, and be refused on a wrong one.
  update() {
    const cell = this.random.pick(this.items.filter((one) => one.certain && single_state(one.certain)));
    if (!cell) return this.put();
    const item = single_state(cell.certain);
    const wrong = this.random.chance(0.1);
    const rank = String(this.random.between(1, 999));
    const drop = this.random.pick(['flagged', 'grp', 'rank', 'filler']);
    const body = {
      TableName: 'main', Key: cell.members[0].key,
      UpdateExpression: `SET ver = :new${drop === 'rank' ? '' : ', #r = :rank'} REMOVE ${drop === 'rank' ? '#r' : drop}`, ConditionExpression: 'ver = :old',
      ExpressionAttributeNames: {'#r': 'rank'},
      ExpressionAttributeValues: {':new': {N: String(++this.version)}, ':old': wrong ? {N: '999999999'} : item.ver, ...(drop === 'rank' ? {} : {':rank': {N: rank}})},
    };
    const changed = {...item, ver: body.ExpressionAttributeValues[':new'], rank: {N: rank}};
    delete changed[drop];
    return async (endpoint) => {
      const answer = await this.workload.send(endpoint, 'UpdateItem', body, [[cell, ([state]) => [wrong ? state : changed]]]);
      if (answer.status === 200 && wrong) this.workload.fault(`update on a wrong version was accepted: ${JSON.stringify(body.Key)}`);
      if (answer.status === 400 && !wrong) this.workload.fault(`update on the right version was refused: ${JSON.stringify(body.Key)} ${answer.message}`);
    };
  }

  remove() {
    const cell = this.random.pick(this.items);
    return (endpoint) => this.workload.send(endpoint, 'DeleteItem', {TableName: 'main', Key: cell.members[0].key}, [[cell, () => [null]]]);
  }

  // A batch is no transaction: each item of it changes or not, on its own.
  batch() {
    const cells = this.random.sample(this.items, this.random.between(2, 8));
    const changes = cells.map((cell) => [cell, this.random.chance(0.7) ? this.fresh_item(cell.members[0].key) : null]);
    const requests = changes.map(([cell, item]) => (item ? {PutRequest: {Item: item}} : {DeleteRequest: {Key: cell.members[0].key}}));
    return async (endpoint) => {
      const answer = await this.workload.send(endpoint, 'BatchWriteItem', {RequestItems: {main: requests}}, changes.map(([cell, item]) => [cell, () => [item]]));
      if (answer.status === 200 && Object.keys(answer.body.UnprocessedItems ?? {}).length) this.workload.fault('a small batch was left unprocessed in part');
    };
  }

  // Adds one on both sides of a pair, in two tables. Applied twice, it would show.
  transact() {
    const cell = this.random.pick(this.pairs);
    const payload = {S: `t${this.id}.${++this.version}`};
    const token = `crash-${this.id}-${this.version}`;
    const update = ({table, key}) => ({Update: {
      TableName: table, Key: key, UpdateExpression: 'SET n = if_not_exists(n, :zero) + :one, payload = :payload, grp = :g, #r = :one',
      ExpressionAttributeNames: {'#r': 'rank'}, ExpressionAttributeValues: {':zero': {N: '0'}, ':one': {N: '1'}, ':payload': payload, ':g': {S: 'pairs'}},
    }});
    const body = {TransactItems: cell.members.map(update), ClientRequestToken: token};
    const apply = (state) => cell.members.map(({key}, i) => ({...key, n: {N: String(Number(state[i]?.n.N ?? 0) + 1)}, payload, grp: {S: 'pairs'}, rank: {N: '1'}}));
    return async (endpoint) => {
      const answer = await this.workload.send(endpoint, 'TransactWriteItems', body, [[cell, apply]]);
      if (answer.status === 400) this.workload.fault(`a transaction was refused: ${answer.message}`);
      if (!never_sent(answer)) this.last_transaction = {body, cell, acknowledged: answer.status === 200};
    };
  }

  add_to_shared() {
    const which = this.random.int(shared_count);
    const counter = this.workload.counters[which];
    return async (endpoint) => {
      const answer = await endpoint.call('UpdateItem', {TableName: 'main', Key: {pk: {S: 'shared'}, sk: {S: `counter${which}`}}, UpdateExpression: 'ADD hits :one', ExpressionAttributeValues: {':one': {N: '1'}}});
      if (answer.status === 200) counter.acknowledged++;
      else if (is_unknown(answer) && !never_sent(answer)) counter.unknown++;
      if (is_unknown(answer)) this.workload.stopping = true;
    };
  }

  // Compare and set by many: every version is won at most once.
  raise_shared() {
    const which = this.random.int(shared_count);
    const record = this.workload.versions[which];
    const Key = {pk: {S: 'shared'}, sk: {S: `version${which}`}};
    return async (endpoint) => {
      const known = record.highest;
      const read = await endpoint.call('GetItem', {TableName: 'main', Key, ConsistentRead: true});
      if (read.status !== 200) { this.workload.stopping ||= is_unknown(read); return; }
      const old = Number(read.body.Item?.ver.N ?? 0);
      if (old < known) record.wrong.push(`version ${old} was read after version ${known} had been acknowledged`);
      const answer = await endpoint.call('UpdateItem', {
        TableName: 'main', Key, UpdateExpression: 'SET ver = :new', ConditionExpression: old ? 'ver = :old' : 'attribute_not_exists(ver)',
        ExpressionAttributeValues: {':new': {N: String(old + 1)}, ...(old ? {':old': {N: String(old)}} : {})},
      });
      if (answer.status === 200) {
        if (record.acknowledged.has(old + 1)) record.wrong.push(`version ${old + 1} was won twice`);
        record.acknowledged.add(old + 1);
        record.highest = Math.max(record.highest, old + 1);
      }
      if (is_unknown(answer)) this.workload.stopping = true;
    };
  }

  change_bulk() {
    // Every client has its own residue, so that no two write one item.
    const cell = this.workload.bulk[this.random.int(Math.floor(bulk_count / client_count)) * client_count + this.id];
    const item = this.random.chance(0.8) ? this.fresh_item(cell.members[0].key) : null;
    const [operation, body] = item ? ['PutItem', {TableName: 'bulk', Item: item}] : ['DeleteItem', {TableName: 'bulk', Key: cell.members[0].key}];
    return (endpoint) => this.workload.send(endpoint, operation, body, [[cell, () => [item]]]);
  }
}
