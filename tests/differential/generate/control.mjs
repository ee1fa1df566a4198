// The control plane: describing, listing, tagging, TTL, changing tables; creating tables that are refused.

import {new_table, new_global_index, key_schema} from './tables.mjs';
import {conventions} from './values.mjs';

// Both servers ignore the region and account of an ARN, and each has its own.
export const arn_of = (name) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;

function describe_table(context) {
  return {operation: 'DescribeTable', body: {TableName: context.table().name}};
}

function list_tables(context) {
  const {random} = context;
  const body = {};
  if (random.chance(0.5)) body.Limit = random.between(1, 5);
  if (random.chance(0.5)) body.ExclusiveStartTableName = random.pick([context.table().name, 'aaa', 'zzz', 'e0']);
  return {operation: 'ListTables', body};
}

function tag_resource(context) {
  const {random} = context;
  const keys = ['team', 'env', 'cost', 'Größe', 'a:b/c'];
  return {operation: 'TagResource', body: {
    ResourceArn: arn_of(context.table().name),
    Tags: random.sample(keys, random.between(1, 3)).map((Key) => ({Key, Value: random.pick(['', 'x', 'y z', 'v'.repeat(256)])})),
  }};
}

function untag_resource(context) {
  return {operation: 'UntagResource', body: {ResourceArn: arn_of(context.table().name), TagKeys: context.random.sample(['team', 'env', 'cost', 'nope'], 2)}};
}

function list_tags(context) {
  return {operation: 'ListTagsOfResource', body: {ResourceArn: arn_of(context.table().name)}};
}

// At most one change a table: a second one within the hour is refused by DynamoDB.
function update_time_to_live(context) {
  const untouched = context.tables.filter((table) => !table.ttl);
  if (!untouched.length) return describe_time_to_live(context);
  const table = context.random.pick(untouched);
  table.ttl = true;
  return {operation: 'UpdateTimeToLive', body: {TableName: table.name, TimeToLiveSpecification: {Enabled: true, AttributeName: context.random.pick(['expires_at', 'ttl'])}}};
}

function describe_time_to_live(context) {
  return {operation: 'DescribeTimeToLive', body: {TableName: context.table().name}};
}

// Changes the description in `context` too: the other generators read and fill the new index.
function add_index(context) {
  const {random} = context;
  const table = context.table();
  const types_of = Object.fromEntries(table.definition.AttributeDefinitions.map((a) => [a.AttributeName, a.AttributeType]));
  const key = (name) => ({name, type: types_of[name] ?? conventions[name]});
  const index = new_global_index(random, `added_${context.counter()}`, table, key);
  const definitions = {...types_of};
  for (const k of [index.hash, index.range]) if (k) definitions[k.name] = k.type;
  const body = {
    TableName: table.name,
    AttributeDefinitions: Object.entries(definitions).map(([AttributeName, AttributeType]) => ({AttributeName, AttributeType})),
    GlobalSecondaryIndexUpdates: [{Create: {
      IndexName: index.name, KeySchema: key_schema(index.hash, index.range), Projection: index.projection,
      ...(table.definition.ProvisionedThroughput ? {ProvisionedThroughput: {ReadCapacityUnits: 3, WriteCapacityUnits: 4}} : {}),
    }}],
  };
  return {operation: 'UpdateTable', body, table, tag: 'UpdateTable.add_index', succeeded() {
    table.indexes.push(index);
    table.definition.AttributeDefinitions = body.AttributeDefinitions;
  }};
}

function drop_index(context) {
  const candidates = context.tables.filter((table) => table.indexes.some((index) => index.kind === 'GSI'));
  if (!candidates.length) return describe_table(context);
  const table = context.random.pick(candidates);
  const index = context.random.pick(table.indexes.filter((i) => i.kind === 'GSI'));
  return {operation: 'UpdateTable', body: {TableName: table.name, GlobalSecondaryIndexUpdates: [{Delete: {IndexName: index.name}}]}, table, tag: 'UpdateTable.drop_index', succeeded() {
    table.indexes = table.indexes.filter((i) => i !== index);
  }};
}

function change_settings(context) {
  const {random} = context;
  const table = context.table();
  const body = {TableName: table.name};
  const form = random.pick(['protection', 'class', 'billing', 'throughput']);
  const tag = `UpdateTable.${form}`;
  if (form === 'protection') body.DeletionProtectionEnabled = random.chance(0.5);
  if (form === 'class') body.TableClass = random.pick(['STANDARD', 'STANDARD_INFREQUENT_ACCESS']);
  if (form === 'billing') Object.assign(body, {BillingMode: 'PAY_PER_REQUEST'});
  if (form === 'throughput') Object.assign(body, {BillingMode: 'PROVISIONED', ProvisionedThroughput: {ReadCapacityUnits: random.between(1, 30), WriteCapacityUnits: random.between(1, 30)}});
  return {operation: 'UpdateTable', body, table, tag};
}

// Of a name of its own; the runner removes it again if it was made.
function create_table(context) {
  const table = new_table(context.random, `e${context.epoch}-made-${context.counter()}`);
  return {operation: 'CreateTable', body: table.definition, creates: table.name};
}

function create_existing(context) {
  return {operation: 'CreateTable', body: structuredClone(context.table().definition), tag: 'CreateTable.existing'};
}

function delete_missing(context) {
  return {operation: 'DeleteTable', body: {TableName: `e${context.epoch}-missing`}, tag: 'DeleteTable.missing'};
}

export const control_operations = [
  [6, describe_table], [3, list_tables], [3, tag_resource], [2, untag_resource], [3, list_tags], [1.5, update_time_to_live],
  [2, describe_time_to_live], [2, add_index], [1, drop_index], [2, change_settings], [10, create_table], [1, create_existing], [1, delete_missing],
];
