// Small real files for tests of workers.
import { deflateSync, crc32 } from 'node:zlib';

const chunk = (name, content) => {
  const bytes = Buffer.concat([Buffer.from(name), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(bytes) >>> 0, 4);
  return Buffer.concat([frame.subarray(0, 4), bytes, frame.subarray(4)]);
};

// A PNG with colours that run from corner to corner. `claims` are the sides that its header tells.
export function png(width, height, { claims = [width, height] } = {}) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(claims[0], 0);
  header.writeUInt32BE(claims[1], 4);
  header.set([8, 2], 8);
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows.set([(x * 255) / width, (y * 255) / height, 255 - (x * 255) / width], y * (width * 3 + 1) + 1 + 3 * x);
    }
  }
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

// 48 by 32 pixels.
const smallJpeg =
  '/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHj' +
  'shITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAgADADASIAAhEBAxEB/8QAHwAA' +
  'AQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2' +
  'JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKz' +
  'tLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtR' +
  'EAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElK' +
  'U1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5e' +
  'bn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDnxFUgiq0IqeIq9qpUOanVKoip4iq0IqeIq86pUPSp1SsIqeIqtCKniKvNqVD0adUYIqeIqtCK' +
  'niKvVqVD4qnVKoiqQRVZEVSCKvNqVD0qdUqiKniKrQip4irzqlQ9GnVP/9k=';
export const jpeg = () => Buffer.from(smallJpeg, 'base64');

// The same, taken with the camera on its side: EXIF says how to turn it (6: a quarter to the right).
export function turnedJpeg(orientation = 6) {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  const content = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
  const marker = Buffer.from([0xff, 0xe1, 0, 0]);
  marker.writeUInt16BE(content.length + 2, 2);
  const plain = jpeg();
  return Buffer.concat([plain.subarray(0, 2), marker, content, plain.subarray(2)]);
}

// The sides of a WebP file; fails where it is none.
export function webpSize(bytes) {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') throw new Error('no WebP');
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}
