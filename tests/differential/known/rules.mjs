// Rules of DynamoDB that dynoxide does not know, asked of the request itself: where Waybill refuses a request
// by one of them, the request must really break it.

const read_comparisons = ['<', '<=', '>', '>=', 'BETWEEN'];
const is_object = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

// The parts of a request that have expressions of their own.
export function parts_of(request) {
  const body = request.body ?? {};
  if (Array.isArray(body.TransactItems)) return body.TransactItems.flatMap((item) => Object.values(item ?? {})).filter(is_object);
  return [body, ...Object.values(is_object(body.RequestItems) ? body.RequestItems : {}).filter(is_object)];
}

const segments_of = (text, names) => [...text.matchAll(/[^.[\]]+/g)].map(([segment]) => {
  if (/^\d+$/.test(segment)) return Number(segment);
  return names?.[segment] ?? segment;
});

// The paths that an update expression changes: [{section, path}].
export function update_targets(part) {
  const text = String(part.UpdateExpression ?? '');
  const sections = [...text.matchAll(/\b(SET|REMOVE|ADD|DELETE)\b([^]*?)(?=\b(?:SET|REMOVE|ADD|DELETE)\b|$)/gi)];
  return sections.flatMap(([, word, inside]) => {
    const section = word.toUpperCase();
    const path = section === 'SET' ? /([\w#][\w#.[\]]*)\s*=/g : /(?:^|,)\s*([\w#][\w#.[\]]*)/g;
    return [...inside.replace(/\s*([.[\]])\s*/g, '$1').matchAll(path)].map(([, found]) => ({section, path: segments_of(found, part.ExpressionAttributeNames)}));
  });
}

function value_at(item, path) {
  let value = {M: item};
  for (const segment of path) value = typeof segment === 'number' ? value?.L?.[segment] : value?.M?.[segment];
  return value;
}

// A nested target whose parent is not there, or is no list or map. `item` is what the update was to change.
export const lacks_parent = (part, item) => update_targets(part).some(({path}) => {
  if (path.length < 2) return false;
  const parent = value_at(item ?? {}, path.slice(0, -1));
  return typeof path.at(-1) === 'number' ? !Array.isArray(parent?.L) : !is_object(parent?.M);
});

const is_prefix = (a, b) => a.every((segment, i) => segment === b[i]);
const overlap = (paths) => paths.some((a, i) => paths.some((b, j) => i < j && (is_prefix(a, b) || is_prefix(b, a))));

const projected_paths = (part) => (typeof part.ProjectionExpression === 'string'
  ? part.ProjectionExpression.split(',').map((text) => segments_of(text.trim(), part.ExpressionAttributeNames))
  : (part.AttributesToGet ?? []).map((name) => [name]));

// A comparison, or a function, with a value of a type that it does not take. Operator and type are those of the message.
function takes_wrong_type(part, message) {
  const [, operator, type] = /operator or function: (\S+), operand type: (\w+)/.exec(message) ?? [];
  const texts = [part.ConditionExpression, part.FilterExpression, part.KeyConditionExpression, part.UpdateExpression].filter((text) => typeof text === 'string');
  const of_type = Object.entries(part.ExpressionAttributeValues ?? {}).filter(([, value]) => is_object(value) && type in value).map(([name]) => name);
  if (read_comparisons.includes(operator) && ['S', 'N', 'B'].includes(type)) return false;
  return of_type.some((name) => texts.some((text) => beside(text, name, operator)));
}

// Whether `operator` has the placeholder `name` for an operand.
function beside(text, name, operator) {
  const escaped = operator.replace(/[+]/g, '\\+');
  if (/^\w+$/.test(operator) && operator !== 'BETWEEN') return new RegExp(`${escaped}\\b[^]*${name}\\b`, 'i').test(text);
  return new RegExp(`(^|[^<>=])${escaped}\\s*${name}\\b|${name}\\s+${escaped}($|[^<>=])|BETWEEN[^]*${name}\\b`, 'i').test(text);
}

// BETWEEN with two values of one type, the greater first.
function bounds_turned_round(part) {
  const texts = [part.ConditionExpression, part.FilterExpression, part.KeyConditionExpression].filter((text) => typeof text === 'string');
  return texts.some((text) => [...text.matchAll(/BETWEEN\s+(:\w+)\s+AND\s+(:\w+)/gi)].some(([, low, high]) => {
    const [a, b] = [low, high].map((name) => part.ExpressionAttributeValues?.[name] ?? {});
    if (a.N !== undefined && b.N !== undefined) return Number(a.N) > Number(b.N);
    if (a.S !== undefined && b.S !== undefined) return Buffer.compare(Buffer.from(a.S), Buffer.from(b.S)) > 0;
    return a.B !== undefined && b.B !== undefined && Buffer.compare(Buffer.from(a.B, 'base64'), Buffer.from(b.B, 'base64')) > 0;
  }));
}

// The same operand on both sides of a comparison.
function operand_twice(part) {
  const texts = [part.ConditionExpression, part.FilterExpression].filter((text) => typeof text === 'string');
  const name_of = (operand) => segments_of(operand, part.ExpressionAttributeNames).join('.');
  return texts.some((text) => [...text.matchAll(/([\w#:.[\]]+)\s*(?:=|<>|<=|>=|<|>)\s*([\w#:.[\]]+)/g)].some(([, left, right]) => name_of(left) === name_of(right)));
}

const conditions_of = (body) => Object.keys(body.Expected ?? body.QueryFilter ?? body.ScanFilter ?? {}).length;

function asks_for_unprojected(request) {
  const {index, table, body} = request;
  if (index?.kind !== 'GSI' || index.projection.ProjectionType === 'ALL') return false;
  const kept = [table.hash, table.range, index.hash, index.range].filter(Boolean).map(({name}) => name).concat(index.projection.NonKeyAttributes ?? []);
  return projected_paths(body).some(([top]) => !kept.includes(top));
}

const has_empty_value = (value) => is_object(value) && (value.S === '' || value.B === '');
const key_values = (body) => [...Object.values(body.ExclusiveStartKey ?? {}), ...Object.values(body.ExpressionAttributeValues ?? {}), ...Object.values(body.KeyConditions ?? {}).flatMap((condition) => condition?.AttributeValueList ?? [])];

// Each: where it stands, Waybill's text, and whether the request breaks the rule.
export const rules = [
  // Developer Guide, "Condition and filter expressions, operators, and functions": operands of < <= > >= BETWEEN are
  // of type S, N or B; each first operand distinct. Texts recorded by dynalite's tests against the service.
  {text: /Incorrect operand type for operator or function/, broken: (request, message) => parts_of(request).some((part) => takes_wrong_type(part, message))},
  {text: /The first operand must be distinct/, broken: (request) => parts_of(request).some(operand_twice)},
  {text: /The BETWEEN operator requires/, broken: (request) => parts_of(request).some(bounds_turned_round)},
  // Developer Guide, "Update expressions" and "Projection expressions": each path once.
  {text: /Invalid UpdateExpression: Two document paths/, broken: (request) => parts_of(request).some((part) => overlap(update_targets(part).map(({path}) => path)))},
  {text: /Invalid ProjectionExpression: Two document paths/, broken: (request) => parts_of(request).some((part) => overlap(projected_paths(part)))},
  // Developer Guide, "Using global secondary indexes": a query fetches only what is projected.
  {text: /Global secondary index \S+ does not project/, broken: asks_for_unprojected},
  // API Reference, "Legacy conditional parameters": ConditionalOperator joins two conditions or more.
  {text: /ConditionalOperator can(not| only) be used/, broken: ({body}) => Boolean(body.ConditionalOperator) && conditions_of(body) < 2},
  // Developer Guide, "Key condition expressions": keys are never empty.
  {text: /cannot contain an empty (string|binary) value/, broken: ({operation, body}) => ['Query', 'Scan'].includes(operation) && key_values(body).some(has_empty_value)},
  // API Reference, UpdateTable: an index has a throughput in a PROVISIONED table, and none in a PAY_PER_REQUEST one.
  {text: /Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index/, broken: ({body}) => (body.GlobalSecondaryIndexUpdates ?? []).some(({Create, Update}) => (Create ?? Update)?.ProvisionedThroughput)},
  {text: /ProvisionedThroughput must be specified for index/, broken: ({body}) => (body.GlobalSecondaryIndexUpdates ?? []).some(({Create}) => Create && !Create.ProvisionedThroughput)},
  // Developer Guide, "Update expressions": the parent of a nested path must be there; in ADD, DELETE and REMOVE as in SET
  // (ScyllaDB's test_update_expression.py, which runs against AWS). `found` is what trial.mjs read after the refusal.
  {text: /The document path provided in the update expression is invalid for update/, broken: (request) => (request.found ?? []).some(({part, item}) => lacks_parent(part, item))},
];
