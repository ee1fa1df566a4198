// pg-boss as its users call it: send, fetch, complete.
import { PgBoss } from 'pg-boss';

const bulk_jobs = 1000;

// What one process does with the queue `name` of the PostgreSQL at `target`, over at most `clients` connections.
export async function open(target, name, { clients }) {
  const boss = new PgBoss({ connectionString: target, max: Math.max(clients, 2) });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(name);
  return {
    send: (text) => boss.send(name, { text }),
    async receive() {
      const [job] = await boss.fetch(name);
      return job && { text: job.data.text, receipt: job.id };
    },
    settle: (id) => boss.complete(name, id),
    async fill(texts) {
      for (let at = 0; at < texts.length; at += bulk_jobs)
        await boss.insert(
          name,
          texts.slice(at, at + bulk_jobs).map((text) => ({ data: { text } })),
        );
    },
    async counts() {
      const sql = `SELECT count(*) FILTER (WHERE state = 'created')::int AS waiting,
                          count(*) FILTER (WHERE state = 'active')::int AS active
                   FROM pgboss.job WHERE name = $1`;
      const { rows } = await boss.getDb().executeSql(sql, [name]);
      return rows[0];
    },
    close: () => boss.stop({ graceful: false }),
  };
}
