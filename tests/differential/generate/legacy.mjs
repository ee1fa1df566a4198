// The parameters from before expressions: Expected, AttributeUpdates, KeyConditions, QueryFilter, ScanFilter,
// AttributesToGet, ConditionalOperator.

import {attribute_names, conventions, value_for, value_of_type, any_value} from './values.mjs';

const scalar = (type) => (['S', 'N', 'B'].includes(type) ? type : 'S');

function condition_on(context, name) {
  const {random} = context;
  const type = conventions[name] ?? 'S';
  const operator = random.pick(['EQ', 'NE', 'LE', 'LT', 'GE', 'GT', 'NOT_NULL', 'NULL', 'CONTAINS', 'NOT_CONTAINS', 'BEGINS_WITH', 'IN', 'BETWEEN']);
  context.tag(`legacy.${operator}`);
  switch (operator) {
    case 'NOT_NULL':
    case 'NULL': return {ComparisonOperator: operator};
    case 'IN': return {ComparisonOperator: operator, AttributeValueList: Array.from({length: random.between(1, 3)}, () => value_of_type(random, scalar(type)))};
    case 'BETWEEN': return {ComparisonOperator: operator, AttributeValueList: ordered_pair(random, scalar(type))};
    case 'EQ':
    case 'NE': return {ComparisonOperator: operator, AttributeValueList: [value_for(random, name)]};
    case 'BEGINS_WITH': return {ComparisonOperator: operator, AttributeValueList: [value_of_type(random, random.chance(0.8) ? 'S' : 'B')]};
    default: return {ComparisonOperator: operator, AttributeValueList: [value_of_type(random, scalar(type))]};
  }
}

export function ordered_pair(random, type) {
  const pool = {S: ['A', 'a', 'ab', 'b', 'é'], N: ['-10', '-1', '0', '1.5', '10'], B: ['AA==', 'AQ==', 'gA==']}[type];
  const at = random.int(pool.length);
  return [{[type]: pool[at]}, {[type]: pool[random.between(at, pool.length - 1)]}];
}

export function filter(context) {
  const result = {};
  for (const name of context.random.sample(attribute_names, context.random.between(1, 3))) result[name] = condition_on(context, name);
  return result;
}

export function conditional_operator(context) {
  return context.random.chance(0.3) ? {ConditionalOperator: context.random.pick(['AND', 'OR'])} : {};
}

// Expected, sometimes with ConditionalOperator.
export function expected(context) {
  const {random} = context;
  const result = {};
  for (const name of random.sample(attribute_names, random.between(1, 2))) {
    const form = random.pick(['comparison', 'value', 'exists', 'absent']);
    context.tag(`legacy.Expected.${form}`);
    if (form === 'comparison') result[name] = condition_on(context, name);
    else if (form === 'value') result[name] = {Value: value_for(random, name)};
    else if (form === 'exists') result[name] = {Exists: true, Value: value_for(random, name)};
    else result[name] = {Exists: false};
  }
  return {Expected: result, ...conditional_operator(context)};
}

export function attribute_updates(context) {
  const {random} = context;
  const result = {};
  for (const name of random.sample(attribute_names, random.between(1, 3))) {
    const action = random.pick(['PUT', 'ADD', 'DELETE', 'DELETE_ALL', undefined]);
    context.tag(`legacy.AttributeUpdates.${action}`);
    if (action === 'DELETE_ALL') result[name] = {Action: 'DELETE'};
    else if (action === 'ADD') result[name] = {Action: 'ADD', Value: value_of_type(random, random.chance(0.85) ? (['N', 'SS', 'NS', 'BS', 'L'].includes(conventions[name]) ? conventions[name] : 'N') : 'S')};
    else if (action === 'DELETE') result[name] = {Action: 'DELETE', Value: value_of_type(random, ['SS', 'NS', 'BS'].includes(conventions[name]) ? conventions[name] : 'SS')};
    else result[name] = {...(action ? {Action: action} : {}), Value: random.chance(0.9) ? value_for(random, name) : any_value(random)};
  }
  return result;
}

export function attributes_to_get(context, keys = []) {
  return context.random.sample([...attribute_names, ...keys], context.random.between(1, 4));
}
