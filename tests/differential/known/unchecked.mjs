// What the service refuses and dynoxide does not, or only where it happens to reach it. By Waybill's text.

import {place} from '../order_of_checks.mjs';
import {rules, lacks_parent} from './rules.mjs';
import {of_errors, reasons_of, refused} from './common.mjs';

// Of requests that were spoiled on purpose. (One as generated must break one of `rules`.)
const when_spoiled = [
  // Developer Guide, "Expression attribute names" and "values": every one defined must be used.
  /unused in expressions/, /ExpressionAttribute(Names|Values) contains invalid (key|value)/, /ExpressionAttribute(Names|Values) must not be empty/,
  /ExpressionAttribute(Names|Values) can only be specified when using expressions/,
  // API Reference, enumerations and lengths of every parameter. dynoxide leaves some of them unread.
  /failed to satisfy constraint/,
  // API Reference, AttributeValue: one type each; Service quotas: 32 levels of nesting.
  /Supplied AttributeValue (is empty|has more than one)/, /Nesting Levels have exceeded/,
  /Invalid \w+Expression: /, /This attribute is part of the key/,
  // Developer Guide, "Key condition expressions": the value has the type of the key.
  /Condition parameter type does not match schema type/,
  // API Reference, UpdateTable and CreateTable: no throughput for an index of a PAY_PER_REQUEST table.
  /Neither ReadCapacityUnits nor WriteCapacityUnits can be specified/,
  /ReadCapacityUnits and WriteCapacityUnits must both be specified/,
  // API Reference, Query ExclusiveStartKey: a key that the query could have ended with, so one of a size that keys have.
  /The provided starting key (does not match the range key predicate|is outside)/,
  /The provided starting key is invalid: .*has exceeded the size limit/,
  // dynalite's Scan, whose tests run against AWS: a key of the segment that is read.
  /Please use ExclusiveStartKey with correct Segment/,
  // API Reference, UpdateTimeToLive; texts as AWS sends them (recorded by many clients' issues).
  /TimeToLive is already (enabled|disabled)/,
  // API Reference, "Legacy conditional parameters": what goes together; arguments of one type. (dynalite's tests.)
  /for Attribute: /, /AttributeValues inside AttributeValueList must be of same type/,
  // The same texts as of bad values elsewhere, of a value in a legacy condition.
  /Null attribute value types must have the value of true/, /cannot be converted to a numeric value/, /significant digits/, /Number (over|under)flow/,
  /(string|number) set +may not be empty|Binary sets should not be empty|contains duplicates/,
  // API Reference, Select: not together with AttributesToGet, but for SPECIFIC_ATTRIBUTES. (dynalite's tests.)
  /Cannot specify the AttributesToGet when choosing/,
  // API Reference, TransactWriteItem: one action each.
  /TransactItems can only contain one of/,
  // Service quotas: keys of 2048 and 1024 bytes in indexes too.
  /Size limit exceeded for Index Key/,
  // API Reference, Projection and Tag: NonKeyAttributes are distinct; a key has 1 to 128 characters, a value up to 256.
  /Duplicate element in NonKeyAttributes/, /Tag (key|value) must be/,
  // Tagging restrictions: "The user cannot assign the aws: prefix".
  /Tag keys starting with aws:/,
];

const is_spoiled = (request) => (request.mutations?.length ?? 0) > 0;
const breaks_rule = (request, message) => rules.some(({text, broken}) => text.test(message) && broken(request, message));

function reason_is_right(request, reason, i) {
  if (!reason.Message || !/document path provided/.test(reason.Message)) return /part of the key/.test(reason.Message ?? '') && is_spoiled(request);
  const change = request.found?.find(({at}) => at === i);
  return Boolean(change) && lacks_parent(change.part, change.item);
}

export const unchecked = [
  {
    name: 'a rule that dynoxide does not know',
    reason: 'Waybill refuses what AWS refuses; dynoxide goes on, and succeeds or fails later. The rules and their sources stand in rules.mjs; the request is asked whether it breaks the one that Waybill names.',
    matches: (request, a, b, difference) => of_errors(difference) && a.status === 400 && breaks_rule(request, a.message) && (place(b) > place(a) || refused(b)),
  },
  {
    name: 'a spoiled request that dynoxide does not check',
    reason: 'Waybill refuses what AWS refuses (the sources stand with each text in unchecked.mjs); dynoxide goes on, and succeeds or fails later.',
    matches: (request, a, b, difference) => of_errors(difference) && a.status === 400 && is_spoiled(request)
      && (a.type === 'SerializationException' || when_spoiled.some((text) => text.test(a.message))) && place(b) > place(a),
  },
  {
    name: 'an action of a transaction that breaks a rule',
    reason: 'The same of one action among several: its reason says so, and all the others are left alone. dynoxide goes on.',
    matches: (request, a, b, {path}) => /^(status|__type|message|CancellationReasons)/.test(path) && reasons_of(a).some((reason, i) => reason_is_right(request, reason, i)),
  },
];
