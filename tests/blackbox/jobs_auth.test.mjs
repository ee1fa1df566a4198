// Where keys are asked for, nothing of the jobs API is reached without one.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import { scratchDir } from './harness.mjs';
import { clientOf, newRun, ok, refused, startJobs } from './jobs_client.mjs';

const key = { id: 'AKIDJOBS', secret: 'a secret of sixteen and more' };
let server, api;
before(async () => {
  const file = join(scratchDir(), 'keys.json');
  writeFileSync(file, JSON.stringify({ keys: [key] }), { mode: 0o600 });
  server = await startJobs({ args: ['--keys', file] });
  api = clientOf(server.endpoint);
});
after(() => server.stop());

const bearer = (text) => ({ authorization: `Bearer ${text}` });

async function signed(service, method, path, body, secret = key.secret) {
  const url = new URL(`/v1/${path}`, server.endpoint);
  const signer = new SignatureV4({ service, region: 'us-east-1', sha256: Sha256, credentials: { accessKeyId: key.id, secretAccessKey: secret } });
  const request = await signer.sign({
    method,
    protocol: 'http:',
    hostname: url.hostname,
    port: Number(url.port),
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { host: url.host, 'content-type': 'application/json' },
    body,
  });
  const { host, ...headers } = request.headers;
  const response = await fetch(url, { method, headers, body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

test('without a key everything is refused, also what is not there', async () => {
  for (const path of ['openapi.json', 'contracts', 'orchestrator/job/1', 'nothing/at/all', 'orchestrator/job:changes']) {
    const problem = await api('GET', path);
    assert.equal(problem.status, 401, problem.text);
    assert.equal(problem.headers.get('www-authenticate'), 'Bearer');
  }
  await refused(api('POST', 'orchestrator/job', newRun()), 401, 'unauthenticated');
});

test('a key and its secret pass, and the key is in the history', async () => {
  const run = await ok(api('POST', 'orchestrator/job', newRun(), { ...bearer(`${key.id}:${key.secret}`), 'waybill-actor': 'anna' }), 201);
  const { items } = await ok(api('GET', `orchestrator/job/${run.job_id}:history`, undefined, bearer(`${key.id}:${key.secret}`)));
  assert.equal(items[0].actor, 'AKIDJOBS/anna');
});

test('another secret, another key, or half of one does not', async () => {
  for (const text of [`${key.id}:wrong`, `${key.id}:`, key.id, `:${key.secret}`, '', 'x:y']) {
    await refused(api('GET', 'contracts', undefined, bearer(text)), 401, 'unauthenticated');
  }
});

test('a signature passes for waybill and execute-api, and for no other service', async () => {
  for (const service of ['waybill', 'execute-api']) {
    assert.equal((await signed(service, 'GET', 'contracts')).status, 200);
    const answer = await signed(service, 'POST', 'orchestrator/job', JSON.stringify(newRun()));
    assert.equal(answer.status, 201, answer.text);
  }
  await refused(signed('dynamodb', 'GET', 'contracts'), 401, 'unauthenticated');
  await refused(signed('waybill', 'GET', 'contracts', undefined, 'another secret of sixteen'), 401, 'unauthenticated');
});
