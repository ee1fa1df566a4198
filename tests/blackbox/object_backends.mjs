// Where a server's contents of objects may lie: in its own folder, in a second Waybill, or in s3rver from npm, which
// checks signatures by itself. The tests of objects run over all of them: what a client sees is the same.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { S3 } from '@aws-sdk/client-s3';
import { freePort, runBinary, scratchDir, sleep, startServer, unique, until } from './harness.mjs';

const names = (data, folder) => {
  try {
    return readdirSync(join(data, 'objects', folder), { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
};

class Folder {
  name = 'a folder';
  async start() {}
  async stop() {}

  // As startServer(), with a look at what lies there: contents in their places, and those in the making.
  async server(options = {}) {
    const server = await startServer(options);
    server.contents = async () => ({ contents: names(server.data, 'contents'), incoming: names(server.data, 'incoming') });
    return server;
  }
}

// Contents in another server that speaks S3, each server's under a prefix of its own.
export class InS3 {
  bucket = 'contents';
  key = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  prefixes = new Map(); // of data folders

  get s3() {
    return new S3({ endpoint: this.endpoint, region: 'us-east-1', credentials: this.key, forcePathStyle: true, maxAttempts: 1 });
  }

  async start() {
    await this.run();
    await this.s3.createBucket({ Bucket: this.bucket });
  }

  options({ data = scratchDir(), args = [], env = {}, ...rest } = {}) {
    if (!this.prefixes.has(data)) this.prefixes.set(data, unique('server'));
    return {
      ...rest, data,
      args: ['--objects', `s3://${this.bucket}/${this.prefixes.get(data)}`, '--objects-endpoint', this.endpoint, ...args],
      env: { AWS_ACCESS_KEY_ID: this.key.accessKeyId, AWS_SECRET_ACCESS_KEY: this.key.secretAccessKey, ...env },
    };
  }

  async server(options = {}) {
    const server = await startServer(this.options(options));
    server.contents = () => this.contents(this.prefixes.get(server.data));
    return server;
  }

  async contents(prefix) {
    const contents = [];
    for (let StartAfter; ;) {
      const page = (await this.s3.listObjectsV2({ Bucket: this.bucket, Prefix: `${prefix}/`, StartAfter })).Contents ?? [];
      if (page.length === 0) break;
      contents.push(...page.map((one) => one.Key.slice(prefix.length + 1)));
      StartAfter = page.at(-1).Key;
    }
    return { contents: contents.filter((name) => name !== 'waybill-owner'), incoming: await this.incoming(prefix) };
  }

  async incoming(prefix) {
    const { Uploads = [] } = await this.s3.listMultipartUploads({ Bucket: this.bucket, Prefix: `${prefix}/` });
    return Uploads.map((one) => one.Key);
  }
}

export class InWaybill extends InS3 {
  name = 'a second Waybill';

  constructor(options = {}) {
    super();
    this.serverOptions = options;
  }

  // Again where it was, after stop().
  async run() {
    this.backing = await startServer({ ...this.serverOptions, data: this.backing?.data, port: this.backing?.port });
    this.endpoint = this.backing.endpoint;
  }

  stop(signal) {
    return this.backing?.stop(signal);
  }
}

class InS3rver extends InS3 {
  name = 's3rver';

  async run() {
    const port = await freePort();
    const program = fileURLToPath(new URL('s3rver.mjs', import.meta.url));
    this.backing = runBinary([program, String(port), scratchDir()], { command: process.execPath });
    this.backing.child.unref();
    this.endpoint = `http://127.0.0.1:${port}`;
    await until('s3rver answers', () => fetch(this.endpoint).then(() => true, () => false));
  }

  async stop() {
    this.backing?.child.kill();
  }

  // It does not list them; they lie in its folder.
  async incoming() {
    return [];
  }
}

export const inFolder = () => new Folder();
export const inWaybill = (options) => new InWaybill(options);
export const inS3rver = () => new InS3rver();

// For `for (const backend of everywhere()) describe(…)`.
export const everywhere = () => [inFolder(), inWaybill(), inS3rver()];

// How many contents there are, once those of earlier tests have gone: what is freed is taken away in the server's own
// time, and from a place that is far one after the other.
export async function settled(server) {
  for (let count; ;) {
    const { contents } = await server.contents();
    if (contents.length === count) return count;
    count = contents.length;
    await sleep(500);
  }
}

// Waits until nothing is left but so many contents.
export const onlyContents = (server, count) =>
  until(`${count} contents are left`, async () => {
    const { contents, incoming } = await server.contents();
    return contents.length === count && incoming.length === 0;
  });
