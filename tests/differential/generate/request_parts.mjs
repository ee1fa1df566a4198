// Finding one's way in a request that may be of any operation, and may be spoiled already.

import {types} from './values.mjs';

export const is_object = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

// Every place in the request: [{holder, key, path}]
export function places(body, path = [], result = []) {
  if (body === null || typeof body !== 'object') return result;
  for (const key of Object.keys(body)) {
    result.push({holder: body, key, path: [...path, key]});
    places(body[key], [...path, key], result);
  }
  return result;
}

// The parts of a request that take an item, key or expression: the body itself, or each action inside.
export function targets(request) {
  const {body} = request;
  if (Array.isArray(body?.TransactItems)) return body.TransactItems.flatMap((item) => (is_object(item) ? Object.values(item).filter(is_object) : []));
  return is_object(body) ? [body] : [];
}

export const target_with = (request, random, ...fields) => {
  const fitting = targets(request).filter((target) => fields.every((field) => target[field] !== undefined));
  return fitting.length ? random.pick(fitting) : null;
};

export const other_json = (random, value) => random.pick([3, 3.5, -1, 'text', '', true, null, [], {}, ['text'], {S: 'x'}, [{}]]
  .filter((candidate) => JSON.stringify(candidate) !== JSON.stringify(value)));

// Key maps of the request: Key, Item, ExclusiveStartKey, and those in batches.
export function key_maps(request) {
  return places(request.body).filter(({holder, key}) => is_object(holder[key])
    && (['Key', 'Item', 'ExclusiveStartKey'].includes(key) || (Array.isArray(holder) && is_object(Object.values(holder[key])[0]) && !('PutRequest' in holder[key]) && !('DeleteRequest' in holder[key]))))
    .map(({holder, key}) => holder[key]);
}

// Attribute values: objects with exactly one member that is a type.
export function attribute_values(request) {
  return places(request.body).filter(({holder, key}) => is_object(holder[key]) && Object.keys(holder[key]).length === 1 && types.includes(Object.keys(holder[key])[0]));
}

const expression_fields = ['ConditionExpression', 'FilterExpression', 'KeyConditionExpression', 'UpdateExpression', 'ProjectionExpression'];

export function some_expression(request, random) {
  const found = targets(request).flatMap((target) => expression_fields.filter((field) => typeof target[field] === 'string').map((field) => ({target, field})));
  return found.length ? random.pick(found) : null;
}

export function edit_expression(edit) {
  return (request, random) => {
    const found = some_expression(request, random);
    if (!found) return false;
    found.target[found.field] = edit(found.target[found.field], random, found.target, found.field);
    return true;
  };
}

export function set_field(value_of, ...operations) {
  return (request, random) => {
    if (operations.length && !operations.includes(request.operation)) return false;
    if (!is_object(request.body)) return false;
    Object.assign(request.body, value_of(random, request));
    return true;
  };
}
