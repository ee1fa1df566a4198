// Errors in the control plane: schemas, indexes, tags, TTL.

export const schemas = {
  schema_wrong(request, random) {
    if (request.operation !== 'CreateTable') return false;
    return random.pick(schema_edits)(request.body, random) !== false;
  },
  update_table_wrong(request, random) {
    if (request.operation !== 'UpdateTable') return false;
    const {TableName} = request.body;
    request.body = {TableName, ...random.pick([{}, {GlobalSecondaryIndexUpdates: []}, {GlobalSecondaryIndexUpdates: [{}]}, {GlobalSecondaryIndexUpdates: [{Delete: {IndexName: 'no-such-index'}}]},
      {GlobalSecondaryIndexUpdates: [{Create: {IndexName: 'new-index', KeySchema: [{AttributeName: 'undefined_one', KeyType: 'HASH'}], Projection: {ProjectionType: 'ALL'}}}]},
      {GlobalSecondaryIndexUpdates: [{Update: {IndexName: 'no-such-index', ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}}}]},
      {BillingMode: 'NOPE'}, {BillingMode: 'PROVISIONED'}, {ProvisionedThroughput: {ReadCapacityUnits: 0, WriteCapacityUnits: 1}}, {TableClass: 'NOPE'},
      {ProvisionedThroughput: {ReadCapacityUnits: 1}}, {AttributeDefinitions: [{AttributeName: 'x', AttributeType: 'S'}]}])};
    delete request.succeeded;
    return true;
  },
  tags_wrong(request, random) {
    if (!['TagResource', 'UntagResource', 'ListTagsOfResource'].includes(request.operation)) return false;
    const edits = [(b) => { b.ResourceArn = 'not-an-arn'; }, (b) => { b.ResourceArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/no-such-table'; }];
    if (request.operation === 'TagResource') edits.push((b) => { b.Tags = []; }, (b) => { b.Tags = [{Key: 'x'.repeat(129), Value: 'y'}]; }, (b) => { b.Tags = [{Key: 'x', Value: 'y'.repeat(257)}]; }, (b) => { b.Tags = [{Key: 'x', Value: 'y'}, {Key: 'x', Value: 'z'}]; }, (b) => { b.Tags = [{Key: 'aws:x', Value: 'y'}]; });
    if (request.operation === 'UntagResource') edits.push((b) => { b.TagKeys = []; });
    random.pick(edits)(request.body);
    return true;
  },
  ttl_wrong(request, random) {
    if (request.operation !== 'UpdateTimeToLive') return false;
    request.body.TimeToLiveSpecification = random.pick([{Enabled: true}, {AttributeName: 'ttl'}, {Enabled: true, AttributeName: ''}, {Enabled: true, AttributeName: 'x'.repeat(256)}, {Enabled: false, AttributeName: 'ttl'}, {}]);
    return true;
  },
};

// What is wrong with a schema, one thing at a time.
const schema_edits = [
  (b) => { b.KeySchema = []; },
  (b) => { b.KeySchema = [{AttributeName: 'r', KeyType: 'RANGE'}]; },
  (b) => { b.KeySchema.reverse(); },
  (b) => { b.KeySchema.push({AttributeName: 'third', KeyType: 'RANGE'}); },
  (b) => { b.KeySchema = [{AttributeName: 'h', KeyType: 'HASH'}, {AttributeName: 'h', KeyType: 'RANGE'}]; },
  (b) => { b.KeySchema[0].KeyType = 'NOPE'; },
  (b) => { b.KeySchema[0].AttributeName = 'undefined_one'; },
  (b) => { b.KeySchema[0].AttributeName = ''; },
  (b) => { b.KeySchema[0].AttributeName = 'k'.repeat(256); b.AttributeDefinitions.push({AttributeName: 'k'.repeat(256), AttributeType: 'S'}); },
  (b) => { b.AttributeDefinitions = []; },
  (b) => { b.AttributeDefinitions.push({AttributeName: 'surplus', AttributeType: 'S'}); },
  (b) => { b.AttributeDefinitions[0].AttributeType = 'SS'; },
  (b) => { b.AttributeDefinitions.push(b.AttributeDefinitions[0]); },
  (b) => { b.AttributeDefinitions.push({...b.AttributeDefinitions[0], AttributeType: b.AttributeDefinitions[0].AttributeType === 'S' ? 'N' : 'S'}); },
  (b) => { b.BillingMode = 'NOPE'; },
  (b) => { b.BillingMode = 'PROVISIONED'; delete b.ProvisionedThroughput; },
  (b) => { b.BillingMode = 'PAY_PER_REQUEST'; b.ProvisionedThroughput = {ReadCapacityUnits: 1, WriteCapacityUnits: 1}; },
  (b) => { b.BillingMode = 'PROVISIONED'; b.ProvisionedThroughput = {ReadCapacityUnits: 0, WriteCapacityUnits: 1}; },
  (b) => { b.BillingMode = 'PROVISIONED'; b.ProvisionedThroughput = {ReadCapacityUnits: -1, WriteCapacityUnits: 'x'}; },
  (b) => { delete b.BillingMode; b.ProvisionedThroughput = {ReadCapacityUnits: 1}; },
  (b) => { delete b.BillingMode; delete b.ProvisionedThroughput; },
  (b) => { b.TableClass = 'NOPE'; },
  (b) => { b.StreamSpecification = {StreamEnabled: true}; },
  (b) => { b.StreamSpecification = {StreamEnabled: true, StreamViewType: 'NOPE'}; },
  (b) => { b.StreamSpecification = {StreamEnabled: false, StreamViewType: 'NEW_IMAGE'}; },
  (b) => { b.Tags = [{Key: 'x'.repeat(129), Value: 'y'}]; },
  (b) => { b.LocalSecondaryIndexes = []; },
  (b) => { b.GlobalSecondaryIndexes = []; },
  ...['LocalSecondaryIndexes', 'GlobalSecondaryIndexes'].flatMap((field) => [
    (edit) => (b) => (b[field]?.length ? edit(b[field][0], b[field], b) : false),
  ].flatMap((on) => [
    on((i) => { i.IndexName = 'a'; }),
    on((i) => { i.IndexName = 'bad name'; }),
    on((i) => { i.KeySchema = []; }),
    on((i) => { i.KeySchema = i.KeySchema.slice(0, 1); }),
    on((i) => { i.KeySchema[0].AttributeName = 'undefined_one'; }),
    on((i) => { i.KeySchema.reverse(); }),
    on((i) => { i.Projection = {}; }),
    on((i) => { delete i.Projection; }),
    on((i) => { i.Projection = {ProjectionType: 'NOPE'}; }),
    on((i) => { i.Projection = {ProjectionType: 'INCLUDE'}; }),
    on((i) => { i.Projection = {ProjectionType: 'ALL', NonKeyAttributes: ['x']}; }),
    on((i) => { i.Projection = {ProjectionType: 'INCLUDE', NonKeyAttributes: []}; }),
    on((i) => { i.Projection = {ProjectionType: 'INCLUDE', NonKeyAttributes: ['x', 'x']}; }),
    on((i) => { i.Projection = {ProjectionType: 'INCLUDE', NonKeyAttributes: Array.from({length: 21}, (_, n) => `a${n}`)}; }),
    on((i) => { i.Projection = {ProjectionType: 'INCLUDE', NonKeyAttributes: Array.from({length: 101}, (_, n) => `a${n}`)}; }),
    on((i, list) => { list.push(structuredClone(i)); }),
    on((i, list) => { for (let n = 0; n < 21; n++) list.push({...structuredClone(i), IndexName: `many-${n}`}); }),
    on((i, list, b) => { b.KeySchema = b.KeySchema.slice(0, 1); }),
  ])),
];
