// In which order DynamoDB looks at a request. Where a request has two faults, the service reports the one
// that comes first here; dynoxide looks at some of them later, or only where an item makes it.
//
// The order is that of dynalite's tests, which run against the service (validation, then tables, then items),
// and of the orderings recorded from the service by github.com/nubo-db/dynamodb-conformance.

const stages = [
  ['body', (type) => type === 'SerializationException' || type === 'UnknownOperationException'],
  ['constraints', (type, text) => /validation errors? detected: (Value|Failed)|failed to satisfy constraint/.test(text) || /TableName must be at least|The parameter '.*' is required|Tag keys starting with aws:|Tag (key|value) must be|Duplicate element in NonKeyAttributes|CapacityUnits must both be specified|ProvisionedThroughput must be specified when|Neither ReadCapacityUnits/.test(text)],
  ['both forms', (type, text) => /Can not use both expression and non-expression|can only be specified when using expressions|must not be empty$/.test(text)],
  ['values', (type, text) => /^(1 validation error detected: )?(Supplied AttributeValue|The parameter cannot be converted|Attempting to store|Number (over|under)flow|Nesting Levels|Input collection|One or more parameter values were invalid: (An (string|number) set|Binary sets|Input collection|Null attribute|One or more)|Item size has|Member must)/.test(text)],
  ['legacy', (type, text) => /ConditionalOperator|ReturnValues can only|for Attribute: |ComparisonOperator|AttributeValueList|Only DELETE action|ADD action is not supported|DELETE action|TransactItems can only contain|TransactItem must contain/.test(text)],
  ['placeholders', (type, text) => /contains invalid (key|value)/.test(text)],
  ['expressions', (type, text) => /Invalid \w+Expression(?!: partition key must)|Invalid operator used in KeyConditionExpression|KeyConditionExpressions must only|Expression size|The expression can not be empty|Attribute name is a reserved|is not defined; attribute|Syntax error|Unexpected (token|operator|end)|Expected .*got|Expected comparison|Two document paths|Operands for|Either the KeyConditions/.test(text)],
  ['unused placeholders', (type, text) => /unused in expressions/.test(text)],
  ['duplicates', (type, text) => /contains duplicates|multiple operations on one item/.test(text)],
  ['tables', (type) => ['ResourceNotFoundException', 'ResourceInUseException', 'AccessDeniedException', 'IdempotentParameterMismatchException'].includes(type)],
  ['indexes', (type, text) => /Cannot specify the (AttributesToGet|ProjectionExpression)|does not have the specified index|Consistent reads are not supported|Select type|does not project|Global secondary index/.test(text)],
  ['keys', (type, text) => /does not match the schema|Missing the key|Type mismatch for|starting key|Query condition|Query key condition|partition key must use equality|cannot contain an empty|has exceeded the|Size limit exceeded for Index Key|part of the key|not supported\. The AttributeValue|Filter Expression can only/.test(text)],
  ['items', () => true],
];

// Which expression is looked at first, and what in it. (dynalite's validations/index.js and its parsers.)
const expressions = ['UpdateExpression', 'ConditionExpression', 'KeyConditionExpression', 'FilterExpression', 'ProjectionExpression'];
const details = [/Syntax error|can not be empty|Expression size/, /redundant parentheses/, /Invalid function name/, /not allowed to be used this way|can only be used once/, /reserved keyword/,
  /attribute name used in the document path is not defined/, /attribute value used in expression is not defined/, /paths overlap/, /paths conflict/, /Incorrect (operand|number)/, /must be distinct/];

function detail(text) {
  const expression = expressions.findIndex((name) => text.includes(`Invalid ${name}`));
  const kind = details.findIndex((pattern) => pattern.test(text));
  return (expression < 0 ? 5 : expression) * 20 + (kind < 0 ? details.length : kind);
}

// The place of a refusal in the order: smaller is earlier. Success is after all of them.
export function stage(answer) {
  if (answer.status === 200) return stages.length;
  if (answer.type === 'TransactionCanceledException' || answer.type === 'ConditionalCheckFailedException') return stages.length - 1;
  return stages.findIndex(([, matches]) => matches(answer.type, answer.message));
}

// The same, with the order among and within expressions.
export function place(answer) {
  const at = stage(answer);
  return at + (stages[at]?.[0] === 'expressions' ? detail(answer.message) / 1000 : 0);
}
