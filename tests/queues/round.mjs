// One round: queues of its own, producers and consumers at work on them, a drain, a rest that is counted. The
// server may be killed and started again at any moment of it.

import {QueueClient} from './client.mjs';
import {check} from './check.mjs';
import {create_queues, insist, kinds, plan_queues} from './queues.mjs';
import {Consumer, Producer, drain, leave_rest, pause} from './workers.mjs';
import {Endpoint} from '../differential/wire.mjs';

const producer_count = 3;
const consumer_count = 3;

export class Round {
  constructor(number, url, random, {has_tokens = true} = {}) {
    this.number = number;
    this.url = url;
    this.random = random;
    this.kind = kinds[number % kinds.length];
    this.queues = plan_queues(this.kind, number, random, {has_tokens});
    this.history = [];
    this.clients = [];
  }

  // What is wrong, as a list of {story, text}.
  async run() {
    await create_queues(this.url, this.queues);
    await this.#work();
    for (const queue of this.queues) await this.#client('counter', queue).count();
    const stuck = [];
    for (const queue of this.queues) if (!(await drain(this.#client('drain', queue)))) stuck.push({story: null, text: `${queue.name} could not be drained`});
    await leave_rest(this.#client('rest', this.queues[0]), this.random);
    await this.count();
    for (const client of this.clients) client.close();
    return [...stuck, ...this.check()];
  }

  check() {
    return check(this.history, Object.fromEntries(this.queues.map((queue) => [queue.name, queue])));
  }

  // Counts what is there, now that nobody is at work; again and again where the server is down.
  async count() {
    for (const queue of this.queues) {
      const client = this.#client('counter', queue);
      while ((await client.count()).outcome !== 'ok') await pause(10);
      client.close();
    }
  }

  async remove() {
    const endpoint = new Endpoint(this.url);
    for (const {url} of this.queues) await insist(endpoint, 'DeleteQueue', {QueueUrl: url}, 'QueueDoesNotExist');
    endpoint.close();
  }

  async #work() {
    const [queue, dead] = this.queues;
    const random = (label) => this.random.fork(label);
    const producers = Array.from({length: producer_count}, (_, i) => new Producer(this.#client(`p${i}`, queue), random(`p${i}`)));
    const consumers = Array.from({length: consumer_count}, (_, i) => this.#consumer(`c${i}`, queue));
    if (dead) consumers.push(this.#consumer('d0', dead));
    let over = false;
    const consuming = Promise.all(consumers.map((consumer) => consumer.run(() => over)));
    await Promise.all(producers.map((producer) => producer.run(this.random.between(15, 50))));
    await pause(this.random.between(0, 1200));
    over = true;
    await consuming;
  }

  #consumer(name, queue) {
    const impatient = this.#client(`${name}'`, queue, {timeout_ms: this.random.between(20, 300)});
    return new Consumer(this.#client(name, queue), impatient, this.random.fork(name));
  }

  #client(name, queue, options) {
    const client = new QueueClient(name, this.url, queue, this.history, options);
    this.clients.push(client);
    return client;
  }
}
