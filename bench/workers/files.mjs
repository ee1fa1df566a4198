// The files that built-in workers and plain loops work on: texts of made-up words in several languages, photos that
// nobody has taken. The same for every run.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { programs } from '../measure.mjs';
import { run } from '../processes.mjs';

const many = (count, makeOne) => Array.from({ length: count }, (_, n) => makeOne(n));

const texts = (language, kilobytes, count) =>
  many(count, (n) => ({
    name: `${language}-${kilobytes}k-${n}.txt`,
    make: ['text', language, `${kilobytes * 1024}`, `${n + 1}`],
  }));

const photos = (width, height, format, count) =>
  many(count, (n) => ({
    name: `${width}x${height}-${n}.${format}`,
    make: ['photo', `${width}`, `${height}`, `${n + 1}`],
    type: format === 'png' ? 'image/png' : 'image/jpeg',
  }));

// The largest first: then all slots end at about the same time.
export const sets = {
  texts: {
    title: 'texts of 4 to 64 MiB',
    kind: 'text',
    files: [
      ...texts('english', 65_536, 4),
      ...texts('german', 32_768, 2),
      ...texts('russian', 16_384, 2),
      ...texts('english', 16_384, 8),
      ...texts('english', 4_096, 16),
      ...texts('japanese', 512, 1),
    ],
  },
  small_texts: { title: 'texts of 64 KiB', kind: 'text', files: texts('english', 64, 300) },
  photos: {
    title: 'photos of 2 to 12 megapixels',
    kind: 'image',
    files: [
      ...photos(4000, 3000, 'jpg', 3),
      ...photos(3000, 2000, 'jpg', 4),
      ...photos(2000, 1500, 'png', 4),
      ...photos(1600, 1200, 'jpg', 6),
    ],
  },
  small_photos: { title: 'pictures of 640 x 480', kind: 'image', files: photos(640, 480, 'jpg', 60) },
};

// Makes every n-th file of a set in `folder`, and says where they are and how long: [{path, name, bytes, type}].
export async function makeFiles({ files }, folder, every_nth = 1) {
  mkdirSync(folder, { recursive: true });
  const made = [];
  for (const { name, make, type } of files.filter((_, n) => n % every_nth === 0)) {
    const path = join(folder, name);
    await run(programs.plain, [...make, path]);
    made.push({ path, name, type, bytes: statSync(path).size });
  }
  return made;
}
