// Spoils valid requests, one rule of DynamoDB at a time (now and then two, so that the order of the checks
// shows). A mutation returns false where it does not fit the request.

import {bad_numbers, types} from './values.mjs';

const is_object = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

// Every place in the request: [{holder, key, path}]
function places(body, path = [], result = []) {
  if (body === null || typeof body !== 'object') return result;
  for (const key of Object.keys(body)) {
    result.push({holder: body, key, path: [...path, key]});
    places(body[key], [...path, key], result);
  }
  return result;
}

// The parts of a request that take an item, key or expression: the body itself, or each action inside.
function targets(request) {
  const {body} = request;
  if (Array.isArray(body?.TransactItems)) return body.TransactItems.flatMap((item) => (is_object(item) ? Object.values(item).filter(is_object) : []));
  return is_object(body) ? [body] : [];
}

const target_with = (request, random, ...fields) => {
  const fitting = targets(request).filter((target) => fields.every((field) => target[field] !== undefined));
  return fitting.length ? random.pick(fitting) : null;
};

const other_json = (random, value) => random.pick([3, 3.5, -1, 'text', '', true, null, [], {}, ['text'], {S: 'x'}, [{}]]
  .filter((candidate) => JSON.stringify(candidate) !== JSON.stringify(value)));

// Key maps of the request: Key, Item, ExclusiveStartKey, and those in batches.
function key_maps(request) {
  return places(request.body).filter(({holder, key}) => is_object(holder[key])
    && (['Key', 'Item', 'ExclusiveStartKey'].includes(key) || (Array.isArray(holder) && is_object(Object.values(holder[key])[0]) && !('PutRequest' in holder[key]) && !('DeleteRequest' in holder[key]))))
    .map(({holder, key}) => holder[key]);
}

// Attribute values: objects with exactly one member that is a type.
function attribute_values(request) {
  return places(request.body).filter(({holder, key}) => is_object(holder[key]) && Object.keys(holder[key]).length === 1 && types.includes(Object.keys(holder[key])[0]));
}

const expression_fields = ['ConditionExpression', 'FilterExpression', 'KeyConditionExpression', 'UpdateExpression', 'ProjectionExpression'];

function some_expression(request, random) {
  const found = targets(request).flatMap((target) => expression_fields.filter((field) => typeof target[field] === 'string').map((field) => ({target, field})));
  return found.length ? random.pick(found) : null;
}

function edit_expression(edit) {
  return (request, random) => {
    const found = some_expression(request, random);
    if (!found) return false;
    found.target[found.field] = edit(found.target[found.field], random, found.target, found.field);
    return true;
  };
}

function set_field(value_of, ...operations) {
  return (request, random) => {
    if (operations.length && !operations.includes(request.operation)) return false;
    if (!is_object(request.body)) return false;
    Object.assign(request.body, value_of(random, request));
    return true;
  };
}

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

const first_name = (text) => text.match(/[A-Za-z#][A-Za-z0-9_]*/)?.[0] ?? 's';

const expressions = {
  expression_empty: edit_expression((text, random) => random.pick(['', ' '])),
  expression_trailing: edit_expression((text, random) => text + random.pick([' ,', ' AND', ')', ' x', ' =', ' ;', ' :', ' #', ' "', ' 5', ' .a', ' []'])),
  expression_leading: edit_expression((text, random) => random.pick(['(', 'AND ', ', ', '= ', 'NOT ', '!', '. '])+ text),
  expression_cut: edit_expression((text, random) => text.slice(0, random.between(0, text.length - 1))),
  expression_doubled_parentheses: edit_expression((text) => `((${text}))`),
  expression_unknown_name: edit_expression((text) => text.replace(/#?[A-Za-z][A-Za-z0-9_]*/, '#nowhere')),
  expression_unknown_value: edit_expression((text) => (text.includes(':') ? text.replace(/:[A-Za-z0-9_]+/, ':nowhere') : `${text} AND s = :nowhere`)),
  expression_reserved: edit_expression((text, random) => text.replace(first_name(text), random.pick(['status', 'Name', 'TABLE', 'zone', 'size']))),
  expression_unknown_function: edit_expression((text, random) => random.pick(['unknown_function(s)', 'Attribute_Exists(s)', 'size(s)', 'attribute_exists()', 'attribute_exists(s, n)', 'begins_with(s)', 'contains(s, s)', 'attribute_exists(:v)', 'size(s) = size(size(s))', 'if_not_exists(s, n)'])),
  expression_bad_operator: edit_expression((text, random) => text.replace(/<>|<=|>=|=|<|>/, random.pick(['==', '!=', '=>', '<<', '~', 'LIKE', '><']))),
  expression_index: edit_expression((text, random) => text.replace(first_name(text), random.pick(['list[-1]', 'list[a]', 'list[]', 'list[1.5]', 'list[99999999999999999999]', 's..n', 's.', '.s', 'doc.[0]']))),
  expression_long: edit_expression((text) => `${text}${' '.repeat(5)}AND ${'attribute_exists(s) AND '.repeat(200)}attribute_exists(s)`),
  expression_many_operands: edit_expression((text, random, target) => {
    target.ExpressionAttributeValues = {...target.ExpressionAttributeValues, ':many': {S: 'm'}};
    return `s IN (${Array.from({length: random.pick([100, 101])}, () => ':many').join(',')})`;
  }),
  update_overlap: update_text(['SET s = :x, s = :x', 'SET doc = :x, doc.s = :x', 'SET doc.s = :x REMOVE doc', 'REMOVE s, s', 'SET doc.doc[0] = :x, doc.doc[0].s = :x', 'SET doc.s = :x, doc[0] = :x', 'SET s = :x, doc.s = :x REMOVE doc.s.n']),
  update_sections: update_text(['SET s = :x SET n = :x', 'REMOVE s REMOVE n SET s2 = :x', 'ADD n :x ADD n2 :x', 'SETs = :x', 'SET s :x', 'SET s = :x,', 'REMOVE s = :x', 'ADD s = :x', 'DELETE s', 'SET :x = s', 'SET s = :x + :x + :x', 'SET s = list_append(s)', 'SET s = if_not_exists(:x, s)', 'SET s = size(n)', 'SET s = (:x)', 'SET s = :x AND n = :x']),
  update_wrong_operand: update_text(['ADD s :x', 'DELETE s :x', 'SET s = n + :x', 'SET n = list_append(n, :x)', 'SET s = :x - :x', 'SET s = list_append(:x, :x)'], [{S: 'x'}, {N: '1'}, {SS: ['a']}, {L: []}, {M: {}}, {BOOL: true}, {NULL: true}]),
  update_key: (request, random) => {
    const target = target_with(request, random, 'UpdateExpression', 'Key');
    const names_of_key = Object.keys(target?.Key ?? {}).filter((name) => /^[a-z]$/.test(name));
    if (!names_of_key.length) return false;
    const name = random.pick(names_of_key);
    target.UpdateExpression = random.pick([`SET ${name} = :x`, `REMOVE ${name}`, `ADD ${name} :x`, `SET ${name}.a = :x`]);
    delete target.ExpressionAttributeNames;
    if (target.ConditionExpression) delete target.ConditionExpression;
    target.ExpressionAttributeValues = target.UpdateExpression.includes(':x') ? {':x': {N: '1'}} : undefined;
    return true;
  },
  condition_wrong_operand: (request, random) => {
    const found = some_expression(request, random);
    if (!found || !['ConditionExpression', 'FilterExpression'].includes(found.field)) return false;
    found.target[found.field] = random.pick(['s < :x', 'n BETWEEN :x AND :y', 'begins_with(s, :x)', 'attribute_type(s, :x)', 'contains(s, :x)', ':x = :y', 's IN (:x, :y)', 'size(:x) = :y', ':x', 's', 's = :x = :y', 'NOT s', 's AND n', '(s) = :x', 's = (:x)']);
    found.target.ExpressionAttributeNames = undefined;
    const used = found.target[found.field];
    found.target.ExpressionAttributeValues = Object.fromEntries([[':x', random.pick([{S: 'x'}, {N: '5'}, {BOOL: true}, {M: {}}, {L: []}, {SS: ['a']}, {NULL: true}, {S: 'ZZ'}])], [':y', random.pick([{N: '1'}, {S: 'a'}])]].filter(([name]) => used.includes(name)));
    return true;
  },
  projection_overlap: (request, random) => {
    const target = target_with(request, random, 'ProjectionExpression');
    if (!target) return false;
    target.ProjectionExpression = random.pick(['s, s', 'doc, doc.s', 'doc.s, doc', 'doc.s, doc[0]', 'n, s, n']);
    delete target.ExpressionAttributeNames;
    return true;
  },
  key_condition_wrong: (request, random) => {
    const {body, table} = request;
    if (request.operation !== 'Query' || !body.KeyConditionExpression || body.IndexName) return false;
    const h = '#h';
    const r = '#r';
    const text = random.pick([`${h} > :x`, `${h} = :x OR ${r} = :x`, `${r} = :x`, `${h} = :x AND ${r} <> :x`, `${h} = :x AND ${r} = :x AND ${r} = :x`, `NOT ${h} = :x`, `${h} = :x AND s = :x`, `${h} = :x AND ${r} IN (:x)`, `attribute_exists(${h})`, `${h} = :x AND contains(${r}, :x)`, `${h} = ${r}`, `${h}.a = :x`, `begins_with(${h}, :x)`, `${h} = :x AND ${r} BETWEEN :x`, `(${h} = :x) AND (${r} > :x)`, `((${h} = :x))`, `:x = ${h}`, `${h} = :x AND size(${r}) = :x`]);
    body.KeyConditionExpression = text;
    delete body.FilterExpression;
    delete body.ProjectionExpression;
    if (body.Select === 'SPECIFIC_ATTRIBUTES') delete body.Select;
    body.ExpressionAttributeNames = {...(text.includes(h) ? {[h]: table.hash.name} : {}), ...(text.includes(r) ? {[r]: table.range?.name ?? 'r'} : {})};
    body.ExpressionAttributeValues = text.includes(':x') ? {':x': random.pick([{S: 'a'}, {N: '1'}, {B: 'AA=='}])} : undefined;
    return true;
  },
  between_reversed: (request, random) => {
    const {body, table} = request;
    if (request.operation !== 'Query' || !body.KeyConditionExpression || body.IndexName || !table.range) return false;
    const bounds = {S: ['b', 'a'], N: ['10', '9'], B: ['/w==', 'AA==']}[table.range.type];
    body.KeyConditionExpression = '#h = :h AND #r BETWEEN :low AND :high';
    delete body.FilterExpression;
    delete body.ProjectionExpression;
    if (body.Select === 'SPECIFIC_ATTRIBUTES') delete body.Select;
    body.ExpressionAttributeNames = {'#h': table.hash.name, '#r': table.range.name};
    body.ExpressionAttributeValues = {':h': {[table.hash.type]: {S: 'a', N: '1', B: 'AA=='}[table.hash.type]}, ':low': {[table.range.type]: bounds[0]}, ':high': {[table.range.type]: random.chance(0.8) ? bounds[1] : bounds[0]}};
    return true;
  },
};

function update_text(texts, operands = [{S: 'x'}, {N: '1'}]) {
  return (request, random) => {
    const target = target_with(request, random, 'UpdateExpression');
    if (!target) return false;
    target.UpdateExpression = random.pick(texts);
    delete target.ConditionExpression;
    delete target.ExpressionAttributeNames;
    target.ExpressionAttributeValues = target.UpdateExpression.includes(':x') ? {':x': random.pick(operands)} : undefined;
    return true;
  };
}

const placeholders = {
  unused_name: add_placeholder((target) => { target.ExpressionAttributeNames = {...target.ExpressionAttributeNames, '#unused': 'unused'}; }),
  unused_value: add_placeholder((target) => { target.ExpressionAttributeValues = {...target.ExpressionAttributeValues, ':unused': {S: 'x'}}; }),
  unused_values: add_placeholder((target) => { target.ExpressionAttributeValues = {...target.ExpressionAttributeValues, ':unused1': {S: 'x'}, ':unused2': {S: 'x'}}; }),
  name_syntax: add_placeholder((target, random) => { target.ExpressionAttributeNames = {...target.ExpressionAttributeNames, [random.pick(['nohash', '#', '#a b', '#a-b', ''])]: 's'}; }),
  value_syntax: add_placeholder((target, random) => { target.ExpressionAttributeValues = {...target.ExpressionAttributeValues, [random.pick(['nocolon', ':', ':a b', ':a-b', ''])]: {S: 'x'}}; }),
  names_empty: add_placeholder((target) => { target.ExpressionAttributeNames = {}; }),
  values_empty: add_placeholder((target) => { target.ExpressionAttributeValues = {}; }),
  name_of_nothing: add_placeholder((target) => { target.ExpressionAttributeNames = {...target.ExpressionAttributeNames, '#empty': ''}; }),
};

function add_placeholder(edit) {
  return (request, random) => {
    if (request.operation.startsWith('Batch') || !places(request.body).some(({key}) => key === 'TableName')) return false;
    const target = random.pick(targets(request));
    if (!target) return false;
    edit(target, random);
    return true;
  };
}

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

const schemas = {
  schema_wrong(request, random) {
    if (request.operation !== 'CreateTable') return false;
    return random.pick(schema_edits)(request.body, random) !== false;
  },
  update_table_wrong(request, random) {
    if (request.operation !== 'UpdateTable') return false;
    const {TableName} = request.body;
    request.body = {TableName, ...random.pick([{}, {GlobalSecondaryIndexUpdates: []}, {GlobalSecondaryIndexUpdates: [{}]}, {GlobalSecondaryIndexUpdates: [{Delete: {IndexName: 'no-such-index'}}]},
      {GlobalSecondaryIndexUpdates: [{Create: {IndexName: 'new-index', KeySchema: [{AttributeName: 'undefined_one', KeyType: 'HASH'}], Projection: {ProjectionType: 'ALL'}}}]},
      {GlobalSecondaryIndexUpdates: [{Update: {IndexName: 'no-such-index', ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}}}]},
      {BillingMode: 'NOPE'}, {BillingMode: 'PROVISIONED'}, {ProvisionedThroughput: {ReadCapacityUnits: 0, WriteCapacityUnits: 1}}, {TableClass: 'NOPE'},
      {ProvisionedThroughput: {ReadCapacityUnits: 1}}, {AttributeDefinitions: [{AttributeName: 'x', AttributeType: 'S'}]}])};
    delete request.succeeded;
    return true;
  },
  tags_wrong(request, random) {
    if (!['TagResource', 'UntagResource', 'ListTagsOfResource'].includes(request.operation)) return false;
    const edits = [(b) => { b.ResourceArn = 'not-an-arn'; }, (b) => { b.ResourceArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/no-such-table'; }];
    if (request.operation === 'TagResource') edits.push((b) => { b.Tags = []; }, (b) => { b.Tags = [{Key: 'x'.repeat(129), Value: 'y'}]; }, (b) => { b.Tags = [{Key: 'x', Value: 'y'.repeat(257)}]; }, (b) => { b.Tags = [{Key: 'x', Value: 'y'}, {Key: 'x', Value: 'z'}]; }, (b) => { b.Tags = [{Key: 'aws:x', Value: 'y'}]; });
    if (request.operation === 'UntagResource') edits.push((b) => { b.TagKeys = []; });
    random.pick(edits)(request.body);
    return true;
  },
  ttl_wrong(request, random) {
    if (request.operation !== 'UpdateTimeToLive') return false;
    request.body.TimeToLiveSpecification = random.pick([{Enabled: true}, {AttributeName: 'ttl'}, {Enabled: true, AttributeName: ''}, {Enabled: true, AttributeName: 'x'.repeat(256)}, {Enabled: false, AttributeName: 'ttl'}, {}]);
    return true;
  },
};

// What is wrong with a schema, one thing at a time.
const schema_edits = [
  (b) => { b.KeySchema = []; },
  (b) => { b.KeySchema = [{AttributeName: 'r', KeyType: 'RANGE'}]; },
  (b) => { b.KeySchema.reverse(); },
  (b) => { b.KeySchema.push({AttributeName: 'third', KeyType: 'RANGE'}); },
  (b) => { b.KeySchema = [{AttributeName: 'h', KeyType: 'HASH'}, {AttributeName: 'h', KeyType: 'RANGE'}]; },
  (b) => { b.KeySchema[0].KeyType = 'NOPE'; },
  (b) => { b.KeySchema[0].AttributeName = 'undefined_one'; },
  (b) => { b.KeySchema[0].AttributeName = ''; },
  (b) => { b.KeySchema[0].AttributeName = 'k'.repeat(256); b.AttributeDefinitions.push({AttributeName: 'k'.repeat(256), AttributeType: 'S'}); },
  (b) => { b.AttributeDefinitions = []; },
  (b) => { b.AttributeDefinitions.push({AttributeName: 'surplus', AttributeType: 'S'}); },
  (b) => { b.AttributeDefinitions[0].AttributeType = 'SS'; },
  (b) => { b.AttributeDefinitions.push(b.AttributeDefinitions[0]); },
  (b) => { b.AttributeDefinitions.push({...b.AttributeDefinitions[0], AttributeType: b.AttributeDefinitions[0].AttributeType === 'S' ? 'N' : 'S'}); },
  (b) => { b.BillingMode = 'NOPE'; },
  (b) => { b.BillingMode = 'PROVISIONED'; delete b.ProvisionedThroughput; },
  (b) => { b.BillingMode = 'PAY_PER_REQUEST'; b.ProvisionedThroughput = {ReadCapacityUnits: 1, WriteCapacityUnits: 1}; },
  (b) => { b.BillingMode = 'PROVISIONED'; b.ProvisionedThroughput = {ReadCapacityUnits: 0, WriteCapacityUnits: 1}; },
  (b) => { b.BillingMode = 'PROVISIONED'; b.ProvisionedThroughput = {ReadCapacityUnits: -1, WriteCapacityUnits: 'x'}; },
  (b) => { delete b.BillingMode; b.ProvisionedThroughput = {ReadCapacityUnits: 1}; },
  (b) => { delete b.BillingMode; delete b.ProvisionedThroughput; },
  (b) => { b.TableClass = 'NOPE'; },
  (b) => { b.StreamSpecification = {StreamEnabled: true}; },
  (b) => { b.StreamSpecification = {StreamEnabled: true, StreamViewType: 'NOPE'}; },
  (b) => { b.StreamSpecification = {StreamEnabled: false, StreamViewType: 'NEW_IMAGE'}; },
  (b) => { b.Tags = [{Key: 'x'.repeat(129), Value: 'y'}]; },
  (b) => { b.LocalSecondaryIndexes = []; },
  (b) => { b.GlobalSecondaryIndexes = []; },
  ...['LocalSecondaryIndexes', 'GlobalSecondaryIndexes'].flatMap((field) => [
    (edit) => (b) => (b[field]?.length ? edit(b[field][0], b[field], b) : false),
  ].flatMap((on) => [
    on((i) => { i.IndexName = 'a'; }),
    on((i) => { i.IndexName = 'bad name'; }),
    on((i) => { i.KeySchema = []; }),
    on((i) => { i.KeySchema = i.KeySchema.slice(0, 1); }),
    on((i) => { i.KeySchema[0].AttributeName = 'undefined_one'; }),
    on((i) => { i.KeySchema.reverse(); }),
    on((i) => { i.Projection = {}; }),
    on((i) => { delete i.Projection; }),
    on((i) => { i.Projection = {ProjectionType: 'NOPE'}; }),
    on((i) => { i.Projection = {ProjectionType: 'INCLUDE'}; }),
    on((i) => { i.Projection = {ProjectionType: 'ALL', NonKeyAttributes: ['x']}; }),
    on((i) => { i.Projection = {ProjectionType: 'INCLUDE', NonKeyAttributes: []}; }),
    on((i) => { i.Projection = {ProjectionType: 'INCLUDE', NonKeyAttributes: ['x', 'x']}; }),
    on((i) => { i.Projection = {ProjectionType: 'INCLUDE', NonKeyAttributes: Array.from({length: 21}, (_, n) => `a${n}`)}; }),
    on((i) => { i.Projection = {ProjectionType: 'INCLUDE', NonKeyAttributes: Array.from({length: 101}, (_, n) => `a${n}`)}; }),
    on((i, list) => { list.push(structuredClone(i)); }),
    on((i, list) => { for (let n = 0; n < 21; n++) list.push({...structuredClone(i), IndexName: `many-${n}`}); }),
    on((i, list, b) => { b.KeySchema = b.KeySchema.slice(0, 1); }),
  ])),
];

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

