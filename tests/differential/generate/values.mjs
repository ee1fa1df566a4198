// Attribute values. Pools are small so that items, keys and conditions collide; the values in them are the
// ones that implementations get wrong: odd notations of one number, numbers at the limits, characters whose
// order differs between UTF-8 and UTF-16, empty strings and binaries.

// Every item uses these attribute names, mostly with the type given here, so that random expressions hit
// something. Some names are reserved words or need a placeholder.
export const conventions = {
  s: 'S', s2: 'S', n: 'N', n2: 'N', b: 'B', flag: 'BOOL', nothing: 'NULL', list: 'L', doc: 'M',
  ss: 'SS', ns: 'NS', bs: 'BS', g1: 'S', g2: 'N', status: 'S', size: 'N', 'a.b': 'S', 'a-b': 'N',
  'x y': 'S', größe: 'N', '1st': 'S', Case: 'S', case_: 'N',
};
export const attribute_names = Object.keys(conventions);

export const types = ['S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS', 'BS'];

const strings = ['a', 'b', 'ab', 'abc', 'B', 'z', 'é', '日本', '\uFFFD', '😀', ' ', 'a b', 'a#1', 'a#2', 'S', 'N',
  '0', '10', '2', 'x'.repeat(300), 'tab\tquote"back\\slash/', 'nul\u0000in'];

const numbers = ['0', '-0', '0.0', '1', '1.0', '01', '1e0', '2', '3', '10', '1E1', '1.0e+1', '100', '-1', '-1.50',
  '-2', '0.1', '.5', '3.14159', '255', '256', '-255', '1e-130', '-1e-130', '1e125', '-1E+125', '1E20',
  '9.9999999999999999999999999999999999999E+125', '-9.9999999999999999999999999999999999999E+125',
  '12345678901234567890123456789012345678', '0.12345678901234567890123456789012345678',
  '99999999999999999999999999999999999999', '100000000000000000000000000000000000000000',
  '0.00000000000000000000000000000000000001', '1234567890.0987654321', '0000001.1000000'];

// Refused by DynamoDB, each for its own reason. (No larger exponents: dynoxide 1.2 adds before it checks, and
// does not come back from adding to 1e999999999999.)
export const bad_numbers = ['', ' 1', '1 ', 'abc', '1e', '--1', '0x10', 'NaN', 'Infinity', '1,000', '1_0',
  '123456789012345678901234567890123456789', '1.23456789012345678901234567890123456789', '1e126', '-1e126',
  '1e-131', '1e1000', '9.99999999999999999999999999999999999999E+125', '١'];

const binaries = ['AA==', 'AAE=', 'AQ==', 'fw==', 'gA==', '/w==', '//8=', 'YWJj', 'AAAA'];

export const key_pools = {
  S: {hash: ['a', 'b', 'é', '10'], range: ['a', 'ab', 'abc', 'b', 'B', 'é', '\uFFFD', '😀', 'a#1', 'a#2']},
  N: {hash: ['1', '1.0', '-2.5', '1E2', '100'],
      range: ['-1e125', '-10', '-1', '-0.5', '0', '-0.0', '1', '1.0', '2', '10', '1E1', '9.99e125', '1e-130', '1.5']},
  B: {hash: ['AA==', '/w==', 'YWJj'], range: ['AA==', 'AAE=', 'AQ==', 'fw==', 'gA==', '/w==', '//8=', 'YWJj']},
};

const distinct = (random, pool, count) => [...new Set(random.sample(pool, count))];

// In their normal form: two notations of one number would be a duplicate, and dynoxide 1.2 compares the elements
// of a set as text, in DELETE, ADD and contains.
export const set_numbers = ['0', '1', '2', '3.5', '-7', '1000', '0.001', '12345678901234567890123456789012345678', '255'];

export function value_of_type(random, type, depth = 0) {
  switch (type) {
    case 'S': return {S: random.chance(0.06) ? '' : random.pick(strings)};
    case 'N': return {N: random.chance(0.5) ? String(random.between(-3, 12)) : random.pick(numbers)};
    case 'B': return {B: random.chance(0.06) ? '' : random.pick(binaries)};
    case 'BOOL': return {BOOL: random.chance(0.5)};
    case 'NULL': return {NULL: true};
    case 'SS': return {SS: distinct(random, strings, random.between(1, 4))};
    case 'NS': return {NS: distinct(random, set_numbers, random.between(1, 4))};
    case 'BS': return {BS: distinct(random, binaries, random.between(1, 3))};
    case 'L': return {L: list_elements(random, depth)};
    case 'M': return {M: attributes(random, depth)};
  }
  throw new Error(`no such type: ${type}`);
}

function list_elements(random, depth) {
  const elements = [];
  const count = random.between(depth < 2 && random.chance(0.8) ? 2 : 0, depth > 2 ? 1 : 4);
  for (let i = 0; i < count; i++) elements.push(any_value(random, depth + 1));
  return elements;
}

export function any_value(random, depth = 0) {
  return value_of_type(random, random.pick(depth > 3 ? types.slice(0, 5) : types), depth);
}

// A value for the attribute `name`: mostly of its usual type.
export function value_for(random, name, depth = 0) {
  const type = conventions[name];
  return type && !random.chance(0.07) ? value_of_type(random, type, depth) : any_value(random, depth);
}

export function attributes(random, depth = 0) {
  const result = {};
  const likely = depth === 0 ? 0.3 : depth === 1 ? 0.2 : depth === 2 ? 0.08 : 0.02;
  // Documents and lists more often, because nested paths need something to lead into.
  const chance_of = (name) => (depth < 2 && (name === 'doc' || name === 'list') ? 0.65 : likely);
  for (const name of attribute_names) if (random.chance(chance_of(name))) result[name] = value_for(random, name, depth + 1);
  return result;
}

export function key_value(random, type, role) {
  return {[type]: random.pick(key_pools[type][role])};
}
