// The tables of the test, what their indexes must hold, and how large DynamoDB says an item is.

export const tables = {
  // Two global indexes, one of them sparse, and a local one.
  main: {
    hash: 'pk', range: 'sk',
    indexes: {
      by_rank: {hash: 'pk', range: 'rank', projection: {ProjectionType: 'INCLUDE', NonKeyAttributes: ['note']}, local: true},
      by_group: {hash: 'grp', range: 'rank', projection: {ProjectionType: 'ALL'}},
      sparse: {hash: 'flagged', projection: {ProjectionType: 'KEYS_ONLY'}},
    },
  },
  // The other half of every pair.
  mirror: {hash: 'pk', indexes: {}},
  // Large enough that filling a new index takes a while.
  bulk: {hash: 'pk', indexes: {}},
  // Items that expire within seconds.
  fleeting: {hash: 'pk', indexes: {}},
};

const types = {pk: 'S', sk: 'S', grp: 'S', rank: 'N', flagged: 'S'};

export const online_index = {hash: 'grp', range: 'rank', projection: {ProjectionType: 'INCLUDE', NonKeyAttributes: ['note', 'ver']}};

const key_schema = ({hash, range}) => [{AttributeName: hash, KeyType: 'HASH'}, ...(range ? [{AttributeName: range, KeyType: 'RANGE'}] : [])];

export const attribute_definitions = (...holders) => [...new Set(holders.flatMap(({hash, range}) => [hash, range]).filter(Boolean))].map((name) => ({AttributeName: name, AttributeType: types[name]}));

export function create_table(name) {
  const table = tables[name];
  const index = ([IndexName, definition]) => ({IndexName, KeySchema: key_schema(definition), Projection: definition.projection});
  const of_kind = (local) => Object.entries(table.indexes).filter(([, definition]) => Boolean(definition.local) === local).map(index);
  const body = {TableName: name, BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions: attribute_definitions(table, ...Object.values(table.indexes)), KeySchema: key_schema(table),
    StreamSpecification: {StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES'}};
  if (of_kind(true).length) body.LocalSecondaryIndexes = of_kind(true);
  if (of_kind(false).length) body.GlobalSecondaryIndexes = of_kind(false);
  return body;
}

export const create_online_index = (table, name) => ({
  TableName: table, AttributeDefinitions: attribute_definitions(tables[table], ...Object.values(tables[table].indexes), online_index),
  GlobalSecondaryIndexUpdates: [{Create: {IndexName: name, KeySchema: key_schema(online_index), Projection: online_index.projection}}],
});

export const key_of = (table, item) => Object.fromEntries([tables[table].hash, tables[table].range].filter(Boolean).map((name) => [name, item[name]]));

// What the index holds for these items of the table.
export function index_entries(table, index, items) {
  const keys = [index.hash, index.range].filter(Boolean);
  const base = [tables[table].hash, tables[table].range].filter(Boolean);
  return items.filter((item) => keys.every((key) => item[key] !== undefined)).map((item) => {
    if (index.projection.ProjectionType === 'ALL') return item;
    const kept = new Set([...base, ...keys, ...(index.projection.NonKeyAttributes ?? [])]);
    return Object.fromEntries(Object.entries(item).filter(([name]) => kept.has(name)));
  });
}

// "Amazon DynamoDB Developer Guide", DynamoDB item sizes and formats.
export function item_bytes(item) {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + value_bytes(value), 0);
}

function value_bytes(value) {
  const [[type, inner]] = Object.entries(value);
  switch (type) {
    case 'S': return Buffer.byteLength(inner);
    case 'B': return Buffer.from(inner, 'base64').length;
    // Positive whole numbers are all that this test stores: two digits a byte, in pairs counted from the point.
    case 'N': return inner === '0' ? 1 : 1 + Math.ceil(inner.length / 2) - Math.floor((inner.length - inner.replace(/0+$/, '').length) / 2);
    case 'BOOL':
    case 'NULL': return 1;
    case 'SS': return inner.reduce((sum, element) => sum + Buffer.byteLength(element), 0);
    case 'M': return 3 + Object.entries(inner).reduce((sum, [name, element]) => sum + 1 + Buffer.byteLength(name) + value_bytes(element), 0);
    case 'L': return 3 + inner.reduce((sum, element) => sum + 1 + value_bytes(element), 0);
  }
  throw new Error(`no size for ${type}`);
}
