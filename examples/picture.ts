// A picture to work with where none is given: a PNG of soft colours, made here.
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

const types: Record<string, string> = { '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.png': 'image/png', '.webp': 'image/webp', '.gif': 'image/gif', '.avif': 'image/avif' };

export async function picture(path?: string): Promise<{ name: string; type: string; bytes: Buffer }> {
  if (path) return { name: path, type: types[extname(path).toLowerCase()] ?? 'application/octet-stream', bytes: await readFile(path) };
  return { name: 'colours.png', type: 'image/png', bytes: colours(640, 480) };
}

function colours(width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wave = Math.sin(x / 40) * Math.cos(y / 30);
      const at = y * (1 + 3 * width) + 1 + 3 * x;
      rows[at] = 90 + 120 * (x / width);
      rows[at + 1] = 110 + 60 * wave;
      rows[at + 2] = 200 - 130 * (y / height);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8); // eight bits, colours without transparency
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
