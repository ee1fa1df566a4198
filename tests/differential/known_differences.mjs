// Where Waybill and dynoxide 1.2 may answer differently, and why. An entry explains one difference of one
// request; an operation counts as agreed when every difference is explained.
//
// matches(request, a, b, difference): a is Waybill's answer, b dynoxide's, difference is {path, a, b}, the
// path being `status`, `__type`, `message`, or a place in the body. Where the two disagree, AWS's
// documentation, or an answer recorded from AWS, decides who is right; every entry says which.

import {place, stage} from './order_of_checks.mjs';

const envelope = /^1 validation error detected: /;
const without_envelope = (text) => String(text).replace(envelope, '');
const of_errors = (difference) => ['status', '__type', 'message'].includes(difference.path);
const refused = (answer) => answer.status === 400 && ['ValidationException', 'SerializationException'].includes(answer.type);
const text_of = (request) => request.raw ?? JSON.stringify(request.body);

// Texts of dynoxide that no AWS service ever sent: those of its parser and of Rust's JSON library.
const own_parser = /Unexpected (token|operator|end|character)|Expected [^;]*,? got|Expected (comparison|operand|attribute|closing|section|'|"|=)|Syntax error; (Expected|Unexpected)|^Syntax error|Operands for [+-]|Unknown function|Unsupported KeyConditions|Cannot convert partition key|partition key must use equality/;
const own_json = /expected (string|list|map|object|bool\w*) for|^sequence$|at line \d+ column \d+|missing field `|invalid type: |unknown variant|invalid base64/;

// What the service checks and dynoxide does not, or only where it happens to reach it. By Waybill's text.
const unchecked = [
  // Developer Guide, "Condition and filter expressions, operators, and functions": operands of < <= > >= BETWEEN are
  // of type S, N or B; and each first operand distinct. Texts recorded by dynalite's tests against the service.
  /Incorrect operand type for operator or function/, /The first operand must be distinct/, /The BETWEEN operator requires/,
  // Developer Guide, "Expression attribute names" and "values": every one defined must be used.
  /unused in expressions/, /ExpressionAttribute(Names|Values) contains invalid (key|value)/, /ExpressionAttribute(Names|Values) must not be empty/,
  /ExpressionAttribute(Names|Values) can only be specified when using expressions/,
  // Developer Guide, "Using global secondary indexes": a query fetches only what is projected.
  /Global secondary index \S+ does not project/,
  // API Reference, "Legacy conditional parameters": ConditionalOperator joins two conditions or more.
  /ConditionalOperator can(not| only) be used/,
  // API Reference, enumerations and lengths of every parameter. dynoxide leaves some of them unread.
  /failed to satisfy constraint/,
  // API Reference, Projection: NonKeyAttributes has 1 to 20 items an index. AttributeValue: one type each.
  /Supplied AttributeValue (is empty|has more than one)/,
  // Developer Guide, "Update expressions": the parent of a nested path must be there, for REMOVE too.
  /The document path provided in the update expression is invalid for update/,
  /Invalid \w+Expression: /, /This attribute is part of the key/,
  // Developer Guide, "Key condition expressions": the value has the type of the key, and keys are never empty.
  /Condition parameter type does not match schema type/, /cannot contain an empty (string|binary) value/,
  // API Reference, UpdateTable and CreateTable: no throughput for an index of a PAY_PER_REQUEST table.
  /Neither ReadCapacityUnits nor WriteCapacityUnits can be specified/,
  /ReadCapacityUnits and WriteCapacityUnits must both be specified/,
  // API Reference, Query ExclusiveStartKey: a key that the query could have ended with.
  /The provided starting key (does not match the range key predicate|is outside)/,
  // API Reference, UpdateTimeToLive; texts as AWS sends them (recorded by many clients' issues).
  /TimeToLive is already (enabled|disabled)/,
  // The same texts as of bad values elsewhere, of a value in a legacy condition.
  /Null attribute value types must have the value of true/, /cannot be converted to a numeric value/, /significant digits/, /Number (over|under)flow/,
  /(string|number) set +may not be empty|Binary sets should not be empty|contains duplicates/,
  // API Reference, Select: not together with AttributesToGet, but for SPECIFIC_ATTRIBUTES. (dynalite's tests.)
  /Cannot specify the AttributesToGet when choosing/,
  // API Reference, TransactWriteItem: one action each.
  /TransactItems can only contain one of/,
  // Service quotas: keys of 2048 and 1024 bytes in indexes too; an index of a PROVISIONED table has a throughput.
  /Size limit exceeded for Index Key/, /ProvisionedThroughput must be specified for index/,
  // API Reference, Projection and Tag: NonKeyAttributes are distinct; a key has 1 to 128 characters, a value up to 256.
  /Duplicate element in NonKeyAttributes/, /Tag (key|value) must be/,
  // Tagging restrictions: "The user cannot assign the aws: prefix".
  /Tag keys starting with aws:/,
];

const has_legacy = (request) => ['Expected', 'QueryFilter', 'ScanFilter', 'KeyConditions', 'AttributeUpdates'].some((field) => request.body?.[field]);
const reasons_of = (answer) => answer.body?.CancellationReasons ?? [];
const on_local_index = (request) => request.index?.kind === 'LSI' && request.body?.IndexName === request.index.name;
const is_update = (request) => request.operation === 'UpdateItem' || text_of(request).includes('"UpdateExpression"');

// What evaluating an update can fail with.
const run_time_fault = /does not exist in the item|incorrect data type|invalid for update|significant digits|magnitude|requires two list operands|Type mismatch for|must be numbers|Operands for|Nesting Levels|cannot contain an empty|Item size/;

export const known_differences = [
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
    matches: (request, a, b, {path}) => /SizeEstimateRangeGB/.test(path),
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
    name: 'ARN for a table name',
    reason: 'API Reference, TableName of every operation: "You can also provide the Amazon Resource Name (ARN)". dynoxide refuses it.',
    matches: (request, a, b, difference) => of_errors(difference) && text_of(request).includes('arn:aws:dynamodb:us-east-1:000000000000:table/') && /regular expression pattern|length less than or equal/.test(JSON.stringify(b.body)),
  },
  {
    name: 'the envelope of 2026',
    reason: 'Since June 2026 some regions of AWS put "1 validation error detected: " before texts that others send without (recorded by nubo-db/dynamodb-conformance). dynoxide mixes both.',
    matches: (request, a, b, {path, a: ours, b: theirs}) => (path === 'message' || path.endsWith('.Message')) && without_envelope(ours) === without_envelope(theirs),
  },
  {
    name: 'texts of a JSON library',
    reason: 'dynoxide answers some wrong JSON with the message of its Rust library. AWS never does.',
    matches: (request, a, b, difference) => of_errors(difference) && refused(a) && (own_json.test(b.message) || (b.type === 'SerializationException' && b.message === '' && request.mutations?.includes('value_deep'))),
  },
  {
    name: 'texts of a parser',
    reason: 'AWS: \'Invalid XExpression: Syntax error; token: "…", near: "…"\'. dynoxide has texts of its own for most errors of syntax.',
    matches: (request, a, b, difference) => of_errors(difference) && refused(a) && own_parser.test(without_envelope(b.message).replace(/^Invalid \w+Expression: /, '')) && /Invalid \w+Expression: |KeyConditionExpression|Query (key )?condition|Condition parameter type/.test(a.message),
  },
  {
    name: 'not checked by dynoxide',
    reason: 'Waybill refuses what AWS refuses (the sources stand with each text in `unchecked`); dynoxide goes on, and succeeds or fails later.',
    matches: (request, a, b, difference) => of_errors(difference) && a.status === 400 && (a.type === 'SerializationException' || unchecked.some((text) => text.test(a.message))) && place(b) > place(a),
  },
  {
    name: 'order of checks',
    reason: 'Of two faults AWS reports the one that order_of_checks.mjs puts first. Waybill does; dynoxide reports the later one.',
    matches: (request, a, b, difference) => of_errors(difference) && a.status === 400 && b.status === 400 && place(a) < place(b) && (request.mutations?.length ?? 0) > 0,
  },
  {
    name: 'aggregation of 2026',
    reason: 'All violated constraints in one text, as most regions of AWS do; those with the envelope stop at the first (recorded by nubo-db/dynamodb-conformance, registry/splits.json).',
    matches: (request, a, b, {path}) => path === 'message' && /^\d+ validation errors detected: /.test(a.message) && a.message.includes(without_envelope(b.message)),
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
    matches: (request, a, b, {path}) => path === 'message' && request.operation.startsWith('Transact') && a.message.replace(/'transactItems\.\d+\.member\.\w+\.tableName'/g, "'tableName'") === b.message,
  },
  {
    name: 'a token used again with other parameters',
    reason: 'The name of the error is AWS\'s in both. Its text is not documented; dynoxide repeats the name.',
    matches: (request, a, b, {path}) => path === 'message' && a.type === 'IdempotentParameterMismatchException',
  },
  {
    name: 'legacy parameters with unusual names',
    reason: 'dynoxide rewrites legacy conditions as expression text and does not replace names that need it, so "x y" or "größe" become errors of syntax. AWS takes any name.',
    matches: (request, a, b, difference) => of_errors(difference) && has_legacy(request) && b.type === 'ValidationException' && (own_parser.test(b.message.replace(/^Invalid \w+Expression: /, '')) || /attribute name: |reserved keyword|unused in expressions: keys: \{#/.test(b.message)),
  },
  {
    name: 'the sort key first in a key condition',
    reason: 'Developer Guide, "Key condition expressions": no order is asked for. dynoxide refuses some conditions with the sort key first.',
    matches: (request, a, b, difference) => request.operation === 'Query' && difference.path === 'status' && a.status === 200 && /Query condition missed key schema element/.test(b.message) && / and /i.test(request.body.KeyConditionExpression ?? ''),
  },
  {
    name: 'begins_with ignores case',
    reason: 'dynoxide compares a sort key\'s prefix with SQLite\'s LIKE, for which "B" and "b" are one.',
    matches: (request, a, b, {path}) => request.operation === 'Query' && /^(body\.(Items|Count|ScannedCount|LastEvaluatedKey)|pages)/.test(path) && /begins_with|BEGINS_WITH/.test(text_of(request)),
  },
  {
    name: 'attributes that a local index does not project',
    reason: 'Developer Guide, "Local secondary indexes": they are fetched from the table, and so charged. dynoxide leaves them out.',
    matches: (request, a, b, {path}) => on_local_index(request) && /^(body\.(Items|Count|ConsumedCapacity)|pages)/.test(path),
  },
  {
    name: 'values before and after an update',
    reason: 'API Reference, UpdateItem ReturnValues: UPDATED_OLD and UPDATED_NEW give what was updated, by its path; ALL_OLD of a new item is empty. dynoxide gives whole attributes, and the key for ALL_OLD; and fills lists up with NULLs (see leads_oracle_astray).',
    matches: (request, a, b, {path}) => request.operation === 'UpdateItem' && /^body\.Attributes/.test(path) && (/UPDATED_(OLD|NEW)/.test(request.body.ReturnValues) || (request.body.ReturnValues === 'ALL_OLD' && a.body.Attributes === undefined) || leads_oracle_astray(request)),
  },
  {
    name: 'projections of TransactGetItems',
    reason: 'API Reference, ProjectionExpression: only the attributes that were asked for. dynoxide adds the key, or drops the item.',
    matches: (request, a, b, {path}) => request.operation === 'TransactGetItems' && /^body\.Responses/.test(path) && text_of(request).includes('ProjectionExpression'),
  },
  {
    name: 'the parent of a nested path',
    reason: 'AWS: a path whose parent is missing is "invalid for update", in ADD, DELETE and REMOVE as in SET, but for REMOVE on an item that is not there (ScyllaDB\'s test_update_expression.py, which runs against AWS). dynoxide passes over it.',
    matches: (request, a, b, {path}) => is_update(request) && ((of_errors({path}) && /document path provided/.test(a.message)) || reasons_of(a).some((reason) => /document path provided|part of the key/.test(reason.Message ?? ''))),
  },
  {
    name: 'which of two faults in one update',
    reason: 'An update expression with two actions that cannot be done: it is open which one is reported.',
    matches: (request, a, b, {path}) => is_update(request) && /^(message|CancellationReasons\[\d+\]\.Message)$/.test(path) && [a, b].every((answer) => [answer.message, ...reasons_of(answer).map((reason) => reason.Message ?? '')].some((text) => run_time_fault.test(text))),
  },
  {
    name: 'throughput of an index',
    reason: 'API Reference, UpdateTable: an index has the throughput it was given, and none when the table is PAY_PER_REQUEST. dynoxide mixes the two up.',
    matches: (request, a, b, {path}) => /GlobalSecondaryIndexes\[\d+\]\.ProvisionedThroughput\./.test(path),
  },
  {
    name: 'streams',
    reason: 'Waybill has no streams yet and says so; a later issue brings them.',
    matches: (request, a, b, difference) => of_errors(difference) && /Streams are not available yet/.test(a.message),
  },
  {
    name: 'a table that is not there, by its ARN',
    reason: 'AWS: ResourceNotFoundException "Requested resource not found: ResourcArn: … not found" (dynalite\'s tests). dynoxide: AccessDeniedException.',
    matches: (request, a, b, difference) => of_errors(difference) && a.type === 'ResourceNotFoundException' && b.type === 'AccessDeniedException',
  },
  {
    name: 'path one and path two',
    reason: 'AWS names the path that comes first in the text first (dynalite\'s tests). dynoxide goes by section.',
    matches: (request, a, b, {path}) => path === 'message' && /Two document paths (overlap|conflict)/.test(a.message) && /Two document paths (overlap|conflict)/.test(b.message),
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
    name: 'NOT_CONTAINS on an attribute that is missing',
    reason: 'API Reference, Condition: it compares an attribute of type S, set or list; a missing attribute matches no comparison but NULL and NE. dynoxide takes it as NOT contains().',
    matches: (request, a, b, {path}) => text_of(request).includes('NOT_CONTAINS') && /^(body\.(Items|Count|LastEvaluatedKey|ScannedCount)|pages|status|__type)/.test(path),
  },
  {
    name: 'reasons beside a validation error',
    reason: 'A transaction with an action that is invalid by itself is refused before the conditions of the others are looked at. dynoxide looks at all.',
    matches: (request, a, b, {path}) => /^(message|CancellationReasons)/.test(path) && reasons_of(a).some(({Code}) => Code === 'ValidationError') && reasons_of(a).every(({Code}, i) => Code === reasons_of(b)[i]?.Code || Code === 'None'),
  },
  {
    name: 'pages of a segment',
    reason: 'dynoxide 1.2 refuses some of its own LastEvaluatedKeys in a parallel scan.',
    matches: (request, a, b, difference) => request.operation === 'Scan' && request.body.TotalSegments > 1 && difference.path === 'status' && a.status === 200 && /starting key is invalid/.test(difference.b),
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
    name: 'capacity of a projection',
    reason: 'Developer Guide, "Read capacity": the whole item counts, "not the attributes returned". dynoxide counts what is left.',
    matches: (request, a, b, {path}) => ['GetItem', 'TransactGetItems', 'BatchGetItem'].includes(request.operation) && /^body\.ConsumedCapacity/.test(path) && /ProjectionExpression|AttributesToGet/.test(text_of(request)),
  },
  {
    name: 'names of operand types',
    reason: 'AWS: "operand type: S" of functions and of + and -, "STRING" of ADD and DELETE only (dynalite\'s parser). dynoxide: STRING of both.',
    matches: (request, a, b, {path}) => path === 'message' && /operator or function: (\+|-|list_append|if_not_exists), operand type: \w+$/.test(a.message) && a.message.replace(/\w+$/, '') === b.message.replace(/\w+$/, ''),
  },
  {
    name: 'size of size',
    reason: 'dynoxide takes the inner size( of size(size(x)) for an attribute name. AWS refuses it for its operand.',
    matches: (request, a, b, difference) => of_errors(difference) && refused(a) && /reserved keyword: size/.test(b.message) && text_of(request).includes('size('),
  },
  {
    name: 'numbers in the text of BETWEEN',
    reason: 'AWS repeats both bounds. Whether as sent or in their normal form is not documented.',
    matches: (request, a, b, {path}) => path === 'message' && a.message.replace(/\{N:[^}]*\}/g, '') === b.message.replace(/\{N:[^}]*\}/g, '') && /BETWEEN operator requires/.test(a.message),
  },
  {
    name: 'a token and another fault',
    reason: 'A token that was used with other parameters, and an action that is refused besides: which comes first is not documented. Nor whether fields that are no parameters count.',
    matches: (request, a, b, difference) => of_errors(difference) && Boolean(request.body?.ClientRequestToken) && (a.type === 'ResourceNotFoundException' || ([a, b].some(({type}) => type === 'IdempotentParameterMismatchException') && (a.status === b.status || request.mutations?.length > 0))),
  },
  {
    name: 'which of two faults in legacy conditions',
    reason: 'A condition that is wrong by itself, and a ConditionalOperator for it alone: which comes first is not documented.',
    matches: (request, a, b, {path}) => path === 'message' && has_legacy(request) && /ConditionalOperator can only be used/.test(a.message) && refused(b),
  },
  {
    name: 'values without an expression for them',
    reason: 'AWS first: "can only be specified when using expressions" (dynalite\'s validateExpressionParams), then "must not be empty". dynoxide the other way round.',
    matches: (request, a, b, {path}) => path === 'message' && /can only be specified when using expressions/.test(a.message) && /must not be empty$/.test(b.message),
  },
  {
    name: 'parameters of other operations',
    reason: 'AWS ignores fields that an operation does not have. dynoxide looks into ExpressionAttributeValues wherever they are.',
    matches: (request, a, b, {path}) => path === 'status' && a.status === 200 && b.type === 'SerializationException' && ['GetItem', 'DescribeTimeToLive', 'DescribeTable', 'BatchGetItem'].includes(request.operation) && text_of(request).includes('ExpressionAttributeValues'),
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
    name: 'starting after the only item',
    reason: 'API Reference, ExclusiveStartKey: the read begins after it. dynoxide ignores it in a query of a table without a sort key.',
    matches: (request, a, b, {path}) => request.operation === 'Query' && request.table?.range === null && Boolean(request.body.ExclusiveStartKey) && /^body\.(Items|Count|ScannedCount|LastEvaluatedKey|ConsumedCapacity)/.test(path),
  },
  {
    name: 'null for a parameter',
    reason: 'AWS takes null for a parameter that is not there. dynoxide refuses it for some.',
    matches: (request, a, b, {path}) => path === 'status' && a.status === 200 && own_json.test(b.message) && Object.values(request.body ?? {}).includes(null),
  },
  {
    name: 'which of several undefined placeholders',
    reason: 'AWS names the first in the text. dynoxide goes by section.',
    matches: (request, a, b, {path}) => path === 'message' && /is not defined; attribute (name|value): /.test(a.message) && a.message.replace(/\S+$/, '') === b.message.replace(/\S+$/, ''),
  },
];

// After these, what dynoxide holds is not what the service would hold, without a word in its answer: it fills a
// list up with NULLs where SET or ADD goes beyond its end. (Developer Guide, "Update expressions": the element
// is appended.)
export const leads_oracle_astray = (request) => /\b(SET|ADD)\b[^]*\[\d+\]/i.test(text_of(request).replaceAll('\\n', ' '));
