// The description of the jobs API is what clients are made from: it must be valid, and true of what is answered.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dereference, validate } from '@readme/openapi-parser';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { clientOf, contracts, newImage, newPhoto, newRun, ok, startJobs } from './jobs_client.mjs';

let server, api, described;
before(async () => {
  server = await startJobs();
  api = clientOf(server.endpoint);
  described = await ok(api('GET', 'openapi.json'));
});
after(() => server.stop());

const ajv = () => addFormats.default(new Ajv2020.default({ strict: false, allErrors: true }));

test('it is valid OpenAPI 3.1', async () => {
  assert.equal(described.openapi, '3.1.0');
  const result = await validate(structuredClone(described));
  assert.ok(result.valid, JSON.stringify(result.errors, null, 2));
  assert.deepEqual(result.warnings ?? [], []);
});

test('its schemas are valid, and operations have names of their own', async () => {
  const whole = await dereference(structuredClone(described));
  for (const [name, schema] of Object.entries(whole.components.schemas)) {
    assert.ok(ajv().compile(schema), name);
  }
  const operations = Object.values(described.paths).flatMap((path) => Object.values(path));
  const ids = operations.map((operation) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.length > 100, `${ids.length}`);
});

test('records are what their schemas say', async () => {
  const whole = await dereference(structuredClone(described));
  for (const [contract, record, fields] of [
    ['orchestrator', 'job', newRun()],
    ['photo-editor', 'job', newPhoto()],
    ['image-service', 'image', newImage({ tags: ['a'] })],
    ['asset-creator', 'job', { project_id: 'p', asset_type: '3D' }],
  ]) {
    const name = `${contract}.${record}`;
    const isNew = ajv().compile(whole.components.schemas[`${name}.new`]);
    assert.ok(isNew(fields), `${name}: ${JSON.stringify(isNew.errors)}`);
    const made = await ok(api('POST', `${contract}/${record}`, fields), 201);
    const isRecord = ajv().compile(whole.components.schemas[name]);
    assert.ok(isRecord(made), `${name}: ${JSON.stringify(isRecord.errors)}`);
  }
});

test('answers are what the description says', async () => {
  const whole = await dereference(structuredClone(described));
  const schemaOf = (path, method, status = '200') => whole.paths[path][method].responses[status].content['application/json'].schema;
  const fits = (schema, body) => {
    const check = ajv().compile(schema);
    assert.ok(check(body), JSON.stringify(check.errors));
  };
  const workspace_id = 'described';
  await ok(api('POST', 'orchestrator/job', newRun({ workspace_id })), 201);
  const base = '/v1/orchestrator/job';
  fits(schemaOf(base, 'get'), await ok(api('GET', `orchestrator/job?workspace_id=${workspace_id}`)));
  fits(schemaOf(`${base}:counts`, 'get'), await ok(api('GET', 'orchestrator/job:counts')));
  const claimed = await ok(api('POST', 'orchestrator/job:claim', { worker: 'w' }));
  assert.equal(claimed.jobs.length, 1);
  fits(schemaOf(`${base}:claim`, 'post'), claimed);
  const { id, lease } = claimed.jobs[0];
  fits(schemaOf(`${base}/{id}:heartbeat`, 'post'), await ok(api('POST', `orchestrator/job/${id}:heartbeat`, { lease: lease.token })));
  fits(schemaOf(`${base}/{id}:fail`, 'post'), await ok(api('POST', `orchestrator/job/${id}:fail`, { lease: lease.token, code: 'X' })));
  fits(schemaOf(`${base}/{id}:history`, 'get'), await ok(api('GET', `orchestrator/job/${id}:history`)));
  fits(schemaOf('/v1/contracts', 'get'), await ok(api('GET', 'contracts')));
  const problem = (await api('GET', 'orchestrator/job/nobody')).body;
  fits(whole.components.schemas.Problem, problem);
});

test('contracts are listed, and their texts given', async () => {
  const { contracts: listed } = await ok(api('GET', 'contracts'));
  assert.deepEqual(listed.map((each) => each.name).sort(), ['asset-creator', 'image-service', 'orchestrator', 'photo-editor', 'text-analyzer']);
  const orchestrator = listed.find((each) => each.name === 'orchestrator');
  assert.equal(orchestrator.table, 'lifebook-orchestrator-jobs');
  assert.deepEqual(orchestrator.records, [
    { name: 'job', id: ['job_id'], queue: 'lifebook-orchestrator-queue', dead_letters: 'lifebook-orchestrator-dlq', trace: ['trace_id'], retries: true, built_in: { worker: 'steps', with: {} } },
  ]);
  const photos = listed.find((each) => each.name === 'photo-editor').records[0];
  assert.deepEqual([photos.trace, photos.retries], [['correlationId', 'traceId'], false]);
  assert.deepEqual(photos.built_in, { worker: 'photo', with: { temp_bucket: 'photoeditor-dev-temp', final_bucket: 'photoeditor-dev-final' } });
  const [image, version] = listed.find((each) => each.name === 'image-service').records;
  assert.deepEqual(image.built_in, { worker: 'image', with: { original: 'uploads/{userId}/{id}' } });
  assert.deepEqual(version, { name: 'version', id: ['id', 'number'] });
  const answer = await api('GET', 'contracts/orchestrator');
  assert.equal(answer.headers.get('content-type'), 'application/yaml');
  assert.equal(answer.text, readFileSync(join(contracts, 'orchestrator.yaml'), 'utf8'));
  assert.equal((await api('GET', 'contracts/nothing')).status, 404);
});
