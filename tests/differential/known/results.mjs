// Differences in the answers to requests that both accept.

import {canonical, normalise} from '../compare.mjs';
import {update_targets} from './rules.mjs';
import {leads_oracle_astray, spoiled_by, text_of} from './common.mjs';

const on_local_index = (request) => request.index?.kind === 'LSI' && request.body?.IndexName === request.index.name;

// The attributes that an update with nested paths gives back are parts of those that dynoxide gives back whole.
function is_part(part, whole) {
  if (part === undefined) return true;
  if (Array.isArray(part)) {
    let from = 0;
    return Array.isArray(whole) && part.every((element) => {
      const at = whole.findIndex((other, i) => i >= from && is_part(element, other));
      from = at + 1;
      return at >= 0;
    });
  }
  if (part === null || typeof part !== 'object') return part === whole;
  return whole !== null && typeof whole === 'object' && Object.keys(part).every((key) => is_part(part[key], whole[key]));
}

const gives_parts = (request, a, b) => /^UPDATED_(OLD|NEW)$/.test(request.body.ReturnValues)
  && update_targets(request.body).some(({path}) => path.length > 1) && is_part(normalise(a.body.Attributes), normalise(b.body.Attributes));

const gives_key_for_nothing = (request, a, b) => request.body.ReturnValues === 'ALL_OLD' && a.body.Attributes === undefined
  && canonical(Object.keys(b.body.Attributes ?? {}).sort()) === canonical(Object.keys(request.body.Key).sort());

// `path` is body.Responses[i].Item, or an attribute in it.
function adds_key_or_drops(request, path, ours, theirs) {
  const [, at, attribute] = /^body\.Responses\[(\d+)\]\.Item(?:\.(.*))?$/.exec(path) ?? [];
  const get = request.body.TransactItems?.[at]?.Get;
  if (!get?.ProjectionExpression) return false;
  if (attribute === undefined) return theirs === undefined && canonical(ours) === '{}';
  return ours === undefined && theirs !== undefined && attribute in get.Key;
}

function sort_prefix_has_letters({operation, body}) {
  if (operation !== 'Query') return false;
  const [, name] = /begins_with\s*\([^,]+,\s*(:\w+)\s*\)/i.exec(body.KeyConditionExpression ?? '') ?? [];
  const prefixes = [body.ExpressionAttributeValues?.[name], ...Object.values(body.KeyConditions ?? {}).filter((condition) => condition.ComparisonOperator === 'BEGINS_WITH').map((condition) => condition.AttributeValueList?.[0])];
  return prefixes.some((value) => /[a-z]/i.test(value?.S ?? ''));
}

export const results = [
  {
    name: 'WarmThroughput',
    reason: 'API Reference, TableDescription and GlobalSecondaryIndexDescription: WarmThroughput. dynoxide leaves it out.',
    matches: (request, a, b, {path, b: theirs}) => /\.WarmThroughput$/.test(path) && theirs === undefined,
  },
  {
    name: 'counts and sizes',
    reason: 'Waybill gives the counts and sizes of now. AWS updates them about every six hours; dynoxide gives 0.',
    matches: (request, a, b, {path, b: theirs}) => /\.(ItemCount|TableSizeBytes|IndexSizeBytes)$/.test(path) && theirs === 0,
  },
  {
    name: 'status while a change runs',
    reason: 'API Reference, UpdateTable: the table is UPDATING and a new index CREATING while it is filled. dynoxide does all at once.',
    matches: (request, a, b, {path}) => ['UpdateTable', 'DescribeTable'].includes(request.operation) && /\.(TableStatus|IndexStatus|Backfilling)$/.test(path),
  },
  {
    name: 'size of an item collection',
    reason: 'API Reference, ItemCollectionMetrics: a range of whole GB. dynoxide gives one size twice, as a fraction.',
    matches: (request, a, b, {path, a: ours, b: theirs}) => /SizeEstimateRangeGB\[[01]\]$/.test(path) && Number.isInteger(ours) && (path.endsWith('[0]') ? ours <= theirs : ours >= theirs),
  },
  {
    name: 'key of an item collection',
    reason: 'The key in its normal form, as everywhere. dynoxide repeats the notation of the request.',
    matches: (request, a, b, {path, a: ours, b: theirs}) => /ItemCollectionKey.*\.N$/.test(path) && Number(ours) === Number(theirs),
  },
  {
    name: 'item collections of a transaction',
    reason: 'API Reference, TransactWriteItems: ItemCollectionMetrics is answered. dynoxide leaves it out.',
    matches: (request, a, b, {path, b: theirs}) => request.operation === 'TransactWriteItems' && path === 'body.ItemCollectionMetrics' && theirs === undefined,
  },
  {
    name: 'begins_with ignores case',
    reason: 'dynoxide compares a sort key\'s prefix with SQLite\'s LIKE, for which "B" and "b" are one.',
    matches: (request, a, b, {path, a: ours, b: theirs}) => /^(body\.(Items|Count|ScannedCount|LastEvaluatedKey)|pages)/.test(path) && sort_prefix_has_letters(request) && !(typeof ours === 'number' && typeof theirs === 'number' && ours > theirs && path !== 'pages'),
  },
  {
    name: 'attributes that a local index does not project',
    reason: 'Developer Guide, "Local secondary indexes": they are fetched from the table, and so charged. dynoxide leaves them out.',
    matches: (request, a, b, {path}) => on_local_index(request) && request.index.projection.ProjectionType !== 'ALL' && /^(body\.(Items|Count|ConsumedCapacity)|pages)/.test(path),
  },
  {
    name: 'values before and after an update',
    reason: 'API Reference, UpdateItem ReturnValues: UPDATED_OLD and UPDATED_NEW give what was updated, by its path; ALL_OLD of a new item is empty. dynoxide gives whole attributes, and the key for ALL_OLD; and fills lists up with NULLs (see leads_oracle_astray).',
    matches: (request, a, b, {path}) => request.operation === 'UpdateItem' && path.startsWith('body.Attributes') && (gives_parts(request, a, b) || gives_key_for_nothing(request, a, b) || leads_oracle_astray(request)),
  },
  {
    name: 'projections of TransactGetItems',
    reason: 'API Reference, ProjectionExpression: only the attributes that were asked for. dynoxide adds the key, or drops the item.',
    matches: (request, a, b, {path, a: ours, b: theirs}) => request.operation === 'TransactGetItems' && adds_key_or_drops(request, path, ours, theirs),
  },
  {
    name: 'throughput of an index',
    reason: 'API Reference, UpdateTable: an index has the throughput it was given, and none when the table is PAY_PER_REQUEST. dynoxide mixes the two up.',
    matches: (request, a, b, {path, a: ours, b: theirs}) => /GlobalSecondaryIndexes\[\d+\]\.ProvisionedThroughput\.(Read|Write)CapacityUnits$/.test(path) && (ours === 0 || theirs === 0),
  },
  {
    name: 'NOT_CONTAINS on an attribute that is missing',
    reason: 'API Reference, Condition: it compares an attribute of type S, set or list; a missing attribute matches no comparison but NULL and NE. dynoxide takes it as NOT contains().',
    matches: (request, a, b, {path}) => text_of(request).includes('NOT_CONTAINS') && (/^(body\.(Items|Count|LastEvaluatedKey|ScannedCount)|pages)/.test(path) || (['status', '__type'].includes(path) && a.type === 'ConditionalCheckFailedException')),
  },
  {
    name: 'pages of a segment',
    reason: 'dynoxide 1.2 refuses some of its own LastEvaluatedKeys in a parallel scan.',
    matches: (request, a, b, difference) => request.operation === 'Scan' && request.body.TotalSegments > 1 && difference.path === 'status' && a.status === 200 && /starting key is invalid/.test(difference.b),
  },
  {
    name: 'capacity of a projection',
    reason: 'Developer Guide, "Read capacity": the whole item counts, "not the attributes returned". dynoxide counts what is left.',
    matches: (request, a, b, {path}) => ['GetItem', 'TransactGetItems', 'BatchGetItem'].includes(request.operation) && /^body\.ConsumedCapacity/.test(path) && /ProjectionExpression|AttributesToGet/.test(text_of(request)),
  },
  {
    name: 'starting after the only item',
    reason: 'API Reference, ExclusiveStartKey: the read begins after it. dynoxide ignores it in a query of a table without a sort key.',
    matches: (request, a, b, {path}) => request.operation === 'Query' && request.table?.range === null && Boolean(request.body.ExclusiveStartKey) && /^body\.(Items|Count|ScannedCount|LastEvaluatedKey|ConsumedCapacity)/.test(path),
  },
  {
    name: 'a scan that starts at a key of our choice',
    reason: "The order of a scan is each server's own, so what comes after a key that it has not given out is too.",
    matches: (request, a, b, {path, a: ours}) => request.operation === 'Scan' && spoiled_by(request, 'bad_start_key') && Boolean(request.body.ExclusiveStartKey)
      && (/^(body\.(Items|Count|ScannedCount|ConsumedCapacity|LastEvaluatedKey)|pages)/.test(path) || (path === 'status' && /with correct Segment/.test(ours))),
  },
  {
    name: 'capacity of a local index',
    reason: 'API Reference, ConsumedCapacity: what a read of a local index consumes stands under LocalSecondaryIndexes. dynoxide, in a scan, puts it under Table.',
    matches: (request, a, b, {path}) => request.operation === 'Scan' && on_local_index(request) && /^body\.ConsumedCapacity\.(Table|LocalSecondaryIndexes)/.test(path) && a.body.ConsumedCapacity.CapacityUnits === b.body.ConsumedCapacity.CapacityUnits,
  },
  {
    name: 'an update that makes an item no larger',
    reason: 'Service quotas: 400 KB. dynoxide adds something to the size of an item that it has taken, and then refuses to remove anything from it.',
    matches: (request, a, b, {path}) => request.operation === 'UpdateItem' && path === 'status' && a.status === 200 && /^Item size to update/.test(b.message) && update_targets(request.body).every(({section}) => ['REMOVE', 'DELETE'].includes(section)),
  },
];
