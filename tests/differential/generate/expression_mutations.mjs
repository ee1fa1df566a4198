// Errors in expressions and in the placeholders they use.

import {edit_expression, places, some_expression, target_with, targets} from './request_parts.mjs';

const first_name = (text) => text.match(/[A-Za-z#][A-Za-z0-9_]*/)?.[0] ?? 's';

export const expressions = {
  expression_empty: edit_expression((text, random) => random.pick(['', ' '])),
  expression_trailing: edit_expression((text, random) => text + random.pick([' ,', ' AND', ')', ' x', ' =', ' ;', ' :', ' #', ' "', ' 5', ' .a', ' []'])),
  expression_leading: edit_expression((text, random) => random.pick(['(', 'AND ', ', ', '= ', 'NOT ', '!', '. '])+ text),
  expression_cut: edit_expression((text, random) => text.slice(0, random.between(0, text.length - 1))),
  expression_doubled_parentheses: edit_expression((text) => `((${text}))`),
  expression_unknown_name: edit_expression((text) => text.replace(/#?[A-Za-z][A-Za-z0-9_]*/, '#nowhere')),
  expression_unknown_value: edit_expression((text) => (text.includes(':') ? text.replace(/:[A-Za-z0-9_]+/, ':nowhere') : `${text} AND s = :nowhere`)),
  expression_reserved: edit_expression((text, random) => text.replace(first_name(text), random.pick(['status', 'Name', 'TABLE', 'zone', 'size']))),
  expression_unknown_function: edit_expression((text, random) => random.pick(['unknown_function(s)', 'Attribute_Exists(s)', 'size(s)', 'attribute_exists()', 'attribute_exists(s, n)', 'begins_with(s)', 'contains(s, s)', 'attribute_exists(:v)', 'size(s) = size(size(s))', 'if_not_exists(s, n)'])),
  expression_bad_operator: edit_expression((text, random) => text.replace(/<>|<=|>=|=|<|>/, random.pick(['==', '!=', '=>', '<<', '~', 'LIKE', '><']))),
  expression_index: edit_expression((text, random) => text.replace(first_name(text), random.pick(['list[-1]', 'list[a]', 'list[]', 'list[1.5]', 'list[99999999999999999999]', 's..n', 's.', '.s', 'doc.[0]']))),
  expression_long: edit_expression((text) => `${text}${' '.repeat(5)}AND ${'attribute_exists(s) AND '.repeat(200)}attribute_exists(s)`),
  expression_many_operands: edit_expression((text, random, target) => {
    target.ExpressionAttributeValues = {...target.ExpressionAttributeValues, ':many': {S: 'm'}};
    return `s IN (${Array.from({length: random.pick([100, 101])}, () => ':many').join(',')})`;
  }),
  update_overlap: update_text(['SET s = :x, s = :x', 'SET doc = :x, doc.s = :x', 'SET doc.s = :x REMOVE doc', 'REMOVE s, s', 'SET doc.doc[0] = :x, doc.doc[0].s = :x', 'SET doc.s = :x, doc[0] = :x', 'SET s = :x, doc.s = :x REMOVE doc.s.n']),
  update_sections: update_text(['SET s = :x SET n = :x', 'REMOVE s REMOVE n SET s2 = :x', 'ADD n :x ADD n2 :x', 'SETs = :x', 'SET s :x', 'SET s = :x,', 'REMOVE s = :x', 'ADD s = :x', 'DELETE s', 'SET :x = s', 'SET s = :x + :x + :x', 'SET s = list_append(s)', 'SET s = if_not_exists(:x, s)', 'SET s = size(n)', 'SET s = (:x)', 'SET s = :x AND n = :x']),
  update_wrong_operand: update_text(['ADD s :x', 'DELETE s :x', 'SET s = n + :x', 'SET n = list_append(n, :x)', 'SET s = :x - :x', 'SET s = list_append(:x, :x)'], [{S: 'x'}, {N: '1'}, {SS: ['a']}, {L: []}, {M: {}}, {BOOL: true}, {NULL: true}]),
  update_key: (request, random) => {
    const target = target_with(request, random, 'UpdateExpression', 'Key');
    const names_of_key = Object.keys(target?.Key ?? {}).filter((name) => /^[a-z]$/.test(name));
    if (!names_of_key.length) return false;
    const name = random.pick(names_of_key);
    target.UpdateExpression = random.pick([`SET ${name} = :x`, `REMOVE ${name}`, `ADD ${name} :x`, `SET ${name}.a = :x`]);
    delete target.ExpressionAttributeNames;
    if (target.ConditionExpression) delete target.ConditionExpression;
    target.ExpressionAttributeValues = target.UpdateExpression.includes(':x') ? {':x': {N: '1'}} : undefined;
    return true;
  },
  condition_wrong_operand: (request, random) => {
    const found = some_expression(request, random);
    if (!found || !['ConditionExpression', 'FilterExpression'].includes(found.field)) return false;
    found.target[found.field] = random.pick(['s < :x', 'n BETWEEN :x AND :y', 'begins_with(s, :x)', 'attribute_type(s, :x)', 'contains(s, :x)', ':x = :y', 's IN (:x, :y)', 'size(:x) = :y', ':x', 's', 's = :x = :y', 'NOT s', 's AND n', '(s) = :x', 's = (:x)']);
    found.target.ExpressionAttributeNames = undefined;
    const used = found.target[found.field];
    found.target.ExpressionAttributeValues = Object.fromEntries([[':x', random.pick([{S: 'x'}, {N: '5'}, {BOOL: true}, {M: {}}, {L: []}, {SS: ['a']}, {NULL: true}, {S: 'ZZ'}])], [':y', random.pick([{N: '1'}, {S: 'a'}])]].filter(([name]) => used.includes(name)));
    return true;
  },
  projection_overlap: (request, random) => {
    const target = target_with(request, random, 'ProjectionExpression');
    if (!target) return false;
    target.ProjectionExpression = random.pick(['s, s', 'doc, doc.s', 'doc.s, doc', 'doc.s, doc[0]', 'n, s, n']);
    delete target.ExpressionAttributeNames;
    return true;
  },
  key_condition_wrong: (request, random) => {
    const {body, table} = request;
    if (request.operation !== 'Query' || !body.KeyConditionExpression || body.IndexName) return false;
    const h = '#h';
    const r = '#r';
    const text = random.pick([`${h} > :x`, `${h} = :x OR ${r} = :x`, `${r} = :x`, `${h} = :x AND ${r} <> :x`, `${h} = :x AND ${r} = :x AND ${r} = :x`, `NOT ${h} = :x`, `${h} = :x AND s = :x`, `${h} = :x AND ${r} IN (:x)`, `attribute_exists(${h})`, `${h} = :x AND contains(${r}, :x)`, `${h} = ${r}`, `${h}.a = :x`, `begins_with(${h}, :x)`, `${h} = :x AND ${r} BETWEEN :x`, `(${h} = :x) AND (${r} > :x)`, `((${h} = :x))`, `:x = ${h}`, `${h} = :x AND size(${r}) = :x`]);
    body.KeyConditionExpression = text;
    delete body.FilterExpression;
    delete body.ProjectionExpression;
    if (body.Select === 'SPECIFIC_ATTRIBUTES') delete body.Select;
    body.ExpressionAttributeNames = {...(text.includes(h) ? {[h]: table.hash.name} : {}), ...(text.includes(r) ? {[r]: table.range?.name ?? 'r'} : {})};
    body.ExpressionAttributeValues = text.includes(':x') ? {':x': random.pick([{S: 'a'}, {N: '1'}, {B: 'AA=='}])} : undefined;
    return true;
  },
  between_reversed: (request, random) => {
    const {body, table} = request;
    if (request.operation !== 'Query' || !body.KeyConditionExpression || body.IndexName || !table.range) return false;
    const bounds = {S: ['b', 'a'], N: ['10', '9'], B: ['/w==', 'AA==']}[table.range.type];
    body.KeyConditionExpression = '#h = :h AND #r BETWEEN :low AND :high';
    delete body.FilterExpression;
    delete body.ProjectionExpression;
    if (body.Select === 'SPECIFIC_ATTRIBUTES') delete body.Select;
    body.ExpressionAttributeNames = {'#h': table.hash.name, '#r': table.range.name};
    body.ExpressionAttributeValues = {':h': {[table.hash.type]: {S: 'a', N: '1', B: 'AA=='}[table.hash.type]}, ':low': {[table.range.type]: bounds[0]}, ':high': {[table.range.type]: random.chance(0.8) ? bounds[1] : bounds[0]}};
    return true;
  },
};

function update_text(texts, operands = [{S: 'x'}, {N: '1'}]) {
  return (request, random) => {
    const target = target_with(request, random, 'UpdateExpression');
    if (!target) return false;
    target.UpdateExpression = random.pick(texts);
    delete target.ConditionExpression;
    delete target.ExpressionAttributeNames;
    target.ExpressionAttributeValues = target.UpdateExpression.includes(':x') ? {':x': random.pick(operands)} : undefined;
    return true;
  };
}

export const placeholders = {
  unused_name: add_placeholder((target) => { target.ExpressionAttributeNames = {...target.ExpressionAttributeNames, '#unused': 'unused'}; }),
  unused_value: add_placeholder((target) => { target.ExpressionAttributeValues = {...target.ExpressionAttributeValues, ':unused': {S: 'x'}}; }),
  unused_values: add_placeholder((target) => { target.ExpressionAttributeValues = {...target.ExpressionAttributeValues, ':unused1': {S: 'x'}, ':unused2': {S: 'x'}}; }),
  name_syntax: add_placeholder((target, random) => { target.ExpressionAttributeNames = {...target.ExpressionAttributeNames, [random.pick(['nohash', '#', '#a b', '#a-b', ''])]: 's'}; }),
  value_syntax: add_placeholder((target, random) => { target.ExpressionAttributeValues = {...target.ExpressionAttributeValues, [random.pick(['nocolon', ':', ':a b', ':a-b', ''])]: {S: 'x'}}; }),
  names_empty: add_placeholder((target) => { target.ExpressionAttributeNames = {}; }),
  values_empty: add_placeholder((target) => { target.ExpressionAttributeValues = {}; }),
  name_of_nothing: add_placeholder((target) => { target.ExpressionAttributeNames = {...target.ExpressionAttributeNames, '#empty': ''}; }),
};

function add_placeholder(edit) {
  return (request, random) => {
    if (request.operation.startsWith('Batch') || !places(request.body).some(({key}) => key === 'TableName')) return false;
    const target = random.pick(targets(request));
    if (!target) return false;
    edit(target, random);
    return true;
  };
}
