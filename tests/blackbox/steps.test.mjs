// The built-in worker for workflows: that steps are requests and commands as their file says, that trouble is told from
// trouble that may pass, that limits hold, and that a worker which is killed leaves nothing behind and a job that goes on.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ours, runBinary, scratchDir, sleep, startServer, unique, until } from './harness.mjs';
import { clientOf, newRun, ok } from './jobs_client.mjs';
import { quickOrchestrator, Service, Workflows } from './steps_bench.mjs';
import { startWorker } from './worker_client.mjs';

const isAlive = (pid) => existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

describe('002, workflows', ours, () => {
  let server, api, service, workflows, worker;
  const workerArgs = (more = []) => ['--workflows', workflows.folder, '--only', 'steps', '--lease', '2', '--slots', '4', ...more];
  const env = { STEP_TOKEN: 'very-secret-token' };

  before(async () => {
    service = await new Service().start();
    workflows = new Workflows();
    server = await startServer({ args: ['--contracts', quickOrchestrator()] });
    api = clientOf(server.endpoint);
    worker = startWorker(server, workerArgs(), { env });
  });
  after(async () => {
    assert.equal(await worker.stop(), 0, worker.run.output);
    await server.stop();
    await service.stop();
  });

  const create = (workflow_id, fields = {}) => ok(api('POST', 'orchestrator/job', newRun({ workflow_id, steps_total: 0, ...fields })), 201);
  const get = (job_id) => ok(api('GET', `orchestrator/job/${job_id}`));
  const history = async (job_id) => (await ok(api('GET', `orchestrator/job/${job_id}:history?limit=100`))).items;
  const ended = (job_id, states = ['completed', 'dead', 'canceled'], timeout_ms = 30_000) =>
    until(`${job_id} ends`, async () => {
      const job = await get(job_id);
      return states.includes(job.status) && job;
    }, { timeout_ms });
  const run = async (workflow, fields) => ended((await create(workflow, fields)).job_id);
  const callsOf = (job_id) => service.requests.filter(({ headers }) => headers['idempotency-key']?.startsWith(`${job_id}/`));

  test('O9, O12: requests and commands, one behind the other, with what earlier ones left; credits add up', async () => {
    service.answer = ({ path }) => ({ body: { id: 'r-17', path, pages: [1, 2] } });
    workflows.script('shout.sh', 'read line; printf \'{"line":"%s","arg":"%s","token":"%s"}\' "$line" "$2" "$TOKEN"');
    workflows.add('publish', `
  - name: fetch
    http:
      method: POST
      url: "${service.url}/reports/{job.input.page}"
      headers: {Authorization: "Bearer \${ENV:STEP_TOKEN}"}
      json: {workspace: "{job.workspace_id}", sizes: "{job.input.sizes}", fixed: 10}
    credits: 1.5
    keep: {id: "{output.body.id}", second: "{output.body.pages.1}"}
  - name: shout
    command:
      run: [./shout.sh, "--", "{steps.fetch.id}; rm -rf /"]
      env: {TOKEN: "\${ENV:STEP_TOKEN}"}
      stdin: "page {job.input.page}, {steps.fetch.second}\\n"
    output: json
    credits: 2
  - name: close
    http: {url: "${service.url}/close?by={steps.shout.stdout.arg}"}
`);
    const job = await run('publish', { input: { page: 'a/b', sizes: [3, 4] } });
    assert.equal(job.status, 'completed', job.last_error_message);
    assert.deepEqual([job.step_cursor, job.steps_total, job.step_names], [3, 3, ['fetch', 'shout', 'close']]);
    assert.deepEqual(job.step_outputs.fetch, { id: 'r-17', second: 2 });
    assert.deepEqual(job.step_outputs.shout, { exit: 0, stdout: { line: 'page a/b, 2', arg: 'r-17; rm -rf /', token: 'very-secret-token' } });
    assert.deepEqual([job.credits_estimate, job.credits_reserved, job.credits_spent], [3.5, 0, 3.5], 'what is reserved is released at the end');
    assert.ok(job.started_at && job.completed_at && job.ttl_at);
    const [fetch, close] = callsOf(job.job_id);
    assert.equal(fetch.path, '/reports/a%2Fb');
    assert.deepEqual(JSON.parse(fetch.body), { workspace: job.workspace_id, sizes: [3, 4], fixed: 10 });
    assert.equal(fetch.headers.authorization, 'Bearer very-secret-token');
    assert.equal(fetch.headers['idempotency-key'], `${job.job_id}/fetch`);
    assert.equal(close.path, '/close?by=r-17%3B%20rm%20-rf%20%2F');
    assert.ok(!worker.run.output.includes('very-secret-token'), 'secrets are in no log');
  });

  test('O5, O6: 500, then 200: the attempt failed, and the next one goes on', async () => {
    const answers = new Map([['/first', [200]], ['/second', [500, 503, 200]]]);
    service.answer = ({ path }) => ({ status: answers.get(path).shift() });
    workflows.add('flaky', `
  - {name: first, http: {url: "${service.url}/first"}, credits: 1}
  - {name: second, http: {url: "${service.url}/second"}, credits: 1}
`);
    const job = await run('flaky');
    assert.equal(job.status, 'completed', job.last_error_message);
    assert.deepEqual([job.attempts, job.credits_spent], [2, 2], 'a step that failed costs nothing');
    assert.deepEqual(callsOf(job.job_id).map(({ path }) => path), ['/first', '/second', '/second', '/second'], 'what is done is skipped');
    assert.equal(new Set(callsOf(job.job_id).slice(1).map(({ headers }) => headers['idempotency-key'])).size, 1);
    const failures = (await history(job.job_id)).filter(({ to }) => to === 'failed');
    assert.equal(failures.length, 2);
  });

  test('O5: retries of a step within one attempt cost no attempt', async () => {
    const answers = [500, 200];
    service.answer = () => ({ status: answers.shift() });
    workflows.add('patient', `\n  - {name: only, retries: 2, http: {url: "${service.url}/patient"}}\n`);
    const job = await run('patient');
    assert.deepEqual([job.status, job.attempts], ['completed', 0]);
  });

  test('O5: what would come again is dead at once, with code and message', async () => {
    service.answer = () => ({ status: 404, body: { secret: 'of the answer' } });
    workflows.add('gone', `\n  - {name: only, http: {url: "${service.url}/gone"}}\n`);
    const job = await run('gone');
    assert.deepEqual([job.status, job.attempts, job.last_error_code, job.last_error_message], ['dead', 1, 'STEP_HTTP_STATUS', 'step "only": the service answers with status 404']);
    assert.ok(job.completed_at);
    assert.equal(job.credits_reserved, 0);
  });

  test('O5: five attempts that fail are all there are; then it is dead', async () => {
    service.answer = () => ({ status: 503 });
    workflows.add('down', `\n  - {name: only, http: {url: "${service.url}/down"}}\n`);
    const { job_id } = await create('down', { max_attempts: 3 });
    const job = await ended(job_id);
    assert.deepEqual([job.status, job.attempts], ['dead', 3]);
    assert.equal(callsOf(job_id).length, 3);
  });

  test('a redirect is not followed: what is meant for one place goes to no other', async () => {
    service.answer = ({ path }) => (path === '/away' ? { status: 302, headers: { location: `${service.url}/thief` } } : {});
    workflows.add('away', `\n  - {name: only, http: {url: "${service.url}/away", headers: {Authorization: "\${ENV:STEP_TOKEN}"}}}\n`);
    const job = await run('away');
    assert.match(job.last_error_message, /302, and redirects are not followed/);
    assert.ok(!service.requests.some(({ path }) => path === '/thief'));
  });

  test('time limits: a service that hangs, and a command with all that it has started', async () => {
    service.answer = () => undefined;
    workflows.add('hangs', `\n  - {name: only, timeout: 1s, http: {url: "${service.url}/hangs"}}\n`);
    workflows.script('linger.sh', 'setsid sleep 300 & echo $! > "$1"; sleep 300 & echo $! >> "$1"; trap "" TERM; while :; do sleep 300; done');
    const pids = join(scratchDir(), 'pids');
    workflows.add('lingers', `\n  - {name: only, timeout: 1s, command: {run: [./linger.sh, "${pids}"]}}\n`);
    const [hung, lingered] = await Promise.all([run('hangs', { max_attempts: 1 }), run('lingers', { max_attempts: 1 })]);
    assert.deepEqual([hung.status, hung.last_error_code], ['dead', 'STEP_TIMEOUT']);
    assert.deepEqual([lingered.status, lingered.last_error_code], ['dead', 'STEP_TIMEOUT']);
    const started = readFileSync(pids, 'utf8').trim().split('\n');
    assert.equal(started.length, 2);
    for (const pid of started) assert.ok(!isAlive(pid), `${pid} is gone`);
  });

  test('commands that end otherwise than they should', async () => {
    workflows.add('exit', '\n  - {name: only, command: {run: [sh, -c, "exit 65"]}}\n');
    workflows.add('killed', '\n  - {name: only, command: {run: [sh, -c, "kill -9 $$"]}}\n');
    workflows.add('missing', '\n  - {name: only, command: {run: [./not-there]}}\n');
    workflows.add('allowed', '\n  - {name: only, command: {run: [sh, -c, "exit 3"], expect: [0, 3]}}\n');
    const [exit, killed, missing, allowed] = await Promise.all(['exit', 'killed', 'missing', 'allowed'].map((name) => run(name, { max_attempts: 2 })));
    assert.deepEqual([exit.status, exit.attempts, exit.last_error_message], ['dead', 1, 'step "only": the command ended with exit code 65']);
    assert.deepEqual([killed.status, killed.attempts, killed.last_error_message], ['dead', 2, 'step "only": the command was ended by signal KILL']);
    assert.deepEqual([missing.status, missing.attempts, missing.last_error_code], ['dead', 1, 'STEP_NOT_STARTED']);
    assert.deepEqual([allowed.status, allowed.step_outputs.only.exit], ['completed', 3]);
  });

  test('output has bounds, and so has what is kept of it', async () => {
    service.answer = () => ({ body: 'x'.repeat(2_000_000), headers: { 'content-type': 'text/plain' } });
    workflows.add('prints', '\n  - {name: only, command: {run: [sh, -c, "yes | head -c 30000000"]}}\n');
    workflows.add('floods', `\n  - {name: only, http: {url: "${service.url}/floods"}}\n`);
    workflows.add('demands', '\n  - {name: only, output: json, command: {run: [echo, "no json"]}}\n');
    const [prints, floods, demands] = await Promise.all(['prints', 'floods', 'demands'].map((name) => run(name)));
    assert.equal(prints.status, 'completed', prints.last_error_message);
    assert.deepEqual(prints.step_outputs.only, { exit: 0, is_cut: true });
    assert.deepEqual([floods.status, floods.last_error_code], ['dead', 'STEP_OUTPUT_TOO_LARGE']);
    assert.deepEqual([demands.status, demands.last_error_code], ['dead', 'STEP_OUTPUT_INVALID']);
  });

  test('commands have an environment of their own, a folder that is gone with the job, and no shell', async () => {
    workflows.add('looks', '\n  - {name: only, output: text, command: {run: [sh, -c, "pwd; env | sort; touch file"]}}\n');
    const job = await run('looks');
    const [folder, ...variables] = job.step_outputs.only.stdout.split('\n');
    assert.ok(folder.startsWith(worker.temp));
    assert.ok(!existsSync(folder));
    const names = variables.map((line) => line.split('=')[0]).filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name));
    assert.deepEqual(names, ['HOME', 'LANG', 'PATH', 'TMPDIR', 'WAYBILL_ATTEMPT', 'WAYBILL_IDEMPOTENCY_KEY', 'WAYBILL_JOB_ID', 'WAYBILL_STEP', 'WAYBILL_WORKFLOW']);
    assert.ok(variables.includes(`WAYBILL_IDEMPOTENCY_KEY=${job.job_id}/only`));
  });

  test('a job decides neither about programs nor about hosts nor about files', async () => {
    service.answer = () => ({});
    workflows.add('careful', `\n  - {name: only, http: {url: "${service.url}/x/{job.input.page}/y"}}\n`);
    const [dots, path, missing] = await Promise.all([run('careful', { input: { page: '..' } }), run('../../../etc/passwd'), run('careful')]);
    assert.deepEqual([dots.status, dots.last_error_code], ['dead', 'STEP_VALUE_MISSING']);
    assert.deepEqual([path.status, path.last_error_code], ['dead', 'WORKFLOW_UNKNOWN']);
    assert.match(missing.last_error_message, /there is no value \{job\.input\.page\}/);
  });

  test('O13: a job that is canceled stops: its command is killed, and nothing of it goes on', async () => {
    const pids = join(scratchDir(), 'pids');
    workflows.script('wait.sh', 'echo $$ > "$1"; exec sleep 300');
    workflows.add('long', `
  - {name: waits, credits: 1, command: {run: [./wait.sh, "${pids}"]}}
  - {name: never, credits: 1, http: {url: "${service.url}/never"}}
`);
    const { job_id } = await create('long');
    const pid = await until('the command runs', () => existsSync(pids) && readFileSync(pids, 'utf8').trim());
    await ok(api('POST', `orchestrator/job/${job_id}:cancel`, { why: 'changed my mind' }));
    await until('the command is gone', () => !isAlive(pid), { timeout_ms: 10_000 });
    const job = await get(job_id);
    assert.deepEqual([job.status, job.step_cursor, job.credits_spent, job.credits_reserved], ['canceled', 0, 0, 0]);
    await sleep(500);
    assert.equal(callsOf(job_id).length, 0);
    assert.equal((await get(job_id)).updated_at, job.updated_at, 'nothing more was written');
  });

  test('O9: a worker that is told to stop gives its jobs back, and nothing of them runs on', async () => {
    const pids = join(scratchDir(), 'pids');
    workflows.script('once.sh', 'if [ -e "$1" ]; then exit 0; fi; echo $$ > "$1"; sleep 300');
    workflows.add('interrupted', `\n  - {name: first, credits: 1, command: {run: ["true"]}}\n  - {name: second, credits: 1, command: {run: [./once.sh, "${pids}"]}}\n`);
    const { job_id } = await create('interrupted');
    const pid = await until('the command runs', () => existsSync(pids) && readFileSync(pids, 'utf8').trim());
    assert.equal(await worker.stop(), 0);
    assert.ok(!isAlive(pid));
    worker = startWorker(server, workerArgs(), { env });
    const job = await ended(job_id);
    assert.deepEqual([job.status, job.credits_spent, job.attempts], ['completed', 2, 0], 'a worker that has to go is no failed attempt');
  });

  test('workflows run inside a server that has their folder', async () => {
    service.answer = () => ({ body: { id: 'r', pages: [1, 2] } });
    const own = await startServer({ workers: 'steps', args: ['--contracts', quickOrchestrator(), '--workflows', workflows.folder], env });
    const client = clientOf(own.endpoint);
    const { job_id } = await ok(client('POST', 'orchestrator/job', newRun({ workflow_id: 'publish', steps_total: 0, input: { page: 'x', sizes: [] } })), 201);
    const job = await until('it ends', async () => {
      const record = await ok(client('GET', `orchestrator/job/${job_id}`));
      return ['completed', 'dead'].includes(record.status) && record;
    }, { timeout_ms: 30_000 });
    assert.equal(job.status, 'completed', job.last_error_message);
    assert.equal(await own.stop(), 0);
  });

  test('a file that is changed while a job runs: steps that are done must be the same', async () => {
    let changes;
    service.answer = () => (changes(), { status: 503 });
    const write = (first) => workflows.add('changing', `
  - {name: ${first}, command: {run: ["true"]}}
  - {name: call, http: {url: "${service.url}/changing"}}
`);
    write('one');
    changes = () => write('other');
    const job = await run('changing');
    assert.deepEqual([job.status, job.last_error_code], ['dead', 'WORKFLOW_CHANGED']);
  });

  test('a workflow that is not as it should be is refused at the start, with line and column', async () => {
    const broken = new Workflows();
    broken.add('broken', '  - {name: a, http: {ulr: "http://x/"}}\n');
    const check = runBinary(['work', '--endpoint', server.endpoint, '--workflows', broken.folder], { within_ms: 10_000 });
    assert.equal(await check.exited, 1);
    assert.match(check.output, /broken\.yaml:3:\d+: error: .*ulr/);
  });

  test('jobs of workflows are left alone by workers without workflows', async () => {
    const { job_id } = await (async () => {
      await worker.stop();
      return create('publish', { input: { page: 'x', sizes: [] } });
    })();
    const other = startWorker(server, ['--lease', '2']);
    await sleep(1500);
    assert.equal((await get(job_id)).status, 'queued');
    await other.stop();
    service.answer = () => ({ body: { id: 'r', pages: [1, 2] } });
    worker = startWorker(server, workerArgs(), { env });
    assert.equal((await ended(job_id)).status, 'completed');
  });
});

describe('002, workers and servers that are killed', ours, () => {
  const seed = Number(process.env.WAYBILL_TEST_SEED ?? Date.now() % 1_000_000);
  let random = seed;
  const chance = () => (random = (random * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;

  // Six runs of a workflow whose every step says to a service that it begins.
  async function begin(t) {
    t.diagnostic(`seed ${seed}`);
    const service = await new Service().start();
    const workflows = new Workflows();
    const args = ['--contracts', quickOrchestrator()];
    const server = await startServer({ args });
    service.answer = () => ({ delay_ms: 100 + 300 * chance() });
    workflows.script('mark.sh', `curl -s -o "$TMPDIR/answer" -H "idempotency-key: $WAYBILL_IDEMPOTENCY_KEY" ${service.url}/mark; sleep 0.$1; echo $$`);
    workflows.add('crash', `
  - {name: s0, credits: 1, http: {url: "${service.url}/s0"}}
  - {name: s1, credits: 2, command: {run: [./mark.sh, "2"]}}
  - {name: s2, credits: 4, http: {method: POST, url: "${service.url}/s2", json: {before: "{steps.s1.stdout}"}}}
  - {name: s3, credits: 8, command: {run: [./mark.sh, "1"]}}
`);
    const api = clientOf(server.endpoint);
    const jobs = [];
    for (let i = 0; i < 6; i++) jobs.push((await ok(api('POST', 'orchestrator/job', newRun({ workflow_id: 'crash', steps_total: 0, max_attempts: 100 })), 201)).job_id);
    return { service, server, args, api, jobs, work: () => startWorker(server, ['--workflows', workflows.folder, '--only', 'steps', '--lease', '2', '--slots', '3']) };
  }

  async function checkJobs({ service, api, jobs }) {
    for (const job_id of jobs) {
      const job = await until(`${job_id} ends`, async () => {
        const record = await ok(api('GET', `orchestrator/job/${job_id}`));
        return ['completed', 'dead'].includes(record.status) && record;
      }, { timeout_ms: 60_000 });
      assert.equal(job.status, 'completed', `${job.last_error_code}: ${job.last_error_message}`);
      assert.deepEqual([job.step_cursor, job.credits_spent, job.credits_reserved], [4, 15, 0]);
      const steps = service.requests.map(({ headers }) => headers['idempotency-key']).filter((key) => key?.startsWith(job_id)).map((key) => Number(key.at(-1)));
      assert.deepEqual([...steps].sort(), steps, 'a step begins when the one before it is done, and never again after that');
      assert.deepEqual([...new Set(steps)], [0, 1, 2, 3]);
    }
  }

  test('O9, O12, O13: kill -9 of workers in the middle of steps: none that is done runs again, jobs end right, credits add up, nothing is left running', async (t) => {
    const bench = await begin(t);
    let lost = 0; // requests whose worker was killed before the answer
    for (let kill = 0; kill < 8; kill++) {
      const worker = bench.work();
      await sleep(300 + 1200 * chance());
      const children = readFileSync(`/proc/${worker.run.child.pid}/task/${worker.run.child.pid}/children`, 'utf8');
      await worker.stop('SIGKILL');
      lost += bench.service.requests.length - bench.service.answered;
      await until('guards and commands are gone', () => children.trim().split(' ').filter(Boolean).every((pid) => !isAlive(pid)), { timeout_ms: 5_000 });
    }
    assert.ok(lost > 0, 'some steps were under way when their worker was killed');
    const worker = bench.work();
    await checkJobs(bench);
    assert.equal(await worker.stop(), 0);
    await bench.server.stop();
    await bench.service.stop();
  });

  test('O9, O12, O13: kill -9 of the server in the middle of steps: a worker that stays goes on with it, none that is done runs again, credits add up', async (t) => {
    const bench = await begin(t);
    const { server, args, service } = bench;
    const worker = bench.work();
    let [running, under_way] = [server, 0];
    for (let kill = 0; kill < 6; kill++) {
      await sleep(200 + 500 * chance());
      under_way += service.requests.length - service.answered;
      await running.stop('SIGKILL');
      if (chance() < 0.5) await sleep(400 * chance());
      running = await startServer({ data: server.data, port: server.port, args });
    }
    assert.ok(under_way > 0, 'some steps were under way when the server was killed');
    await checkJobs(bench);
    assert.equal(await worker.stop(), 0, worker.run.output);
    await running.stop();
    await service.stop();
  });

  test('O14: events of a run share job_id', async () => {
    const service = await new Service().start();
    const events = await new Service().start();
    const workflows = new Workflows();
    const folder = quickOrchestrator(`\npublish:\n  - {to: webhook, url: "${events.url}/events"}\n`);
    const server = await startServer({ args: ['--contracts', folder] });
    const api = clientOf(server.endpoint);
    service.answer = () => ({ status: 404 });
    workflows.add('fails', `\n  - {name: only, http: {url: "${service.url}/x"}}\n`);
    workflows.add('works', '\n  - {name: only, command: {run: ["true"]}}\n');
    const worker = startWorker(server, ['--workflows', workflows.folder, '--only', 'steps', '--lease', '2']);
    for (const [workflow_id, success] of [['works', true], ['fails', false]]) {
      const { job_id } = await ok(api('POST', 'orchestrator/job', newRun({ workflow_id, steps_total: 0 })), 201);
      const told = await until('three events', () => {
        const all = events.requests.map(({ body }) => JSON.parse(body)).flat().filter((event) => JSON.stringify(event).includes(job_id));
        return all.length >= 3 && all;
      }, { timeout_ms: 15_000 });
      assert.deepEqual(told.map(({ type }) => type), ['workflow_run_created', 'workflow_run_started', 'workflow_run_completed']);
      assert.ok(told.every((event) => event.subject === job_id || event.data.job_id === job_id), JSON.stringify(told));
      assert.equal(told[2].data.success, success, JSON.stringify(told[2]));
    }
    await worker.stop();
    await server.stop();
    await service.stop();
    await events.stop();
  });
});
