// A server whose built-in workers are measured: in its own process, or in one beside it. Uploads are there before the
// records that name them, so a record's creation is what starts its job.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { cpuSecondsOf } from '../measure.mjs';
import { Waybill } from '../peers/index.mjs';
import { end, processTree, repository, start, until } from '../processes.mjs';

const contracts = ['text-analyzer', 'image-service'].map((name) => join(repository, `contracts/${name}.yaml`));
const owner = 'bench';
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const batch_max = 100;

let ids = 0;
const newId = () => {
  let id = '';
  for (let n = (ids += 1); id.length < 16; n = Math.floor(n / 32)) id = letters[n % 32] + id;
  return `01BENCH000${id}`;
};

// How a job of each kind is put in, and where its result is.
const kinds = {
  text: {
    records: '/v1/text-analyzer/file',
    bucket: 'text-analyzer-uploads',
    id: 'fileId',
    status: 'status',
    ends: ['COMPLETED', 'FAILED'],
    keyOf: ({ name }) => name,
    fieldsOf: ({ name }) => ({ ownerId: owner, s3Bucket: 'text-analyzer-uploads', s3Key: name, originalFileName: name }),
    resultOf: ({ result }) => result,
  },
  image: {
    records: '/v1/image-service/image',
    bucket: 'images-lego-moc-dev',
    id: 'id',
    status: 'processingStatus',
    ends: ['completed', 'failed'],
    isUploadedAnew: true,
    keyOf: ({ id }) => `uploads/${owner}/${id}`,
    fieldsOf: ({ id, name, type, bytes }) => ({
      id,
      userId: owner,
      originalFilename: name,
      mimeType: type,
      fileSize: bytes,
    }),
    resultOf: (record) => record,
  },
};

export class System {
  #peer;
  #work;
  #uploaded = new Set();

  // `place`: "server" or "beside".
  static async open({ fleet, place, slots }) {
    const system = new System();
    system.#peer = await fleet.make('waybill', `workers-${place}`);
    Object.assign(system.#peer, { contracts, workers: place === 'server' ? 'text,image' : 'none' });
    await system.#peer.start();
    if (place === 'beside') {
      const { target, folder } = system.#peer;
      const args = ['work', '--endpoint', target, '--only', 'text,image', '--slots', `${slots}`, '--temp', `${folder}.work`];
      system.#work = start(Waybill.binary, args);
    }
    return system;
  }

  async close(fleet) {
    if (this.#work) await end(this.#work);
    await fleet.remove(this.#peer);
  }

  // Seconds of CPU of all its processes.
  #cpuSeconds() {
    return cpuSecondsOf([...this.#peer.pids(), ...(this.#work ? processTree(this.#work.pid) : [])]);
  }

  async #ask(method, path, body) {
    const answer = await fetch(`${this.#peer.target}${path}`, {
      method,
      headers: { authorization: 'Bearer bench:bench', ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} is answered with ${answer.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  }

  // As SDKs do it: with a CRC32.
  async #upload(bucket, key, { path, type }) {
    const body = readFileSync(path);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    const answer = await fetch(`${this.#peer.target}/objects/${bucket}/${key}`, {
      method: 'PUT',
      headers: { 'content-type': type ?? 'text/plain', 'x-amz-checksum-crc32': sum.toString('base64') },
      body,
    });
    if (!answer.ok) throw new Error(`the upload of ${key} is answered with ${answer.status}: ${await answer.text()}`);
  }

  async #counts({ records, ends }) {
    const counts = await this.#ask('GET', `${records}:counts`);
    return ends.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  }

  // Does a job for each file: {seconds, cpu_seconds, results}; seconds are those from the first claim to the last
  // finish. This client stays out of the way meanwhile.
  async work(kind_name, files) {
    const kind = kinds[kind_name];
    const jobs = files.map((file) => ({ ...file, id: newId() }));
    for (const job of jobs) {
      const key = kind.keyOf(job);
      if (!kind.isUploadedAnew && this.#uploaded.has(key)) continue;
      await this.#upload(kind.bucket, key, job);
      this.#uploaded.add(key);
    }
    const before = await this.#counts(kind);
    const before_s = this.#cpuSeconds();
    await this.#create(kind, jobs);
    const ended = async () => (await this.#counts(kind)) - before >= jobs.length;
    await until(`${jobs.length} jobs have ended`, ended, { timeout_ms: 300_000, every_ms: 200 });
    const cpu_seconds = this.#cpuSeconds() - before_s;
    return { ...(await this.#read(kind, jobs)), cpu_seconds };
  }

  // In batches, whose requests begin in their order.
  async #create(kind, jobs) {
    for (let from = 0; from < jobs.length; from += batch_max) {
      const some = jobs.slice(from, from + batch_max);
      const requests = some.map((job) => ({ path: kind.records, body: kind.fieldsOf(job) }));
      const { responses } = await this.#ask('POST', '/v1/batch', { requests });
      responses.forEach(({ status, body }, n) => {
        if (status !== 201) throw new Error(`a record is answered with ${status}: ${JSON.stringify(body)}`);
        some[n].path = `${kind.records}/${body[kind.id]}`;
      });
    }
  }

  async #read(kind, jobs) {
    const [good] = kind.ends;
    let first_ms = Infinity;
    let last_ms = 0;
    const results = [];
    for (const { path } of jobs) {
      const record = await this.#ask('GET', path);
      if (record[kind.status] !== good) throw new Error(`${path} is ${JSON.stringify(record).slice(0, 500)}`);
      const { items } = await this.#ask('GET', `${path}:history`);
      const claimed = items.find(({ from, to }) => to && from && to !== good);
      const finished = items.find(({ to }) => to === good);
      first_ms = Math.min(first_ms, Date.parse(claimed.at));
      last_ms = Math.max(last_ms, Date.parse(finished.at));
      results.push(kind.resultOf(record));
    }
    return { seconds: (last_ms - first_ms) / 1000, results };
  }
}
