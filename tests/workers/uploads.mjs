// What is uploaded, and what has to become of it.
import {png, jpeg, turnedJpeg} from '../blackbox/pictures.mjs';

const words = (count) => Array.from({length: count}, (_, i) => `word${i % 97}`).join(' ');

// {bytes, ends: the state it must end in, ...what the record must have}
const texts = [
  (random) => {
    const count = random.between(1, 60_000);
    return {bytes: Buffer.from(words(count)), ends: 'COMPLETED', totalWords: count, uniqueWords: Math.min(count, 97)};
  },
  () => ({bytes: Buffer.from([0x61, 0, 0x62]), ends: 'FAILED'}),
];
const images = [
  (random) => {
    const [width, height] = [random.between(20, 900), random.between(20, 700)];
    return {bytes: png(width, height), ends: 'completed', width, height};
  },
  () => ({bytes: turnedJpeg(), ends: 'completed', width: 32, height: 48}),
  (random) => ({bytes: png(200, 200).subarray(0, random.between(60, 250)), ends: 'failed'}),
];
const photos = [
  (random) => ({bytes: png(random.between(20, 900), random.between(20, 700)), ends: 'COMPLETED', format: 'png'}),
  () => ({bytes: jpeg(), ends: 'COMPLETED', format: 'jpeg'}),
  () => ({bytes: Buffer.from('no photo'), ends: 'FAILED'}),
];

const weights = [6, 2, 1];
const pick = (random, kinds) => random.weighted(kinds.map((make, i) => [kinds.length === 2 && i === 1 ? 1 : weights[i], make]))(random);

export const kinds = {
  text: {path: 'text-analyzer/file', id: 'fileId', status: 'status', queue: 'text-analyzer-queue', upload: (random) => pick(random, texts)},
  image: {path: 'image-service/image', id: 'id', status: 'processingStatus', queue: 'images-dev-queue', upload: (random) => pick(random, images)},
  photo: {path: 'photo-editor/job', id: 'jobId', status: 'status', upload: (random) => pick(random, photos)},
};

export const buckets = {text: 'text-analyzer-uploads', image: 'images-lego-moc-dev', temp: 'photoeditor-dev-temp', final: 'photoeditor-dev-final'};
