// PutItem, UpdateItem, DeleteItem, with conditions in both forms.

import {Expressions} from './expressions.mjs';
import {item_of, key_of} from './tables.mjs';
import {attribute_updates, expected} from './legacy.mjs';

export function return_parameters(context, body, return_values) {
  const {random} = context;
  if (random.chance(0.5)) body.ReturnValues = random.pick(return_values);
  if (random.chance(0.4)) body.ReturnConsumedCapacity = random.pick(['INDEXES', 'INDEXES', 'TOTAL', 'NONE']);
  if (random.chance(0.15)) body.ReturnItemCollectionMetrics = random.pick(['SIZE', 'NONE']);
}

// Adds a condition in the expression form or in the older one. Returns the expression's text, if any.
function add_condition(context, body, expressions, likely_legacy) {
  const {random} = context;
  if (likely_legacy) {
    Object.assign(body, expected(context));
    return '';
  }
  if (!random.chance(0.45)) return '';
  body.ConditionExpression = expressions.condition();
  if (random.chance(0.3)) body.ReturnValuesOnConditionCheckFailure = random.pick(['ALL_OLD', 'NONE']);
  return body.ConditionExpression;
}

export function put_item(context) {
  const {random} = context;
  const table = context.table();
  const body = {TableName: table.name, Item: item_of(random, table)};
  return_parameters(context, body, ['NONE', 'ALL_OLD']);
  const expressions = new Expressions(random, context.tag);
  expressions.attach(body, add_condition(context, body, expressions, random.chance(0.15)));
  return {operation: 'PutItem', body, table};
}

const item_bytes_max = 409_600;

// An item just at the limit of 400 KB. Two or three of them make a page of 1 MB.
export function put_large_item(context) {
  const {random} = context;
  const table = context.tables.find((one) => one.hash.type === 'S' && one.range?.type !== 'N') ?? context.table();
  const Item = key_of(random, table);
  const bytes = Object.entries(Item).reduce((sum, [name, value]) => sum + name.length + (value.S ? Buffer.byteLength(value.S) : Buffer.from(value.B ?? '', 'base64').length), 'filler'.length);
  Item.filler = {S: 'x'.repeat(item_bytes_max - bytes + random.pick([-1000, -1, 0, 1]))};
  const body = {TableName: table.name, Item};
  return_parameters(context, body, ['NONE', 'ALL_OLD']);
  return {operation: 'PutItem', body, table, tag: 'PutItem.large'};
}

export function delete_item(context) {
  const {random} = context;
  const table = context.table();
  const body = {TableName: table.name, Key: key_of(random, table)};
  return_parameters(context, body, ['NONE', 'ALL_OLD']);
  const expressions = new Expressions(random, context.tag);
  expressions.attach(body, add_condition(context, body, expressions, random.chance(0.15)));
  return {operation: 'DeleteItem', body, table};
}

export function update_item(context) {
  const {random} = context;
  const table = context.table();
  const body = {TableName: table.name, Key: key_of(random, table)};
  return_parameters(context, body, ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW']);
  if (random.chance(0.15)) {
    body.AttributeUpdates = attribute_updates(context);
    if (random.chance(0.4)) Object.assign(body, expected(context));
    return {operation: 'UpdateItem', body, table};
  }
  const expressions = new Expressions(random, context.tag);
  const condition = add_condition(context, body, expressions, false);
  if (random.chance(0.97)) body.UpdateExpression = expressions.update();
  expressions.attach(body, condition, body.UpdateExpression);
  return {operation: 'UpdateItem', body, table};
}
