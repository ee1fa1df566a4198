// The cycles: load, kill, start again, check.

import {Endpoint} from '../differential/wire.mjs';
import {Checker} from './check.mjs';
import {History} from './history.mjs';
import {Workload} from './workload.mjs';
import {create_online_index, create_table, tables} from './schema.mjs';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const within = 20_000;

export class Cycles {
  constructor({server, random, sizes = true, before_kill = async () => {}}) {
    this.server = server;
    this.random = random;
    this.sizes = sizes;
    this.before_kill = before_kill;
    this.workload = new Workload(random);
    this.online = null;
    this.online_number = 0;
    // How many index changes the kill really cut short.
    this.cut_short = {backfill: 0, drop: 0};
    this.history = new History();
  }

  // Creates the tables and fills the large one.
  async prepare() {
    await this.server.start();
    const endpoint = new Endpoint(this.server.url);
    for (const name of Object.keys(tables)) {
      const answer = await endpoint.call('CreateTable', create_table(name));
      if (answer.status !== 200) throw new Error(`CreateTable ${name}: ${answer.status} ${answer.type} ${answer.message}`);
      await until(async () => (await endpoint.call('DescribeTable', {TableName: name})).body?.Table?.TableStatus === 'ACTIVE', `table ${name}`);
    }
    await endpoint.call('UpdateContinuousBackups', {TableName: 'bulk', PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}});
    await endpoint.call('UpdateTimeToLive', {TableName: 'fleeting', TimeToLiveSpecification: {AttributeName: 'ttl', Enabled: true}});
    const client = this.workload.clients[0];
    const cells = [...this.workload.bulk];
    while (cells.length) {
      const changes = cells.splice(0, 25).map((cell) => [cell, client.fresh_item(cell.members[0].key)]);
      const requests = changes.map(([, Item]) => ({PutRequest: {Item}}));
      const answer = await this.workload.send(endpoint, 'BatchWriteItem', {RequestItems: {bulk: requests}}, changes.map(([cell, item]) => [cell, () => [item]]));
      if (answer.status !== 200) throw new Error(`BatchWriteItem: ${answer.status} ${answer.type} ${answer.message}`);
    }
    endpoint.close();
  }

  // One cycle of the given kind; what is wrong afterwards.
  async run(kind, {view, sabotage} = {}) {
    const online_kind = kind === 'backfill' || kind === 'drop';
    const with_bulk = online_kind || kind === 'copies';
    const load = this.workload.run(this.server.url, {bulk_writes: with_bulk});
    if (online_kind) await this.#change_index(kind);
    if (kind === 'copies') await this.#begin_copies();
    await pause(with_bulk ? this.random.pick(kind === 'copies' ? [0, 1, 2, 4, 8, 16] : [0, 2, 5, 10, 20, 50, 120]) : this.random.between(50, 450));
    await this.before_kill();
    await this.server.kill();
    await load.stop();

    if (kind === 'startup') await this.#kill_during_start();
    await this.server.start();
    const wrong = online_kind ? await this.#await_index(kind) : [];
    await sabotage?.(this.server.url);
    const checker = new Checker(this.server.url, this.workload, {sizes: this.sizes, view});
    wrong.push(...await checker.check({bulk: with_bulk, online: this.online}));
    wrong.push(...await this.history.check(checker.endpoint, (...source) => checker.scan(...source)));
    if (kind === 'copies') wrong.push(...await this.history.check_copies(checker.endpoint, (...source) => checker.scan(...source), () => this.server.output));
    if (kind === 'expiry') wrong.push(...await this.history.check_expiry(checker.endpoint, this.workload.last_ttl));
    wrong.push(...await checker.repeat_transactions());
    checker.close();
    return wrong;
  }

  async #begin_copies() {
    await pause(this.random.between(0, 60));
    const endpoint = new Endpoint(this.server.url);
    await this.history.begin_copies(endpoint, this.random);
    Promise.all([this.history.begun.restore, this.history.begun.backup]).then(() => endpoint.close());
  }

  // Up to three starts that are cut short, before or while the log is replayed, or just after.
  async #kill_during_start() {
    for (let i = this.random.between(1, 3); i > 0; i--) {
      await this.server.spawn();
      await pause(this.random.between(0, 60));
      await this.server.kill();
    }
  }

  async #change_index(kind) {
    await pause(this.random.between(0, 60));
    const endpoint = new Endpoint(this.server.url);
    if (kind === 'backfill') this.online = `online_${++this.online_number}`;
    const body = kind === 'backfill' ? create_online_index('bulk', this.online)
      : {TableName: 'bulk', GlobalSecondaryIndexUpdates: [{Delete: {IndexName: this.online}}]};
    // Half of the kills come after the answer, half may come before it.
    this.change = endpoint.call('UpdateTable', body);
    this.change.then(() => endpoint.close());
    if (this.random.chance(0.5)) await this.change;
  }

  // An index whose creation was acknowledged goes on after the restart and ends ACTIVE; one whose removal
  // was acknowledged ends away. Where the answer was lost, either it never began or it ends the same way.
  async #await_index(kind) {
    const change = await this.change;
    if (change.status !== 200 && change.status !== 0) {
      if (kind === 'backfill') this.online = null;
      return [`UpdateTable (${kind}): ${change.status} ${change.type} ${change.message}`];
    }
    const endpoint = new Endpoint(this.server.url);
    const status = async () => {
      const answer = await endpoint.call('DescribeTable', {TableName: 'bulk'});
      return answer.body?.Table?.GlobalSecondaryIndexes?.find((index) => index.IndexName === this.online)?.IndexStatus;
    };
    try {
      const now = await status();
      if (now !== undefined && now !== 'ACTIVE') this.cut_short[kind]++;
      if (change.status === 0 && kind === 'backfill' && now === undefined) this.online = null;
      else if (kind === 'backfill') await until(async () => (await status()) === 'ACTIVE', `index ${this.online} ACTIVE`);
      else if (change.status === 200 || now !== 'ACTIVE') {
        await until(async () => (await status()) === undefined, `index ${this.online} gone`);
        this.online = null;
      }
      await until(async () => (await endpoint.call('DescribeTable', {TableName: 'bulk'})).body?.Table?.TableStatus === 'ACTIVE', 'table bulk ACTIVE');
    } catch (error) {
      return [error.message];
    } finally {
      endpoint.close();
    }
    return [];
  }

  // Backfill and drop alternate; kills during start-up and while copies are made now and then; plain otherwise.
  kind_of(number) {
    if (number % 5 === 4) return this.online ? 'drop' : 'backfill';
    if (number % 10 === 6) return 'expiry';
    if (number % 4 === 1) return 'copies';
    if (number % 6 === 2) return 'startup';
    return 'plain';
  }
}

async function until(condition, what) {
  const deadline = Date.now() + within;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${within / 1000} s`);
    await pause(10);
  }
}
