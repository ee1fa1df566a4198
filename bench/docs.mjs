// Writes results to docs/: raw, as tables, as a plot.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './processes.mjs';
import { growthPlot, intoPage, plot_file } from './report.mjs';
import { holdAgainstTargets } from './targets.mjs';

const page_file = join(repository, 'docs/PERFORMANCE.md');
const raw_file = join(repository, 'docs/performance.json');

export const readRaw = () => (existsSync(raw_file) ? JSON.parse(readFileSync(raw_file, 'utf8')) : null);

// Parts that `measured` does not have stay as they were, where they come from the same kind of machine. Returns what
// was written.
export function writeDocs(measured) {
  const before = readRaw();
  const same =
    before?.machine.processor === measured.machine.processor && before.machine.cores === measured.machine.cores;
  const results = same
    ? {
        ...measured,
        versions: { ...before.versions, ...measured.versions },
        parts: { ...before.parts, ...measured.parts },
      }
    : measured;
  results.targets = holdAgainstTargets(results);
  writeFileSync(raw_file, `${inLines(results)}\n`);
  const drawn = growthPlot(results);
  if (drawn) writeFileSync(join(repository, 'docs', plot_file), drawn);
  writeFileSync(page_file, intoPage(readFileSync(page_file, 'utf8'), results));
  return ['docs/PERFORMANCE.md', 'docs/performance.json', ...(drawn ? [`docs/${plot_file}`] : [])];
}

// JSON in which whatever is short stands on one line: a run, for one.
export function inLines(value, indent = '') {
  const flat = JSON.stringify(value);
  if (flat.length < 800 || typeof value !== 'object') return flat;
  const inner = `${indent} `;
  const members = Array.isArray(value)
    ? value.map((member) => inner + inLines(member, inner))
    : Object.entries(value).map(([name, member]) => `${inner}${JSON.stringify(name)}: ${inLines(member, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}
