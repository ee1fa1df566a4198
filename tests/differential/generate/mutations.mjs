// Spoils valid requests, one rule of DynamoDB at a time (now and then two, so that the order of the checks
// shows). A mutation returns false where it does not fit the request.

import {bad_numbers} from './values.mjs';
import {attribute_values, is_object, key_maps, other_json, places, set_field, target_with} from './request_parts.mjs';
import {expressions, placeholders} from './expression_mutations.mjs';
import {schemas} from './control_mutations.mjs';

const data_writes = ['PutItem', 'UpdateItem', 'DeleteItem'];
const single_reads = ['GetItem', 'Query', 'Scan'];

const structural = {
  drop_field(request, random) {
    const keys = Object.keys(request.body ?? {});
    if (!keys.length) return false;
    delete request.body[random.pick(keys)];
    return true;
  },
  drop_nested(request, random) {
    const place = random.pick(places(request.body).filter(({path}) => path.length > 1));
    if (!place) return false;
    if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1);
    else delete place.holder[place.key];
    return true;
  },
  wrong_json_type(request, random) {
    const keys = Object.keys(request.body ?? {});
    if (!keys.length) return false;
    const key = random.pick(keys);
    request.body[key] = other_json(random, request.body[key]);
    return true;
  },
  wrong_json_type_nested(request, random) {
    const place = random.pick(places(request.body).filter(({path}) => path.length > 1));
    if (!place) return false;
    place.holder[place.key] = other_json(random, place.holder[place.key]);
    return true;
  },
  null_field(request, random) {
    const keys = Object.keys(request.body ?? {});
    if (!keys.length) return false;
    request.body[random.pick(keys)] = null;
    return true;
  },
  unknown_field: set_field(() => ({NoSuchParameter: 1})),
  empty_request(request) {
    request.body = {};
    return true;
  },
};

const bodies = {
  truncated_json(request, random) {
    const text = JSON.stringify(request.body);
    request.raw = text.slice(0, random.between(1, text.length - 1));
    return true;
  },
  json_not_an_object(request, random) {
    request.raw = random.pick(['[]', '"text"', '3', 'null', 'true', '']);
    return true;
  },
  json_garbage(request, random) {
    request.raw = random.pick(['{', '}', 'garbage', "{'TableName':'x'}", '{"TableName":"abc",}', '\u0000']);
    return true;
  },
  unknown_operation(request) {
    request.operation = 'NoSuchOperation';
    return true;
  },
};

const names = {
  table_missing: rename(() => 'no-such-table'),
  table_short: rename((random) => random.pick(['a', 'ab', ''])),
  table_long: rename(() => 'a'.repeat(256)),
  table_characters: rename((random) => random.pick(['has space', 'has/slash', 'ünïcode', 'a;b', 'abc*'])),
  table_arn: rename((random, name) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`),
  index_missing: set_field(() => ({IndexName: 'no-such-index'}), 'Query', 'Scan'),
  index_short: set_field((random) => ({IndexName: random.pick(['a', '', 'ab'])}), 'Query', 'Scan'),
  index_characters: set_field(() => ({IndexName: 'bad index'}), 'Query', 'Scan'),
  attribute_name_empty(request, random) {
    const map = random.pick(key_maps(request));
    if (!map) return false;
    map[''] = {S: 'x'};
    return true;
  },
};

function rename(name_of) {
  return (request, random) => {
    const places_of_name = places(request.body).filter(({key, holder}) => key === 'TableName' && typeof holder[key] === 'string');
    if (places_of_name.length) {
      const place = random.pick(places_of_name);
      place.holder.TableName = name_of(random, place.holder.TableName);
      return true;
    }
    const tables = is_object(request.body?.RequestItems) ? Object.keys(request.body.RequestItems) : [];
    if (!tables.length) return false;
    const old = random.pick(tables);
    const part = request.body.RequestItems[old];
    delete request.body.RequestItems[old];
    request.body.RequestItems[name_of(random, old)] = part;
    return true;
  };
}

const values = {
  value_two_types: edit_value((value) => ({...value, S: 'x', N: '1'})),
  value_no_type: edit_value(() => ({})),
  value_unknown_type: edit_value(() => ({X: '1'})),
  value_bad_number: edit_value((value, random) => ({N: random.pick(bad_numbers)})),
  value_bad_number_in_set: edit_value((value, random) => ({NS: ['1', random.pick(bad_numbers)]})),
  value_json_number: edit_value(() => ({N: 5})),
  value_empty_set: edit_value((value, random) => random.pick([{SS: []}, {NS: []}, {BS: []}])),
  value_duplicates: edit_value((value, random) => random.pick([{SS: ['a', 'b', 'a']}, {NS: ['1', '1.0']}, {BS: ['AA==', 'AA==']}])),
  value_null_false: edit_value(() => ({NULL: false})),
  value_bad_base64: edit_value((value, random) => ({B: random.pick(['@@@', 'AA', 'A', 'AA=', 'AA==AA', 'A A='])})),
  value_deep: edit_value((value, random) => nested(random.pick([20, 40, 60]), random.chance(0.5))),
  // Both sides of the limit of 32 levels. (Of exactly 32 around a value, AWS's regions are of two minds; recorded by
  // nubo-db/dynamodb-conformance as update-item-nesting-depth-expression-value.)
  value_deepest(request, random) {
    const target = target_with(request, random, 'Item');
    if (!target) return false;
    target.Item.deepest = nested(random.pick([31, 33]), random.chance(0.5));
    return true;
  },
  value_other_type: edit_value((value, random) => random.pick([{S: 'x'}, {N: '1'}, {B: 'AA=='}, {BOOL: true}, {NULL: true}, {L: []}, {M: {}}, {SS: ['a']}])),
};

function nested(depth, list) {
  let value = {S: 'bottom'};
  for (let i = 0; i < depth; i++) value = list ? {L: [value]} : {M: {m: value}};
  return value;
}

function edit_value(edit) {
  return (request, random) => {
    const place = random.pick(attribute_values(request));
    if (!place) return false;
    place.holder[place.key] = edit(place.holder[place.key], random);
    return true;
  };
}

const edit_key = (edit) => (request, random, context) => {
  const map = random.pick(key_maps(request));
  const table = request.table ?? context.tables[0];
  return map ? edit(map, random, table) !== false : false;
};
const key_names = (table) => [table.hash, table.range].filter(Boolean);

const keys = {
  key_missing: edit_key((map, random, table) => delete map[random.pick(key_names(table)).name]),
  key_extra: edit_key((map) => { map.surplus = {S: 'x'}; }),
  key_wrong_type: edit_key((map, random, table) => { map[random.pick(key_names(table)).name] = random.pick([{S: 'x'}, {N: '1'}, {B: 'AA=='}, {BOOL: true}, {SS: ['a']}, {M: {}}]); }),
  key_empty: edit_key((map, random, table) => { map[random.pick(key_names(table)).name] = random.pick([{S: ''}, {B: ''}]); }),
  key_long: edit_key((map, random, table) => {
    const key = random.pick(key_names(table));
    const length = key === table.hash ? random.pick([2048, 2049]) : random.pick([1024, 1025]);
    map[key.name] = key.type === 'B' ? {B: Buffer.alloc(length).toString('base64')} : {S: 'k'.repeat(length)};
  }),
  key_empty_map: edit_key((map) => { for (const name of Object.keys(map)) delete map[name]; }),
};

const mixtures = {
  mix_expected: set_field(() => ({Expected: {s: {Exists: false}}, ConditionExpression: 'attribute_exists(s)'}), ...data_writes),
  mix_attribute_updates: set_field(() => ({AttributeUpdates: {s: {Value: {S: 'x'}}}, UpdateExpression: 'REMOVE s'}), 'UpdateItem'),
  mix_attributes_to_get: set_field(() => ({AttributesToGet: ['s'], ProjectionExpression: 's'}), ...single_reads),
  mix_scan_filter: set_field(() => ({ScanFilter: {s: {ComparisonOperator: 'NULL'}}, FilterExpression: 'attribute_exists(s)'}), 'Scan'),
  mix_key_conditions: set_field(() => ({KeyConditions: {h: {ComparisonOperator: 'EQ', AttributeValueList: [{S: 'a'}]}}, KeyConditionExpression: 'h = :a'}), 'Query'),
  mix_operator: set_field(() => ({ConditionalOperator: 'OR'}), ...data_writes, 'Query', 'Scan'),
  legacy_wrong: set_field((random) => {
    const condition = random.pick([{ComparisonOperator: 'EQ'}, {ComparisonOperator: 'BETWEEN', AttributeValueList: [{S: 'a'}]}, {ComparisonOperator: 'NULL', AttributeValueList: [{S: 'a'}]}, {ComparisonOperator: 'NOPE', AttributeValueList: [{S: 'a'}]}, {ComparisonOperator: 'LT', AttributeValueList: [{SS: ['a']}]}, {AttributeValueList: [{S: 'a'}]}, {ComparisonOperator: 'IN', AttributeValueList: []}, {ComparisonOperator: 'BEGINS_WITH', AttributeValueList: [{N: '1'}]}, {ComparisonOperator: 'BETWEEN', AttributeValueList: [{S: 'b'}, {S: 'a'}]}, {ComparisonOperator: 'BETWEEN', AttributeValueList: [{S: 'b'}, {N: '1'}]}, {Exists: true}, {Exists: false, Value: {S: 'a'}}, {Value: {S: 'a'}, ComparisonOperator: 'EQ'}, {Exists: true, ComparisonOperator: 'NULL'}, {}]);
    return {Expected: {s: condition}, ConditionExpression: undefined, UpdateExpression: undefined, ExpressionAttributeNames: undefined, ExpressionAttributeValues: undefined, ReturnValuesOnConditionCheckFailure: undefined};
  }, ...data_writes),
  attribute_updates_wrong: set_field((random) => ({
    AttributeUpdates: {s: random.pick([{Action: 'PUT'}, {Action: 'NOPE', Value: {S: 'x'}}, {Action: 'ADD', Value: {S: 'x'}}, {Action: 'DELETE', Value: {S: 'x'}}, {}, {Action: 'ADD'}, {Action: 'ADD', Value: {BOOL: true}}])},
    UpdateExpression: undefined, ConditionExpression: undefined, ExpressionAttributeNames: undefined, ExpressionAttributeValues: undefined, ReturnValuesOnConditionCheckFailure: undefined,
  }), 'UpdateItem'),
};

const parameters = {
  bad_return_values: set_field((random) => ({ReturnValues: random.pick(['NOPE', 'UPDATED_NEW', 'ALL_NEW', 'all_old', ''])}), ...data_writes),
  bad_consumed_capacity: set_field((random) => ({ReturnConsumedCapacity: random.pick(['NOPE', 'total', ''])}), ...data_writes, ...single_reads, 'BatchGetItem', 'BatchWriteItem', 'TransactWriteItems', 'TransactGetItems'),
  bad_collection_metrics: set_field((random) => ({ReturnItemCollectionMetrics: random.pick(['NOPE', ''])}), ...data_writes, 'BatchWriteItem', 'TransactWriteItems'),
  bad_on_failure: set_field(() => ({ReturnValuesOnConditionCheckFailure: 'NOPE'}), ...data_writes),
  bad_enums: set_field(() => ({ReturnValues: 'NOPE', ReturnConsumedCapacity: 'NOPE', ReturnItemCollectionMetrics: 'NOPE'}), ...data_writes),
  bad_select: set_field((random) => ({Select: random.pick(['NOPE', 'SPECIFIC_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'ALL_ATTRIBUTES', 'COUNT'])}), 'Query', 'Scan'),
  bad_limit: set_field((random) => ({Limit: random.pick([0, -1, -2147483648, 2147483647, 1.5, '5'])}), 'Query', 'Scan', 'ListTables'),
  bad_segments: set_field((random) => random.pick([{Segment: 0}, {TotalSegments: 2}, {Segment: 2, TotalSegments: 2}, {Segment: -1, TotalSegments: 2}, {Segment: 0, TotalSegments: 0}, {Segment: 0, TotalSegments: 1000001}, {Segment: 5, TotalSegments: 3}, {Segment: 1000000, TotalSegments: 1000000}]), 'Scan'),
  bad_start_key: set_field((random, request) => {
    const {hash, range} = request.table;
    const value = (key) => ({[key.type]: {S: 'a', N: '1', B: 'AA=='}[key.type]});
    const whole = {[hash.name]: value(hash), ...(range ? {[range.name]: value(range)} : {})};
    return {ExclusiveStartKey: random.pick([{}, {nope: {S: 'x'}}, whole, {...whole, extra: {S: 'x'}}, {[hash.name]: value(hash)}, {...whole, [hash.name]: {BOOL: true}}, {...whole, [hash.name]: {S: ''}}])};
  }, 'Query', 'Scan'),
  consistent_read: set_field(() => ({ConsistentRead: true}), 'Query', 'Scan', 'GetItem'),
};

const batches = {
  batch_empty(request, random) {
    if (!request.body?.RequestItems) return false;
    const [table] = Object.keys(request.body.RequestItems);
    request.body.RequestItems = random.pick([{}, {[table]: request.operation === 'BatchGetItem' ? {Keys: []} : []}]);
    return true;
  },
  batch_too_many(request, random) {
    if (!request.body?.RequestItems) return false;
    const [table, part] = Object.entries(request.body.RequestItems)[0] ?? [];
    if (!table) return false;
    const list = Array.isArray(part) ? part : part.Keys;
    if (!list?.length) return false;
    const limit = Array.isArray(part) ? 25 : 100;
    while (list.length <= limit) list.push(structuredClone(random.pick(list)));
    return true;
  },
  batch_duplicate(request, random) {
    const part = random.pick(Object.values(request.body?.RequestItems ?? {}));
    const list = Array.isArray(part) ? part : part?.Keys;
    if (!list?.length) return false;
    list.push(structuredClone(random.pick(list)));
    return true;
  },
  batch_put_and_delete(request, random) {
    const part = random.pick(Object.values(request.body?.RequestItems ?? {}));
    if (!Array.isArray(part) || !part.length) return false;
    const entry = random.pick(part);
    const Key = entry.DeleteRequest?.Key ?? {};
    Object.assign(entry, random.pick([{PutRequest: {Item: Key}, DeleteRequest: {Key}}, {PutRequest: undefined, DeleteRequest: undefined}]));
    return true;
  },
  transact_empty(request, random) {
    if (!request.body?.TransactItems) return false;
    request.body.TransactItems = random.pick([[], [{}]]);
    return true;
  },
  transact_too_many(request, random) {
    const items = request.body?.TransactItems;
    if (!items?.length) return false;
    while (items.length <= 100) items.push(structuredClone(random.pick(items)));
    return true;
  },
  transact_same_item(request, random) {
    const items = request.body?.TransactItems;
    if (!items?.length) return false;
    items.push(structuredClone(random.pick(items)));
    return true;
  },
  transact_two_actions(request, random) {
    const items = request.body?.TransactItems;
    if (request.operation !== 'TransactWriteItems' || items.length < 2) return false;
    Object.assign(items[0], items[1]);
    return true;
  },
  transact_token: set_field((random) => ({ClientRequestToken: random.pick(['', 't'.repeat(37), 5])}), 'TransactWriteItems'),
};

export const mutations = {...structural, ...bodies, ...names, ...values, ...keys, ...expressions, ...placeholders, ...mixtures, ...parameters, ...batches, ...schemas};
const mutation_names = Object.keys(mutations);

const of_attributes = new Set([...Object.keys(values), ...Object.keys(keys), 'drop_nested', 'wrong_json_type_nested', 'attribute_name_empty', 'value_syntax', 'name_syntax']);

// Operations that are rare, and have much that can be wrong.
const own_mutation = {CreateTable: 'schema_wrong', UpdateTable: 'update_table_wrong', UpdateTimeToLive: 'ttl_wrong', TagResource: 'tags_wrong', UntagResource: 'tags_wrong', ListTagsOfResource: 'tags_wrong'};

// A request that is spoiled already may lack what a second mutation looks for.
function attempt_mutation(name, request, random, context) {
  try {
    return mutations[name](request, random, context);
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

// Changes the request in place. Returns the names of the mutations that were made.
export function mutate(request, random, context) {
  const made = [];
  const wanted = random.weighted([[8, 1], [2, 2]]);
  // Of several tables with an error each, it is open which one is reported.
  const tables = Object.keys(request.body?.RequestItems ?? {});
  if (tables.length) request.body.RequestItems = {[tables[0]]: request.body.RequestItems[tables[0]]};
  for (let attempt = 0; attempt < 20 && made.length < wanted; attempt++) {
    if (request.raw !== undefined) break;
    const special = random.chance(0.6) ? own_mutation[request.operation] : null;
    const name = special ?? random.pick(mutation_names);
    // Of two attributes with an error each, it is open which one is reported.
    if (of_attributes.has(name) && made.some((other) => of_attributes.has(other))) continue;
    if (attempt_mutation(name, request, random, context)) made.push(name);
  }
  request.mutations = made;
  return made;
}

