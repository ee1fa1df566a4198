// The two design documents that speak DynamoDB (000 photo editor jobs, 001 image service) are promises to
// people who already have code. Every code sample in them runs here as written, TypeScript types stripped,
// through the SDK its own lines call for. Where a sample cannot work on DynamoDB either, the test says so
// and proves the working form beside it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ApplicationAutoScaling } from '@aws-sdk/client-application-auto-scaling';
import AWS from 'aws-sdk';
import { ulid } from 'ulid';
import { active, clientConfig, conditionFailed, credentials, db, differs, doc, endpoint, fails, invalid, ours, pages, tableShape } from './harness.mjs';

const JOBS = 'photoeditor-prod-jobs';
const IMAGES = 'ImageMetadata';

async function recreate(request) {
  await db.deleteTable({ TableName: request.TableName }).catch(() => {});
  await db.createTable(request);
  return active(request.TableName);
}

// ------------------------------------------------------------------------------- 000 photo editor jobs

const job = (overrides = {}) => {
  const now = Date.now();
  return {
    jobId: ulid(), userId: 'user-12345', status: 'QUEUED', createdAt: now, updatedAt: now,
    fileSize: 2_400_123, fileType: 'image/jpeg', originalFileName: 'beach.jpg', s3TempKey: 'temp/beach.jpg', provider: 'stub',
    analysisResult: { labels: [{ name: 'sea', confidence: 0.93 }], safeSearch: { adult: 'VERY_UNLIKELY', violence: 'UNLIKELY' } },
    correlationId: 'c-1', ttl: Math.floor(Date.now() / 1000) + (90 * 24 * 60 * 60), // 90 days
    ...overrides,
  };
};

before(async () => {
  await recreate({
    TableName: JOBS,
    BillingMode: 'PAY_PER_REQUEST',
    ...tableShape('jobId:S', { gsi: { 'userId-createdAt-index': 'userId:S createdAt:N', 'status-createdAt-index': 'status:S createdAt:N' } }),
  });
  await db.updateTimeToLive({ TableName: JOBS, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } });
  await recreate({
    TableName: IMAGES,
    BillingMode: 'PAY_PER_REQUEST',
    ...tableShape('PK:S SK:S', { gsi: { UserIndex: 'GSI1PK:S GSI1SK:S', AlbumIndex: 'GSI2PK:S GSI2SK:S' } }),
  });
});

test('P3 P4: GSI1 as written lists a user\'s newest 20 jobs first', async () => {
  const dynamodb = doc;
  const jobs = Array.from({ length: 25 }, (_, i) => job({ createdAt: 1_700_000_000_000 + i }));
  for (const item of jobs) await dynamodb.put({ TableName: JOBS, Item: item });
  await dynamodb.put({ TableName: JOBS, Item: job({ userId: 'someone-else' }) });

  const result = await dynamodb.query({
    TableName: 'photoeditor-prod-jobs',
    IndexName: 'userId-createdAt-index',
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: {
      ':userId': 'user-12345',
    },
    ScanIndexForward: false,  // Descending order (newest first)
    Limit: 20,
  });

  assert.deepEqual(result.Items, jobs.toReversed().slice(0, 20));
  assert.deepEqual(result.LastEvaluatedKey, { userId: 'user-12345', createdAt: jobs[5].createdAt, jobId: jobs[5].jobId });
});

test('P3: GSI2 as written names `status`, which DynamoDB reserves', differs('leaves the prefix out'), async () => {
  const dynamodb = doc;
  await invalid(
    dynamodb.query({
      TableName: 'photoeditor-prod-jobs',
      IndexName: 'status-createdAt-index',
      KeyConditionExpression: 'status = :status',
      ExpressionAttributeValues: {
        ':status': 'FAILED',
      },
      ScanIndexForward: false,
      Limit: 100,
    }),
    'Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: status',
  );
});

test('P3 P4: GSI2 with a placeholder lists failed jobs, newest first', async () => {
  const dynamodb = doc;
  const error = { code: 'PROVIDER_TIMEOUT', message: 'no answer', retryCount: 3 };
  const failed = [3, 1, 2].map((i) => job({ userId: 'u-failed', status: 'FAILED', createdAt: i, error }));
  for (const item of failed) await dynamodb.put({ TableName: JOBS, Item: item });
  const result = await dynamodb.query({
    TableName: 'photoeditor-prod-jobs',
    IndexName: 'status-createdAt-index',
    KeyConditionExpression: '#status = :status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':status': 'FAILED',
    },
    ScanIndexForward: false,
    Limit: 100,
  });
  assert.deepEqual(result.Items.map((item) => item.createdAt), [3, 2, 1]);
  assert.deepEqual(result.Items[0].error, error);
});

const idempotentUpdate = (dynamodb, jobId) =>
  dynamodb.update({
    TableName: 'photoeditor-prod-jobs',
    Key: { jobId },
    UpdateExpression: 'SET #status = :newStatus, updatedAt = :now',
    ConditionExpression: '#status = :expectedStatus',
    ExpressionAttributeNames: {
      '#status': 'status',
    },
    ExpressionAttributeValues: {
      ':newStatus': 'PROCESSING',
      ':expectedStatus': 'QUEUED',
      ':now': Date.now(),
    },
  });

test('P6: the conditional status update moves a QUEUED job once', async () => {
  await doc.put({ TableName: JOBS, Item: job({ jobId: 'job-12345' }) });
  await idempotentUpdate(doc, 'job-12345');
  assert.equal((await doc.get({ TableName: JOBS, Key: { jobId: 'job-12345' } })).Item.status, 'PROCESSING');
  await conditionFailed(idempotentUpdate(doc, 'job-12345'));
});

test('P6: the same update through the SDK v2 document client', async () => {
  const jobId = ulid();
  await doc.put({ TableName: JOBS, Item: job({ jobId }) });
  const v2 = new AWS.DynamoDB.DocumentClient({ endpoint, region: 'us-east-1', credentials, maxRetries: 0 });
  const params = {
    TableName: JOBS, Key: { jobId },
    UpdateExpression: 'SET #status = :newStatus', ConditionExpression: '#status = :expectedStatus',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':newStatus': 'PROCESSING', ':expectedStatus': 'QUEUED' },
  };
  await v2.update(params).promise();
  await assert.rejects(v2.update(params).promise(), { code: 'ConditionalCheckFailedException', statusCode: 400, retryable: false });
});

test('P6: of 40 workers racing for one job exactly one wins', async () => {
  for (let round = 0; round < 5; round++) {
    const jobId = ulid();
    await doc.put({ TableName: JOBS, Item: job({ jobId }) });
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => idempotentUpdate(doc, jobId)));
    assert.equal(outcomes.filter((o) => o.status === 'fulfilled').length, 1);
    for (const { reason } of outcomes.filter((o) => o.status === 'rejected')) assert.equal(reason.name, 'ConditionalCheckFailedException');
  }
});

test('P4: get, update and delete a job by id', async () => {
  const item = job({ error: { code: 'X', message: 'y', retryCount: 0 }, editResult: { s3Key: 'k', width: 1, height: 2, format: 'webp', size: 3 } });
  await doc.put({ TableName: JOBS, Item: item });
  assert.deepEqual((await doc.get({ TableName: JOBS, Key: { jobId: item.jobId } })).Item, item);
  await doc.update({
    TableName: JOBS, Key: { jobId: item.jobId },
    UpdateExpression: 'SET #e.retryCount = #e.retryCount + :one', ExpressionAttributeNames: { '#e': 'error' }, ExpressionAttributeValues: { ':one': 1 },
  });
  assert.equal((await doc.get({ TableName: JOBS, Key: { jobId: item.jobId } })).Item.error.retryCount, 1);
  await doc.delete({ TableName: JOBS, Key: { jobId: item.jobId } });
  assert.equal((await doc.get({ TableName: JOBS, Key: { jobId: item.jobId } })).Item, undefined);
});

test('P7: TTL is on attribute `ttl`, and a job 90 days from its end is there', async () => {
  const { TimeToLiveDescription } = await db.describeTimeToLive({ TableName: JOBS });
  assert.equal(TimeToLiveDescription.AttributeName, 'ttl');
  assert.equal(TimeToLiveDescription.TimeToLiveStatus, 'ENABLED');
  const item = job();
  await doc.put({ TableName: JOBS, Item: item });
  assert.equal((await doc.get({ TableName: JOBS, Key: { jobId: item.jobId } })).Item.ttl, item.ttl);
});

test('P1: the planned provisioned billing (25 RCU, 10 WCU) is kept and reported', async () => {
  const shape = tableShape('jobId:S');
  const Table = await recreate({ TableName: 'photoeditor-staging-jobs', ...shape, BillingMode: 'PROVISIONED', ProvisionedThroughput: { ReadCapacityUnits: 25, WriteCapacityUnits: 10 } });
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 25);
  assert.equal(Table.ProvisionedThroughput.WriteCapacityUnits, 10);
  assert.ok(Table.BillingModeSummary === undefined || Table.BillingModeSummary.BillingMode === 'PROVISIONED');
});

test('P1: the planned bounds of auto scaling (25 to 100 RCU, 10 to 50 WCU, 70 %) are kept and reported, and on-demand is the way back', ours, async () => {
  const TableName = 'photoeditor-staging-jobs';
  await recreate({ TableName, ...tableShape('jobId:S'), BillingMode: 'PROVISIONED', ProvisionedThroughput: { ReadCapacityUnits: 25, WriteCapacityUnits: 10 } });
  const scaling = new ApplicationAutoScaling(clientConfig());
  const planned = { Read: [25, 100], Write: [10, 50] };
  for (const [verb, [MinCapacity, MaxCapacity]] of Object.entries(planned)) {
    const target = { ServiceNamespace: 'dynamodb', ResourceId: `table/${TableName}`, ScalableDimension: `dynamodb:table:${verb}CapacityUnits` };
    await scaling.registerScalableTarget({ ...target, MinCapacity, MaxCapacity });
    await scaling.putScalingPolicy({
      ...target, PolicyName: `${verb}-at-70`, PolicyType: 'TargetTrackingScaling',
      TargetTrackingScalingPolicyConfiguration: { TargetValue: 70, PredefinedMetricSpecification: { PredefinedMetricType: `DynamoDB${verb}CapacityUtilization` } },
    });
    const { ScalableTargets: [kept] } = await scaling.describeScalableTargets({ ServiceNamespace: 'dynamodb', ResourceIds: [target.ResourceId], ScalableDimension: target.ScalableDimension });
    assert.deepEqual([kept.MinCapacity, kept.MaxCapacity], [MinCapacity, MaxCapacity]);
    const { ScalingPolicies: [policy] } = await scaling.describeScalingPolicies({ ServiceNamespace: 'dynamodb', PolicyNames: [`${verb}-at-70`] });
    assert.equal(policy.TargetTrackingScalingPolicyConfiguration.TargetValue, 70);
  }
  await db.updateTable({ TableName, BillingMode: 'PAY_PER_REQUEST' });
  const { Table } = await db.describeTable({ TableName });
  assert.equal(Table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
});

// --------------------------------------------------------------------------------- 001 image service

const dynamodb = db; // the document's access patterns use attribute values, so the plain client

const getImage = async (imageId) => {
  const result = await dynamodb.getItem({
    TableName: 'ImageMetadata',
    Key: {
      PK: { S: `IMAGE#${imageId}` },
      SK: { S: 'METADATA' },
    },
  })

  return result.Item
}

const listUserImages = async (
  userId,
  limit = 20,
  lastEvaluatedKey,
) => {
  const result = await dynamodb.query({
    TableName: 'ImageMetadata',
    IndexName: 'UserIndex',
    KeyConditionExpression: 'GSI1PK = :userId',
    ExpressionAttributeValues: {
      ':userId': { S: `USER#${userId}` },
    },
    ScanIndexForward: false, // Newest first
    Limit: limit,
    ExclusiveStartKey: lastEvaluatedKey,
  })

  return {
    items: result.Items,
    lastEvaluatedKey: result.LastEvaluatedKey,
    hasMore: !!result.LastEvaluatedKey,
  }
}

const listAlbumImages = async (albumId) => {
  const result = await dynamodb.query({
    TableName: 'ImageMetadata',
    IndexName: 'AlbumIndex',
    KeyConditionExpression: 'GSI2PK = :albumId',
    ExpressionAttributeValues: {
      ':albumId': { S: `ALBUM#${albumId}` },
    },
    ScanIndexForward: false,
  })

  return result.Items
}

const updateImage = async (imageId, updates) => {
  const updateExpression = []
  const expressionAttributeNames = {}
  const expressionAttributeValues = {}

  if (updates.title) {
    updateExpression.push('#title = :title')
    expressionAttributeNames['#title'] = 'title'
    expressionAttributeValues[':title'] = { S: updates.title }
  }

  if (updates.tags) {
    updateExpression.push('#tags = :tags')
    expressionAttributeNames['#tags'] = 'tags'
    expressionAttributeValues[':tags'] = { L: updates.tags.map(t => ({ S: t })) }
  }

  // Optimistic locking
  updateExpression.push('#version = #version + :inc')
  expressionAttributeNames['#version'] = 'version'
  expressionAttributeValues[':inc'] = { N: '1' }
  expressionAttributeValues[':currentVersion'] = { N: String(updates.version) }

  const result = await dynamodb.updateItem({
    TableName: 'ImageMetadata',
    Key: {
      PK: { S: `IMAGE#${imageId}` },
      SK: { S: 'METADATA' },
    },
    UpdateExpression: `SET ${updateExpression.join(', ')}`,
    ConditionExpression: '#version = :currentVersion',
    ExpressionAttributeNames: expressionAttributeNames,
    ExpressionAttributeValues: expressionAttributeValues,
    ReturnValues: 'ALL_NEW',
  })

  return result.Attributes
}

const deleteImage = async (imageId, userId) => {
  // Verify ownership before delete
  const result = await dynamodb.deleteItem({
    TableName: 'ImageMetadata',
    Key: {
      PK: { S: `IMAGE#${imageId}` },
      SK: { S: 'METADATA' },
    },
    ConditionExpression: 'GSI1PK = :userId',
    ExpressionAttributeValues: {
      ':userId': { S: `USER#${userId}` },
    },
    ReturnValues: 'ALL_OLD',
  })

  return result.Attributes
}

// ADR 007, as written.
const imageItem = ({ imageId, userId, albumId, uploadedAt }) => {
  // Only set GSI2PK if albumId exists
  const item = {
    PK: `IMAGE#${imageId}`,
    SK: 'METADATA',
    GSI1PK: `USER#${userId}`,
    GSI1SK: `UPLOADED#${uploadedAt}`,
    ...(albumId && {
      GSI2PK: `ALBUM#${albumId}`,
      GSI2SK: `UPLOADED#${uploadedAt}`,
    }),
  }
  return { ...item, id: imageId, userId, ...(albumId && { albumId }), version: 1, aspectRatio: 1.5, uploadedAt };
};

const upload = async (image) => {
  const item = imageItem({ imageId: ulid(), uploadedAt: new Date().toISOString(), ...image });
  await doc.put({ TableName: IMAGES, Item: item });
  return item;
};

test('I4: access pattern 1, get an image by id', async () => {
  const image = await upload({ userId: ulid() });
  const found = await getImage(image.id);
  assert.deepEqual(found.GSI1PK, { S: image.GSI1PK });
  assert.deepEqual(found.aspectRatio, { N: '1.5' });
  assert.equal(await getImage('nobody'), undefined);
});

test('I4: access pattern 2, a user\'s images in pages, newest first', async () => {
  const userId = ulid();
  const uploaded = [];
  for (let i = 0; i < 25; i++) uploaded.push(await upload({ userId, uploadedAt: new Date(1_736_000_000_000 + i * 1000).toISOString() }));
  const first = await listUserImages(userId);
  assert.equal(first.items.length, 20);
  assert.equal(first.hasMore, true);
  assert.deepEqual(Object.keys(first.lastEvaluatedKey).sort(), ['GSI1PK', 'GSI1SK', 'PK', 'SK']);
  const second = await listUserImages(userId, 20, first.lastEvaluatedKey);
  assert.equal(second.hasMore, false);
  assert.deepEqual([...first.items, ...second.items].map((i) => i.id.S), uploaded.toReversed().map((i) => i.id));
});

test('I4: the document\'s option A, filter a user\'s images by tag in the client', async () => {
  const userId = ulid();
  const tagged = await upload({ userId });
  await upload({ userId });
  await updateImage(tagged.id, { tags: ['minifig', 'castle'], version: 1 });
  const allImages = await listUserImages(userId, 1000);
  const filtered = allImages.items.filter((img) => img.tags?.L.some((t) => t.S === 'minifig'));
  assert.deepEqual(filtered.map((img) => img.id.S), [tagged.id]);
});

test('I3 I4: access pattern 3, an album\'s images; one without an album is not in the sparse index', async () => {
  const userId = ulid();
  const albumId = ulid();
  const [older, newer] = [await upload({ userId, albumId, uploadedAt: '2025-01-01T00:00:00Z' }), await upload({ userId, albumId, uploadedAt: '2025-01-02T00:00:00Z' })];
  await upload({ userId });
  assert.deepEqual((await listAlbumImages(albumId)).map((i) => i.id.S), [newer.id, older.id]);
  assert.equal((await listUserImages(userId)).items.length, 3);
  const { items } = await pages('scan', { TableName: IMAGES, IndexName: 'AlbumIndex' });
  assert.ok(items.every((item) => item.albumId));
});

test('I4: the index samples with plain values, 20 newest of a user and 50 of an album', async () => {
  const dynamodb = doc;
  const userId = ulid();
  const albumId = ulid();
  const image = await upload({ userId, albumId });
  const user = await dynamodb.query({
    TableName: 'ImageMetadata',
    IndexName: 'UserIndex',
    KeyConditionExpression: 'GSI1PK = :userId',
    ExpressionAttributeValues: {
      ':userId': `USER#${userId}`,
    },
    ScanIndexForward: false, // Descending order (newest first)
    Limit: 20,
  })
  const album = await dynamodb.query({
    TableName: 'ImageMetadata',
    IndexName: 'AlbumIndex',
    KeyConditionExpression: 'GSI2PK = :albumId',
    ExpressionAttributeValues: {
      ':albumId': `ALBUM#${albumId}`,
    },
    ScanIndexForward: false,
    Limit: 50,
  })
  assert.deepEqual(user.Items, [image]);
  assert.deepEqual(album.Items, [image]);
});

test('I4: access pattern 4, update with optimistic locking returns ALL_NEW', async () => {
  const image = await upload({ userId: ulid() });
  const updated = await updateImage(image.id, { title: 'Castle', tags: ['a', 'b'], version: 1 });
  assert.deepEqual(updated.title, { S: 'Castle' });
  assert.deepEqual(updated.tags, { L: [{ S: 'a' }, { S: 'b' }] });
  assert.deepEqual(updated.version, { N: '2' });
  assert.deepEqual(updated.GSI1PK, { S: image.GSI1PK });
  await conditionFailed(updateImage(image.id, { title: 'Stale', version: 1 }));
});

test('I4: of many editors with one version exactly one wins', async () => {
  const image = await upload({ userId: ulid() });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => updateImage(image.id, { title: `t${i}`, version: 1 })));
  assert.equal(outcomes.filter((o) => o.status === 'fulfilled').length, 1);
  assert.deepEqual((await getImage(image.id)).version, { N: '2' });
});

test('I4: access pattern 5, only the owner deletes, and gets ALL_OLD', async () => {
  const userId = ulid();
  const image = await upload({ userId });
  await conditionFailed(deleteImage(image.id, 'somebody-else'));
  assert.deepEqual((await deleteImage(image.id, userId)).id, { S: image.id });
  assert.equal(await getImage(image.id), undefined);
  await conditionFailed(deleteImage(image.id, userId));
});

test('I1: VERSION# and TAGS items live under the same partition', async () => {
  const imageId = ulid();
  const PK = `IMAGE#${imageId}`;
  for (const SK of ['METADATA', 'VERSION#1', 'VERSION#2', 'TAGS']) await doc.put({ TableName: IMAGES, Item: { PK, SK } });
  const versions = await doc.query({
    TableName: IMAGES, KeyConditionExpression: 'PK = :pk AND begins_with(SK, :v)', ExpressionAttributeValues: { ':pk': PK, ':v': 'VERSION#' },
  });
  assert.deepEqual(versions.Items.map((i) => i.SK), ['VERSION#1', 'VERSION#2']);
});

test('I6: ADR 005, ids from ulid() sort in the order of their making', async () => {
  const PK = `IMAGE#order-${ulid()}`;
  const made = [];
  for (let i = 0; i < 12; i++) {
    made.push(ulid(1_700_000_000_000 + i));
    await doc.put({ TableName: IMAGES, Item: { PK, SK: made[i] } });
  }
  const found = await doc.query({ TableName: IMAGES, KeyConditionExpression: 'PK = :pk', ExpressionAttributeValues: { ':pk': PK } });
  assert.deepEqual(found.Items.map((i) => i.SK), made);
});

test('I7: ADR 008, a temporary image keeps its ttl of an hour', async () => {
  const imageMetadata = imageItem({ imageId: ulid(), userId: ulid(), uploadedAt: new Date().toISOString() });
  const tempImage = {
    ...imageMetadata,
    ttl: Math.floor(Date.now() / 1000) + 3600, // Expire in 1 hour
  }
  await doc.put({ TableName: IMAGES, Item: tempImage });
  assert.deepEqual((await doc.get({ TableName: IMAGES, Key: { PK: tempImage.PK, SK: 'METADATA' } })).Item, tempImage);
});

test('I3: the index definitions as written ask for 0 capacity units, which DynamoDB refuses', async () => {
  const index = {
    IndexName: 'UserIndex',
    KeySchema: [
      { AttributeName: 'GSI1PK', KeyType: 'HASH' },   // USER#<userId>
      { AttributeName: 'GSI1SK', KeyType: 'RANGE' }   // UPLOADED#<uploadedAt>
    ],
    Projection: {
      ProjectionType: 'ALL'  // Include all attributes
    },
    ProvisionedThroughput: {
      ReadCapacityUnits: 0,   // On-Demand
      WriteCapacityUnits: 0
    }
  };
  const shape = tableShape('PK:S SK:S', { gsi: { UserIndex: 'GSI1PK:S GSI1SK:S' } });
  await fails(
    db.createTable({ TableName: 'ImageMetadata-as-written', BillingMode: 'PAY_PER_REQUEST', ...shape, GlobalSecondaryIndexes: [index] }),
    'ValidationException',
    /^2 validation errors detected: .*Value '0' at 'globalSecondaryIndexes\.1\.member\.provisionedThroughput\.readCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1/,
  );
});

test('I9: the migration script as written moves every row, 25 at a time', async () => {
  const galleryImages = 'gallery_images';
  const at = (i) => new Date(1_735_700_000_000 + i * 60_000);
  const rows = Array.from({ length: 60 }, (_, i) => ({
    id: ulid(), userId: `migrated-${i % 2}`, albumId: i % 3 === 0 ? 'album-m' : null, originalFilename: `f${i}.png`, mimeType: 'image/png',
    fileSize: 1000 + i, width: i % 5 === 0 ? null : 640, height: 480, s3Key: `images/${i}.webp`, thumbnailKey: null, title: null,
    description: '', altText: null, tags: i % 2 ? ['x', 'y'] : null, createdAt: at(i), updatedAt: at(i),
  }));
  const db = { select: () => ({ from: async (table) => (assert.equal(table, galleryImages), rows) }) };
  process.env.S3_BUCKET_NAME = 'images-lego-moc-prod';
  process.env.CLOUDFRONT_DOMAIN = 'd123.cloudfront.net';
  AWS.config.update({ region: 'us-east-1', credentials, dynamodb: { endpoint } });
  const console = { log() {} };

  const { DynamoDB } = AWS;
  const dynamodb = new DynamoDB.DocumentClient()

  async function migrateGalleryImages() {
    console.log('Starting migration...')

    // Fetch all images from PostgreSQL
    const images = await db.select().from(galleryImages)

    console.log(`Migrating ${images.length} images...`)

    // Batch write to DynamoDB (25 items at a time)
    for (let i = 0; i < images.length; i += 25) {
      const batch = images.slice(i, i + 25)

      const putRequests = batch.map(img => ({
        PutRequest: {
          Item: {
            PK: `IMAGE#${img.id}`,
            SK: 'METADATA',
            GSI1PK: `USER#${img.userId}`,
            GSI1SK: `UPLOADED#${img.createdAt.toISOString()}`,
            ...(img.albumId && {
              GSI2PK: `ALBUM#${img.albumId}`,
              GSI2SK: `UPLOADED#${img.createdAt.toISOString()}`,
            }),

            id: img.id,
            userId: img.userId,
            albumId: img.albumId,
            originalFilename: img.originalFilename,
            mimeType: img.mimeType,
            fileSize: img.fileSize,
            width: img.width,
            height: img.height,
            aspectRatio: img.width && img.height ? img.width / img.height : 1,
            s3Key: img.s3Key,
            s3Bucket: process.env.S3_BUCKET_NAME,
            thumbnailKey: img.thumbnailKey,
            imageUrl: `https://${process.env.CLOUDFRONT_DOMAIN}/${img.s3Key}`,
            thumbnailUrl: `https://${process.env.CLOUDFRONT_DOMAIN}/${img.thumbnailKey}`,
            processingStatus: 'completed',
            format: 'webp',
            quality: 85,
            title: img.title,
            description: img.description,
            altText: img.altText,
            tags: img.tags,
            createdAt: img.createdAt.toISOString(),
            updatedAt: img.updatedAt.toISOString(),
            uploadedAt: img.createdAt.toISOString(),
            version: 1,
          },
        },
      }))

      await dynamodb
        .batchWrite({
          RequestItems: {
            ImageMetadata: putRequests,
          },
        })
        .promise()

      console.log(`Migrated ${i + batch.length}/${images.length} images`)
    }

    console.log('Migration complete!')
  }

  await migrateGalleryImages()

  const album = await doc.query({
    TableName: IMAGES, IndexName: 'AlbumIndex', KeyConditionExpression: 'GSI2PK = :a', ExpressionAttributeValues: { ':a': 'ALBUM#album-m' },
  });
  assert.deepEqual(album.Items.map((i) => i.id), rows.filter((r) => r.albumId).map((r) => r.id));
  for (const user of ['migrated-0', 'migrated-1']) {
    const found = await doc.query({
      TableName: IMAGES, IndexName: 'UserIndex', KeyConditionExpression: 'GSI1PK = :u', ExpressionAttributeValues: { ':u': `USER#${user}` },
    });
    assert.deepEqual(found.Items.map((i) => i.id), rows.filter((r) => r.userId === user).map((r) => r.id));
  }
  const third = album.Items.find((i) => i.id === rows[3].id);
  assert.equal(third.aspectRatio, 640 / 480);
  assert.equal(third.title, null);
  assert.deepEqual(third.tags, ['x', 'y']);
});
