// Gathers mismatches by kind, so that one look shows every distinct one.

const squash_text = (text) => String(text)
  .replace(/'[^']*'/g, "'…'").replace(/"[^"]*"/g, '"…"')
  .replace(/\be\d+-(t\d+|made-\d+|missing)\b/g, 'TABLE')
  .replace(/([:#])(?:[vVnN0]_?)?\d+\b/g, '$1x')
  .replace(/(keyword|attribute name|attribute value|IndexKey|IndexName|operand type|operand|path one|path two|token|near|key|attribute|Key|name|type): ([^;,]*)/gi, '$1: …')
  .replace(/Index Key \S+/g, 'Index Key …').replace(/(the key|for key|schema element:|Size of|for type|index) \S+/g, '$1 …')
  .replace(/((?:Expected|Actual|expected|actual): )\w+/g, '$1…').replace(/\[[^\]]*\]/g, '[…]').replace(/\{[^}]*\}/g, '{…}')
  .replace(/-?\d+(\.\d+)?(e[+-]?\d+)?/gi, '0')
  .replace(/0(, 0)+/g, '0')
  .slice(0, 260);

const squash_path = (path) => path
  .replace(/\[\d+\]/g, '[]')
  .replace(/\.(Items|Item|Attributes|LastEvaluatedKey|Responses)\b.*/, '.$1…');

const brief = (value, most = 700) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value) ?? 'undefined';
  return text.length > most ? `${text.slice(0, most)}… (${text.length})` : text;
};

function signature(operation, found) {
  const [first] = found;
  if (['status', '__type', 'message'].includes(first.path)) return `${operation} ${first.path}\n    A: ${squash_text(first.a)}\n    B: ${squash_text(first.b)}`;
  return `${operation} ${[...new Set(found.map(({path}) => squash_path(path)))].sort().slice(0, 6).join(' ')}`;
}

export class Report {
  constructor({samples_max = 2} = {}) {
    this.samples_max = samples_max;
    this.groups = new Map();
    this.passed = 0;
    this.failed = 0;
    this.known = new Map();
  }

  agreed() {
    this.passed++;
  }

  // Of requests that were spoiled on purpose, and of those that were not, apart: an entry that explains many of
  // the latter had better be right.
  explained(names, request) {
    this.passed++;
    for (const name of names) {
      const count = this.known.get(name) ?? {all: 0, unspoiled: 0};
      count.all++;
      if (!request.mutations?.length) count.unspoiled++;
      this.known.set(name, count);
    }
  }

  mismatch(at, request, found) {
    this.failed++;
    const key = signature(request.operation, found);
    const group = this.groups.get(key) ?? {count: 0, samples: []};
    group.count++;
    if (group.samples.length < this.samples_max) {
      group.samples.push([
        `    at ${at}${request.mutations?.length ? ` (${request.mutations.join(', ')})` : ''}: ${request.operation} ${brief(request.raw ?? request.body)}`,
        ...found.slice(0, 4).map(({path, a, b}) => `      ${path}\n        A: ${brief(a)}\n        B: ${brief(b)}`),
      ].join('\n'));
    }
    this.groups.set(key, group);
  }

  print() {
    const groups = [...this.groups].sort((x, y) => y[1].count - x[1].count);
    if (groups.length) console.log(`\n${groups.length} kinds of mismatch (A: Waybill, B: dynoxide)`);
    for (const [key, {count, samples}] of groups) console.log(`\n[${count}×] ${key}\n${samples.join('\n')}`);
  }
}
