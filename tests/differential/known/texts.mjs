// Differences in the words of refusals that both make, under the same name.

import {normalise_message} from '../compare.mjs';
import {has_legacy, refused, spoiled_by, without_envelope} from './common.mjs';

const plain_names = (text) => text.replace(/'transactItems\.\d+\.member\.\w+\.tableName'/g, "'tableName'");
const constraints_of = (message) => plain_names(normalise_message(message)).replace(/^\d+ validation errors? detected: /, '').split(/; (?=Value )/);
const legacy_fault = /ComparisonOperator|AttributeValueList|Value (must|cannot|or|and) |(ADD|DELETE) action|Only DELETE action/;
const start_key = /^The provided (starting key is invalid(: The provided key element does not match the schema)?|key element does not match the schema)$/;

export const texts = [
  {
    name: 'the envelope of 2026',
    reason: 'Since June 2026 some regions of AWS put "1 validation error detected: " before texts that others send without (recorded by nubo-db/dynamodb-conformance). dynoxide mixes both.',
    matches: (request, a, b, {path, a: ours, b: theirs}) => (path === 'message' || path.endsWith('.Message')) && without_envelope(ours) === without_envelope(theirs),
  },
  {
    name: 'aggregation of 2026',
    reason: 'All violated constraints in one text, as most regions of AWS do; those with the envelope stop at the first (recorded by nubo-db/dynamodb-conformance, registry/splits.json).',
    matches: (request, a, b, {path}) => path === 'message' && /^\d+ validation errors detected: /.test(a.message) && constraints_of(b.message).every((text) => constraints_of(a.message).includes(text)),
  },
  {
    name: 'JSON types in attribute values',
    reason: 'AWS names the JSON type it found (NUMBER_VALUE, TRUE_VALUE …; dynalite\'s tests). dynoxide says TRUE_VALUE of anything.',
    matches: (request, a, b, {path}) => path === 'message' && a.type === 'SerializationException' && b.message === 'TRUE_VALUE cannot be converted to String',
  },
  {
    name: 'a bad value among ExpressionAttributeValues',
    reason: 'AWS: "ExpressionAttributeValues contains invalid value: … for key :x" (dynalite\'s tests). dynoxide says so in some operations only.',
    matches: (request, a, b, {path}) => path === 'message' && without_envelope(a.message).startsWith(`ExpressionAttributeValues contains invalid value: ${without_envelope(b.message)}`),
  },
  {
    name: 'the expression that is at fault',
    reason: 'AWS: "Invalid KeyConditionExpression: …", as with every other expression. dynoxide leaves the prefix out in some operations.',
    matches: (request, a, b, {path}) => path === 'message' && without_envelope(a.message).replace(/^Invalid \w+Expression: /, '') === without_envelope(b.message),
  },
  {
    name: 'the kind of operand',
    reason: 'AWS names the set of types: "operator: DELETE, operand type: STRING, typeSet: ALLOWED_FOR_DELETE_OPERAND". dynoxide stops before it.',
    matches: (request, a, b, {path}) => path === 'message' && without_envelope(a.message).startsWith(`${without_envelope(b.message)}, typeSet: `),
  },
  {
    name: 'the place of a table name in a transaction',
    reason: 'AWS names the member: transactItems.1.member.put.tableName. dynoxide says tableName.',
    matches: (request, a, b, {path}) => path === 'message' && request.operation.startsWith('Transact') && plain_names(a.message) === b.message,
  },
  {
    name: 'a token used again with other parameters',
    reason: 'The name of the error is AWS\'s in both. Its text is not documented; dynoxide repeats the name.',
    matches: (request, a, b, {path}) => path === 'message' && a.type === 'IdempotentParameterMismatchException',
  },
  {
    name: 'path one and path two',
    reason: 'AWS names the path that comes first in the text first (dynalite\'s tests). dynoxide goes by section.',
    matches: (request, a, b, {path}) => path === 'message' && /Two document paths (overlap|conflict)/.test(a.message) && /Two document paths (overlap|conflict)/.test(b.message),
  },
  {
    name: 'a consistent read of an index that is not there',
    reason: 'Both refuse. That the index is missing comes first: whether it is a global one cannot be known.',
    matches: (request, a, b, {path}) => path === 'message' && /does not have the specified index/.test(a.message) && /Consistent reads are not supported/.test(b.message),
  },
  {
    name: 'an empty list of values',
    reason: 'AWS: "Invalid number of argument(s) for the IN ComparisonOperator" (dynalite\'s tests). dynoxide takes an empty list for none.',
    matches: (request, a, b, {path}) => path === 'message' && /Invalid number of argument/.test(a.message) && /Value or AttributeValueList must be used/.test(b.message),
  },
  {
    name: 'names of operand types',
    reason: 'AWS: "operand type: S" of functions and of + and -, "STRING" of ADD and DELETE only (dynalite\'s parser). dynoxide: STRING of both.',
    matches: (request, a, b, {path}) => path === 'message' && /operator or function: (\+|-|list_append|if_not_exists), operand type: \w+$/.test(a.message) && a.message.replace(/\w+$/, '') === b.message.replace(/\w+$/, ''),
  },
  {
    name: 'numbers in the text of BETWEEN',
    reason: 'AWS repeats both bounds. Whether as sent or in their normal form is not documented.',
    matches: (request, a, b, {path}) => path === 'message' && a.message.replace(/\{N:[^}]*\}/g, '') === b.message.replace(/\{N:[^}]*\}/g, '') && /BETWEEN operator requires/.test(a.message),
  },
  {
    name: 'which of two faults in legacy conditions',
    reason: 'A condition that is wrong in two ways, or in one and has a ConditionalOperator for it alone: which comes first is not documented.',
    matches: (request, a, b, {path}) => path === 'message' && has_legacy(request) && refused(b) && (/ConditionalOperator can only be used/.test(a.message) || (legacy_fault.test(a.message) && request.mutations?.length > 0)),
  },
  {
    name: 'values without an expression for them',
    reason: 'AWS first: "can only be specified when using expressions" (dynalite\'s validateExpressionParams), then "must not be empty". dynoxide the other way round.',
    matches: (request, a, b, {path}) => path === 'message' && /can only be specified when using expressions/.test(a.message) && /must not be empty$/.test(b.message),
  },
  {
    name: 'which of several undefined placeholders',
    reason: 'AWS names the first in the text. dynoxide goes by section.',
    matches: (request, a, b, {path}) => path === 'message' && /is not defined; attribute (name|value): /.test(a.message) && a.message.replace(/\S+$/, '') === b.message.replace(/\S+$/, ''),
  },
  {
    name: 'the words for a starting key',
    reason: 'dynalite\'s Query and Scan, whose tests run against AWS: names that do not fit are "The provided starting key is invalid", with the reason only in a scan of a table; a wrong type in the key of an index is told without the beginning. dynoxide goes by the number of names.',
    matches: (request, a, b, {path}) => path === 'message' && ['Query', 'Scan'].includes(request.operation) && spoiled_by(request, 'bad_start_key', 'drop_nested', 'drop_field', 'key_missing', 'key_extra', 'key_wrong_type') && start_key.test(a.message) && start_key.test(b.message),
  },
  {
    name: 'a surplus definition beside indexes',
    reason: 'AWS, of a table with indexes: "Some AttributeDefinitions are not used" (aws-cloudformation/cfn-lint#1037); "Number of attributes in KeySchema …" is of a table without. dynoxide has only the latter.',
    matches: (request, a, b, {path}) => path === 'message' && request.operation === 'CreateTable' && Boolean(request.body.GlobalSecondaryIndexes ?? request.body.LocalSecondaryIndexes) && /Some AttributeDefinitions are not used/.test(a.message) && /Number of attributes in KeySchema does not exactly match/.test(b.message),
  },
  {
    name: 'the keys of a new index',
    reason: "AWS lists all keys of the index (dynalite's CreateTable). dynoxide, in UpdateTable, the first that is missing.",
    matches: (request, a, b, {path}) => path === 'message' && request.operation === 'UpdateTable' && [a, b].every(({message}) => /Some index key attributes are not defined in AttributeDefinitions/.test(message)) && a.message.replace(/Keys: \[.*?\]/, '') === b.message.replace(/Keys: \[.*?\]/, ''),
  },
  {
    name: 'the length of a table name',
    reason: '"TableName must be at least 3 characters long and at most 255 characters long" of every operation on a table (dynalite\'s tests). dynoxide: in those of TTL as a constraint.',
    matches: (request, a, b, {path}) => path === 'message' && request.operation.endsWith('TimeToLive') && /^TableName must be at least 3/.test(a.message) && /at 'tableName' failed to satisfy constraint: Member must have length/.test(b.message),
  },
  {
    name: 'a bad value in a starting key',
    reason: 'AWS puts "The provided starting key is invalid: " before it (dynalite\'s Query and Scan). dynoxide not before all of them.',
    matches: (request, a, b, {path}) => path === 'message' && Boolean(request.body?.ExclusiveStartKey) && a.message === `The provided starting key is invalid: ${b.message}`,
  },
  {
    name: 'a list for a value of a key',
    reason: 'AWS: "Unrecognized collection type class …AttributeValue" (dynalite\'s tests). dynoxide says so only of keys that are not in lists.',
    matches: (request, a, b, {path}) => path === 'message' && request.operation.startsWith('Batch') && /^Unrecognized collection type class .*AttributeValue$/.test(a.message) && b.message === 'Unexpected value type in payload',
  },
  {
    name: 'an action in capitals',
    reason: 'AWS repeats a parameter as it was given. dynoxide turns the Action of AttributeUpdates into capitals first.',
    matches: (request, a, b, {path}) => path === 'message' && request.operation === 'UpdateItem' && /at 'attributeUpdates\..*action' failed/.test(a.message) && a.message.toUpperCase() === b.message.toUpperCase(),
  },
  {
    name: 'a list for a TimeToLiveSpecification',
    reason: 'AWS: "Unrecognized collection type class …", as of every structure (dynalite\'s tests). dynoxide has other words here.',
    matches: (request, a, b, {path}) => path === 'message' && request.operation === 'UpdateTimeToLive' && /^Unrecognized collection type class .*TimeToLiveSpecification$/.test(a.message) && b.type === 'SerializationException',
  },
  {
    name: 'which of two keys in a filter',
    reason: "AWS names the partition key first (dynalite's Query). dynoxide the one that comes first in its own order.",
    matches: (request, a, b, {path}) => path === 'message' && [a, b].every(({message}) => /can only contain non-primary key attributes: Primary key attribute: \S+$/.test(message)) && a.message.endsWith(` ${(request.index ?? request.table).hash.name}`),
  },
];
