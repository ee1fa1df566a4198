// Where uploads and artifacts are: on a shelf of the test's own, or in the server.
import {S3} from '@aws-sdk/client-s3';
import {ObjectShelf} from '../blackbox/object_shelf.mjs';
import {pause} from './kills.mjs';
import {buckets} from './uploads.mjs';

// Until it has an answer: the server may be away.
export async function insist(call) {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (error.final || (error.$metadata?.httpStatusCode ?? 500) < 500) throw error;
      await pause(30);
    }
  }
}

export class ShelfObjects {
  tells_of_arrivals = false;
  #shelf = new ObjectShelf();

  async start() {
    await this.#shelf.start();
    this.endpoint = this.#shelf.endpoint;
    return this;
  }

  stop() {
    return this.#shelf.stop();
  }

  put(bucket, key, bytes) {
    this.#shelf.put(bucket, key, bytes);
  }

  // All of them, "bucket/key" to bytes.
  all() {
    return new Map([...this.#shelf.objects].map(([name, {bytes}]) => [name, bytes]));
  }

  words() {
    const {puts} = this.#shelf;
    return `; ${puts.length - new Set(puts).size} of ${puts.length} artifacts were written again`;
  }
}

export class ServerObjects {
  tells_of_arrivals = true;
  #s3;

  constructor(url) {
    this.#s3 = new S3({endpoint: url, region: 'us-east-1', credentials: {accessKeyId: 'a', secretAccessKey: 'b'}, forcePathStyle: true, maxAttempts: 1});
  }

  async stop() {
    this.#s3.destroy();
  }

  put(Bucket, Key, Body) {
    return insist(() => this.#s3.putObject({Bucket, Key, Body, ContentType: Bucket === buckets.text ? 'text/plain' : 'image/png'}));
  }

  async all() {
    const objects = new Map();
    for (const Bucket of Object.values(buckets)) {
      const {Contents = []} = await insist(() => this.#s3.listObjectsV2({Bucket}));
      for (const {Key} of Contents) {
        const answer = await insist(() => this.#s3.getObject({Bucket, Key}));
        objects.set(`${Bucket}/${Key}`, Buffer.from(await answer.Body.transformToByteArray()));
      }
    }
    return objects;
  }

  words() {
    return '';
  }
}
