// A server of objects in memory that speaks as much of S3 as workers need, and can be made to misbehave. For tests of
// workers whose objects are elsewhere than their records (`--objects-endpoint`).
import { createHash } from 'node:crypto';
import http from 'node:http';

const xml = (code, message) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
const hash = (kind, bytes, form) => createHash(kind).update(bytes).digest(form);

export class ObjectShelf {
  objects = new Map(); // "bucket/key" -> {bytes, type}
  buckets = new Set();
  puts = []; // "bucket/key", in the order of their arrival
  // Called with each request; returns how it is to go wrong: undefined, 'unavailable', 'cut', 'damaged', 'denied'.
  mishap = () => undefined;

  async start() {
    this.server = http.createServer((request, response) => this.#handle(request, response));
    this.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => this.server.once('listening', resolve));
    this.endpoint = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  put(bucket, key, bytes) {
    this.buckets.add(bucket);
    this.objects.set(`${bucket}/${key}`, { bytes: Buffer.from(bytes), type: 'application/octet-stream' });
  }

  get(bucket, key) {
    return this.objects.get(`${bucket}/${key}`)?.bytes;
  }

  keys(bucket) {
    return [...this.objects.keys()].filter((name) => name.startsWith(`${bucket}/`)).map((name) => name.slice(bucket.length + 1));
  }

  async #handle(request, response) {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const name = decodeURIComponent(request.url.slice(1).split('?')[0]);
    const bucket = name.split('/')[0];
    const refuse = (status, code, message) => response.writeHead(status, { 'content-type': 'application/xml' }).end(xml(code, message));
    const mishap = this.mishap({ method: request.method, name });
    if (mishap === 'unavailable') return refuse(503, 'SlowDown', 'Please reduce your request rate.');
    if (mishap === 'denied') return refuse(403, 'AccessDenied', 'Access Denied');
    if (!/^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[^/]+\/s3\/aws4_request, SignedHeaders=host;.*x-amz-content-sha256.*, Signature=[0-9a-f]{64}$/.test(request.headers.authorization ?? '')) {
      return refuse(403, 'AccessDenied', 'not signed for s3');
    }
    if (request.headers['x-amz-content-sha256'] !== hash('sha256', body, 'hex')) return refuse(400, 'XAmzContentSHA256Mismatch', 'other bytes');
    if (request.method === 'PUT' && !name.includes('/')) {
      this.buckets.add(bucket);
      return response.writeHead(200).end();
    }
    if (!this.buckets.has(bucket)) return refuse(404, 'NoSuchBucket', 'The specified bucket does not exist');
    if (request.method === 'PUT') {
      if (request.headers['x-amz-checksum-sha256'] !== hash('sha256', body, 'base64')) return refuse(400, 'BadDigest', 'other bytes');
      this.objects.set(name, { bytes: body, type: request.headers['content-type'] });
      this.puts.push(name);
      return response.writeHead(200, { etag: `"${hash('md5', body, 'hex')}"` }).end();
    }
    const object = this.objects.get(name);
    if (!object) return refuse(404, 'NoSuchKey', 'The specified key does not exist.');
    const head = { etag: `"${hash('md5', object.bytes, 'hex')}"`, 'content-type': object.type, 'content-length': object.bytes.length };
    response.writeHead(200, head);
    if (request.method === 'HEAD') return response.end();
    if (mishap === 'cut') {
      response.write(object.bytes.subarray(0, object.bytes.length / 2));
      return setTimeout(() => response.destroy(), 20);
    }
    const bytes = Buffer.from(object.bytes);
    if (mishap === 'damaged') bytes[0] ^= 1;
    response.end(bytes);
  }
}
