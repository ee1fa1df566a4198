// Expressions from DynamoDB's grammar: conditions, projections, updates. An Expressions object gathers the
// placeholders of one request (or of one action of a transaction) while its expressions are written.

import {attribute_names, conventions, value_of_type, any_value, set_numbers, types} from './values.mjs';

// Needs a placeholder: reserved words of DynamoDB among our names, and names that are no identifiers.
const needs_placeholder = new Set(['status', 'size', 'list', 'a.b', 'a-b', 'x y', 'größe', '1st', 'Case', 'hash', 'range']);

export class Expressions {
  constructor(random, tag) {
    this.random = random;
    this.tag = tag;
    this.names = {};
    this.values = {};
    this.counter = 0;
  }

  keyword(word) {
    return this.random.weighted([[6, word], [2, word.toLowerCase()], [1, word[0] + word.slice(1).toLowerCase()]]);
  }

  name(attribute) {
    if (!needs_placeholder.has(attribute) && this.random.chance(0.6)) return attribute;
    const known = Object.keys(this.names).find((placeholder) => this.names[placeholder] === attribute);
    if (known && this.random.chance(0.7)) return known;
    const placeholder = `#${this.random.pick(['n', 'N_', '0'])}${this.counter++}`;
    this.names[placeholder] = attribute;
    return placeholder;
  }

  value(value) {
    const placeholder = `:${this.random.pick(['v', 'V_', '0'])}${this.counter++}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  // A path with the type usually found at its end.
  path(wanted) {
    const names = wanted ? attribute_names.filter((name) => conventions[name] === wanted) : attribute_names;
    const top = this.random.pick(names);
    if (this.random.chance(0.78)) return {text: this.name(top), top, type: conventions[top]};
    return this.nested_path(wanted);
  }

  nested_path(wanted) {
    this.tag('expression.nested_path');
    const leaf = this.random.pick(wanted ? attribute_names.filter((name) => conventions[name] === wanted) : attribute_names);
    const into = () => this.name(leaf);
    const index = () => this.random.weighted([[5, '0'], [4, '1'], [2, '2'], [1, '7']]);
    const make = this.random.weighted([
      [4, () => ({text: `${this.name('doc')}.${into()}`, top: 'doc', type: conventions[leaf]})],
      [3, () => ({text: `${this.name('list')}[${index()}]`, top: 'list', type: wanted ?? this.random.pick(types)})],
      [1, () => ({text: `${this.name('list')}[${index()}].${into()}`, top: 'list', type: conventions[leaf]})],
      [1, () => ({text: `${this.name('doc')}.${this.name('doc')}.${into()}`, top: 'doc', type: conventions[leaf]})],
      [1, () => ({text: `${this.name('doc')}.${this.name('list')}[${index()}]`, top: 'doc', type: wanted ?? this.random.pick(types)})],
    ]);
    return make();
  }

  value_like(type) {
    return this.value(this.random.chance(0.9) && type ? value_of_type(this.random, type) : any_value(this.random));
  }

  condition(depth = 0) {
    const {random} = this;
    if (depth < 3 && random.chance(depth === 0 ? 0.4 : 0.25)) {
      const form = random.pick(['AND', 'OR', 'NOT']);
      this.tag(`condition.${form}`);
      if (form === 'NOT') return `${this.keyword('NOT')} ${this.operand_condition(depth + 1)}`;
      return `${this.operand_condition(depth + 1)} ${this.keyword(form)} ${this.operand_condition(depth + 1)}`;
    }
    return this.leaf_condition();
  }

  operand_condition(depth) {
    const inner = this.condition(depth);
    if (!this.random.chance(0.3)) return inner;
    this.tag('condition.parentheses');
    return `(${inner})`;
  }

  leaf_condition() {
    const {random} = this;
    const form = random.pick(['comparison', 'comparison', 'comparison', 'BETWEEN', 'IN', 'attribute_exists', 'attribute_not_exists',
      'attribute_type', 'begins_with', 'contains', 'size', 'path_to_path']);
    this.tag(`condition.${form}`);
    switch (form) {
      case 'comparison': {
        const path = this.path();
        const operator = random.pick(['=', '<>', '<', '<=', '>', '>=']);
        this.tag(`condition.${operator}`);
        const value = this.value_like(path.type);
        return random.chance(0.85) ? `${path.text} ${operator} ${value}` : `${value} ${operator} ${path.text}`;
      }
      case 'BETWEEN': {
        const type = random.pick(['S', 'N', 'B']);
        const path = this.path(type);
        const [low, high] = this.ordered_values(type);
        return `${path.text} ${this.keyword('BETWEEN')} ${low} ${this.keyword('AND')} ${high}`;
      }
      case 'IN': {
        const path = this.path();
        const count = random.between(1, 4);
        return `${path.text} ${this.keyword('IN')} (${Array.from({length: count}, () => this.value_like(path.type)).join(random.pick([', ', ',']))})`;
      }
      case 'attribute_exists':
      case 'attribute_not_exists': return `${form}(${this.path().text})`;
      case 'attribute_type': return `attribute_type(${this.path().text}, ${this.value({S: random.pick(types)})})`;
      case 'begins_with': {
        const type = random.chance(0.8) ? 'S' : 'B';
        return `begins_with(${this.path(type).text}, ${this.value(value_of_type(random, type))})`;
      }
      case 'contains': {
        const type = random.pick(['S', 'SS', 'NS', 'BS', 'L']);
        const element = type === 'L' ? any_value(random) : type === 'NS' ? {N: random.pick(set_numbers)} : value_of_type(random, {S: 'S', SS: 'S', BS: 'B'}[type]);
        return `contains(${this.path(type).text}, ${this.value(element)})`;
      }
      case 'size': return `size(${this.path(random.pick(['S', 'B', 'SS', 'L', 'M', 'NS', 'N'])).text}) ${random.pick(['=', '<', '>=', '<>'])} ${this.value({N: String(random.between(0, 5))})}`;
      case 'path_to_path': return `${this.path().text} ${random.pick(['=', '<>', '<'])} ${this.path().text}`;
    }
    throw new Error(form);
  }

  // BETWEEN refuses bounds that are the wrong way round, so they mostly are the right way round.
  ordered_values(type) {
    const pools = {S: ['A', 'a', 'ab', 'b', 'é'], N: ['-10', '-1', '0', '1.5', '10', '1e30'], B: ['AA==', 'AQ==', 'gA==']};
    const pool = pools[type];
    const at = this.random.int(pool.length);
    const upper = this.random.chance(0.95) ? this.random.between(at, pool.length - 1) : this.random.int(pool.length);
    return [this.value({[type]: pool[at]}), this.value({[type]: pool[upper]})];
  }

  projection(extra_names = []) {
    const {random} = this;
    const parts = [];
    const tops = new Set();
    const count = random.between(1, 4);
    for (let i = 0; i < count; i++) {
      const path = random.chance(0.2) && extra_names.length ? this.top_path(random.pick(extra_names)) : this.path();
      // Overlapping paths are refused: that belongs to the mutations, and now and then here.
      if (tops.has(path.top) && !random.chance(0.05)) continue;
      tops.add(path.top);
      parts.push(path.text);
    }
    return parts.join(random.pick([', ', ',']));
  }

  top_path(name) {
    return {text: this.name(name), top: name};
  }

  update() {
    const {random} = this;
    const taken = new Set();
    const fresh = (wanted) => {
      for (let attempt = 0; attempt < 6; attempt++) {
        const path = this.path(wanted);
        if (!taken.has(path.top) || random.chance(0.03)) {
          taken.add(path.top);
          return path;
        }
      }
      return null;
    };
    const sections = random.sample(['SET', 'REMOVE', 'ADD', 'DELETE'], random.weighted([[6, 1], [3, 2], [1, 3], [0.5, 4]]));
    const texts = [];
    for (const section of sections) {
      const actions = [];
      const count = random.weighted([[5, 1], [3, 2], [1, 3]]);
      for (let i = 0; i < count; i++) {
        const action = this.action(section, fresh);
        if (action) actions.push(action);
      }
      if (actions.length) {
        this.tag(`update.${section}`);
        texts.push(`${this.keyword(section)} ${actions.join(', ')}`);
      }
    }
    if (!texts.length) texts.push(`SET ${this.name('s2')} = ${this.value({S: 'fallback'})}`);
    return texts.join(random.pick([' ', '  ', '\n']));
  }

  action(section, fresh) {
    const {random} = this;
    switch (section) {
      case 'SET': return this.set_action(fresh);
      case 'REMOVE': return fresh()?.text;
      case 'ADD': {
        const type = random.pick(['N', 'N', 'SS', 'NS', 'BS']);
        const path = fresh(type);
        return path && `${path.text} ${this.value(value_of_type(random, random.chance(0.93) ? type : random.pick(['N', 'SS', 'NS', 'BS'])))}`;
      }
      case 'DELETE': {
        const type = random.pick(['SS', 'NS', 'BS']);
        const path = fresh(type);
        return path && `${path.text} ${this.value(value_of_type(random, random.chance(0.93) ? type : random.pick(['SS', 'NS', 'BS'])))}`;
      }
    }
    throw new Error(section);
  }

  set_action(fresh) {
    const {random} = this;
    const form = random.pick(['value', 'value', 'path', '+', '-', 'if_not_exists', 'if_not_exists+', 'list_append', 'list_append_front', 'list_append_default']);
    this.tag(`update.SET.${form}`);
    const number = () => this.value({N: random.chance(0.8) ? String(random.between(-5, 5)) : random.pick(['0.1', '1e-130', '1e125', '12345678901234567890123456789012345678', '-0.00001'])});
    const list = () => this.value(value_of_type(random, 'L'));
    switch (form) {
      case 'value': {
        const path = fresh();
        return path && `${path.text} = ${this.value(random.chance(0.9) && path.type ? value_of_type(random, path.type) : any_value(random))}`;
      }
      case 'path': {
        const path = fresh();
        return path && `${path.text} = ${this.path(path.type).text}`;
      }
      case '+':
      case '-': {
        const path = fresh('N');
        if (!path) return null;
        const operands = random.weighted([[5, () => [path.text, number()]], [2, () => [number(), path.text]], [1, () => [this.path('N').text, this.path('N').text]], [1, () => [number(), number()]]])();
        return `${path.text} = ${operands[0]} ${form} ${operands[1]}`;
      }
      case 'if_not_exists': {
        const path = fresh();
        return path && `${path.text} = if_not_exists(${random.chance(0.7) ? path.text : this.path().text}, ${this.value_like(path.type)})`;
      }
      case 'if_not_exists+': {
        const path = fresh('N');
        return path && `${path.text} = if_not_exists(${path.text}, ${number()}) ${random.pick(['+', '-'])} ${number()}`;
      }
      case 'list_append':
      case 'list_append_front':
      case 'list_append_default': {
        const path = fresh('L');
        if (!path) return null;
        if (form === 'list_append') return `${path.text} = list_append(${path.text}, ${list()})`;
        if (form === 'list_append_front') return `${path.text} = list_append(${list()}, ${path.text})`;
        return `${path.text} = list_append(if_not_exists(${path.text}, ${this.value({L: []})}), ${list()})`;
      }
    }
    throw new Error(form);
  }

  // Adds the placeholders to `body`. Only those that `texts` use: a path that was drawn but not taken leaves
  // its placeholder here, and an unused placeholder is an error.
  attach(body, ...texts) {
    const used = new Set(texts.filter(Boolean).join(' ').match(/[#:][A-Za-z0-9_]+/g) ?? []);
    const keep = (map) => Object.fromEntries(Object.entries(map).filter(([placeholder]) => used.has(placeholder)));
    const names = keep(this.names);
    const values = keep(this.values);
    if (Object.keys(names).length) body.ExpressionAttributeNames = names;
    if (Object.keys(values).length) body.ExpressionAttributeValues = values;
    return body;
  }
}
