// Compares two answers: everything that DynamoDB promises, and nothing that it leaves open (order of
// attributes, set elements and scans; ids, times, regions).

const is_object = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

export const canonical = (value) => JSON.stringify(ordered(value));

function ordered(value) {
  if (Array.isArray(value)) return value.map(ordered);
  if (!is_object(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, ordered(value[key])]));
}

const by_field = (list, field) => [...list].sort((x, y) => (canonical(x?.[field]) < canonical(y?.[field]) ? -1 : 1));
const by_text = (list) => [...list].sort((x, y) => (canonical(x) < canonical(y) ? -1 : 1));

const is_set = (value) => is_object(value) && Object.keys(value).length === 1 && ['SS', 'NS', 'BS'].includes(Object.keys(value)[0]) && Array.isArray(Object.values(value)[0]);

// Lists without a promised order, by the name of their field.
const unordered_fields = new Set(['AttributeDefinitions', 'GlobalSecondaryIndexes', 'LocalSecondaryIndexes', 'Tags', 'NonKeyAttributes']);
const of_no_account = new Set(['TableId', 'CreationDateTime', 'LastUpdateToPayPerRequestDateTime', 'LastIncreaseDateTime', 'LastDecreaseDateTime', 'LastUpdateDateTime',
  'LatestStreamArn', 'LatestStreamLabel']);

export function normalise(value, field = '') {
  if (Array.isArray(value)) {
    const list = value.map((element) => normalise(element));
    if (list.every((element) => element?.IndexName)) return by_field(list, 'IndexName');
    return unordered_fields.has(field) ? by_text(list) : list;
  }
  if (is_set(value)) {
    const [[type, elements]] = Object.entries(value);
    return {[type]: [...elements].sort()};
  }
  if (is_object(value)) {
    const result = {};
    for (const [key, inner] of Object.entries(value)) if (!of_no_account.has(key)) result[key] = normalise(inner, key);
    return result;
  }
  if (typeof value === 'string') return value.replace(/arn:aws:dynamodb:[^:]*:[^:]*:/g, 'arn:aws:dynamodb:REGION:ACCOUNT:');
  return value;
}

// Lists of the whole answer whose order is open.
export function normalise_answer(request, body) {
  const result = normalise(body);
  if (!is_object(result)) return result;
  if (Array.isArray(result.ConsumedCapacity)) result.ConsumedCapacity = by_field(result.ConsumedCapacity, 'TableName');
  if (request.operation === 'BatchGetItem' && is_object(result.Responses)) {
    for (const table of Object.keys(result.Responses)) result.Responses[table] = by_text(result.Responses[table]);
  }
  if (['BatchWriteItem', 'TransactWriteItems'].includes(request.operation) && is_object(result.ItemCollectionMetrics)) {
    for (const table of Object.keys(result.ItemCollectionMetrics)) result.ItemCollectionMetrics[table] = by_field(result.ItemCollectionMetrics[table], 'ItemCollectionKey');
  }
  return result;
}

// Placeholders and parameters in braces come in no promised order. A collection echoed in a message is
// whatever the server's language prints for it (AWS prints Java object hashes, recorded 2026-08-12 by
// github.com/nubo-db/dynamodb-conformance), so it is left out.
export const normalise_message = (message) => String(message)
  .replace(/Value '[[{][^]*?' at '([A-Za-z0-9.]+)' failed/g, "Value 'COLLECTION' at '$1' failed")
  .replace(/\{([^{}]*)\}/g, (_, inside) => `{${inside.split(', ').sort().join(', ')}}`)
  .replace(/arn:aws:dynamodb:[^:]*:[^:]*:/g, 'arn:aws:dynamodb:REGION:ACCOUNT:');

// [{path, a, b}], at most `most`.
export function differences(a, b, path = '', found = [], most = 40) {
  if (found.length >= most) return found;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) found.push({path: `${path}.length`, a: a.length, b: b.length});
    for (let i = 0; i < Math.min(a.length, b.length); i++) differences(a[i], b[i], `${path}[${i}]`, found, most);
    return found;
  }
  if (is_object(a) && is_object(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) differences(a[key], b[key], `${path}.${key}`, found, most);
    return found;
  }
  if (!Object.is(a, b) && canonical(a) !== canonical(b)) found.push({path, a, b});
  return found;
}

// The differences of two answers to one request.
export function compare_answers(request, a, b) {
  if (a.status !== b.status) return [{path: 'status', a: outcome(a), b: outcome(b)}];
  if (a.status !== 200) {
    if (a.type !== b.type) return [{path: '__type', a: outcome(a), b: outcome(b)}];
    const found = [];
    if (normalise_message(a.message) !== normalise_message(b.message)) found.push({path: 'message', a: a.message, b: b.message});
    differences(normalise(a.body?.CancellationReasons?.map(reason_of)), normalise(b.body?.CancellationReasons?.map(reason_of)), 'CancellationReasons', found);
    differences(normalise(a.body?.Item), normalise(b.body?.Item), 'Item', found);
    return found;
  }
  return differences(normalise_answer(request, a.body), normalise_answer(request, b.body), 'body');
}

const reason_of = (reason) => ({...reason, ...(reason.Message ? {Message: normalise_message(reason.Message)} : {})});

export const outcome = (answer) => (answer.status === 200 ? '200' : `${answer.status} ${answer.type}: ${answer.message}`);

// Two collections in no order: what only one of them has.
export function compare_multisets(a, b, path) {
  const left = a.map((item) => canonical(normalise(item))).sort();
  const right = b.map((item) => canonical(normalise(item))).sort();
  const count = new Map();
  for (const item of left) count.set(item, (count.get(item) ?? 0) + 1);
  for (const item of right) count.set(item, (count.get(item) ?? 0) - 1);
  const only_a = [...count].filter(([, n]) => n > 0).map(([item]) => item);
  const only_b = [...count].filter(([, n]) => n < 0).map(([item]) => item);
  if (!only_a.length && !only_b.length) return [];
  return [{path, a: {size: a.length, only: only_a.slice(0, 3)}, b: {size: b.length, only: only_b.slice(0, 3)}}];
}
