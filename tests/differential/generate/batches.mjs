// BatchGetItem, BatchWriteItem, TransactWriteItems, TransactGetItems over one or more tables.

import {Expressions} from './expressions.mjs';
import {item_of, key_of} from './tables.mjs';
import {attributes_to_get} from './legacy.mjs';

// Two notations of one number are one key.
function identity(table, key) {
  return JSON.stringify([table.name, ...[table.hash, table.range].filter(Boolean).map((k) => {
    const value = key[k.name];
    return value?.N !== undefined ? Number(value.N) : value;
  })]);
}

// `count` distinct keys (fewer where the pool is small) over random tables: [{table, key}]
function distinct_keys(context, count) {
  const seen = new Set();
  const result = [];
  for (let attempt = 0; attempt < count * 3 && result.length < count; attempt++) {
    const table = context.table();
    const key = key_of(context.random, table);
    const id = identity(table, key);
    if (seen.has(id)) continue;
    seen.add(id);
    result.push({table, key});
  }
  return result;
}

function capacity_and_metrics(context, body, metrics) {
  const {random} = context;
  if (random.chance(0.4)) body.ReturnConsumedCapacity = random.pick(['INDEXES', 'INDEXES', 'TOTAL', 'NONE']);
  if (metrics && random.chance(0.15)) body.ReturnItemCollectionMetrics = random.pick(['SIZE', 'NONE']);
  return body;
}

export function batch_get_item(context) {
  const {random} = context;
  const request = {};
  for (const {table, key} of distinct_keys(context, random.between(1, 12))) {
    request[table.name] ??= {table, Keys: []};
    request[table.name].Keys.push(key);
  }
  const items = {};
  const legacy = random.chance(0.15);
  for (const [name, {table, Keys}] of Object.entries(request)) {
    const part = {Keys};
    if (random.chance(0.3)) part.ConsistentRead = random.chance(0.7);
    if (legacy && random.chance(0.7)) part.AttributesToGet = attributes_to_get(context, [table.hash.name]);
    else if (!legacy && random.chance(0.3)) {
      const expressions = new Expressions(random, context.tag);
      part.ProjectionExpression = expressions.projection([table.hash.name]);
      expressions.attach(part, part.ProjectionExpression);
    }
    items[name] = part;
  }
  return {operation: 'BatchGetItem', body: capacity_and_metrics(context, {RequestItems: items}, false)};
}

export function batch_write_item(context) {
  const {random} = context;
  const items = {};
  for (const {table, key} of distinct_keys(context, random.between(1, 10))) {
    const action = random.chance(0.7) ? {PutRequest: {Item: {...item_of(random, table), ...key}}} : {DeleteRequest: {Key: key}};
    (items[table.name] ??= []).push(action);
  }
  return {operation: 'BatchWriteItem', body: capacity_and_metrics(context, {RequestItems: items}, true)};
}

// A condition that often holds, so that many transactions commit.
function lenient_condition(context, expressions) {
  const {random} = context;
  if (random.chance(0.6)) return `attribute_not_exists(${expressions.name('never')})`;
  return expressions.condition();
}

function transact_action(context, {table, key}) {
  const {random} = context;
  const kind = random.weighted([[4, 'Put'], [3, 'Update'], [2, 'Delete'], [2, 'ConditionCheck']]);
  const expressions = new Expressions(random, context.tag);
  const action = {TableName: table.name};
  if (kind === 'Put') action.Item = {...item_of(random, table), ...key};
  else action.Key = key;
  if (kind === 'Update') action.UpdateExpression = expressions.update();
  if (kind === 'ConditionCheck' || random.chance(0.35)) {
    action.ConditionExpression = lenient_condition(context, expressions);
    if (random.chance(0.4)) action.ReturnValuesOnConditionCheckFailure = random.pick(['ALL_OLD', 'NONE']);
  }
  expressions.attach(action, action.UpdateExpression, action.ConditionExpression);
  return {[kind]: action};
}

export function transact_write_items(context) {
  const {random} = context;
  const body = {TransactItems: distinct_keys(context, random.between(1, 5)).map((target) => transact_action(context, target))};
  capacity_and_metrics(context, body, true);
  if (random.chance(0.25)) {
    // A token from a small pool comes back: with the same request it is answered again, with another refused.
    const reuse = context.tokens.length && random.chance(0.5) ? random.pick(context.tokens) : null;
    if (reuse && random.chance(0.6)) {
      context.tag('TransactWriteItems.ClientRequestToken.same_request');
      return {operation: 'TransactWriteItems', body: structuredClone(reuse)};
    }
    if (reuse) context.tag('TransactWriteItems.ClientRequestToken.other_request');
    body.ClientRequestToken = reuse?.ClientRequestToken ?? `token-${context.epoch}-${context.counter()}`;
    if (!reuse) context.tokens.push(body);
  }
  return {operation: 'TransactWriteItems', body};
}

export function transact_get_items(context) {
  const {random} = context;
  const items = distinct_keys(context, random.between(1, 6)).map(({table, key}) => {
    const get = {TableName: table.name, Key: key};
    if (random.chance(0.3)) {
      const expressions = new Expressions(random, context.tag);
      get.ProjectionExpression = expressions.projection([table.hash.name]);
      expressions.attach(get, get.ProjectionExpression);
    }
    return {Get: get};
  });
  return {operation: 'TransactGetItems', body: capacity_and_metrics(context, {TransactItems: items}, false)};
}
