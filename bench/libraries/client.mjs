// One process with some clients of a queue library. Told by its parent what to do, it does that and answers; a clock
// starts when the parent says so, so that several processes measure the same seconds.
import { texts } from './texts.mjs';

const [library, target, queue, clients_text, process_number] = process.argv.slice(2);
const clients = Number(clients_text);
const { open } = await import(`./${library}.mjs`);
const client = await open(target, queue, { clients });
const nowUs = () => Number(process.hrtime.bigint() / 1000n);

// Texts of this process's own: none is sent twice in the life of a queue.
let sent = 0;
const nextText = (round) => texts.make(`${round}-${process_number}-${(sent += 1)}`);

// What happened since the process began.
const counts = { sent: 0, received: 0, settled: 0, received_twice: 0, changed: 0, empty: 0 };
const seen = new Set();
let receipts = [];

function takeReceived(text) {
  counts.received += 1;
  const id = texts.idOf(text);
  if (!texts.isWhole(text)) counts.changed += 1;
  if (seen.has(id)) counts.received_twice += 1;
  seen.add(id);
}

async function send({ round }) {
  await client.send(nextText(round));
  counts.sent += 1;
}

async function receive() {
  const message = await client.receive();
  if (!message) {
    counts.empty += 1;
    return undefined;
  }
  takeReceived(message.text);
  return message.receipt;
}

async function settle(receipt) {
  await client.settle(receipt);
  counts.settled += 1;
}

async function roundTrip(task) {
  await send(task);
  let receipt;
  while (receipt === undefined) receipt = await receive();
  await settle(receipt);
}

// Every client goes on with `step` until the time is over, or the step says that there is no more to do. Latencies
// in microseconds of what ended within the measured time.
async function measure(step, { warmup = 0, seconds = Infinity }) {
  const begin_us = nowUs() + warmup * 1e6;
  const end_us = begin_us + seconds * 1e6;
  const latencies_us = [];
  let last_us = begin_us;
  const oneClient = async () => {
    for (;;) {
      const started_us = nowUs();
      if (started_us >= end_us) return;
      if ((await step()) === false) return;
      const ended_us = nowUs();
      if (ended_us < begin_us) continue;
      latencies_us.push(ended_us - started_us);
      last_us = ended_us;
    }
  };
  await Promise.all(Array.from({ length: clients }, oneClient));
  return { latencies_us, seconds: (last_us - begin_us) / 1e6 };
}

const tasks = {
  round_trip: (task) => measure(() => roundTrip(task), task),
  send: (task) => measure(() => send(task), task),
  // As many as this process has sent.
  receive() {
    let left = counts.sent - counts.received;
    return measure(async () => {
      if (left <= 0) return false;
      left -= 1;
      const receipt = await receive();
      if (receipt === undefined) left += 1;
      else receipts.push(receipt);
    }, {});
  },
  async delete() {
    const given = receipts;
    receipts = [];
    return measure(async () => (given.length ? settle(given.pop()) : false), {});
  },
  async fill({ first, count }) {
    const part = 10_000;
    for (let done = 0; done < count; done += part) {
      const numbers = Array.from({ length: Math.min(part, count - done) }, (_, n) => first + done + n);
      await client.fill(numbers.map((number) => texts.make(`filled-${number}`)));
      process.send({ progress: Math.min(done + part, count) });
    }
    return {};
  },
  counts: async () => ({ queue: await client.counts() }),
};

process.on('message', async (task) => {
  try {
    const result = await tasks[task.name](task);
    process.send({ result: { ...result, counts } });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: true });
