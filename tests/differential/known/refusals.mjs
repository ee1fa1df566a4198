// Differences in what is refused, and which of several faults is told.

import {place} from '../order_of_checks.mjs';
import {has_legacy, is_update, of_errors, own_json, own_parser, reasons_of, refused, run_time_fault, spoiled_by, text_of, without_envelope} from './common.mjs';

// Two conditions with =, that on the partition key second.
function sort_key_first({body, table, index}) {
  const [, first, second] = /^\s*([\w#]+)\s*=\s*:\w+\s+AND\s+([\w#]+)\s*=/i.exec(body.KeyConditionExpression ?? '') ?? [];
  const name_of = (text) => body.ExpressionAttributeNames?.[text] ?? text;
  return second !== undefined && [table?.hash.name, index?.hash.name].includes(name_of(second)) && name_of(first) !== name_of(second);
}

const json_mutations = ['wrong_json_type', 'wrong_json_type_nested', 'value_json_number', 'value_bad_base64'];
const key_condition_fault = /Query condition missed key schema element|Condition parameter type does not match|Query key condition not supported|not an indexable operation|Query filter contains a sort key condition/;
const twice_spoiled = (request) => (request.mutations?.length ?? 0) > 1;

export const refusals = [
  {
    name: 'ARN for a table name',
    reason: 'API Reference, TableName of every operation: "You can also provide the Amazon Resource Name (ARN)". dynoxide refuses it.',
    matches: (request, a, b, difference) => of_errors(difference) && text_of(request).includes('arn:aws:dynamodb:us-east-1:000000000000:table/') && /regular expression pattern|length less than or equal/.test(JSON.stringify(b.body)),
  },
  {
    name: 'texts of a JSON library',
    reason: 'dynoxide answers some wrong JSON with the message of its Rust library. AWS never does.',
    matches: (request, a, b, difference) => of_errors(difference) && (refused(a) || a.type === 'UnknownOperationException') && (own_json.test(b.message) || (b.type === 'SerializationException' && b.message === '' && request.mutations?.includes('value_deep'))),
  },
  {
    name: 'texts of a parser',
    reason: 'AWS: \'Invalid XExpression: Syntax error; token: "…", near: "…"\'. dynoxide has texts of its own for most errors of syntax.',
    matches: (request, a, b, difference) => of_errors(difference) && refused(a) && own_parser.test(without_envelope(b.message).replace(/^Invalid \w+Expression: /, '')) && /Invalid \w+Expression: |KeyConditionExpression|Query (key )?condition|Condition parameter type/.test(a.message),
  },
  {
    name: 'order of checks',
    reason: 'Of two faults AWS reports the one that order_of_checks.mjs puts first. Waybill does; dynoxide reports the later one.',
    matches: (request, a, b, difference) => of_errors(difference) && a.status === 400 && b.status === 400 && place(a) < place(b) && (request.mutations?.length ?? 0) > 0,
  },
  {
    name: 'legacy parameters with unusual names',
    reason: 'dynoxide rewrites legacy conditions as expression text and does not replace names that need it, so "x y" or "größe" become errors of syntax. AWS takes any name.',
    matches: (request, a, b, difference) => of_errors(difference) && has_legacy(request) && b.type === 'ValidationException' && (own_parser.test(b.message.replace(/^Invalid \w+Expression: /, '')) || /attribute name: |reserved keyword|unused in expressions: keys: \{#/.test(b.message)),
  },
  {
    name: 'the sort key first in a key condition',
    reason: 'Developer Guide, "Key condition expressions": no order is asked for. dynoxide takes the first condition with = for the one on the partition key.',
    matches: (request, a, b, difference) => request.operation === 'Query' && of_errors(difference) && /Query condition missed key schema element/.test(b.message) && sort_key_first(request),
  },
  {
    name: 'which of two faults in one update',
    reason: 'An update expression with two actions that cannot be done: it is open which one is reported.',
    matches: (request, a, b, {path}) => is_update(request) && /^(message|CancellationReasons\[\d+\]\.Message)$/.test(path) && ((request.mutations?.length > 0 && refused(a) && run_time_fault.test(b.message)) || [a, b].every((answer) => [answer.message, ...reasons_of(answer).map((reason) => reason.Message ?? '')].some((text) => run_time_fault.test(text)))),
  },
  {
    name: 'a stream without a view',
    reason: 'AWS documents StreamViewType as what a stream that is enabled must have. dynoxide takes one without it.',
    matches: (request, a) => /stream enabled, UpdateViewType must be specified/.test(a.message),
  },
  {
    name: 'a table that is not there, by its ARN',
    reason: 'AWS: ResourceNotFoundException "Requested resource not found: ResourcArn: … not found" (dynalite\'s tests). dynoxide: AccessDeniedException.',
    matches: (request, a, b, difference) => of_errors(difference) && a.type === 'ResourceNotFoundException' && b.type === 'AccessDeniedException',
  },
  {
    name: 'a fraction for a whole number',
    reason: 'AWS cuts it off: 1.5 is 1 (dynalite\'s tests). dynoxide refuses it.',
    matches: (request, a, b, difference) => of_errors(difference) && /floating point/.test(b.message),
  },
  {
    name: 'a list for a body',
    reason: 'AWS refuses both ways, as wrong JSON or as a request without parameters; which one is not documented.',
    matches: (request, a, b, difference) => of_errors(difference) && request.raw?.startsWith('[') && refused(a) && refused(b),
  },
  {
    name: 'reasons beside a validation error',
    reason: 'A transaction with an action that is invalid by itself is refused before the conditions of the others are looked at. dynoxide looks at all.',
    matches: (request, a, b, {path}) => /^(message|CancellationReasons)/.test(path) && reasons_of(a).some(({Code}) => Code === 'ValidationError')
      && reasons_of(a).every(({Code}, i) => Code === reasons_of(b)[i]?.Code || Code === 'None' || (Code === 'ValidationError' && request.mutations?.length > 0 && reasons_of(b).some((reason) => reason.Code === Code))),
  },
  {
    name: 'size of size',
    reason: 'dynoxide takes the inner size( of size(size(x)) for an attribute name. AWS refuses it for its operand.',
    matches: (request, a, b, difference) => of_errors(difference) && refused(a) && /reserved keyword: size/.test(b.message) && text_of(request).includes('size('),
  },
  {
    name: 'a token and another fault',
    reason: 'A token that was used with other parameters, and an action that is refused besides: which comes first is not documented. Nor whether fields that are no parameters count.',
    matches: (request, a, b, difference) => of_errors(difference) && Boolean(request.body?.ClientRequestToken) && (a.type === 'ResourceNotFoundException' || ([a, b].some(({type}) => type === 'IdempotentParameterMismatchException') && (a.status === b.status || request.mutations?.length > 0))),
  },
  {
    name: 'parameters of other operations',
    reason: 'AWS ignores fields that an operation does not have. dynoxide looks into ExpressionAttributeValues wherever they are.',
    matches: (request, a, b, {path}) => ['status', '__type'].includes(path) && a.type !== 'SerializationException' && b.type === 'SerializationException' && ['GetItem', 'DescribeTimeToLive', 'DescribeTable', 'BatchGetItem'].includes(request.operation) && text_of(request).includes('ExpressionAttributeValues'),
  },
  {
    name: 'operands that are no paths',
    reason: 'Developer Guide, "Comparison operator and function reference": an operand is a path or a value, so :x = :y is a condition. dynoxide wants a path.',
    matches: (request, a, b, difference) => (of_errors(difference) || difference.path.startsWith('CancellationReasons')) && !refused(a) && [b.message, ...reasons_of(b).map((reason) => reason.Message ?? '')].some((text) => own_parser.test(without_envelope(text).replace(/^Invalid \w+Expression: /, ''))) && /"(Condition|Filter)Expression":"[^"]*(:\w+ (=|<>|<|<=|>|>=|IN|BETWEEN)|\()/.test(text_of(request)),
  },
  {
    name: 'ConditionalOperator is a legacy parameter',
    reason: 'AWS counts it among the non-expression parameters (ExtendDB\'s tests of ConditionalOperator, which run against AWS). dynoxide does not, outside Query and Scan.',
    matches: (request, a, b, difference) => of_errors(difference) && /Non-expression parameters: \{[^}]*ConditionalOperator/.test(a.message),
  },
  {
    name: 'null for a parameter',
    reason: 'AWS takes null for a parameter that is not there. dynoxide refuses it for some.',
    matches: (request, a, b, {path}) => path === 'status' && a.status === 200 && own_json.test(b.message) && text_of(request).includes(':null'),
  },
  {
    name: 'which of two wrong JSON types',
    reason: 'Of two the service tells the one that its parser meets first. Neither server goes by the order of the text.',
    matches: (request, a, b, {path}) => path === 'message' && [a, b].every(({type}) => type === 'SerializationException') && twice_spoiled(request) && spoiled_by(request, ...json_mutations),
  },
  {
    name: 'which of two faults of a new table',
    reason: "Both refuse. The order of these checks is not documented; ours is that of dynalite's CreateTable, whose tests run against AWS.",
    matches: (request, a, b, {path}) => path === 'message' && ['CreateTable', 'UpdateTable'].includes(request.operation) && request.mutations?.length > 0 && refused(a) && refused(b),
  },
  {
    name: 'a write that is none, or two',
    reason: "dynalite's BatchWriteItem, whose tests run against AWS: told before the values of any item. dynoxide looks at the values first.",
    matches: (request, a, b, {path}) => path === 'message' && request.operation === 'BatchWriteItem' && spoiled_by(request, 'batch_put_and_delete') && twice_spoiled(request) && /^Supplied AttributeValue has more than one datatypes set/.test(a.message) && refused(b),
  },
  {
    name: 'faults in two actions of a transaction',
    reason: 'Which of them is told is not documented.',
    matches: (request, a, b, {path}) => path === 'message' && request.operation.startsWith('Transact') && request.mutations?.length > 0 && refused(a) && refused(b),
  },
  {
    name: 'which of two faults in a key condition',
    reason: "dynalite's Query, whose tests run against AWS, looks at all of the partition key before the sort key. dynoxide first looks whether both are there, and at Select.",
    matches: (request, a, b, {path}) => path === 'message' && request.operation === 'Query' && request.mutations?.length > 0 && key_condition_fault.test(a.message) && (key_condition_fault.test(b.message) || /^One or more parameter values were invalid: Select type/.test(b.message)),
  },
  {
    name: 'which of two constraints',
    reason: 'Both refuse. Most regions of AWS tell all at once; the narrower set of ReturnValues of DeleteItem and the places inside batches are told apart, in no documented order.',
    matches: (request, a, b, {path}) => path === 'message' && twice_spoiled(request) && [a, b].every(({message}) => /failed to satisfy constraint/.test(message)),
  },
  {
    name: 'values for index keys in two writes of a batch',
    reason: 'Both refuse. Which of two writes is told is not documented.',
    matches: (request, a, b, {path}) => path === 'message' && request.operation === 'BatchWriteItem' && [a, b].every(({message}) => /secondary index key is not supported|Type mismatch for Index Key|Size limit exceeded for Index Key/.test(message)),
  },
  {
    name: 'the same key twice, and it is none',
    reason: 'Both refuse. Waybill holds every key against its table first, and finds no item there could be two of. The order is not documented.',
    matches: (request, a, b, {path}) => path === '__type' && spoiled_by(request, 'transact_same_item') && twice_spoiled(request) && reasons_of(a).filter(({Code}) => Code === 'ValidationError').length > 1 && /multiple operations on one item/.test(b.message),
  },
];
