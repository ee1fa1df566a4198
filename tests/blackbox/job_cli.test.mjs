// `waybill job` and completion: what people do at a terminal, against a server with the five contracts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { binary, ours, runBinary, scratchDir, unique, until } from './harness.mjs';
import { clientOf, contracts, newImage, newRun, ok, startJobs } from './jobs_client.mjs';

let server, api;
before(async () => {
  server = await startJobs();
  api = clientOf(server.endpoint);
});
after(() => server.stop());

const quiet = { NO_COLOR: '', COLUMNS: '', WAYBILL_ACTOR: '', USER: 'anna', AWS_ACCESS_KEY_ID: '', WAYBILL_ACCESS_KEY_ID: '' };

// Runs the command and gives {code, out, err}; `input` goes to its standard input.
async function run(args, { env = {}, input } = {}) {
  const child = spawn(binary, args, { env: { ...process.env, ...quiet, WAYBILL_SERVER: server.endpoint, ...env } });
  const ended = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (ended.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (ended.err += text));
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  ended.code = await new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  clearTimeout(timer);
  return ended;
}
const job = (...args) => run(['job', ...args]);

async function done(promise) {
  const ended = await promise;
  assert.equal(ended.code, 0, ended.err + ended.out);
  return ended.out;
}

async function refusedWith(promise, code, pattern) {
  const ended = await promise;
  assert.equal(ended.code, code, ended.err + ended.out);
  assert.match(ended.err, pattern);
  return ended;
}

const fieldsOf = (record) => Object.entries(record).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
const createJob = async (fields) => (await ok(api('POST', 'orchestrator/job', newRun(fields)), 201)).job_id;

test('create types fields by the contract and says where the record is', ours, async () => {
  const record = newRun({ user_id: '17', steps_total: 2 });
  const made = await done(job('create', 'orchestrator/job', ...fieldsOf(record)));
  const [, path, id] = /^(orchestrator\/job\/([0-9a-f-]{36}))  queued\n$/.exec(made) ?? assert.fail(made);
  const kept = await ok(api('GET', path));
  assert.equal(kept.user_id, '17');
  assert.equal(kept.steps_total, 2);
  const again = await job('create', 'orchestrator/job', ...fieldsOf(record));
  assert.equal(again.code, 0);
  assert.equal(again.out, made);
  assert.match(again.err, /^it was there already/);
  const { items } = await ok(api('GET', `orchestrator/job/${id}:history`));
  assert.match(items[0].actor, /anna/);
});

test('create takes JSON from a file or the standard input, an idempotency key, and lists', ours, async () => {
  const file = join(scratchDir(), 'run.json');
  const { idempotency_key, ...record } = newRun();
  writeFileSync(file, JSON.stringify(record));
  const key = unique('key');
  const first = await done(job('create', 'orchestrator/job', '--json-file', file, '--key', key, 'steps_total=7', 'credits_estimate=12345678901234567890123.5'));
  const second = await done(run(['job', 'create', 'orchestrator/job', '--json-file', '-', '--key', key], { input: JSON.stringify({ ...record, steps_total: 7 }).replace('}', ',"credits_estimate":12345678901234567890123.5}') }));
  assert.equal(first, second);
  assert.match(await done(job('show', first.split(' ')[0])), /^credits_estimate +12345678901234567890123\.5$/m);
  const image = JSON.parse(await done(job('create', 'image-service/image', '--json', 'tags=["a","b"]', ...fieldsOf(newImage()))));
  assert.deepEqual(image.tags, ['a', 'b']);
  await refusedWith(job('create', 'orchestrator/job', '--json-file', '/nowhere'), 1, /^waybill: the file \/nowhere cannot be read\n$/);
  await refusedWith(run(['job', 'create', 'orchestrator/job', '--json-file', '-'], { input: '[1]' }), 1, /must be a JSON object/);
});

test('a refusal is one line on stderr and exit code 1; wrong usage is 2', ours, async () => {
  const refusal = await refusedWith(job('create', 'orchestrator/job', 'workspace_id=w'), 1, /^waybill: .*user_id.*\n$/);
  assert.equal(refusal.out, '');
  await refusedWith(job('list', 'orchestrator/job'), 1, /^waybill: Records are listed by their keys.*\n$/);
  await refusedWith(job('list', 'nothing/job', 'a=b'), 1, /^waybill: .*nothing.*\n$/);
  await refusedWith(job('list', 'orchestrator/jobs', 'a=b'), 1, /it has job|jobs/);
  await refusedWith(job('show', 'orchestrator/job/none'), 1, /^waybill: There is no job "none" of contract orchestrator\n$/);
  await refusedWith(job('show', 'orchestrator/job/x', '--server', 'http://127.0.0.1:1'), 1, /^waybill: no answer from http:\/\/127\.0\.0\.1:1: .*--server URL.*\n$/);
  await refusedWith(job('show', 'orchestrator/job/x', '--server', 'ftp://x'), 1, /http:\/\/ or https:\/\//);
  await refusedWith(job('show', 'orchestrator/job/x', '--actor', 'a\nb: c'), 1, /control characters/);
  for (const args of [['list', 'orchestrator'], ['list', 'orchestrator/job', 'a'], ['show', 'orchestrator/job'], ['counts', 'orchestrator/job/x'],
    ['retry', 'orchestrator/job'], ['retry', 'orchestrator/job/x', '--all'], ['list', 'orchestrator/job', '--limit', '0'], ['none'], []]) {
    await refusedWith(job(...args), 2, /./);
  }
});

test('list makes a table, fits it to the width, and turns the pages', ours, async () => {
  const workspace_id = unique('ws');
  const ids = [];
  for (let i = 0; i < 3; i += 1) ids.push(await createJob({ workspace_id }));
  const lines = (await done(job('list', 'orchestrator/job', `workspace_id=${workspace_id}`))).trimEnd().split('\n');
  assert.match(lines[0], /^ID {36}status  created_at  workspace_id +workflow_id  trigger_type  credits_estimate$/);
  assert.deepEqual(lines.slice(1).map((line) => line.slice(0, 36)), [...ids].reverse());
  assert.match(lines[1], /queued {2}(now|\ds ago) /);
  const narrow = await run(['job', 'list', 'orchestrator/job', `workspace_id=${workspace_id}`], { env: { COLUMNS: '64' } });
  for (const line of narrow.out.trimEnd().split('\n')) assert.ok([...line].length <= 64, line);
  assert.match(narrow.err, /no room for: .*credits_estimate/);
  const two = await job('list', 'orchestrator/job', `workspace_id=${workspace_id}`, '--limit', '2', '--order', 'oldest', '--columns', 'status,workflow_id');
  assert.match(two.out, /^ID +status {2}workflow_id\n/);
  assert.deepEqual(two.out.trimEnd().split('\n').slice(1).map((line) => line.slice(0, 36)), ids.slice(0, 2));
  assert.match(two.err, /there are more/);
  const pages = (await done(job('list', 'orchestrator/job', `workspace_id=${workspace_id}`, '--all', '--json'))).trimEnd().split('\n').map(JSON.parse);
  assert.equal(pages.flatMap((page) => page.items).length, 3);
  const none = await job('list', 'orchestrator/job', `workspace_id=${unique()}`);
  assert.deepEqual([none.code, none.out, none.err], [0, '', 'none\n']);
});

test('more than a page comes whole', ours, async () => {
  const workspace_id = unique('ws');
  const count = 1005;
  for (let made = 0; made < count; made += 67) {
    await Promise.all(Array.from({ length: Math.min(67, count - made) }, () => createJob({ workspace_id })));
  }
  const out = await done(job('list', 'orchestrator/job', `workspace_id=${workspace_id}`, '--all'));
  const lines = out.trimEnd().split('\n').slice(1);
  assert.equal(lines.length, count);
  assert.equal(new Set(lines).size, count);
});

test('list by tags, and ids of several fields lead to the record', ours, async () => {
  const userId = unique('user');
  const tag = unique('tag');
  const { id } = await ok(api('POST', 'image-service/image', newImage({ userId, tags: [tag, 'x'] })), 201);
  const out = await done(job('list', 'image-service/image', `userId=${userId}`, '--tag', tag, '--tag', 'x', '--match', 'all'));
  assert.ok(out.split('\n')[1].startsWith(id), out);
  const project_id = unique('p,1/2%');
  await done(job('create', 'asset-creator/project', `project_id=${project_id}`, 'name=17'));
  const shown = await done(job('show', `asset-creator/project/${project_id.replace(/[%,/]/g, encodeURIComponent)}`));
  assert.ok(shown.includes(project_id) && /^name +17$/m.test(shown), shown);
});

test('show has the record and its history; values cannot command the terminal', ours, async () => {
  const id = await createJob({ workflow_id: 'a\u001b[2Jb' });
  await done(run(['job', 'cancel', `orchestrator/job/${id}`, '--why', 'no longer needed'], { env: { WAYBILL_ACTOR: 'berta' } }));
  const shown = await done(job('show', `orchestrator/job/${id}`));
  assert.match(shown, /^status +canceled$/m);
  assert.match(shown, /^workflow_id +a\?\[2Jb$/m);
  assert.match(shown, /^created_at +\d{4}-.*Z {2}(now|\d+s ago)$/m);
  assert.match(shown, /^(now|\d+s ago) +cancel +queued -> canceled +.*berta +no longer needed$/m);
  assert.ok(!shown.includes('\u001b'));
  const both = JSON.parse(await done(job('show', `orchestrator/job/${id}`, '--json')));
  assert.equal(both.record.job_id, id);
  assert.deepEqual(both.history.map((one) => one.action), ['create', 'cancel']);
});

test('a record that is gone has its history', ours, async () => {
  const id = await createJob();
  await done(job('cancel', `orchestrator/job/${id}`));
  const answer = await api('DELETE', `orchestrator/job/${id}?owner=u1`);
  assert.ok(answer.status < 300, answer.text);
  const shown = await done(job('show', `orchestrator/job/${id}`));
  assert.match(shown, /is gone/);
  assert.match(shown, /cancel/);
  assert.match(await done(job('watch', `orchestrator/job/${id}`)), /remove/);
});

test('counts', ours, async () => {
  const workspace_id = unique('ws');
  await createJob({ workspace_id });
  assert.match(await done(job('counts', 'orchestrator/job', '--tenant', workspace_id)), /^STATUS +COUNT\n[^]*^queued +1$/m);
  const counted = JSON.parse(await done(job('counts', 'orchestrator/job', '--json')));
  assert.ok(counted.queued >= 1);
});

// A job that was given up: `retry: false` makes its failure the last.
async function deadJob() {
  const id = await createJob({ max_attempts: 1 });
  for (;;) {
    const { jobs } = await ok(api('POST', 'orchestrator/job:claim', { worker: 'w', max: 10, wait_s: 1, lease_s: 60 }));
    for (const one of jobs.filter((each) => each.id !== id)) await api('POST', `orchestrator/job/${one.id}:finish`, { lease: one.lease.token });
    const own = jobs.find((each) => each.id === id);
    if (own === undefined) continue;
    await ok(api('POST', `orchestrator/job/${id}:fail`, { lease: own.lease.token, code: 'x', message: 'y', retry: false }));
    return id;
  }
}

test('retry puts one back to work, or all', ours, async () => {
  const one = await deadJob();
  assert.match(await done(job('retry', `orchestrator/job/${one}`, '--why', 'fixed')), new RegExp(`^orchestrator/job/${one}  queued\n$`));
  await refusedWith(job('retry', `orchestrator/job/${one}`), 1, /^waybill: .+\n$/);
  const other = await deadJob();
  assert.match(await done(job('retry', 'orchestrator/job', '--all', '--max', '50')), /^[1-9]\d* put back to work/);
  assert.equal((await ok(api('GET', `orchestrator/job/${other}`))).status, 'queued');
});

test('approve and reject say what the contract does not know', ours, async () => {
  const id = await createJob();
  await refusedWith(job('approve', `orchestrator/job/${id}`), 1, /^waybill: .*approve.*\n$/);
  await refusedWith(job('reject', `orchestrator/job/${id}`), 1, /^waybill: .*reject.*\n$/);
});

test('approve lets a paused job go on, reject ends it', ours, async () => {
  const paused = async () => {
    await ok(api('POST', 'asset-creator/job', { project_id: unique('prj'), asset_type: '3D' }), 201);
    const { jobs } = await ok(api('POST', 'asset-creator/job:claim', { worker: 'w', wait_s: 10, lease_s: 60 }));
    const path = `asset-creator/job/${jobs[0].id}`;
    await ok(api('POST', `${path}:pause`, { lease: jobs[0].lease.token, step: 'text-to-image' }));
    return path;
  };
  const bad = await paused();
  assert.equal(await done(job('reject', bad, '--why', 'ugly')), `${bad}  failed\n`);
  await refusedWith(job('approve', bad), 1, /^waybill: .+\n$/);
  const good = await paused();
  assert.ok((await done(job('approve', good, '--why', 'fine'))).startsWith(`${good}  `));
  const { history } = JSON.parse(await done(job('show', good, '--json')));
  assert.equal(history.find((one) => one.action === 'approve').why, 'fine');
});

test('watch follows a record until it has ended', ours, async () => {
  const id = await createJob();
  const watch = runBinary(['job', 'watch', `orchestrator/job/${id}`, '--server', server.endpoint], { within_ms: 60_000, env: quiet });
  await until('what was before is told', () => watch.output.includes('create'));
  await ok(api('POST', `orchestrator/job/${id}:cancel`, { why: 'seen' }));
  assert.equal(await watch.exited, 0, watch.output);
  assert.match(watch.output, /Z {2}create {2}queued .*\n.*Z {2}cancel {2}queued -> canceled .*seen\n$/);
  const again = await done(job('watch', `orchestrator/job/${id}`, '--json'));
  assert.deepEqual(again.trimEnd().split('\n').map((line) => JSON.parse(line).action), ['create', 'cancel']);
  await refusedWith(job('watch', 'orchestrator/job/none'), 1, /^waybill: There is no job/);
});

test('watch of all goes on after the server was away, and ends with Ctrl-C', ours, async () => {
  const own = await startJobs();
  const watch = runBinary(['job', 'watch', 'orchestrator/job', '--server', own.endpoint], { within_ms: 90_000, env: quiet });
  const client = clientOf(own.endpoint);
  const made = [];
  const tell = async (from) =>
    until('a new job is told', async () => {
      made.push((await ok(from('POST', 'orchestrator/job', newRun()), 201)).job_id);
      return made.some((id) => watch.output.includes(id));
    });
  await tell(client);
  await own.stop();
  await until('the loss is told', () => watch.output.includes('the connection is lost'));
  const back = runBinary(['serve', '--listen', `127.0.0.1:${own.port}`, '--data', own.data, '--contracts', contracts, '--workers', 'none']);
  await until('the server is back', async () => (await fetch(`${own.endpoint}/health`).catch(() => null))?.status === 200);
  made.length = 0;
  await tell(client);
  watch.child.kill('SIGINT');
  assert.equal(await watch.exited, 'SIGINT');
  back.child.kill('SIGTERM');
  assert.equal(await back.exited, 0, back.output);
});

test('keys are sent, and without them the refusal says where they are read from', ours, async () => {
  const keys = join(scratchDir(), 'keys.json');
  writeFileSync(keys, JSON.stringify({ keys: [{ id: 'AKIDTEST', secret: 'a-secret-of-a-test' }] }), { mode: 0o600 });
  const own = await startJobs({ args: ['--keys', keys] });
  const counts = (env) => run(['job', 'counts', 'orchestrator/job', '--server', own.endpoint, '--json'], { env });
  await refusedWith(counts({}), 1, /WAYBILL_ACCESS_KEY_ID/);
  await done(counts({ WAYBILL_ACCESS_KEY_ID: 'AKIDTEST', WAYBILL_SECRET_ACCESS_KEY: 'a-secret-of-a-test' }));
  await done(counts({ AWS_ACCESS_KEY_ID: 'AKIDTEST', AWS_SECRET_ACCESS_KEY: 'a-secret-of-a-test' }));
  await own.stop();
  const aws = { AWS_ACCESS_KEY_ID: 'AKIDTEST', AWS_SECRET_ACCESS_KEY: 'x' };
  await refusedWith(run(['job', 'counts', 'a/b', '--server', 'http://192.0.2.1'], { env: aws }), 1, /not sent over plain http/);
});

test('colours are for terminals, and not with NO_COLOR', { skip: ours.skip || (!existsSync('/usr/bin/script') && 'needs script(1)') }, async () => {
  const id = await createJob();
  await done(job('cancel', `orchestrator/job/${id}`));
  const onTerminal = (env) =>
    new Promise((resolve) => {
      const child = spawn('/usr/bin/script', ['-qec', `${binary} job show orchestrator/job/${id}`, '/dev/null'], {
        env: { ...process.env, ...quiet, TERM: 'xterm', WAYBILL_SERVER: server.endpoint, ...env },
      });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
      child.once('close', () => resolve(output));
    });
  assert.ok((await onTerminal({})).includes('\u001b[2mcanceled\u001b[0m'));
  const plain = await onTerminal({ NO_COLOR: '1' });
  assert.ok(plain.includes('canceled') && !plain.includes('\u001b['), plain);
});

test('completion knows commands, options, records and fields', ours, async () => {
  const offers = async (...words) => (await done(run(['complete', ...words]))).split('\n').filter(Boolean).map((line) => line.split('\t')[0]);
  assert.ok((await offers('')).includes('job'));
  assert.deepEqual(await offers('job', 'c'), ['create', 'counts', 'cancel']);
  assert.ok((await offers('job', 'list', '--')).includes('--columns'));
  assert.deepEqual(await offers('job', 'list', '--order', ''), ['newest', 'oldest']);
  assert.deepEqual(await offers('job', 'list', 'or'), ['orchestrator/job']);
  assert.deepEqual(await offers('job', 'show', 'photo'), ['photo-editor/job/']);
  assert.ok((await offers('job', 'create', 'orchestrator/job', 'work')).includes('workspace_id='));
  assert.deepEqual(await offers('job', 'list', '--server', 'http://127.0.0.1:1', ''), []);
  await refusedWith(run(['completion', 'tcsh']), 2, /./);
});

test('the script for bash completes in bash', { skip: ours.skip || (!existsSync('/bin/bash') && 'needs bash') }, async () => {
  const script = await done(run(['completion', 'bash']));
  const complete = (line) =>
    new Promise((resolve) => {
      const program = `${script}
        COMP_LINE=${JSON.stringify(line)}; COMP_POINT=\${#COMP_LINE}; read -ra COMP_WORDS <<<"$COMP_LINE"
        [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=(""); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
        compopt() { :; }; _waybill ${binary}; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const child = spawn('/bin/bash', ['-c', program], { env: { ...process.env, ...quiet, WAYBILL_SERVER: server.endpoint } });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
      child.once('close', () => resolve(output.split('\n').filter(Boolean)));
    });
  assert.deepEqual(await complete('waybill job sh'), ['show']);
  assert.deepEqual(await complete('waybill job list text'), ['text-analyzer/file']);
  assert.ok((await complete('waybill job create orchestrator/job ')).includes('user_id='));
  for (const shell of ['zsh', 'fish']) assert.match(await done(run(['completion', shell])), /complete/);
});
