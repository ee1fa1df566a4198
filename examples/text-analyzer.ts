// The text analyzer's backend: a record, a presigned URL, and the analysis that the upload's arrival starts.
//
//   node text-analyzer.ts [text.txt]
import { readFile } from 'node:fs/promises';
import { ulid } from 'ulid';
import { dynamodb, until, upload } from './aws.ts';

const TableName = 'text-analyzer-history';
const ownerId = 'anonymous-7';
const path = process.argv[2];
const text = path ? await readFile(path) : 'The quick brown fox jumps over the lazy dog. The dog sleeps, and the fox is quick.';

const fileId = ulid();
const Key = { PK: `FILE#${fileId}`, SK: 'META' };
const place = { s3Bucket: 'text-analyzer-uploads', s3Key: `uploads/${fileId}.txt` };
await dynamodb.put({
  TableName,
  Item: { ...Key, fileId, ownerId, ...place, originalFileName: path ?? 'fox.txt', status: 'PENDING', createdAt: Date.now(), updatedAt: Date.now() },
  ConditionExpression: 'attribute_not_exists(PK)',
});
await upload({ Bucket: place.s3Bucket, Key: place.s3Key }, 'text/plain', text);
console.log(`uploaded ${text.length} bytes as file ${fileId}`);

const file = await until('the analysis', async () => {
  const { Item } = await dynamodb.get({ TableName, Key });
  return Item && ['COMPLETED', 'FAILED'].includes(Item.status) && Item;
});
if (file.status === 'FAILED') throw new Error(file.errorMessage);
const { totalWords, uniqueWords, avgWordLength, top10Words } = file.result;
console.log(`${totalWords} words, ${uniqueWords} of them different, ${avgWordLength} letters on average`);
console.log(`  ${top10Words.map(({ word, count }: { word: string; count: number }) => `${word} ${count}`).join(', ')}`);

const { Items: history } = await dynamodb.query({ TableName, KeyConditionExpression: 'PK = :owner', ExpressionAttributeValues: { ':owner': `OWNER#${ownerId}` } });
console.log(`files of ${ownerId}: ${history?.map((one) => `${one.originalFileName} ${one.status}`).join(', ')}`);
