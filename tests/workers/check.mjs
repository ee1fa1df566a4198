// What must be so of a job that has ended, however often its workers were killed. Gives what is not, a text each.
import {createHash} from 'node:crypto';
import {webpSize} from '../blackbox/pictures.mjs';
import {buckets, kinds} from './uploads.mjs';

const ends = new Set(['COMPLETED', 'FAILED', 'completed']);

// job: {kind, upload, record, history}; objects: Map of "bucket/key" to bytes.
export function check(job, objects) {
  const {kind, upload, record, history} = job;
  const wrong = [];
  const say = (text) => wrong.push(`${kind} ${record[kinds[kind].id]}: ${text}`);
  const status = record[kinds[kind].status];
  if (status !== upload.ends) say(`is ${status}, and not ${upload.ends}: ${JSON.stringify(record.error ?? record.errorMessage ?? record.processingError)}`);
  const ended = history.filter(({to, from}) => ends.has(to) && from !== to);
  if (status !== 'failed' && ended.length !== 1) say(`has ended ${ended.length} times`);
  if (wrong.length === 0) checks[kind](job, objects, say);
  return wrong;
}

const checks = {
  text({upload, record}, _, say) {
    if (upload.ends === 'FAILED') {
      if (record.result || !record.errorMessage) say('has a result, or no message');
      return;
    }
    if (record.result.totalWords !== upload.totalWords || record.result.uniqueWords !== upload.uniqueWords) say(`has counted ${JSON.stringify(record.result)}`);
    if (record.errorMessage) say('has a message of an error');
  },

  image({upload, record}, objects, say) {
    const [image, small] = [record.s3Key, record.thumbnailKey].map((key) => objects.get(`${buckets.image}/${key}`));
    if (upload.ends === 'failed') {
      if (image || small) say('has an artifact of what failed');
      return;
    }
    if (record.width !== upload.width || record.height !== upload.height) say(`is ${record.width} by ${record.height}`);
    if (!image || !small) return say('lacks an artifact');
    if (image.length !== record.processedSize) say(`has an image of ${image.length} bytes, and says ${record.processedSize}`);
    const size = webpSize(image);
    if (size.width !== upload.width || size.height !== upload.height) say('has an image of another size');
  },

  photo({upload, record}, objects, say) {
    const own = [...objects.keys()].filter((name) => name.startsWith(`${buckets.final}/${record.userId}/${record.jobId}/`));
    if (upload.ends === 'FAILED') {
      if (own.length > 0 || !record.error?.code) say('has an artifact of what failed, or no code');
      return;
    }
    if (own.length !== 1 || own[0] !== `${buckets.final}/${record.s3FinalKey}`) return say(`has ${own.length} artifacts: ${own}`);
    const bytes = objects.get(own[0]);
    if (bytes.length !== record.editResult.size || record.editResult.format !== upload.format) say('has another artifact than it says');
    if (!own[0].includes(createHash('sha256').update(bytes).digest('hex').slice(0, 16))) say('has an artifact that is not whole');
    if (!record.analysisResult?.labels) say('has no analysis');
  },
};

// Artifacts that belong to no job.
export function strays(jobs, objects) {
  const known = new Set();
  for (const {kind, record} of jobs) {
    if (kind === 'image') known.add(`${buckets.image}/${record.s3Key}`).add(`${buckets.image}/${record.thumbnailKey}`);
    if (kind === 'photo') known.add(`${buckets.final}/${record.s3FinalKey}`);
  }
  const isUpload = (name) => name.startsWith(`${buckets.text}/`) || name.startsWith(`${buckets.temp}/`) || name.startsWith(`${buckets.image}/uploads/`);
  return [...objects.keys()].filter((name) => !isUpload(name) && !known.has(name)).map((name) => `${name} belongs to nobody`);
}
