// Jobs with Restate: a service whose handler is called for each job that is sent to it, and whose steps are ctx.run.
// The server calls as many handlers at once as it was told (peers/restate.mjs); the rest waits there. A finished
// invocation stays for a day.
//
// A process is an endpoint with a service of its own: Restate spreads nothing over processes by itself.
import http from 'node:http';
import http2 from 'node:http2';
import { createEndpointHandler, service } from '@restatedev/restate-sdk/node';
import { progressAfter, steps } from './job.mjs';

export const styles = ['workers'];
export const waits = 'workers';
// A handler whose connection was lost, or that was slow to answer, is called again and goes on behind its last step.
export const calls_again = true;

const fill_in_flight = 128;

export async function open(target, { workers, number, processes }) {
  const { hostname: host, port, searchParams } = new URL(target);
  const admin = `http://${host}:${searchParams.get('admin')}`;
  const name = `runs${number}`;
  let sent = 0;
  // One that only creates does so for all processes in turn.
  const next = () => (workers ? name : `runs${(sent += 1) % processes}`);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });

  // `how`: /send returns once it is written down, nothing once it is done.
  function call(handler, how, job) {
    const body = JSON.stringify(job);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = { host, port, agent, method: 'POST', path: `/${next()}/${handler}${how}`, headers };
    return new Promise((resolve, reject) => {
      const request = http.request(options, (answer) => {
        answer.resume().once('end', () =>
          answer.statusCode < 300 ? resolve() : reject(new Error(`${handler} is answered with ${answer.statusCode}`)),
        );
      });
      request.once('error', reject).end(body);
    });
  }

  // While nobody works, handlers that are called wait here.
  let gate = Promise.withResolvers();
  let hooks;

  async function run(context, job) {
    await gate.promise;
    hooks.claimed(job);
    for (let cursor = 1; cursor <= steps; cursor += 1) await context.run(`step ${cursor}`, () => progressAfter(cursor));
    hooks.finished(job);
    return 'done';
  }

  if (workers) await serve(admin, service({ name, handlers: { run, end: async () => 'done' } }));

  async function query(sql) {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await fetch(`${admin}/query`, { method: 'POST', headers, body: JSON.stringify({ query: sql }) });
    if (!answer.ok) throw new Error(`restate answers a query with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()).rows;
  }

  async function callAll(handler, how, jobs) {
    let at = 0;
    const oneByOne = async () => {
      while (at < jobs.length) await call(handler, how, jobs[at++]);
    };
    await Promise.all(Array.from({ length: fill_in_flight }, oneByOne));
  }

  return {
    create: (job) => call('run', '/send', job),
    startWorkers(_, given) {
      hooks = given;
      gate.resolve();
    },
    stopWorkers() {
      gate = Promise.withResolvers();
    },
    fillWaiting: (jobs) => callAll('run', '/send', jobs),
    fillFinished: (jobs) => callAll('end', '', jobs),
    settle() {},
    async counts() {
      const rows = await query('SELECT status, count(*) AS many FROM sys_invocation GROUP BY status');
      const of = (...names) =>
        rows.filter(({ status }) => names.includes(status)).reduce((sum, { many }) => sum + many, 0);
      return {
        waiting: of('pending', 'ready'),
        active: of('running', 'suspended', 'backing-off'),
        finished: of('completed'),
      };
    },
  };
}

async function serve(admin, made) {
  const server = http2.createServer(createEndpointHandler({ services: [made], logger: () => {} }));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answer = await fetch(`${admin}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${server.address().port}`, force: true }),
  });
  if (!answer.ok) throw new Error(`restate does not take the endpoint: ${await answer.text()}`);
}
