// One round: a few jobs of one contract, those who work on them, a drain until nothing is left to do, and a reading of all
// that is there then. The server may be killed and started again at any moment of it.

import {Client, pause} from './client.mjs';
import {Meddler, Producer, Worker} from './actors.mjs';
import {check} from './check.mjs';

const drain_within_ms = 90_000;

export class Round {
  // `counted`: how many records of earlier rounds of the lane are in each state.
  constructor(number, url, machine, random, counted = {}) {
    Object.assign(this, {number, machine, random, counted});
    this.tenant = `r${number}`;
    this.log = [];
    this.made = new Set();
    this.clients = [];
    this.client_of = (name) => {
      const client = new Client(url, `${this.tenant}${name}`, this.log);
      this.clients.push(client);
      return client;
    };
  }

  // What is wrong, as a list of {text, job}.
  async run() {
    await this.#work();
    const stuck = await this.#drain();
    this.seen = await this.#look();
    for (const client of this.clients) client.close();
    return [...stuck, ...this.check()];
  }

  check() {
    return check({machine: this.machine, log: this.log, counted: this.counted, ...this.seen});
  }

  async #work() {
    const {machine, random, tenant, made} = this;
    const producer = new Producer(this.client_of('p'), machine, random.fork('p'), tenant, made);
    const workers = [1, 2, 3].slice(0, random.between(2, 3)).map((i) => new Worker(this.client_of(`w${i}`), machine, random.fork(`w${i}`)));
    const meddler = new Meddler(this.client_of('m'), machine, random.fork('m'), made);
    let over = false;
    const busy = Promise.all([...workers, meddler].map((one) => one.run(() => over)));
    await producer.run(random.between(3, 6));
    await pause(random.between(300, 1300));
    over = true;
    await busy;
  }

  // Works until every job is at an end and the queue is empty.
  async #drain() {
    const {machine, random} = this;
    const worker = new Worker(this.client_of('d'), machine, random.fork('d'), {thorough: true});
    const people = new Meddler(this.client_of('e'), machine, random.fork('e'), this.made);
    const deadline = Date.now() + drain_within_ms;
    let open = [];
    while (Date.now() < deadline) {
      const jobs = await worker.claim({wait_s: 0, lease_s: machine.kind === 'photo-editor' ? 1 : 4, max: 5});
      await Promise.all(jobs.map((job) => worker.handle(job)));
      if (jobs.length) continue;
      open = (await this.#list(worker.client)).filter((record) => !machine.ends.includes(record.status));
      for (const record of open) {
        if (record.status === machine.review?.pause) await people.act(random.weighted([[3, 'approve'], [1, 'reject']]), machine.id_of(record));
      }
      this.depth = await worker.client.depth(machine.queue);
      if (!open.length && this.depth === 0) return [];
      await pause(50);
    }
    return [{text: `not drained: ${this.depth} messages in the queue, and not at an end: ${open.map((record) => `${machine.id_of(record)} (${record.status})`).join(', ') || 'none'}`, job: open[0] && machine.id_of(open[0])}];
  }

  #list(client) {
    return client.read_all(`${this.machine.path}?${this.machine.tenant}=${this.tenant}`);
  }

  // All that the server knows of the round's jobs.
  async #look() {
    const {machine} = this;
    const client = this.client_of('look');
    const listed = (await this.#list(client)).map(machine.id_of);
    const jobs = new Map();
    for (const id of new Set([...this.made, ...listed])) {
      const {status, body} = await client.read(`${machine.path}/${id}`, {allowed: [404]});
      const rows = await client.read_all(`${machine.path}/${id}:history`);
      const steps = machine.steps_path ? await client.read_all(`${machine.steps_path}?job_id=${id.split(',').at(-1)}`) : [];
      jobs.set(id, {id, record: status === 200 ? body : null, rows, steps, is_listed: listed.includes(id)});
    }
    const {body: counts} = await client.read(`${machine.path}:counts`);
    return {jobs, counts, letters: await this.#take_letters(client), depth: this.depth};
  }

  // The bodies of all dead letters, which are gone then. One whose answer was lost in a kill is hidden for a second.
  async #take_letters(client) {
    const QueueUrl = `${client.url}/000000000000/${this.machine.dead_letters}`;
    const letters = new Map();
    while ((await client.depth(this.machine.dead_letters)) > 0) {
      const {Messages = []} = await client.queue('ReceiveMessage', {QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 2, WaitTimeSeconds: 0});
      for (const {MessageId, Body, ReceiptHandle} of Messages) {
        letters.set(MessageId, JSON.parse(Body));
        await client.queue('DeleteMessage', {QueueUrl, ReceiptHandle});
      }
      if (!Messages.length) await pause(50);
    }
    return [...letters.values()];
  }
}
