// The command line of the benchmark.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const help = `usage: scripts/bench [options]      (or: make bench BENCH='options')

  --quick            main ratios, start and idle memory with 100,000 items, queues, jobs, workers
  --only NAME,...    parts (empty loaded durability ratios half_load operations restart changes queues queues_deep
                     jobs lists enforcement workers growth) and servers (waybill dynoxide dynalite postgres null_server; of
                     queues waybill fauxqs bullmq pg_boss; of jobs waybill pg_boss graphile_worker bullmq restate) to
                     keep; none of a kind named: all of that kind
  --growth           with the part that loads up to 10 million items; --no-growth: without
  --write            write docs/PERFORMANCE.md, docs/performance.json and the plot; --no-write: print only
                     (default: written by a run without --quick, --only and --set)
  --render           measure nothing: write the page again from docs/performance.json
  --data DIR         where the servers keep their data (default: build/bench)
  --waybill FILE, --null-server FILE, --load FILE
                     other binaries than those of build/release
  --set NAME=VALUE   another value for a setting of bench/plan.mjs, e.g. --set items=20000
`;

export function parseOptions() {
  const flag = { type: 'boolean' };
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: {
      help: flag,
      quick: flag,
      growth: flag,
      write: flag,
      render: flag,
      only: text,
      data: text,
      waybill: text,
      'null-server': text,
      load: text,
      set: { type: 'string', multiple: true },
    },
    allowNegative: true,
  });
  const path = (value) => value && resolve(value);
  const only = values.only?.split(',') ?? [];
  const overrides = (values.set ?? []).map((pair) => [
    pair.slice(0, pair.indexOf('=')),
    JSON.parse(pair.slice(pair.indexOf('=') + 1)),
  ]);
  return {
    help: values.help,
    render: values.render,
    isQuick: values.quick,
    only,
    growth: values.growth,
    write: values.write ?? !(values.quick || values.only || values.set),
    data: path(values.data),
    binaries: { waybill: path(values.waybill), null_server: path(values['null-server']), load: path(values.load) },
    overrides: Object.fromEntries(overrides),
  };
}
