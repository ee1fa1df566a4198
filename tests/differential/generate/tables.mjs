// Tables: every kind of key, local and global indexes with every kind of projection.

import {key_value, value_for, value_of_type, attributes, conventions} from './values.mjs';

const index_key_candidates = ['s', 'n', 'b', 'g1', 'g2', 's2', 'n2'];

function projection(random) {
  const kind = random.pick(['ALL', 'KEYS_ONLY', 'INCLUDE']);
  if (kind !== 'INCLUDE') return {ProjectionType: kind};
  return {ProjectionType: kind, NonKeyAttributes: random.sample(['s2', 'doc', 'list', 'status', 'ns', 'n2', 'flag'], random.between(1, 3))};
}

// A description of a table that the other generators draw from. `definition` is the CreateTable request.
export function new_table(random, name, shape = {}) {
  const type = () => random.pick(['S', 'S', 'N', 'B']);
  const table = {
    name,
    hash: {name: random.chance(0.12) ? 'hash' : 'h', type: shape.hash ?? type()},
    range: shape.range === null || (shape.range === undefined && random.chance(0.3)) ? null
      : {name: random.chance(0.12) ? 'range' : 'r', type: shape.range ?? type()},
    indexes: [],
  };
  const types_of = {[table.hash.name]: table.hash.type};
  if (table.range) types_of[table.range.name] = table.range.type;

  const key = (attribute) => {
    types_of[attribute] ??= conventions[attribute];
    return {name: attribute, type: types_of[attribute]};
  };
  if (table.range) {
    const count = shape.local_indexes ?? random.pick([0, 0, 1, 2]);
    for (const attribute of random.sample(index_key_candidates, count)) {
      table.indexes.push({name: `lsi-${attribute}`, kind: 'LSI', hash: table.hash, range: key(attribute), projection: projection(random)});
    }
  }
  const global_count = shape.global_indexes ?? random.pick([0, 1, 1, 2, 3]);
  for (let i = 0; i < global_count; i++) table.indexes.push(new_global_index(random, `gsi_${i}`, table, key));

  table.definition = definition_of(random, table, types_of);
  return table;
}

export function new_global_index(random, name, table, key) {
  const hash = random.weighted([[7, () => key(random.pick(index_key_candidates))], [1, () => table.hash], [1, () => table.range ?? table.hash]])();
  let range = random.chance(0.4) ? null : random.weighted([[5, () => key(random.pick(index_key_candidates))], [1, () => table.hash], [1, () => table.range]])();
  if (range && range.name === hash.name) range = null;
  return {name, kind: 'GSI', hash, range, projection: projection(random)};
}

export const key_schema = (hash, range) => [
  {AttributeName: hash.name, KeyType: 'HASH'},
  ...(range ? [{AttributeName: range.name, KeyType: 'RANGE'}] : []),
];

function definition_of(random, table, types_of) {
  const provisioned = random.chance(0.3);
  const throughput = provisioned ? {ProvisionedThroughput: {ReadCapacityUnits: random.between(1, 20), WriteCapacityUnits: random.between(1, 20)}} : {};
  const index = (i) => ({IndexName: i.name, KeySchema: key_schema(i.hash, i.range), Projection: i.projection, ...(i.kind === 'GSI' ? throughput : {})});
  const used = new Set([table.hash, table.range, ...table.indexes.flatMap((i) => [i.hash, i.range])].filter(Boolean).map((k) => k.name));
  const body = {
    TableName: table.name,
    AttributeDefinitions: [...used].map((name) => ({AttributeName: name, AttributeType: types_of[name]})),
    KeySchema: key_schema(table.hash, table.range),
    ...throughput,
  };
  if (!provisioned) body.BillingMode = 'PAY_PER_REQUEST';
  else if (random.chance(0.5)) body.BillingMode = 'PROVISIONED';
  const local = table.indexes.filter((i) => i.kind === 'LSI');
  const global = table.indexes.filter((i) => i.kind === 'GSI');
  if (local.length) body.LocalSecondaryIndexes = local.map(index);
  if (global.length) body.GlobalSecondaryIndexes = global.map(index);
  if (random.chance(0.1)) body.TableClass = random.pick(['STANDARD', 'STANDARD_INFREQUENT_ACCESS']);
  if (random.chance(0.1)) body.DeletionProtectionEnabled = false;
  if (random.chance(0.15)) body.Tags = [{Key: 'team', Value: 'dispatch'}, {Key: 'empty', Value: ''}].slice(0, random.between(1, 2));
  return body;
}

export function key_of(random, table) {
  const key = {[table.hash.name]: key_value(random, table.hash.type, 'hash')};
  if (table.range) key[table.range.name] = key_value(random, table.range.type, 'range');
  return key;
}

// An item that the table accepts, but for a small chance of an index key of the wrong type.
export function item_of(random, table) {
  const item = attributes(random, 0);
  for (const index of table.indexes) {
    for (const [key, role] of [[index.hash, 'hash'], [index.range, 'range']]) {
      if (!key) continue;
      if (random.chance(0.25)) delete item[key.name];
      else if (random.chance(0.985)) item[key.name] = key_value(random, key.type, random.chance(0.8) ? role : 'range');
      else item[key.name] = value_for(random, key.name);
    }
  }
  // In random order, because the order in which attributes arrive must not matter.
  return Object.fromEntries(random.shuffled(Object.entries({...item, ...key_of(random, table)})));
}

// A value such as the key attribute `key` could hold, for queries.
export function comparable_key_value(random, key, role) {
  return random.chance(0.95) ? key_value(random, key.type, role) : value_of_type(random, key.type);
}
