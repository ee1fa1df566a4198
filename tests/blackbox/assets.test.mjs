// The built-in worker for assets: seven stages from a prompt to an archive, each with artifacts, metrics and a version,
// with people deciding in between, on one server with its objects; and that it goes on wherever it was killed.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { S3 } from '@aws-sdk/client-s3';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { clientConfig, ours, sleep, unique, until } from './harness.mjs';
import { clientOf, ok, startJobs } from './jobs_client.mjs';
import { startWorker } from './worker_client.mjs';

const stages = ['text-to-image', 'refine', '3d', 'retopo', 'rig', 'anim', 'export'];
// Small, so that a whole pipeline takes a second.
const parameters = { 'text-to-image': { side: 96 }, refine: { scale: 1 }, '3d': { detail: 40, texture: 64 }, anim: { seconds: 0.5 } };
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

// What a glTF binary holds; throws where it is none.
function readGlb(bytes) {
  assert.equal(bytes.toString('latin1', 0, 4), 'glTF');
  assert.equal(bytes.readUInt32LE(8), bytes.length);
  const length = bytes.readUInt32LE(12);
  assert.equal(bytes.toString('latin1', 16, 20), 'JSON');
  return JSON.parse(bytes.toString('utf8', 20, 20 + length));
}

class Assets {
  static async start() {
    const bench = new Assets();
    bench.server = await startJobs();
    bench.api = clientOf(bench.server.endpoint);
    bench.doc = DynamoDBDocument.from(new DynamoDB(clientConfig({ endpoint: bench.server.endpoint })));
    bench.s3 = new S3(clientConfig({ endpoint: bench.server.endpoint, forcePathStyle: true }));
    return bench;
  }
  work() {
    return startWorker(this.server, ['--only', 'assets', '--lease', '2', '--slots', '2']);
  }
  async create(fields = {}) {
    const job = await ok(this.api('POST', 'asset-creator/job', { project_id: unique('prj'), asset_type: '3D_CHARACTER', prompt: 'a small red robot', seed: 7, parameters, ...fields }), 201);
    return { ...job, path: `asset-creator/job/${job.project_id},${job.job_id}` };
  }
  get(path) {
    return ok(this.api('GET', path));
  }
  at({ path }, states, step, timeout_ms = 60_000) {
    return until(`${path} is ${states}`, async () => {
      const record = await this.get(path);
      return states.includes(record.status) && (step === undefined || record.current_step === step) && record;
    }, { timeout_ms });
  }
  async steps({ job_id }) {
    const { items } = await this.get(`asset-creator/step?job_id=${job_id}&order=oldest&limit=100`);
    return items.sort((a, b) => stages.indexOf(a.step_name) - stages.indexOf(b.step_name));
  }
  async versions({ project_id, asset_id }) {
    return (await this.get(`asset-creator/asset?project_id=${project_id}&asset_id=${asset_id}&order=oldest&limit=100`)).items;
  }
  async audit({ project_id }) {
    const { Items } = await this.doc.query({ TableName: 'asset_creator', KeyConditionExpression: 'PK = :p AND begins_with(SK, :a)', ExpressionAttributeValues: { ':p': `PROJECT#${project_id}`, ':a': 'AUDIT#' } });
    return Items;
  }
  async object(key) {
    const { Body } = await this.s3.getObject({ Bucket: 'asset-creator-artifacts', Key: key });
    return Buffer.from(await Body.transformToByteArray());
  }
}

// That the job has all it should have, once.
async function checkWhole(bench, job) {
  const steps = await bench.steps(job);
  assert.deepEqual(steps.map(({ step_name, status }) => [step_name, status]), stages.map((name) => [name, 'completed']), 'each stage has one step');
  for (const step of steps) {
    assert.equal(step.artifacts.length, 1);
    const [artifact] = step.artifacts;
    const bytes = await bench.object(artifact.key);
    assert.equal(bytes.length, artifact.bytes, artifact.key);
    assert.equal(sha256(bytes), artifact.sha256);
    assert.ok(Object.keys(step.metrics).length > 1);
  }
  const versions = await bench.versions(job);
  assert.deepEqual(versions.map(({ version, metadata }) => [version, metadata.step]), stages.map((name, i) => [i + 1, name]), 'each stage has one version');
  assert.equal((await bench.audit(job)).filter(({ action }) => action === 'export').length, 1, 'one export is one line');
  return { steps, versions };
}

describe('003, assets', ours, () => {
  let bench, worker;
  before(async () => {
    bench = await Assets.start();
    worker = bench.work();
  });
  after(async () => {
    assert.equal(await worker.stop(), 0, worker.run.output);
    await bench.server.stop();
  });

  test('A8, A11: seven stages with artifacts and metrics; the archive by a signed URL, the export audited', async () => {
    const job = await bench.at(await bench.create(), ['completed', 'failed']);
    assert.equal(job.status, 'completed', JSON.stringify(job.error));
    const { steps, versions } = await checkWhole(bench, job);
    const [image, refined, shape, retopo, rig, anim, archive] = await Promise.all(steps.map(({ artifacts: [{ key }] }) => bench.object(key)));
    for (const png of [image, refined]) assert.equal(png.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n');
    for (const glb of [shape, retopo, rig, anim]) assert.ok(readGlb(glb).meshes.length > 0);
    assert.ok(readGlb(rig).skins.length > 0);
    assert.ok(readGlb(anim).animations.length > 0);
    assert.ok(retopo.length < shape.length, 'retopo makes it smaller');
    assert.equal(archive.toString('latin1', 0, 4), 'PK\x03\x04');
    for (const name of ['3d/3d.glb', 'anim/anim.glb', 'manifest.json']) assert.ok(archive.includes(name), name);
    assert.deepEqual(versions.map(({ type }) => type), ['2D', '2D', '3D', '3D', '3D', '3D', '3D']);
    const last = versions.at(-1);
    const fetched = await fetch(last.cdn_url);
    assert.equal(fetched.status, 200);
    assert.equal(fetched.headers.get('content-type'), 'application/zip');
    assert.ok(Buffer.from(await fetched.arrayBuffer()).equals(archive));
    assert.match(last.cdn_url, /X-Amz-Signature=/);
    assert.ok(Date.parse(last.metadata.url_expires_at) > Date.now());
    const line = (await bench.audit(job)).find(({ action }) => action === 'export');
    assert.equal(line.details.files[0].sha256, steps.at(-1).artifacts[0].sha256);
  });

  test('A7: stages pause where the job says so, approval goes on from there, and who decided is kept', async () => {
    const made = await bench.create({ review: ['refine', 'export'] });
    for (const [step, actor] of [['refine', 'anna'], ['export', 'bob']]) {
      await bench.at(made, ['paused'], step);
      const waiting = await bench.get('asset-creator/step?status=paused&limit=100');
      const paused = waiting.items.find(({ job_id }) => job_id === made.job_id);
      assert.deepEqual([paused.step_name, paused.artifacts.length], [step, 1], 'what is to be judged is there');
      await ok(bench.api('POST', `${made.path}:approve`, { why: 'fine' }, { 'waybill-actor': actor }));
    }
    const job = await bench.at(made, ['completed', 'failed']);
    assert.equal(job.status, 'completed', JSON.stringify(job.error));
    const { steps } = await checkWhole(bench, job);
    assert.deepEqual(steps.map(({ approved_by }) => approved_by), [undefined, 'anna', undefined, undefined, undefined, undefined, 'bob']);
    assert.ok(steps[1].decided_at);
  });

  test('A7: a rejection ends the job, and nothing is made behind it', async () => {
    const made = await bench.create({ review: ['text-to-image'] });
    await bench.at(made, ['paused']);
    await ok(bench.api('POST', `${made.path}:reject`, { why: 'not red enough' }, { 'waybill-actor': 'anna' }));
    const job = await bench.get(made.path);
    assert.deepEqual([job.status, job.error.code, job.error.message], ['failed', 'REJECTED', 'not red enough']);
    const steps = await bench.steps(job);
    assert.deepEqual(steps.map(({ step_name, status }) => [step_name, status]), [['text-to-image', 'failed']]);
  });

  test('A5: the same inputs of a project are one artifact, which is made once; another seed, model or project is another', async () => {
    const project_id = unique('prj');
    const first = await bench.at(await bench.create({ project_id }), ['completed']);
    const second = await bench.at(await bench.create({ project_id }), ['completed', 'failed']);
    assert.equal(second.status, 'completed', JSON.stringify(second.error));
    const [one, two] = [await bench.steps(first), await bench.steps(second)];
    const keys = (steps) => steps.map(({ artifacts }) => artifacts[0].key);
    assert.deepEqual(keys(two), keys(one));
    await until('the log says so', () => worker.run.output.includes(`stage anim was made before, for job ${first.job_id}`));
    assert.deepEqual((await bench.versions(second)).map(({ version }) => version), [1, 2, 3, 4, 5, 6, 7], 'it is an asset of its own');
    const other = await bench.at(await bench.create({ project_id, seed: 8 }), ['completed']);
    assert.notEqual(keys(await bench.steps(other))[0], keys(one)[0]);
    const rows = (await bench.doc.scan({ TableName: 'asset_creator' })).Items.filter(({ PK, job_id }) => PK.startsWith('IDEMPOTENCY#') && job_id === first.job_id);
    assert.equal(rows.length, 7);
    const in_h = (rows[0].ttl - Date.now() / 1000) / 3600;
    assert.ok(in_h > 24 && in_h <= 72, String(in_h));
  });

  test('A8: a picture has no depth: the stages between are passed over', async () => {
    const job = await bench.at(await bench.create({ asset_type: '2D_ICON' }), ['completed', 'failed']);
    assert.equal(job.status, 'completed', JSON.stringify(job.error));
    const steps = await bench.steps(job);
    assert.deepEqual(steps.map(({ artifacts }) => artifacts.length), [1, 1, 0, 0, 0, 0, 1]);
    assert.deepEqual((await bench.versions(job)).map(({ type }) => type), ['2D', '2D', '2D']);
  });

  test('A8: what cannot be made fails, with the stage and the reason', async () => {
    const wrong = await bench.at(await bench.create({ parameters: { retopo: { ratio: 7 } } }), ['completed', 'failed']);
    assert.deepEqual([wrong.status, wrong.error.code], ['failed', 'STAGE_FAILED']);
    assert.match(wrong.error.message, /stage retopo: the parameter ratio/);
    const mute = await bench.at(await bench.create({ prompt: undefined }), ['completed', 'failed']);
    assert.deepEqual([mute.status, mute.error.code], ['failed', 'ORDER_INCOMPLETE']);
  });

  test('versions of one asset count up, whichever job makes them', async () => {
    const project_id = unique('prj');
    const fields = { project_id, asset_id: 'ast_shared', asset_type: '2D_ICON' };
    await Promise.all([{ seed: 1 }, { seed: 2 }].map(async (more) => bench.at(await bench.create({ ...fields, ...more }), ['completed'])));
    assert.deepEqual((await bench.versions(fields)).map(({ version }) => version), [1, 2, 3, 4, 5, 6]);
  });
});

describe('003, workers and servers that are killed', ours, () => {
  const seed = Number(process.env.WAYBILL_TEST_SEED ?? Date.now() % 1_000_000);
  let random = seed;
  const chance = () => (random = (random * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;

  async function begin(t) {
    t.diagnostic(`seed ${seed}`);
    const bench = await Assets.start();
    const jobs = [];
    for (let i = 0; i < 4; i++) jobs.push(await bench.create({ seed: i, review: i % 2 ? ['retopo'] : [] }));
    return { bench, jobs };
  }
  async function approve({ bench, jobs }) {
    for (const { path } of jobs) if ((await bench.get(path)).status === 'paused') await ok(bench.api('POST', `${path}:approve`, {}));
  }
  async function checkJobs({ bench, jobs }) {
    for (const job of jobs) {
      const ended = await until(`${job.job_id} ends`, async () => {
        await approve({ bench, jobs });
        const record = await bench.get(job.path);
        return ['completed', 'failed'].includes(record.status) && record;
      }, { timeout_ms: 60_000 });
      assert.equal(ended.status, 'completed', JSON.stringify(ended.error));
      await checkWhole(bench, ended);
    }
  }

  test('A5, A7, A8, A11: kill -9 of workers at random moments: each stage has one step, one version and its artifact, and one export is one line', async (t) => {
    const { bench, jobs } = await begin(t);
    // Four lives at most are lost: the queue gives a job up after five.
    for (let kill = 0; kill < 4; kill++) {
      const worker = bench.work();
      await sleep(200 + 900 * chance());
      await worker.stop('SIGKILL');
      await approve({ bench, jobs });
    }
    const worker = bench.work();
    await checkJobs({ bench, jobs });
    assert.equal(await worker.stop(), 0);
    await bench.server.stop();
  });

  test('A5, A7, A8, A11: kill -9 of the server at random moments: a worker that stays goes on with it, and each stage has one step, one version and its artifact', async (t) => {
    const { bench, jobs } = await begin(t);
    const { data, port } = bench.server;
    const worker = bench.work();
    for (let kill = 0; kill < 4; kill++) {
      await sleep(200 + 700 * chance());
      await bench.server.stop('SIGKILL');
      if (chance() < 0.5) await sleep(400 * chance());
      bench.server = await startJobs({ data, port });
      await approve({ bench, jobs });
    }
    await checkJobs({ bench, jobs });
    assert.equal(await worker.stop(), 0, worker.run.output);
    await bench.server.stop();
  });
});
