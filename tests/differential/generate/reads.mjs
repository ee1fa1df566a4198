// GetItem, Query, Scan: on tables and indexes, in both directions, in pages, with both forms of conditions.

import {Expressions} from './expressions.mjs';
import {key_of, comparable_key_value} from './tables.mjs';
import {attributes_to_get, conditional_operator, filter, ordered_pair} from './legacy.mjs';

const key_names = (table) => [table.hash.name, table.range?.name].filter(Boolean);

function consumed_capacity(context, body) {
  if (context.random.chance(0.4)) body.ReturnConsumedCapacity = context.random.pick(['INDEXES', 'INDEXES', 'TOTAL', 'NONE']);
}

export function get_item(context) {
  const {random} = context;
  const table = context.table();
  const body = {TableName: table.name, Key: key_of(random, table)};
  if (random.chance(0.4)) body.ConsistentRead = random.chance(0.8);
  consumed_capacity(context, body);
  if (random.chance(0.3)) {
    const expressions = new Expressions(random, context.tag);
    body.ProjectionExpression = expressions.projection(key_names(table));
    expressions.attach(body, body.ProjectionExpression);
  } else if (random.chance(0.15)) {
    body.AttributesToGet = attributes_to_get(context, key_names(table));
  }
  return {operation: 'GetItem', body, table};
}

// The index to read, or the table itself, as something with hash, range and kind.
function source(context, table) {
  const index = table.indexes.length && context.random.chance(0.5) ? context.random.pick(table.indexes) : null;
  context.tag(`read.${index ? index.kind : 'table'}`);
  if (index) context.tag(`read.${index.kind}.${index.projection.ProjectionType}`);
  return index;
}

function range_condition(context, expressions, range) {
  const {random} = context;
  const operator = random.pick(['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with']);
  const name = expressions.name(range.name);
  const value = () => expressions.value(comparable_key_value(random, range, 'range'));
  if (operator === 'begins_with' && range.type === 'N' && !random.chance(0.05)) return `${name} >= ${value()}`;
  context.tag(`Query.KeyConditionExpression.${operator}`);
  if (operator === 'BETWEEN') {
    const [low, high] = random.chance(0.9) ? ordered_pair(random, range.type).map((v) => expressions.value(v)) : [value(), value()];
    return `${name} ${expressions.keyword('BETWEEN')} ${low} ${expressions.keyword('AND')} ${high}`;
  }
  if (operator === 'begins_with') return `begins_with(${name}, ${value()})`;
  return `${name} ${operator} ${value()}`;
}

function legacy_key_conditions(context, keys) {
  const {random} = context;
  const result = {[keys.hash.name]: {ComparisonOperator: 'EQ', AttributeValueList: [comparable_key_value(random, keys.hash, 'hash')]}};
  if (keys.range && random.chance(0.6)) {
    const operator = random.pick(['EQ', 'LT', 'LE', 'GT', 'GE', 'BETWEEN', 'BEGINS_WITH']);
    if (operator !== 'BEGINS_WITH' || keys.range.type !== 'N') context.tag(`Query.KeyConditions.${operator}`);
    result[keys.range.name] = {
      ComparisonOperator: operator,
      AttributeValueList: operator === 'BETWEEN' ? ordered_pair(random, keys.range.type) : [comparable_key_value(random, keys.range, 'range')],
    };
  }
  return result;
}

function select(context, body, index) {
  const {random} = context;
  if (!random.chance(0.25)) return;
  const projects = body.ProjectionExpression || body.AttributesToGet;
  body.Select = projects ? 'SPECIFIC_ATTRIBUTES'
    : random.pick(['ALL_ATTRIBUTES', 'COUNT', ...(index ? ['ALL_PROJECTED_ATTRIBUTES'] : [])]);
  context.tag(`${context.operation}.Select.${body.Select}`);
}

export function query(context) {
  const {random} = context;
  context.operation = 'Query';
  const table = context.table();
  const index = source(context, table);
  const keys = index ?? table;
  const body = {TableName: table.name};
  if (index) body.IndexName = index.name;
  if (random.chance(0.35)) body.ScanIndexForward = random.chance(0.3);
  if (random.chance(0.3)) body.ConsistentRead = index?.kind !== 'GSI' || random.chance(0.15);
  if (random.chance(0.35)) body.Limit = random.between(1, 6);
  consumed_capacity(context, body);

  if (random.chance(0.15)) {
    body.KeyConditions = legacy_key_conditions(context, keys);
    if (random.chance(0.4)) Object.assign(body, {QueryFilter: without(filter(context), keys)}, conditional_operator(context));
    if (random.chance(0.3)) body.AttributesToGet = attributes_to_get(context, key_names(table));
    select(context, body, index);
    return {operation: 'Query', body, table, index};
  }

  const expressions = new Expressions(random, context.tag);
  const parts = [`${expressions.name(keys.hash.name)} = ${expressions.value(comparable_key_value(random, keys.hash, 'hash'))}`];
  if (keys.range && random.chance(0.5)) parts.push(range_condition(context, expressions, keys.range));
  body.KeyConditionExpression = random.shuffled(parts).join(` ${expressions.keyword('AND')} `);
  if (random.chance(0.3)) body.FilterExpression = expressions.condition();
  if (random.chance(0.25)) body.ProjectionExpression = expressions.projection(key_names(table));
  expressions.attach(body, body.KeyConditionExpression, body.FilterExpression, body.ProjectionExpression);
  select(context, body, index);
  return {operation: 'Query', body, table, index};
}

// A filter on a key attribute is an error of its own, and left to the mutations.
function without(conditions, keys) {
  const result = {...conditions};
  delete result[keys.hash.name];
  if (keys.range) delete result[keys.range.name];
  return Object.keys(result).length ? result : {flag: {ComparisonOperator: 'NOT_NULL'}};
}

export function scan(context) {
  const {random} = context;
  context.operation = 'Scan';
  const table = context.table();
  const index = source(context, table);
  const body = {TableName: table.name};
  if (index) body.IndexName = index.name;
  if (random.chance(0.2)) body.ConsistentRead = index?.kind !== 'GSI' || random.chance(0.15);
  if (random.chance(0.3)) body.Limit = random.between(1, 9);
  consumed_capacity(context, body);
  if (random.chance(0.2)) {
    body.TotalSegments = random.between(1, 5);
    body.Segment = 0;
  }
  if (random.chance(0.15)) {
    Object.assign(body, {ScanFilter: filter(context)}, conditional_operator(context));
    if (random.chance(0.3)) body.AttributesToGet = attributes_to_get(context, key_names(table));
    select(context, body, index);
    return {operation: 'Scan', body, table, index};
  }
  const expressions = new Expressions(random, context.tag);
  if (random.chance(0.4)) body.FilterExpression = expressions.condition();
  if (random.chance(0.25)) body.ProjectionExpression = expressions.projection(key_names(table));
  expressions.attach(body, body.FilterExpression, body.ProjectionExpression);
  select(context, body, index);
  return {operation: 'Scan', body, table, index};
}
