// One process with some workers of a job library, and clients that create jobs. Told by its parent what to do, it does
// that and answers.
import { makeJob, nowUs, steps } from './job.mjs';

const [library, target, workers_text, number_text, processes_text] = process.argv.slice(2);
const workers = Number(workers_text);
const number = Number(number_text);
const { open } = await import(`./${library}.mjs`);
// Without workers it is a process that only creates.
const client = await open(target, { workers, number, processes: Number(processes_text) });

// Numbers of this process's own: none is given twice in the life of a server.
const numbers_apart = 100_000_000;
let made = 0;
const nextJob = (round) => makeJob(round * numbers_apart * 10 + number * numbers_apart + (made += 1), nowUs());

// What has happened in the task.
const counts = {};
const countFromZero = () =>
  Object.assign(counts, { created: 0, claimed: 0, steps: 0, finished: 0, claimed_twice: 0, empty: 0 });
const seen = new Set();

function claimed(job) {
  counts[seen.has(job.number) ? 'claimed_twice' : 'claimed'] += 1;
  seen.add(job.number);
}

// How much of the time this process had something to do, and the CPU it used, of one core.
function watchSelf() {
  const busy = performance.eventLoopUtilization();
  const cpu = process.cpuUsage();
  const began_us = nowUs();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return {
      loop_busy: performance.eventLoopUtilization(busy).utilization,
      cpu_share: (user + system) / (nowUs() - began_us),
      cpu_us: user + system,
    };
  };
}

// What is measured of a run: the jobs that were finished in its seconds, and how long each took.
class Window {
  constructor({ warmup, seconds }) {
    this.begin_us = nowUs() + warmup * 1e6;
    this.end_us = this.begin_us + seconds * 1e6;
    this.latencies_us = [];
    this.selfAfterWarmup = new Promise((resolve) => setTimeout(() => resolve(watchSelf()), warmup * 1000));
  }
  isOver() {
    return nowUs() >= this.end_us;
  }
  add(started_us) {
    const now = nowUs();
    if (now >= this.begin_us && now < this.end_us) this.latencies_us.push(now - started_us);
  }
  async result(self) {
    return { latencies_us: this.latencies_us, seconds: (this.end_us - this.begin_us) / 1e6, self };
  }
}

async function oneByHand(round) {
  const job = nextJob(round);
  await client.create(job);
  counts.created += 1;
  let taken;
  while (!(taken = await client.claim())) counts.empty += 1;
  claimed(taken.data);
  for (let cursor = 1; cursor <= steps; cursor += 1) {
    await client.recordStep(taken, cursor);
    counts.steps += 1;
  }
  await client.finish(taken);
  counts.finished += 1;
  return job.created_us;
}

async function lifecycleByHand(window, round) {
  const oneClient = async () => {
    while (!window.isOver()) window.add(await oneByHand(round));
  };
  await Promise.all(Array.from({ length: workers }, oneClient));
}

// Each client creates a job, waits until the workers have finished one, whichever it is, and creates the next.
// Where jobs wait beforehand (not `drain`), as many wait in the end; otherwise the workers go on until they are
// stopped.
async function lifecycleOfWorkers(window, { round, style, drain }) {
  const waiting = [];
  let ahead = 0; // finished, and nobody has waited for it yet
  const finished = () => {
    counts.finished += 1;
    counts.steps += steps;
    const resolve = waiting.shift();
    if (resolve) resolve();
    else ahead += 1;
  };
  const oneIsFinished = () => (ahead > 0 ? void (ahead -= 1) : new Promise((resolve) => waiting.push(resolve)));
  const create = async () => {
    const job = nextJob(round);
    await client.create(job);
    counts.created += 1;
    return job;
  };
  await client.startWorkers(workers, { claimed, finished }, style);
  const oneClient = async () => {
    while (!window.isOver()) {
      const job = await create();
      await Promise.race([oneIsFinished(), untilOver(window)]);
      window.add(job.created_us);
    }
  };
  await Promise.all(Array.from({ length: workers }, oneClient));
  if (drain) return;
  await client.stopWorkers();
  while (counts.created < counts.finished) await create();
}

const untilOver = (window) =>
  (window.over ??= new Promise((resolve) => setTimeout(resolve, Math.max(0, (window.end_us - nowUs()) / 1000))));

// Latencies from create to claim of the jobs that came since the workers were started.
let claims_us = [];
let measured_from_us = Infinity;

async function fill(name, { first, count }) {
  const part = 2_000;
  for (let done = 0; done < count; done += part) {
    const length = Math.min(part, count - done);
    await client[name](Array.from({ length }, (_, n) => makeJob(first + done + n, 0)));
    process.send({ progress: done + length });
  }
  await client.settle();
  return {};
}

const tasks = {
  fill_finished: (task) => fill('fillFinished', task),
  fill_waiting: (task) => fill('fillWaiting', task),
  counts: async () => ({ jobs: await client.counts() }),
  async lifecycle({ style, round, drain, ...times }) {
    countFromZero();
    const window = new Window(times);
    const self = window.selfAfterWarmup.then(
      (ofSelf) => new Promise((resolve) => setTimeout(() => resolve(ofSelf()), times.seconds * 1000)),
    );
    if (style === 'by_hand') await lifecycleByHand(window, round);
    else await lifecycleOfWorkers(window, { round, style, drain });
    return window.result(await self);
  },
  async start_workers({ style, warmup }) {
    countFromZero();
    claims_us = [];
    measured_from_us = nowUs() + warmup * 1e6;
    const ofClaim = (job) => {
      if (job.created_us >= measured_from_us && !seen.has(job.number)) claims_us.push(nowUs() - job.created_us);
      claimed(job);
    };
    const finished = () => (counts.finished += 1);
    await client.startWorkers(workers, { claimed: ofClaim, finished }, style);
    return {};
  },
  so_far: () => ({}),
  async stop_workers() {
    await client.stopWorkers();
    return { latencies_us: claims_us };
  },
  // Creates jobs at a rate, whatever becomes of them.
  async create_at({ rate, seconds, warmup, round }) {
    countFromZero();
    const began_us = nowUs();
    const self = watchSelf();
    const all = Math.floor(rate * (seconds + warmup));
    const open_ones = [];
    for (let n = 0; n < all; ) {
      const due = Math.min(all, Math.floor(((nowUs() - began_us) / 1e6) * rate));
      for (; n < due; n += 1) open_ones.push(client.create(nextJob(round)).then(() => (counts.created += 1)));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(open_ones);
    return { self: self() };
  },
};

process.on('message', async (task) => {
  try {
    process.send({ result: { ...(await tasks[task.name](task)), counts } });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: true });
