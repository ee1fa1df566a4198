// The photo editor's backend: a photo comes in through a presigned URL, a job is queued, and the result is fetched.
//
//   node photo-editor.ts [photo.jpg]
import { ulid } from 'ulid';
import { download, dynamodb, until, upload } from './aws.ts';
import { picture } from './picture.ts';

const TableName = 'photoeditor-dev-jobs';
const userId = 'user-12345';
const photo = await picture(process.argv[2]);

const jobId = ulid();
const s3TempKey = `uploads/${userId}/${jobId}`;
await upload({ Bucket: 'photoeditor-dev-temp', Key: s3TempKey }, photo.type, photo.bytes);
console.log(`uploaded ${photo.name}, ${photo.bytes.length} bytes`);

const now = Date.now();
await dynamodb.put({
  TableName,
  Item: {
    jobId, userId, status: 'QUEUED', createdAt: now, updatedAt: now,
    fileSize: photo.bytes.length, fileType: photo.type, originalFileName: photo.name, s3TempKey, provider: 'stub',
    ttl: Math.floor(now / 1000) + 90 * 24 * 60 * 60,
  },
  ConditionExpression: 'attribute_not_exists(jobId)',
});
console.log(`job ${jobId} is queued`);

let seen = '';
const job = await until('the job to end', async () => {
  const { Item } = await dynamodb.get({ TableName, Key: { jobId } });
  if (Item && Item.status !== seen) console.log(`  ${(seen = Item.status)}`);
  return Item && ['COMPLETED', 'FAILED'].includes(Item.status) && Item;
});
if (job.status === 'FAILED') throw new Error(`${job.error.code}: ${job.error.message}`);

for (const { name, confidence } of job.analysisResult.labels) console.log(`  ${name} ${(100 * confidence).toFixed(0)} %`);
console.log(`  ${job.analysisResult.description ?? ''}`);
const edited = await download({ Bucket: 'photoeditor-dev-final', Key: job.editResult.s3Key });
const { width, height, format } = job.editResult;
console.log(`edited: ${width} x ${height} ${format}, ${edited.length} bytes`);

const { Items: mine } = await dynamodb.query({
  TableName, IndexName: 'userId-createdAt-index', KeyConditionExpression: 'userId = :userId',
  ExpressionAttributeValues: { ':userId': userId }, ScanIndexForward: false, Limit: 20,
});
console.log(`newest of ${userId}: ${mine?.map((one) => `${one.jobId} ${one.status}`).join(', ')}`);
