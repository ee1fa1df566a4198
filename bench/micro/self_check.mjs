// Proves that the comparison can fail: against baselines that are wrong on purpose it must fail for exactly
// the parts that are, and against the counts themselves for none.

const changed = (counts, change) => Object.fromEntries(Object.entries(counts).map(([name, part]) => [name, {...part, ...change(part)}]));
const without_first = (counts) => Object.fromEntries(Object.entries(counts).slice(1));

const cases = {
  'the counts themselves': {baseline: (counts) => counts, fail: () => []},
  'a baseline 12 % lower': {baseline: (counts) => changed(counts, ({instructions}) => ({instructions: Math.floor(instructions * 0.88)})), fail: Object.keys},
  'a baseline 8 % lower': {baseline: (counts) => changed(counts, ({instructions}) => ({instructions: Math.ceil(instructions * 0.92)})), fail: () => []},
  'a baseline 30 % higher': {baseline: (counts) => changed(counts, ({instructions}) => ({instructions: Math.floor(instructions * 1.3)})), fail: () => []},
  'one part 12 % lower': {baseline: (counts) => ({...counts, ...changed(Object.fromEntries(Object.entries(counts).slice(0, 1)), ({instructions}) => ({instructions: Math.floor(instructions * 0.88)}))}), fail: (counts) => Object.keys(counts).slice(0, 1)},
  'one allocation fewer': {baseline: (counts) => changed(counts, ({allocations}) => ({allocations: Math.max(allocations - 1, 0)})), fail: (counts) => Object.keys(counts).filter((name) => counts[name].allocations > 0)},
  'a part that the baseline lacks': {baseline: without_first, fail: (counts) => Object.keys(counts).slice(0, 1)},
  'a part that only the baseline has': {baseline: (counts) => ({...counts, gone: {instructions: 1, allocations: 0}}), fail: () => ['gone']},
};

export function self_check(compare, counts) {
  let failed = 0;
  for (const [name, {baseline, fail}] of Object.entries(cases)) {
    const noticed = compare(baseline(counts), counts).filter(({wrong}) => wrong).map((verdict) => verdict.name);
    if (noticed.sort().join() === [...fail(counts)].sort().join()) continue;
    failed++;
    console.log(`NOT OK  self-check, ${name}: failed for ${noticed.length} parts, should for ${fail(counts).length}`);
  }
  return {passed: Object.keys(cases).length - failed, failed};
}
