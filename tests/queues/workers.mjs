// Who works on a queue: producers, consumers of every kind of carelessness, and the drain at the end.

import {now_ms} from './client.mjs';

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const down_pause_ms = 10;
const drain_within_ms = 30_000;

// A message that consumers never delete where there is a dead-letter queue.
const is_poison = (body) => body.split('|')[0].endsWith('!');

export class Producer {
  constructor(client, random) {
    this.client = client;
    this.queue = client.queue;
    this.random = random;
    this.number = 0;
    this.sent = []; // of FIFO queues: may be sent again at any time
  }

  async run(count) {
    while (this.number < count) {
      const batch = this.random.chance(0.3);
      const messages = Array.from({length: batch ? this.random.between(1, 10) : 1}, () => this.#message());
      await this.#send(messages, batch);
      if (this.sent.length && this.random.chance(0.2)) await this.#send([this.#again(this.random.pick(this.sent))], false);
      await pause(this.random.weighted([[3, 0], [3, this.random.between(1, 20)], [1, this.random.between(20, 80)]]));
    }
  }

  // One without an answer is sent again in a FIFO queue, under its deduplication id: there it is safe to.
  async #send(messages, batch) {
    for (;;) {
      const events = await this.client.send(messages, {batch});
      if (this.queue.is_fifo) this.sent.push(...messages);
      const open = events.some((event) => event.outcome === 'unknown' || event.error?.startsWith('0 '));
      if (open) await pause(down_pause_ms);
      if (!open || !this.queue.is_fifo) return;
    }
  }

  #message() {
    const {random, queue} = this;
    const poison = queue.dead_letters && random.chance(0.4) ? '!' : '';
    const key = `${this.client.name}.${++this.number}${poison}`;
    const message = {key, body: `${key}|${'x'.repeat(random.weighted([[8, random.int(60)], [1, random.int(4000)]]))}`};
    if (queue.has_groups && (queue.is_fifo || random.chance(0.9))) message.group = `g${random.int(4)}`;
    if (queue.is_fifo && !queue.by_content) message.deduplication_id = `d-${key}`;
    if (!queue.is_fifo && random.chance(0.1)) message.delay_ms = random.pick([0, 1000, 2000]);
    if (random.chance(0.3)) message.attributes = {n: {DataType: 'Number', StringValue: String(this.number)}};
    return message;
  }

  // The same message once more; under an id of its own the body may differ, and the first one counts.
  #again(message) {
    return message.deduplication_id && this.random.chance(0.3) ? {...message, body: `${message.body}again`} : message;
  }
}

export class Consumer {
  // `impatient`: a client whose connection breaks in the middle of a long poll.
  constructor(client, impatient, random) {
    this.client = client;
    this.impatient = impatient;
    this.random = random;
    this.receipts = []; // of messages it gave up
  }

  async run(is_over) {
    while (!is_over()) {
      const event = await this.#receive();
      if (event.outcome !== 'ok') await pause(down_pause_ms);
      if (event.messages.length) await this.#handle(event.messages);
      if (this.receipts.length && this.random.chance(0.15)) await this.#use_stale_receipt();
      if (this.receipts.length && this.random.chance(0.02)) await this.#forge_receipt();
    }
  }

  #receive() {
    const {random} = this;
    const request = {
      count_max: random.weighted([[3, 1], [2, random.between(2, 5)], [2, 10]]),
      visibility_ms: random.weighted([[4, undefined], [3, 1000], [2, 2000], [1, 0]]),
      wait_ms: random.weighted([[3, 0], [2, 1000]]),
    };
    return random.chance(0.06) ? this.impatient.receive({...request, wait_ms: 2000}) : this.client.receive(request);
  }

  async #handle(messages) {
    const {random, client} = this;
    if (messages.length > 1 && random.chance(0.4)) return this.#handle_together(messages);
    for (const {body, handle} of messages) {
      const poison = client.queue.dead_letters && is_poison(body);
      const act = random.weighted(poison ? [[2, this.#forget], [3, this.#give_back]] : [
        [8, this.#delete], [2, this.#forget], [2, this.#give_back], [2, this.#extend], [0.5, this.#oversleep], [0.5, this.#delete_twice],
      ]);
      await act.call(this, handle);
    }
  }

  // Poison among them is given back, not deleted.
  async #handle_together(messages) {
    const poisonous = ({body}) => this.client.queue.dead_letters && is_poison(body);
    const [bad, good] = [messages.filter(poisonous), messages.filter((message) => !poisonous(message))].map((list) => list.map((message) => message.handle));
    if (bad.length) await this.client.change(bad, 0, {batch: true});
    if (good.length && this.random.chance(0.3)) await this.client.change(good, 2000, {batch: true});
    if (good.length) await this.client.remove(good, {batch: true});
  }

  async #delete(handle) {
    await this.client.remove([handle]);
  }

  async #delete_twice(handle) {
    await this.client.remove([handle]);
    await this.client.remove([handle]);
  }

  // As a consumer that crashed.
  async #forget(handle) {
    this.receipts.push(handle);
  }

  async #give_back(handle) {
    await this.client.change([handle], 0);
    this.receipts.push(handle);
  }

  async #extend(handle) {
    for (let beats = this.random.between(1, 3); beats > 0; beats--) {
      await this.client.change([handle], this.random.pick([1000, 2000, 3000]));
      await pause(this.random.between(0, 150));
    }
    await this.client.remove([handle]);
  }

  // Somebody else may have it by now.
  async #oversleep(handle) {
    await pause(this.random.between(900, 1300));
    await this.client.remove([handle]);
  }

  async #forge_receipt() {
    const handle = this.random.pick(this.receipts);
    await this.client.remove([this.random.pick([`AAAA${handle}`, `${handle}AAAA`, 'no receipt at all'])]);
  }

  async #use_stale_receipt() {
    const [handle] = this.receipts.splice(this.random.int(this.receipts.length), 1);
    if (this.client.queue.dead_letters || this.random.chance(0.5)) await this.client.change([handle], this.random.pick([0, 1000, 2000]));
    else await this.client.remove([handle]);
  }
}

// Receives and deletes until the queue says that it is empty and gives nothing. Poison stays until it is given up.
// False where that takes too long.
export async function drain(client) {
  const deadline = now_ms() + drain_within_ms;
  while (now_ms() < deadline) {
    const event = await client.receive({count_max: 10, visibility_ms: 3000, wait_ms: 0});
    const poisonous = ({body}) => client.queue.dead_letters && is_poison(body);
    for (const message of event.messages) {
      if (poisonous(message)) await client.change([message.handle], 0);
      else await delete_for_certain(client, message.handle);
    }
    if (event.messages.length) continue;
    const count = await client.count();
    if (event.outcome === 'ok' && count.outcome === 'ok' && count.waiting + count.in_flight + count.delayed === 0) return true;
    await pause(30);
  }
  return false;
}

async function delete_for_certain(client, handle) {
  while ((await client.remove([handle]))[0].outcome === 'unknown') await pause(down_pause_ms);
}

// Leaves messages behind in every state, whose counts are then known.
export async function leave_rest(client, random) {
  const {queue} = client;
  const message = (i, more) => ({
    key: `rest.${i}`, body: `rest.${i}|`, ...(queue.is_fifo ? {group: `g${i % 7}`} : {}), ...(queue.is_fifo && !queue.by_content ? {deduplication_id: `rest-${i}`} : {}), ...more,
  });
  const total = random.between(5, 20);
  for (let i = 0; i < total; i++) await client.send([message(i, queue.is_fifo || random.chance(0.6) ? {} : {delay_ms: 900_000})]);
  for (let i = random.between(1, 4); i > 0; i--) {
    const {messages} = await client.receive({count_max: random.between(1, 4), visibility_ms: 900_000});
    for (const {handle} of messages) if (random.chance(0.4)) await client.remove([handle]);
  }
}
