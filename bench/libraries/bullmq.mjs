// BullMQ: a Queue that adds jobs, and a Worker whose jobs are taken and completed by hand, which carries several times
// as many round trips here as letting the Worker call a processor.
import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';

const job_options = { removeOnComplete: true };
const bulk_jobs = 500;
const lock_ms = 10 * 60 * 1000;  // of jobs that are taken now and completed in the next step

// What one process does with the queue `name` of the Redis at `target`.
export async function open(target, name) {
  const { hostname: host, port } = new URL(target);
  const connection = { host, port: Number(port), maxRetriesPerRequest: null };
  const queue = new Queue(name, { connection });
  const worker = new Worker(name, null, { connection, autorun: false, lockDuration: lock_ms });
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  return {
    send: (text) => queue.add('message', { text }, job_options),
    // The job, or undefined where none waits.
    async receive() {
      const token = randomUUID();
      const job = await worker.getNextJob(token, { block: false });
      return job && { text: job.data.text, receipt: { job, token } };
    },
    // Without the next one in the same call: that is another client's receive.
    settle: ({ job, token }) => job.moveToCompleted('done', token, false),
    async fill(texts) {
      for (let at = 0; at < texts.length; at += bulk_jobs) {
        const jobs = texts
          .slice(at, at + bulk_jobs)
          .map((text) => ({ name: 'message', data: { text }, opts: job_options }));
        await queue.addBulk(jobs);
      }
    },
    async counts() {
      const { waiting, active } = await queue.getJobCounts('waiting', 'active');
      return { waiting, active };
    },
    close: () => Promise.all([queue.close(), worker.close()]),
  };
}
