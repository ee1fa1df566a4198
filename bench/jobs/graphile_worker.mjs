// Jobs with graphile-worker, which forgets a job once it is done: what is known of a run stands in a table of its own
// in the same database. A run and its job are created in one statement, a step is an update of the run.
//
// workers: as it is by default. batches: its local queue and its joined completions, which it advises for throughput.
import { Logger, run } from 'graphile-worker';
import pg from 'pg';
import { progressAfter, steps } from './job.mjs';

const create_run = `
  WITH made AS (INSERT INTO runs (data) VALUES ($1) RETURNING id, data)
  SELECT graphile_worker.add_job('run', json_build_object('run', id, 'job', data)) FROM made`;
const record_step = 'UPDATE runs SET step_cursor = $2, output = $3 WHERE id = $1';

const quiet = new Logger(() => () => {});
const batched = (workers) => ({ localQueue: { size: workers + 1 }, completeJobBatchDelay: 0 });

export const styles = ['workers', 'batches'];
export const waits = 'workers';

export async function open(target, { workers }) {
  const pool = new pg.Pool({ connectionString: target, max: 2 * workers + 4 });
  pool.on('error', (error) => console.error(error));
  const query = async (text, values, statement) => (await pool.query({ text, values, name: statement })).rows;
  let runner;

  async function start(count, style, taskList) {
    const worker = { concurrentJobs: count, ...(style === 'batches' && batched(count)) };
    return run({ pgPool: pool, taskList, noHandleSignals: true, logger: quiet, preset: { worker } });
  }

  // Makes its schema, and the table.
  const first = await start(1, 'workers', { none: async () => {} });
  await first.stop();
  await query(`CREATE TABLE IF NOT EXISTS runs (id bigserial PRIMARY KEY, step_cursor int NOT NULL DEFAULT 0,
                 data jsonb NOT NULL, output jsonb)`);

  return {
    create: (job) => query(create_run, [JSON.stringify(job)], 'create_run'),
    async startWorkers(count, { claimed, finished }, style) {
      const task = async ({ run: id, job }) => {
        claimed(job);
        for (let cursor = 1; cursor <= steps; cursor += 1)
          await query(record_step, [id, cursor, JSON.stringify(progressAfter(cursor))], 'record_step');
      };
      runner = await start(count, style, { run: task });
      runner.events.on('job:complete', ({ job }) => finished(job.payload.job));
    },
    stopWorkers: () => runner.stop(),
    fillWaiting: (jobs) =>
      query(
        `WITH made AS (INSERT INTO runs (data) SELECT * FROM jsonb_array_elements($1::jsonb) RETURNING id, data)
         SELECT count(graphile_worker.add_job('run', json_build_object('run', id, 'job', data))) FROM made`,
        [JSON.stringify(jobs)],
      ),
    fillFinished: (jobs) =>
      query(
        `INSERT INTO runs (data, step_cursor, output)
         SELECT *, $2::int, $3::jsonb FROM jsonb_array_elements($1::jsonb)`,
        [JSON.stringify(jobs), steps, JSON.stringify(progressAfter(steps))],
      ),
    settle: () => query('VACUUM ANALYZE'),
    async counts() {
      const [jobs] = await query(`SELECT count(*) FILTER (WHERE locked_at IS NULL)::int AS waiting,
                                         count(locked_at)::int AS active FROM graphile_worker.jobs`);
      const [runs] = await query('SELECT count(*)::int AS finished FROM runs WHERE step_cursor = $1', [steps]);
      return { ...jobs, ...runs };
    },
  };
}
