// What the lists of known differences share.

const envelope = /^1 validation error detected: /;
export const without_envelope = (text) => String(text).replace(envelope, '');
export const of_errors = (difference) => ['status', '__type', 'message'].includes(difference.path);
export const refused = (answer) => answer.status === 400 && ['ValidationException', 'SerializationException'].includes(answer.type);
export const text_of = (request) => request.raw ?? JSON.stringify(request.body);
export const spoiled_by = (request, ...mutations) => mutations.some((name) => request.mutations?.includes(name));

export const has_legacy = (request) => ['Expected', 'QueryFilter', 'ScanFilter', 'KeyConditions', 'AttributeUpdates'].some((field) => request.body?.[field]);
export const reasons_of = (answer) => answer.body?.CancellationReasons ?? [];
export const is_update = (request) => request.operation === 'UpdateItem' || text_of(request).includes('"UpdateExpression"');

// What evaluating an update can fail with.
export const run_time_fault = /does not exist in the item|incorrect data type|invalid for update|significant digits|magnitude|requires two list operands|Type mismatch for|must be numbers|Operands for|Nesting Levels|cannot contain an empty|Item size/;

// Texts of dynoxide that no AWS service ever sent: those of its parser and of Rust's JSON library.
export const own_parser = /Unexpected (token|operator|end|character)|Expected [^;]*,? got|Expected (comparison|operand|attribute|closing|section|'|"|=)|Syntax error; (Expected|Unexpected)|^Syntax error|Operands for [+-]|Unknown function|Unsupported KeyConditions|Cannot convert partition key|partition key must use equality/;
export const own_json = /expected (string|list|map|object|bool\w*|array) for|^sequence$|at line \d+ column \d+|missing field `|invalid type: |unknown variant|invalid base64/;

// After these, what dynoxide holds is not what the service would hold, without a word in its answer: it fills a
// list up with NULLs where SET or ADD goes beyond its end. (Developer Guide, "Update expressions": the element
// is appended.)
export const leads_oracle_astray = (request) => /\b(SET|ADD)\b[^]*\[\d+\]/i.test(text_of(request).replaceAll('\\n', ' '));
