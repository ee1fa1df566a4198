// What the generators produced, so that a blind spot fails the run instead of passing unseen.

// Parameters that must have been sent and accepted at least once.
const parameters = {
  PutItem: ['TableName', 'Item', 'ConditionExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues', 'ReturnValues', 'ReturnConsumedCapacity', 'ReturnItemCollectionMetrics', 'ReturnValuesOnConditionCheckFailure', 'Expected', 'ConditionalOperator'],
  GetItem: ['TableName', 'Key', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames', 'ReturnConsumedCapacity', 'AttributesToGet'],
  UpdateItem: ['TableName', 'Key', 'UpdateExpression', 'ConditionExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues', 'ReturnValues', 'ReturnConsumedCapacity', 'ReturnItemCollectionMetrics', 'ReturnValuesOnConditionCheckFailure', 'AttributeUpdates', 'Expected', 'ConditionalOperator'],
  DeleteItem: ['TableName', 'Key', 'ConditionExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues', 'ReturnValues', 'ReturnConsumedCapacity', 'ReturnItemCollectionMetrics', 'ReturnValuesOnConditionCheckFailure', 'Expected', 'ConditionalOperator'],
  Query: ['TableName', 'IndexName', 'KeyConditionExpression', 'FilterExpression', 'ProjectionExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues', 'ScanIndexForward', 'ConsistentRead', 'Limit', 'Select', 'ExclusiveStartKey', 'ReturnConsumedCapacity', 'KeyConditions', 'QueryFilter', 'ConditionalOperator', 'AttributesToGet'],
  Scan: ['TableName', 'IndexName', 'FilterExpression', 'ProjectionExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues', 'ConsistentRead', 'Limit', 'Select', 'Segment', 'TotalSegments', 'ExclusiveStartKey', 'ReturnConsumedCapacity', 'ScanFilter', 'ConditionalOperator', 'AttributesToGet'],
  BatchGetItem: ['RequestItems', 'ReturnConsumedCapacity', 'Keys', 'ProjectionExpression', 'ExpressionAttributeNames', 'ConsistentRead', 'AttributesToGet'],
  BatchWriteItem: ['RequestItems', 'ReturnConsumedCapacity', 'ReturnItemCollectionMetrics', 'PutRequest', 'DeleteRequest'],
  TransactWriteItems: ['TransactItems', 'ReturnConsumedCapacity', 'ReturnItemCollectionMetrics', 'ClientRequestToken', 'Put', 'Update', 'Delete', 'ConditionCheck', 'ConditionExpression', 'UpdateExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues', 'ReturnValuesOnConditionCheckFailure'],
  TransactGetItems: ['TransactItems', 'ReturnConsumedCapacity', 'Get', 'ProjectionExpression', 'ExpressionAttributeNames'],
  CreateTable: ['TableName', 'AttributeDefinitions', 'KeySchema', 'LocalSecondaryIndexes', 'GlobalSecondaryIndexes', 'BillingMode', 'ProvisionedThroughput', 'TableClass', 'DeletionProtectionEnabled', 'Tags'],
  UpdateTable: ['TableName', 'AttributeDefinitions', 'GlobalSecondaryIndexUpdates', 'BillingMode', 'ProvisionedThroughput', 'TableClass', 'DeletionProtectionEnabled'],
  DescribeTable: ['TableName'], DeleteTable: ['TableName'], ListTables: ['Limit', 'ExclusiveStartTableName'],
  UpdateTimeToLive: ['TableName', 'TimeToLiveSpecification'], DescribeTimeToLive: ['TableName'],
  TagResource: ['ResourceArn', 'Tags'], UntagResource: ['ResourceArn', 'TagKeys'], ListTagsOfResource: ['ResourceArn'],
};

// Features inside parameters that must have been produced.
const features = [
  ...['AND', 'OR', 'NOT', 'parentheses', '=', '<>', '<', '<=', '>', '>=', 'BETWEEN', 'IN', 'attribute_exists', 'attribute_not_exists', 'attribute_type', 'begins_with', 'contains', 'size', 'path_to_path'].map((f) => `condition.${f}`),
  'expression.nested_path',
  ...['SET', 'REMOVE', 'ADD', 'DELETE', 'SET.value', 'SET.path', 'SET.+', 'SET.-', 'SET.if_not_exists', 'SET.if_not_exists+', 'SET.list_append', 'SET.list_append_front', 'SET.list_append_default'].map((f) => `update.${f}`),
  ...['EQ', 'NE', 'LE', 'LT', 'GE', 'GT', 'NOT_NULL', 'NULL', 'CONTAINS', 'NOT_CONTAINS', 'BEGINS_WITH', 'IN', 'BETWEEN', 'Expected.comparison', 'Expected.value', 'Expected.exists', 'Expected.absent', 'AttributeUpdates.PUT', 'AttributeUpdates.ADD', 'AttributeUpdates.DELETE', 'AttributeUpdates.DELETE_ALL', 'AttributeUpdates.undefined'].map((f) => `legacy.${f}`),
  ...['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with'].map((f) => `Query.KeyConditionExpression.${f}`),
  ...['EQ', 'LT', 'LE', 'GT', 'GE', 'BETWEEN', 'BEGINS_WITH'].map((f) => `Query.KeyConditions.${f}`),
  ...['Query', 'Scan'].flatMap((o) => ['ALL_ATTRIBUTES', 'COUNT', 'ALL_PROJECTED_ATTRIBUTES', 'SPECIFIC_ATTRIBUTES'].map((f) => `${o}.Select.${f}`)),
  'read.table', ...['LSI', 'GSI'].flatMap((k) => [`read.${k}`, ...['ALL', 'KEYS_ONLY', 'INCLUDE'].map((p) => `read.${k}.${p}`)]),
  'TransactWriteItems.ClientRequestToken.same_request', 'TransactWriteItems.ClientRequestToken.other_request',
  ...['add_index', 'drop_index', 'protection', 'class', 'billing', 'throughput'].map((f) => `UpdateTable.${f}`),
  'CreateTable.existing', 'DeleteTable.missing', 'PutItem.large', 'pages.Query', 'pages.Scan', 'segments.Scan', 'contents.table', 'contents.LSI', 'contents.GSI',
  ...['hash', 'range'].flatMap((role) => ['S', 'N', 'B'].map((type) => `key.${role}.${type}`)),
];

export class Coverage {
  constructor() {
    this.produced = new Map();
    this.accepted = new Map();
    this.by_mutation = new Map();
    this.features = new Map();
  }

  feature(name) {
    this.features.set(name, (this.features.get(name) ?? 0) + 1);
  }

  // `accepted`: both servers took it.
  request(request, accepted) {
    for (const field of fields_of(request)) {
      count(this.produced, `${request.operation}.${field}`);
      if (accepted) count(this.accepted, `${request.operation}.${field}`);
    }
    for (const mutation of request.mutations ?? []) count(this.by_mutation, mutation);
  }

  // Names of what was never produced.
  missing(mutation_names) {
    const lacking = [];
    for (const [operation, names] of Object.entries(parameters)) {
      for (const name of names) {
        const key = `${operation}.${name}`;
        if (!this.produced.has(key)) lacking.push(`${key}: never sent`);
        else if (!this.accepted.has(key)) lacking.push(`${key}: sent ${this.produced.get(key)} times, never accepted`);
      }
    }
    for (const name of features) if (!this.features.has(name)) lacking.push(`${name}: never produced`);
    for (const name of mutation_names) if (!this.by_mutation.has(name)) lacking.push(`mutation ${name}: never made`);
    return lacking;
  }

  // Operation by parameter: sent/accepted.
  table() {
    const lines = [];
    for (const operation of Object.keys(parameters)) {
      const cells = [...this.produced].filter(([key]) => key.startsWith(`${operation}.`) && parameters[operation].includes(key.slice(operation.length + 1)))
        .map(([key, sent]) => `${key.slice(operation.length + 1)} ${sent}/${this.accepted.get(key) ?? 0}`);
      lines.push(`  ${operation}: ${cells.join(', ')}`);
    }
    return lines.join('\n');
  }
}

const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);

// Top-level parameters, and those of the actions inside batches and transactions.
function fields_of(request) {
  const {body} = request;
  const fields = new Set();
  if (body === null || typeof body !== 'object') return fields;
  for (const [name, value] of Object.entries(body)) if (value !== undefined) fields.add(name);
  const inner = [];
  if (Array.isArray(body.TransactItems)) inner.push(...body.TransactItems, ...body.TransactItems.flatMap((item) => Object.values(item ?? {})));
  if (body.RequestItems && typeof body.RequestItems === 'object') inner.push(...Object.values(body.RequestItems).flat());
  for (const part of inner) if (part && typeof part === 'object') for (const name of Object.keys(part)) fields.add(name);
  return fields;
}
