// Expressions are the language people write against us. Each operator and function, each way to write a path,
// and each mistake with the text DynamoDB gives for it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { N, S, conditionFailed, createTable, db, differs, invalid, unique } from './harness.mjs';

let table;
before(async () => (table = await createTable('pk:S')));

const sample = {
  n: N(5), s: S('hello'), b: { B: new Uint8Array([1, 2, 3]) }, t: { BOOL: true }, nul: { NULL: true },
  l: { L: [N(1), N(2), N(3)] }, m: { M: { a: S('x'), b: { L: [{ M: { c: N(7) } }] } } },
  ss: { SS: ['a', 'b'] }, ns: { NS: ['1', '2'] }, bs: { BS: [new Uint8Array([1])] }, 'a.b': S('dotted'),
};
const put = async (attributes = sample) => {
  const pk = S(unique('e'));
  await db.putItem({ TableName: table, Item: { pk, ...attributes } });
  return pk;
};
const update = (pk, UpdateExpression, ExpressionAttributeValues, more = {}) =>
  db.updateItem({ TableName: table, Key: { pk }, UpdateExpression, ExpressionAttributeValues, ReturnValues: 'ALL_NEW', ...more }).then((r) => r.Attributes);
const check = (pk, ConditionExpression, ExpressionAttributeValues, ExpressionAttributeNames) =>
  db.putItem({ TableName: table, Item: { pk }, ConditionExpression, ExpressionAttributeValues, ExpressionAttributeNames });
const read = (pk, ProjectionExpression, ExpressionAttributeNames) =>
  db.getItem({ TableName: table, Key: { pk }, ProjectionExpression, ExpressionAttributeNames }).then((r) => r.Item);

// --------------------------------------------------------------------------------------- conditions

const v = { ':five': N(5), ':four': N(4), ':six': N(6), ':hello': S('hello'), ':he': S('he'), ':ell': S('ell'), ':a': S('a'), ':z': S('z'), ':one': N(1), ':true': { BOOL: true }, ':null': { NULL: true },
  ':bin': { B: new Uint8Array([1, 2, 3]) }, ':b12': { B: new Uint8Array([1, 2]) }, ':ss': { SS: ['b', 'a'] }, ':l': sample.l, ':m': sample.m, ':zero': N(0), ':two': N(2), ':three': N(3), ':fiveS': S('5'),
  ':S': S('S'), ':N': S('N'), ':L': S('L'), ':M': S('M'), ':SS': S('SS'), ':NULL': S('NULL'), ':BOOL': S('BOOL'), ':B': S('B') };
const used = (expression) => {
  const found = Object.entries(v).filter(([name]) => new RegExp(`${name}(?![A-Za-z0-9_])`).test(expression));
  return found.length ? Object.fromEntries(found) : undefined;
};

for (const [expression, holds] of [
  ['n = :five', true], ['n = :four', false], ['n = :fiveS', false], ['n <> :four', true], ['n <> :five', false], ['n <> :fiveS', true],
  ['n < :six', true], ['n < :five', false], ['n <= :five', true], ['n > :four', true], ['n > :five', false], ['n >= :five', true], ['n >= :six', false],
  [':five = n', true], [':four < n', true], ['s > :he', true], ['s < :he', false], ['b > :b12', true], ['b = :bin', true],
  ['n BETWEEN :four AND :six', true], ['n BETWEEN :five AND :five', true], ['n BETWEEN :six AND :six', false], ['s BETWEEN :a AND :z', true], [':five BETWEEN n AND :six', true],
  ['n IN (:four, :five)', true], ['n IN (:four)', false], ['s IN (:a, :hello)', true], ['n IN (:fiveS)', false],
  ['absent = :five', false], ['absent <> :five', true], ['absent < :five', false], ['NOT absent < :five', true],
  ['attribute_exists(n)', true], ['attribute_exists(absent)', false], ['attribute_not_exists(absent)', true], ['attribute_not_exists(n)', false],
  ['attribute_exists(m.a)', true], ['attribute_exists(m.b[0].c)', true], ['attribute_exists(m.b[1])', false], ['attribute_exists(l[2])', true], ['attribute_exists(l[3])', false], ['attribute_exists(n.x)', false],
  ['attribute_type(s, :S)', true], ['attribute_type(n, :N)', true], ['attribute_type(n, :S)', false], ['attribute_type(l, :L)', true], ['attribute_type(m, :M)', true], ['attribute_type(ss, :SS)', true],
  ['attribute_type(nul, :NULL)', true], ['attribute_type(t, :BOOL)', true], ['attribute_type(b, :B)', true], ['attribute_type(absent, :S)', false],
  ['begins_with(s, :he)', true], ['begins_with(s, :ell)', false], ['begins_with(b, :b12)', true], ['begins_with(n, :he)', false],
  ['contains(s, :ell)', true], ['contains(s, :z)', false], ['contains(ss, :a)', true], ['contains(ss, :z)', false], ['contains(l, :two)', true], ['contains(l, :six)', false], ['contains(ns, :two)', true], ['contains(s, :five)', false],
  ['size(s) = :five', true], ['size(b) = :three', true], ['size(ss) = :two', true], ['size(l) = :three', true], ['size(m) = :two', true], ['size(absent) = :zero', false], ['size(n) > :zero', false], ['size(l) BETWEEN :two AND :four', true],
  ['t = :true', true], ['nul = :null', true], ['ss = :ss', true], ['l = :l', true], ['m = :m', true],
  ['m.b[0].c = n', false], ['m.b[0].c > n', true], ['m.a < s', false],
  ['n = :five AND s = :hello', true], ['n = :four OR s = :hello', true], ['NOT n = :four', true], ['NOT (n = :five AND s = :hello)', false],
  ['n = :four AND s = :hello OR t = :true', true], ['n = :four AND (s = :hello OR t = :true)', false], ['NOT n = :four AND NOT s = :a', true],
  ['n=:five and s=:hello or not t=:true', true], ['( n = :five )', true],
]) {
  test(`condition ${expression} ${holds ? 'holds' : 'fails'}`, async () => {
    const pk = await put();
    const outcome = check(pk, expression, used(expression));
    await (holds ? outcome : conditionFailed(outcome));
  });
}

test('keywords are taken in any case', async () => {
  await check(await put(), 'n BeTwEeN :four aNd :six oR nOt n iN (:five)', used(':four :five :six'));
});

test('functions are taken in lower case only', differs('takes any case'), async () => {
  const pk = await put();
  await invalid(check(pk, 'ATTRIBUTE_EXISTS(n)'), 'Invalid ConditionExpression: Invalid function name; function: ATTRIBUTE_EXISTS');
});

for (const [expression, message, options = {}] of [
  ['foo(n)', 'Invalid ConditionExpression: Invalid function name; function: foo'],
  ['((n = :five))', 'Invalid ConditionExpression: The expression has redundant parentheses;'],
  ['n BETWEEN :six AND :four', 'Invalid ConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:6}, upper bound operand: AttributeValue: {N:4}'],
  ['n BETWEEN :four AND :hello', 'Invalid ConditionExpression: The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:4}, upper bound operand: AttributeValue: {S:hello}'],
  ['contains(n, n)', 'Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [n]'],
  ['n = n', 'Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [n]', differs('takes it')],
  ['begins_with(s, :five)', 'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N'],
  ['n < :true', 'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: BOOL', differs('lets the condition fail')],
  ['attribute_type(n, :five)', /Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N/, differs('lets the condition fail')],
  ['attribute_type(n, :hello)', /Invalid attribute type name found; type: hello, valid types: /, differs('lets the condition fail')],
  ['attribute_exists(n, s)', 'Invalid ConditionExpression: Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2', differs('other text')],
  ['attribute_exists(:five)', 'Invalid ConditionExpression: Operator or function requires a document path; operator or function: attribute_exists', differs('other text')],
  ['attribute_exists(n) = :true', /Syntax error; token: "="|The function is not allowed to be used this way in an expression; function: attribute_exists/],
  ['n = :five AND', /Syntax error; token: "<EOF>", near: "AND"$/, differs('other text')],
  ['n', /Syntax error; token: "<EOF>"/, differs('other text')],
  ['n = :five )', /Syntax error; token: "\)"/],
  ['(n = :five', /Syntax error; token: "<EOF>"/, differs('other text')],
  ['n == :five', /Syntax error; token: "="/, differs('other text')],
  ['n = 5', /Syntax error; token: "5"/],
  ['size(n)', /operator|function|Syntax error/, {}],
  ['status = :five', 'Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: status'],
  ['m.Name = :five', 'Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: Name'],
  ['#x = :five', 'Invalid ConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #x', differs('leaves the prefix out')],
  ['n = :nope', 'Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :nope', differs('leaves the prefix out')],
]) {
  test(`condition ${expression} is refused`, options, async () => {
    await invalid(check(S('any'), expression, used(expression)), message);
  });
}

test('expressions: empty, too long, too many operands', async () => {
  const many = Array.from({ length: 101 }, (_, i) => `:v${i}`);
  const values = Object.fromEntries(many.map((name, i) => [name, N(i)]));
  await invalid(check(S('any'), ''), 'Invalid ConditionExpression: The expression can not be empty;');
  const long = `n = :five${' '.repeat(4096)}`;
  await invalid(check(S('any'), long, used(':five')), /Invalid ConditionExpression: Expression size has exceeded the maximum allowed size/);
  await conditionFailed(check(S('any'), `n = :five${' '.repeat(4096 - 9)}`, used(':five')));
  await conditionFailed(check(S('any'), `n IN (${many.slice(0, 100).join(', ')})`, Object.fromEntries(Object.entries(values).slice(0, 100))));
});

test('IN takes 100 operands, not 101', differs('takes any number'), async () => {
  const many = Array.from({ length: 101 }, (_, i) => `:v${i}`);
  await invalid(check(S('any'), `n IN (${many.join(', ')})`, Object.fromEntries(many.map((name, i) => [name, N(i)]))), /IN|operands/);
});

// ------------------------------------------------------------------------------------- placeholders

test('unused placeholders are told, before the condition is looked at', differs('looks at the condition first'), async () => {
  await invalid(check(S('any'), 'n = :five', used(':five :four')), 'Value provided in ExpressionAttributeValues unused in expressions: keys: {:four}');
  await invalid(check(S('any'), 'n = :five', used(':five'), { '#x': 'n' }), 'Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}');
});

test('placeholder maps: empty, badly named, without an expression', async () => {
  await invalid(check(S('any'), 'n = :five', {}), 'ExpressionAttributeValues must not be empty');
  await invalid(check(S('any'), '#n = :five', used(':five'), {}), 'ExpressionAttributeNames must not be empty');
  await invalid(check(S('any'), 'n = :five', { five: N(5) }), 'ExpressionAttributeValues contains invalid key: Syntax error; key: "five"');
  await invalid(check(S('any'), '#n = :five', used(':five'), { n: 'n' }), 'ExpressionAttributeNames contains invalid key: Syntax error; key: "n"');
  await invalid(check(S('any'), undefined, used(':five')), /^(1 validation error detected: )?ExpressionAttributeValues can only be specified when using expressions/);
  await invalid(check(S('any'), undefined, undefined, { '#n': 'n' }), /^(1 validation error detected: )?ExpressionAttributeNames can only be specified when using expressions/);
});

test('a name placeholder reaches reserved, dotted and odd names, at any depth', async () => {
  const pk = await put({ status: S('x'), 'a.b': S('dotted'), m: { M: { 'c d': N(1), size: N(2) } } });
  await check(pk, '#s = :x AND #d = :dotted AND m.#cd = :one AND #m.#size = :two', { ':x': S('x'), ':dotted': S('dotted'), ':one': N(1), ':two': N(2) },
    { '#s': 'status', '#d': 'a.b', '#cd': 'c d', '#m': 'm', '#size': 'size' });
});

test('one placeholder may be used many times', async () => {
  await check(await put(), '#n = :v AND #n >= :v AND #n <= :v', { ':v': N(5) }, { '#n': 'n' });
});

// -------------------------------------------------------------------------------------------- SET

test('SET with +, -, both ways round', async () => {
  const pk = await put();
  const item = await update(pk, 'SET a = n + :two, b = :two - n, c = n - n, d = :two + :two', { ':two': N(2) });
  assert.deepEqual([item.a, item.b, item.c, item.d], [N(7), N(-3), N(0), N(4)]);
});

test('SET reads the item as it was before the update', async () => {
  const item = await update(await put({ a: N(1), b: N(2) }), 'SET a = b, b = a');
  assert.deepEqual([item.a, item.b], [N(2), N(1)]);
});

test('if_not_exists, alone, in arithmetic and with a path for default', async () => {
  const item = await update(await put({ a: N(1) }), 'SET a = if_not_exists(a, :v), b = if_not_exists(b, :v), c = if_not_exists(c, :v) + :one, d = if_not_exists(d, a)', { ':v': N(9), ':one': N(1) });
  assert.deepEqual([item.a, item.b, item.c, item.d], [N(1), N(9), N(10), N(1)]);
});

test('list_append at either end, and on a default', async () => {
  const item = await update(await put({ l: { L: [N(1)] } }), 'SET l = list_append(l, :x), k = list_append(:x, l), e = list_append(if_not_exists(e, :none), :x)', { ':x': { L: [N(2), N(3)] }, ':none': { L: [] } });
  assert.deepEqual(item.l, { L: [N(1), N(2), N(3)] });
  assert.deepEqual(item.k, { L: [N(2), N(3), N(1)] });
  assert.deepEqual(item.e, { L: [N(2), N(3)] });
});

test('SET of nested paths and list elements', async () => {
  const item = await update(await put(), 'SET m.a = :v, m.neu = :v, m.b[0].c = :v, l[1] = :v', { ':v': S('v') });
  assert.deepEqual(item.m, { M: { a: S('v'), neu: S('v'), b: { L: [{ M: { c: S('v') } }] } } });
  assert.deepEqual(item.l, { L: [N(1), S('v'), N(3)] });
});

test('SET past the end of a list appends, in the order of the indexes', differs('pads with NULL'), async () => {
  const item = await update(await put(), 'SET l[20] = :b, l[10] = :a', { ':a': S('a'), ':b': S('b') });
  assert.deepEqual(item.l, { L: [N(1), N(2), N(3), S('a'), S('b')] });
});

test('all four sections in one expression, in any order and case', async () => {
  const item = await update(await put(), 'remove s Add n :one DELETE ss :ss set x = :x', { ':one': N(1), ':ss': { SS: ['a'] }, ':x': S('x') });
  assert.equal(item.s, undefined);
  assert.deepEqual([item.n, item.ss, item.x], [N(6), { SS: ['b'] }, S('x')]);
});

// ------------------------------------------------------------------------------- REMOVE, ADD, DELETE

test('REMOVE of attributes, map entries and list elements; what is not there is no error', async () => {
  const item = await update(await put(), 'REMOVE s, m.a, l[0], nothing, m.nothing, l[99]');
  assert.equal(item.s, undefined);
  assert.deepEqual(item.m, { M: { b: sample.m.M.b } });
  assert.deepEqual(item.l, { L: [N(2), N(3)] });
});

test('REMOVE of several list elements counts them as they were before', differs('removes some others'), async () => {
  const item = await update(await put({ l: { L: [0, 1, 2, 3, 4].map(N) } }), 'REMOVE l[0], l[2], l[3], l[9]');
  assert.deepEqual(item.l, { L: [N(1), N(4)] });
});

test('ADD to numbers and sets, also where nothing was, and at nested paths', async () => {
  const item = await update(await put(), 'ADD n :two, neu :two, ss :ss, neus :ss, ns :ns, m.hits :two', { ':two': N(2), ':ss': { SS: ['c', 'a'] }, ':ns': { NS: ['2', '3'] } });
  assert.deepEqual([item.n, item.neu, item.m.M.hits], [N(7), N(2), N(2)]);
  assert.deepEqual(item.ss.SS.toSorted(), ['a', 'b', 'c']);
  assert.deepEqual(item.neus.SS.toSorted(), ['a', 'c']);
  assert.deepEqual(item.ns.NS.toSorted(), ['1', '2', '3']);
});

test('ADD of a number that is in the set, written otherwise, changes nothing', differs('calls it a duplicate'), async () => {
  assert.deepEqual((await update(await put(), 'ADD ns :x', { ':x': { NS: ['2.0'] } })).ns.NS.toSorted(), ['1', '2']);
});

test('sets come back in order: strings by bytes, numbers by value', differs('keeps the order given'), async () => {
  const item = await update(await put({}), 'SET ss = :ss, ns = :ns', { ':ss': { SS: ['b', 'B', 'ü', 'a'] }, ':ns': { NS: ['10', '-1', '9'] } });
  assert.deepEqual(item.ss, { SS: ['B', 'a', 'b', 'ü'] });
  assert.deepEqual(item.ns, { NS: ['-1', '9', '10'] });
});

test('DELETE from sets; the last member takes the attribute with it', async () => {
  const pk = await put();
  assert.deepEqual((await update(pk, 'DELETE ss :x', { ':x': { SS: ['a', 'zz'] } })).ss, { SS: ['b'] });
  assert.equal((await update(pk, 'DELETE ss :x', { ':x': { SS: ['b'] } })).ss, undefined);
  assert.equal((await update(pk, 'DELETE ss :x', { ':x': { SS: ['b'] } })).ss, undefined);
});

// ---------------------------------------------------------------------------------- update refusals

const wrongType = 'An operand in the update expression has an incorrect data type';
const badPath = 'The document path provided in the update expression is invalid for update';
for (const [expression, values, message, options = {}] of [
  ['', undefined, 'Invalid UpdateExpression: The expression can not be empty;'],
  ['SET a = :v, a = :v', { ':v': N(1) }, 'Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]'],
  ['SET m.a = :v, m = :v', { ':v': N(1) }, 'Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m, a], path two: [m]'],
  ['SET m = :v REMOVE m.b[0]', { ':v': N(1) }, /Two document paths overlap with each other; must remove or rewrite one of these paths; path one: (\[m\], path two: \[m, b, \[0\]\]|\[m, b, \[0\]\], path two: \[m\])$/],
  ['SET m.a = :v REMOVE m[0]', { ':v': N(1) }, 'Invalid UpdateExpression: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [m, a], path two: [m, [0]]', differs('applies it')],
  ['SET a = :v SET b = :v', { ':v': N(1) }, 'Invalid UpdateExpression: The "SET" section can only be used once in an update expression;'],
  ['SET a = :v', undefined, 'Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :v'],
  ['SET #a = :v', { ':v': N(1) }, 'Invalid UpdateExpression: An expression attribute name used in the document path is not defined; attribute name: #a'],
  ['SET status = :v', { ':v': N(1) }, 'Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: status'],
  ['INVALID SYNTAX', undefined, 'Invalid UpdateExpression: Syntax error; token: "INVALID", near: "INVALID SYNTAX"'],
  ['SET a =', undefined, /Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "="$/, differs('other text')],
  ['SET a = :v,', { ':v': N(1) }, /Invalid UpdateExpression: Syntax error; token: "<EOF>", near: ","$/, differs('other text')],
  ['SET a = :v $', { ':v': N(1) }, /Invalid UpdateExpression: Syntax error; token: "\$"/],
  ['SET a = n + :v + :v', { ':v': N(1) }, /Invalid UpdateExpression: Syntax error; token: "\+"/],
  ['SET a = n * :v', { ':v': N(1) }, /Invalid UpdateExpression: Syntax error; token: "\*"/],
  ['SET a = if_not_exists(:v, :v)', { ':v': N(1) }, 'Invalid UpdateExpression: Operator or function requires a document path; operator or function: if_not_exists'],
  ['SET a = if_not_exists(a)', undefined, 'Invalid UpdateExpression: Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 1'],
  ['SET a = foo(a)', undefined, 'Invalid UpdateExpression: Invalid function name; function: foo'],
  ['SET a = size(l)', undefined, /function.*size/],
  ['SET a = n + :v', { ':v': S('1') }, /Incorrect operand type for operator or function; operator or function: \+, operand type: S(TRING)?$/],
  ['SET a = list_append(l, :v)', { ':v': N(1) }, /Incorrect operand type for operator or function; operator or function: list_append, operand type: N(UMBER)?$/],
  ['SET a = s + :v', { ':v': N(1) }, wrongType, differs('other text')],
  ['SET a = list_append(n, :v)', { ':v': { L: [] } }, wrongType, differs('other text')],
  ['SET a = absent', undefined, 'The provided expression refers to an attribute that does not exist in the item'],
  ['SET a = absent + :v', { ':v': N(1) }, 'The provided expression refers to an attribute that does not exist in the item'],
  ['SET a = list_append(absent, :v)', { ':v': { L: [] } }, 'The provided expression refers to an attribute that does not exist in the item'],
  ['SET absent.a = :v', { ':v': N(1) }, badPath],
  ['SET absent[0] = :v', { ':v': N(1) }, badPath],
  ['SET n.a = :v', { ':v': N(1) }, badPath],
  ['SET m[0] = :v', { ':v': N(1) }, badPath],
  ['SET l.a = :v', { ':v': N(1) }, badPath],
  ['REMOVE absent.a', undefined, badPath, differs('takes it')],
  ['ADD s :v', { ':v': N(1) }, wrongType],
  ['ADD ss :v', { ':v': { NS: ['1'] } }, wrongType],
  ['ADD n :v', { ':v': S('1') }, /Incorrect operand type for operator or function; operator: ADD, operand type: STRING/],
  ['ADD l :v', { ':v': { L: [] } }, /Incorrect operand type for operator or function; operator: ADD, operand type: LIST/],
  ['DELETE n :v', { ':v': N(1) }, /Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER/],
  ['DELETE ns :v', { ':v': { SS: ['1'] } }, wrongType],
]) {
  test(`update ${expression || '(empty)'} ${JSON.stringify(values ?? {})} is refused`, options, async () => {
    const pk = await put();
    await invalid(update(pk, expression, values), message);
    assert.deepEqual(await read(pk), { pk, ...sample });
  });
}

// --------------------------------------------------------------------------------------- projection

test('a projection gives top-level, nested and indexed parts, in their places', async () => {
  const pk = await put();
  assert.deepEqual(await read(pk, 'n, m.b[0].c, l[1], absent, m.absent'), { n: N(5), m: { M: { b: { L: [{ M: { c: N(7) } }] } } }, l: { L: [N(2)] } });
  assert.deepEqual(await read(pk, 'l[2], l[0]'), { l: { L: [N(1), N(3)] } });
  assert.deepEqual(await read(pk, '#d', { '#d': 'a.b' }), { 'a.b': S('dotted') });
  assert.deepEqual(await read(pk, 'absent'), {});
});

for (const [expression, names, message, options = {}] of [
  ['m, m.a', undefined, 'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m], path two: [m, a]'],
  ['n, n', undefined, 'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [n], path two: [n]'],
  ['', undefined, 'Invalid ProjectionExpression: The expression can not be empty;'],
  ['name', undefined, 'Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: name'],
  ['#n', undefined, 'Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; attribute name: #n'],
  ['n', { '#n': 'n' }, 'Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}'],
  ['n,', undefined, /Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ","$/, differs('other text')],
  ['m.', undefined, /Invalid ProjectionExpression: Syntax error; token: "<EOF>"/, differs('other text')],
  ['l[a]', undefined, /Invalid ProjectionExpression: Syntax error; token: "a"/, differs('other text')],
  ['l[-1]', undefined, /Invalid ProjectionExpression: Syntax error/],
  ['n m', undefined, /Invalid ProjectionExpression: Syntax error; token: "m"/, differs('other text')],
]) {
  test(`projection ${expression || '(empty)'} is refused`, options, async () => {
    await invalid(read(S('any'), expression, names), message);
  });
}
