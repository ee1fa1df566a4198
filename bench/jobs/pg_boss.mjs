// Jobs with pg-boss. A step is written to the job's own row, as output; a finished job keeps it.
//
// by_hand: fetch and complete. workers: `work` with LISTEN/NOTIFY, which wakes a worker that waits; without it a worker
// polls every half second at best.
import { PgBoss } from 'pg-boss';
import { progressAfter, steps } from './job.mjs';

const name = 'runs';
const bulk_jobs = 1000;
const record_step = 'UPDATE pgboss.job SET output = $3 WHERE name = $1 AND id = $2';

export const styles = ['by_hand', 'workers'];
export const waits = 'workers';

export async function open(target, { workers }) {
  const boss = new PgBoss({ connectionString: target, max: workers + 4, useListenNotify: true });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(name, { notify: true });
  const query = async (sql, values) => (await boss.getDb().executeSql(sql, values)).rows;
  const recordStep = (id, cursor) => query(record_step, [name, id, JSON.stringify(progressAfter(cursor))]);

  async function handle([job], { claimed, finished }) {
    claimed(job.data);
    for (let cursor = 1; cursor <= steps; cursor += 1) await recordStep(job.id, cursor);
    finished(job.data);
    return progressAfter(steps);
  }

  return {
    create: (job) => boss.send(name, job),
    async claim() {
      const [job] = await boss.fetch(name);
      return job;
    },
    recordStep: (job, cursor) => recordStep(job.id, cursor),
    finish: (job) => boss.complete(name, job.id, progressAfter(steps)),
    startWorkers: (count, hooks) =>
      boss.work(name, { localConcurrency: count, pollingIntervalSeconds: 0.5 }, (jobs) => handle(jobs, hooks)),
    stopWorkers: () => boss.offWork(name, { wait: true }),
    async fillWaiting(jobs) {
      for (let at = 0; at < jobs.length; at += bulk_jobs)
        await boss.insert(name, jobs.slice(at, at + bulk_jobs).map((data) => ({ data })));
    },
    // As pg-boss leaves them: one that it has completed, many times.
    async fillFinished(jobs) {
      const columns = await query(
        `SELECT column_name AS name FROM information_schema.columns
         WHERE table_schema = 'pgboss' AND table_name = 'job' AND is_generated = 'NEVER'`,
      );
      const id = await boss.send(name, jobs[0]);
      await boss.fetch(name);
      await boss.complete(name, id, progressAfter(steps));
      const names = columns.map((column) => `"${column.name}"`);
      const own = { '"id"': 'gen_random_uuid()', '"data"': 'filled.data' };
      const values = names.map((one) => own[one] ?? `job.${one}`);
      const sql = `INSERT INTO pgboss.job (${names}) SELECT ${values}
                   FROM pgboss.job, jsonb_array_elements($2::jsonb) AS filled (data) WHERE job.id = $1`;
      await query(sql, [id, JSON.stringify(jobs.slice(1))]);
    },
    settle: () => query('VACUUM ANALYZE'),
    async counts() {
      const sql = `SELECT count(*) FILTER (WHERE state < 'active')::int AS waiting,
                          count(*) FILTER (WHERE state = 'active')::int AS active,
                          count(*) FILTER (WHERE state = 'completed')::int AS finished
                   FROM pgboss.job WHERE name = $1`;
      return (await query(sql, [name]))[0];
    },
  };
}
