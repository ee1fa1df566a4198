// Built-in workers under kill -9; see README.md.
//
//   node run.mjs [--in-server] [--jobs 60] [--seed N] [--workers 2] [--no-kills] [--self-check]
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {SQS} from '@aws-sdk/client-sqs';
import {ulid} from 'ulid';
import {clientOf} from '../blackbox/jobs_client.mjs';
import {Server} from '../crash/server.mjs';
import {Random} from '../differential/random.mjs';
import {check, strays} from './check.mjs';
import {Killer, pause, Workers} from './kills.mjs';
import {insist, ServerObjects, ShelfObjects} from './objects.mjs';
import {buckets, kinds} from './uploads.mjs';

const {values: options} = parseArgs({options: {
  jobs: {type: 'string', default: '60'}, seed: {type: 'string', default: '14'}, workers: {type: 'string', default: '2'},
  'in-server': {type: 'boolean', default: false}, kills: {type: 'boolean', default: true}, 'self-check': {type: 'boolean', default: false},
}, allowNegative: true});
const all_within_ms = 150_000;
const contracts = fileURLToPath(new URL('../../contracts', import.meta.url));

let passed = 0;
let failed = 0;
function record(name, wrong) {
  if (wrong.length === 0) return passed++;
  failed++;
  console.log(`NOT OK  ${name}`);
  for (const text of wrong.slice(0, 8)) console.log(`    ${text}`);
}

// The project's own contracts, but for how often a job may lose its worker: here that is no fault of the job.
function write_contracts(folder) {
  mkdirSync(folder);
  for (const name of readdirSync(contracts)) {
    writeFileSync(path.join(folder, name), readFileSync(path.join(contracts, name), 'utf8').replace(/receives: \d+/, 'receives: 100'));
  }
}

class Round {
  constructor(url, objects, random) {
    Object.assign(this, {url, objects, random, jobs: []});
    this.call = clientOf(url);
    this.sqs = new SQS({endpoint: url, region: 'us-east-1', credentials: {accessKeyId: 'a', secretAccessKey: 'b'}, maxAttempts: 1});
  }

  async #ask(method, target, body, wanted) {
    return insist(async () => {
      const answer = await this.call(method, target, body);
      if (answer.status !== wanted) throw Object.assign(new Error(`${method} ${target}: ${answer.status} ${answer.text}`), {final: answer.status < 500});
      return answer.body;
    });
  }

  // One record, however often it is asked for: where the server was killed before it answered, it may be there already.
  async #create(target, fields, id) {
    return insist(async () => {
      const answer = await this.call('POST', target, fields);
      if (answer.status === 201) return answer.body;
      if (answer.status === 409 && answer.body.type.endsWith('/exists')) return this.#ask('GET', `${target}/${fields[id]}`, undefined, 200);
      throw Object.assign(new Error(`POST ${target}: ${answer.status} ${answer.text}`), {final: answer.status < 500});
    });
  }

  async make(number) {
    const kind = Object.keys(kinds)[number % 3];
    const {path: target, id, queue} = kinds[kind];
    const upload = kinds[kind].upload(this.random);
    const name = `upload-${number}`;
    const fields = {
      text: {ownerId: 'o', s3Bucket: buckets.text, s3Key: name, originalFileName: 'a.txt'},
      image: {userId: 'u', originalFilename: 'a.png', mimeType: 'image/png', fileSize: 1},
      photo: {userId: 'u', fileSize: 1, fileType: 'image/png', provider: 'stub', s3TempKey: name},
    }[kind];
    if (kind === 'photo') await this.objects.put(buckets.temp, name, upload.bytes);
    const made = await this.#create(target, {...fields, [id]: ulid()}, id);
    if (kind === 'text') await this.objects.put(buckets.text, name, upload.bytes);
    if (kind === 'image') await this.objects.put(buckets.image, `uploads/u/${made.id}`, upload.bytes);
    // An arrival on the shelf is nobody's news.
    if (queue && !this.objects.tells_of_arrivals) await insist(() => this.sqs.sendMessage({QueueUrl: `${this.url}/000000000000/${queue}`, MessageBody: JSON.stringify({[id]: made[id]})}));
    this.jobs.push({kind, upload, path: `${target}/${made[id]}`});
  }

  async look(job) {
    job.record = await this.#ask('GET', job.path, undefined, 200);
    const status = job.record[kinds[job.kind].status];
    job.is_over = status === 'COMPLETED' || status === 'FAILED' || status === 'completed' || (status === 'failed' && job.upload.ends === 'failed');
    return job.is_over;
  }

  async wait() {
    for (const end = Date.now() + all_within_ms; Date.now() < end; await pause(100)) {
      let open = 0;
      for (const job of this.jobs) if (!job.is_over && !(await this.look(job))) open += 1;
      if (open === 0) return;
    }
    record('all jobs end', this.jobs.filter((job) => !job.is_over).map((job) => `${job.path} is ${job.record[kinds[job.kind].status]}`));
  }

  async read_all() {
    for (const job of this.jobs) {
      await this.look(job);
      job.history = (await this.#ask('GET', `${job.path}:history`, undefined, 200)).items;
    }
  }
}

// Faults that the checker has to see.
function self_check(jobs, objects) {
  const find = (kind, ends) => jobs.find((job) => job.kind === kind && job.upload.ends === ends);
  const without = (name) => new Map([...objects].filter(([key]) => key !== name));
  const [text, image, photo] = [find('text', 'COMPLETED'), find('image', 'completed'), find('photo', 'COMPLETED')];
  const key = `${buckets.final}/${photo.record.s3FinalKey}`;
  const plants = {
    'a lost image': check(image, without(`${buckets.image}/${image.record.s3Key}`)),
    'a lost thumbnail': check(image, without(`${buckets.image}/${image.record.thumbnailKey}`)),
    'a lost photo': check(photo, without(key)),
    'a photo twice': check(photo, new Map([...objects, [`${buckets.final}/${photo.record.userId}/${photo.record.jobId}/other.png`, Buffer.from('x')]])),
    'a photo that is cut off': check(photo, new Map([...objects, [key, objects.get(key).subarray(1)]])),
    'a wrong count': check({...text, record: {...text.record, result: {...text.record.result, totalWords: -1}}}, objects),
    'a wrong end': check({...text, record: {...text.record, status: 'FAILED'}}, objects),
    'two ends': check({...text, history: [...text.history, {from: 'IN_PROGRESS', to: 'COMPLETED'}]}, objects),
    'a stray': strays(jobs, new Map([...objects, [`${buckets.final}/u/nobody/0.png`, Buffer.from('x')]])),
  };
  for (const [name, wrong] of Object.entries(plants)) record(`${name} is noticed`, wrong.length ? [] : ['it was not']);
}

async function main() {
  console.log(`seed ${options.seed}`);
  const random = new Random(options.seed);
  const directory = mkdtempSync(path.join(tmpdir(), 'waybill-workers-'));
  write_contracts(path.join(directory, 'contracts'));
  const in_server = options['in-server'];
  const server = new Server(path.join(directory, 'data'), {more: ['--contracts', path.join(directory, 'contracts')], workers: in_server ? 'all' : 'none'});
  await server.start();
  const objects = in_server ? new ServerObjects(server.url) : await new ShelfObjects().start();
  const workers = new Workers(server.url, in_server ? [] : ['--objects-endpoint', objects.endpoint], in_server ? 0 : Number(options.workers));
  const killer = new Killer(workers, server, random.fork('kills'));
  const begun = Date.now();
  try {
    const round = new Round(server.url, objects, random.fork('uploads'));
    if (options.kills) killer.begin();
    for (let number = 0; number < Number(options.jobs); number++) {
      await round.make(number);
      await pause(random.between(0, 250));
    }
    await round.wait();
    if (options.kills) await killer.stop();
    await round.read_all();
    const there = await objects.all();
    if (options['self-check']) self_check(round.jobs, there);
    else for (const job of round.jobs) record(job.path, check(job, there));
    record('nothing else is there', strays(round.jobs, there));
    record('workers end as they are told', (await workers.stop()).filter((code) => code !== 0).map((code) => `exit code ${code}`));
    console.log(`figure ${round.jobs.length} jobs in ${((Date.now() - begun) / 1000).toFixed(1)} s, ${workers.kills} kills of workers and ${killer.server_kills} of the server${objects.words()}`);
  } catch (error) {
    record('the round', [error.stack]);
  } finally {
    await killer.stop().catch(() => {});
    await server.kill().catch(() => {});
    await objects.stop();
    if (failed) console.log(`data kept in ${directory}\n${server.output.slice(-3000)}\n${workers.output.slice(-3000)}`);
    else rmSync(directory, {recursive: true, force: true});
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

await main();
