// What the tests of objects share: clients of S3, and bytes to send.
import { S3 } from '@aws-sdk/client-s3';
import { clientConfig, unique } from './harness.mjs';

// As an SDK's user writes it: path-style, since the endpoint is an address.
export const s3Client = (overrides = {}) => new S3(clientConfig({ forcePathStyle: true, ...overrides }));

export async function newBucket(s3, prefix = 'bucket') {
  const Bucket = unique(prefix);
  await s3.createBucket({ Bucket });
  return Bucket;
}

export const bytesOf = async (answer) => Buffer.from(await answer.Body.transformToByteArray());

// Bytes that are the same for the same seed, and no two blocks of them alike.
export function patterned(length, seed = 1) {
  const bytes = Buffer.alloc(length);
  let x = (seed * 2654435761) >>> 0 || 1;
  for (let i = 0; i + 4 <= length; i += 4) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    bytes.writeInt32LE(x | 0, i);
  }
  return bytes;
}
