// Jobs with BullMQ. A step is the job's progress; finished jobs stay.
//
// by_hand: a Worker whose jobs are taken and completed by hand. workers: a Worker that calls a processor.
import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { progressAfter, steps } from './job.mjs';

const name = 'runs';
const bulk_jobs = 500;
const keyOf = (id) => `bull:${name}:${id}`;

export const styles = ['by_hand', 'workers'];
export const waits = 'workers';

export async function open(target, { workers }) {
  const { hostname: host, port } = new URL(target);
  const connection = { host, port: Number(port), maxRetriesPerRequest: null };
  const queue = new Queue(name, { connection });
  const by_hand = new Worker(name, null, { connection, autorun: false, lockDuration: 10 * 60 * 1000 });
  await Promise.all([queue.waitUntilReady(), by_hand.waitUntilReady()]);
  let worker;

  async function process({ job, claimed }) {
    claimed(job.data);
    for (let cursor = 1; cursor <= steps; cursor += 1) await job.updateProgress(progressAfter(cursor));
    return 'done';
  }

  return {
    create: (job) => queue.add('run', job),
    async claim() {
      const token = randomUUID();
      const job = await by_hand.getNextJob(token, { block: false });
      return job && { data: job.data, job, token };
    },
    recordStep: ({ job }, cursor) => job.updateProgress(progressAfter(cursor)),
    // Without the next one in the same call: that is another client's claim.
    finish: ({ job, token }) => job.moveToCompleted('done', token, false),
    async startWorkers(count, { claimed, finished }) {
      worker = new Worker(name, (job) => process({ job, claimed }), { connection, concurrency: count });
      worker.on('completed', (job) => finished(job.data));
      worker.on('error', (error) => console.error(error));
      await worker.waitUntilReady();
    },
    stopWorkers: () => worker.close(),
    async fillWaiting(jobs) {
      for (let at = 0; at < jobs.length; at += bulk_jobs)
        await queue.addBulk(jobs.slice(at, at + bulk_jobs).map((data) => ({ name: 'run', data })));
    },
    // As BullMQ leaves them: one that it has completed, many times.
    async fillFinished(jobs) {
      const made = await queue.add('run', jobs[0]);
      const token = randomUUID();
      const taken = await by_hand.getNextJob(token, { block: false });
      for (let cursor = 1; cursor <= steps; cursor += 1) await taken.updateProgress(progressAfter(cursor));
      await taken.moveToCompleted('done', token, false);
      const redis = new Redis(connection);
      const like = await redis.hgetall(keyOf(made.id));
      for (let at = 1; at < jobs.length; at += bulk_jobs) {
        const pipeline = redis.pipeline();
        for (const job of jobs.slice(at, at + bulk_jobs)) {
          const id = `filled-${job.number}`;
          pipeline.hset(keyOf(id), { ...like, data: JSON.stringify(job) });
          pipeline.zadd(keyOf('completed'), like.finishedOn, id);
        }
        await pipeline.exec();
      }
      await redis.quit();
    },
    settle() {},
    async counts() {
      const { waiting, active, completed } = await queue.getJobCounts('waiting', 'active', 'completed');
      return { waiting, active, finished: completed };
    },
  };
}
