// The image service's backend: metadata first, the upload by a presigned URL, and what users do with their images afterwards.
//
//   node image-service.ts [picture.jpg]
import { ulid } from 'ulid';
import { download, dynamodb, until, upload } from './aws.ts';
import { picture } from './picture.ts';

const TableName = 'ImageMetadata';
const userId = 'user-1';
const albumId = 'castles';
const source = await picture(process.argv[2]);

const imageId = ulid();
const Key = { PK: `IMAGE#${imageId}`, SK: 'METADATA' };
const at = new Date().toISOString();
await dynamodb.put({
  TableName,
  Item: {
    ...Key, id: imageId, userId, albumId, originalFilename: source.name, mimeType: source.type, fileSize: source.bytes.length,
    processingStatus: 'pending', tags: ['minifig'], createdAt: at, updatedAt: at, uploadedAt: at, version: 1,
    GSI1PK: `USER#${userId}`, GSI1SK: `UPLOADED#${at}`, GSI2PK: `ALBUM#${albumId}`, GSI2SK: `UPLOADED#${at}`,
  },
  ConditionExpression: 'attribute_not_exists(PK)',
});
await upload({ Bucket: 'images-lego-moc-dev', Key: `uploads/${userId}/${imageId}` }, source.type, source.bytes);
console.log(`uploaded ${source.name}, ${source.bytes.length} bytes, as image ${imageId}`);

const image = await until('the image to be processed', async () => {
  const { Item } = await dynamodb.get({ TableName, Key });
  return Item && ['completed', 'failed'].includes(Item.processingStatus) && Item;
});
if (image.processingStatus === 'failed') throw new Error(image.processingError);
const webp = await download({ Bucket: image.s3Bucket, Key: image.s3Key });
const thumbnail = await download({ Bucket: image.s3Bucket, Key: image.thumbnailKey });
console.log(`${image.width} x ${image.height}: ${webp.length} bytes of WebP, thumbnail ${thumbnail.length}`);
console.log(`  ${image.imageUrl}`);

const list = async (IndexName: string, name: string, value: string) =>
  (await dynamodb.query({ TableName, IndexName, KeyConditionExpression: `${name} = :value`, ExpressionAttributeValues: { ':value': value }, ScanIndexForward: false, Limit: 20 })).Items ?? [];
console.log(`of the user: ${(await list('UserIndex', 'GSI1PK', `USER#${userId}`)).length}, of the album: ${(await list('AlbumIndex', 'GSI2PK', `ALBUM#${albumId}`)).length}`);

// Two people change the title; the second does not know of the first.
const rename = (title: string, version: number) =>
  dynamodb.update({
    TableName, Key, UpdateExpression: 'SET #title = :title, #version = #version + :inc', ConditionExpression: '#version = :currentVersion',
    ExpressionAttributeNames: { '#title': 'title', '#version': 'version' },
    ExpressionAttributeValues: { ':title': title, ':inc': 1, ':currentVersion': version }, ReturnValues: 'ALL_NEW',
  });
const { Attributes: renamed } = await rename('A castle', image.version);
const late = await rename('A tower', image.version).catch((error) => error.name);
console.log(`renamed to ${renamed?.title}, version ${renamed?.version}; whoever came late: ${late}`);
