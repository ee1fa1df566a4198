// Turns results into the tables of docs/PERFORMANCE.md and what is printed at the end.
import { count, figure, gigabytes, median, megabytes, percent, times } from './numbers.mjs';
import { describeShare, keptShares } from './parts/changes.mjs';
import { diskPerItem } from './parts/loaded.mjs';
import { peerOf, peers } from './peers/index.mjs';
import { plot } from './plot.mjs';
import { enforcementSection, jobsSection, listsSection } from './job_report.mjs';
import { deepQueueSection, queuesSection } from './queue_report.mjs';
import { workersSection } from './workers/report.mjs';
import { all_operations, main_operations, titles, write_operations } from './plan.mjs';
import { baseCost, cpuCost, holdAgainstTargets, ratio, runAt, syncsWrites, timeCost } from './targets.mjs';

export const begin_marker = '<!-- results:begin -->';
export const end_marker = '<!-- results:end -->';
export const plot_file = 'performance-growth.svg';

// A Markdown table; cells may be undefined.
function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const titleOf = (id) => peerOf(id).title;
const inTableOrder = (ids) => peers.map(({ id }) => id).filter((id) => ids.includes(id));

// The page with the text between the markers replaced.
export function intoPage(page, results) {
  const from = page.indexOf(begin_marker);
  const to = page.indexOf(end_marker);
  if (from < 0 || to < from) throw new Error(`docs/PERFORMANCE.md has no ${begin_marker} … ${end_marker}`);
  return `${page.slice(0, from + begin_marker.length)}\n\n${markdown(results)}\n\n${page.slice(to)}`;
}

export function markdown(results) {
  const sections = [
    ['Where and when', machineSection],
    ['Figures to reach', targetSection],
    ['Durability', durabilitySection],
    ['The main operations', ratioSection],
    ['At half load', halfLoadSection],
    ['Every operation', operationSection],
    ['Memory, disk, start', footprintSection],
    ['Writing changes down, and bringing tables back', changesSection],
    ['Queues', queuesSection],
    ['A queue of ten million', deepQueueSection],
    ['Jobs', jobsSection],
    ['Counts, lists and tags', listsSection],
    ['What a contract costs', enforcementSection],
    ['Built-in workers', workersSection],
    ['Growth', growthSection],
  ];
  const written = sections.map(([title, write]) => [title, write(results)]).filter(([, text]) => text);
  return written.map(([title, text]) => `### ${title}\n\n${text}`).join('\n\n');
}

function machineSection({ machine, versions, parts, settings }) {
  const { processor, cores, memory_bytes, virtual, os, kernel, file_system, disk_sync_us } = machine;
  const stamps = Object.entries(parts).map(
    ([part, { measured }]) => `${part} ${measured.date} at ${measured.revision}`,
  );
  const same = new Set(stamps.map((stamp) => stamp.slice(stamp.indexOf(' ')))).size === 1;
  const { date, revision } = Object.values(parts)[0].measured;
  return [
    table(
      ['', ''],
      [
        ['date', same ? `${date}, Waybill at ${revision}` : stamps.join('; ')],
        [
          'machine',
          `${processor}, ${cores} cores${virtual ? ' of a virtual machine' : ''}, ${gigabytes(memory_bytes)} of memory; servers and load generator share them`,
        ],
        ['system', `${os}, Linux ${kernel}, ${file_system}`],
        ['disk', `4 KB appended and synced in ${figure(disk_sync_us)} µs (median of 200)`],
        ...inTableOrder(Object.keys(versions)).map((id) => [titleOf(id), versions[id]]),
        [
          'PostgreSQL settings',
          Object.entries(settings.postgres)
            .filter(([, value]) => !value.startsWith("'"))
            .map(([name, value]) => `\`${name}=${value}\``)
            .join(', '),
        ],
      ],
    ),
  ].join('\n');
}

function targetSection(results) {
  const rows = holdAgainstTargets(results).filter(({ measured }) => measured !== undefined);
  if (!rows.length) return '';
  return table(
    ['figure', 'asked', 'measured', 'spread', 'reached', 'note'],
    rows.map(({ name, asked, measured, spread, reached, note }) => [
      name,
      asked,
      `**${measured}**`,
      spread,
      reached ? 'yes' : '**no**',
      note,
    ]),
  );
}

function durabilitySection(results) {
  const counted = results.parts.durability?.peers;
  if (!counted) return '';
  const rows = inTableOrder(Object.keys(counted)).map((id) => {
    const { writes, syncs_per_write, calls } = counted[id];
    const seen =
      Object.entries(calls)
        .map(([name, times]) => `${times} \`${name}\``)
        .join(', ') || 'none';
    return [
      titleOf(id),
      peerOf(id).durability,
      figure(syncs_per_write),
      `${seen} in ${writes} writes`,
      syncsWrites(results, id) ? 'yes' : '**no**',
    ];
  });
  return table(
    ['', 'as configured', 'syncs per write, 1 connection', 'counted', 'a write is synced before it is answered'],
    rows,
  );
}

function ratioSection(results) {
  const part = results.parts.ratios;
  if (!part) return '';
  const ids = inTableOrder([...new Set(part.runs.map((run) => run.peer))]);
  const others = ids.filter((id) => id !== 'waybill');
  const tables = [];
  for (const connections of [...new Set(part.runs.map((run) => run.connections))]) {
    const head = [
      'requests per second',
      ...ids.map(titleOf),
      ...others.map((id) => (peerOf(id).stores ? `against ${titleOf(id)}` : `share of ${titleOf(id)}`)),
    ];
    const rows = main_operations.map((operation) => {
      const throughput = ids.map((id) => {
        const values = part.runs.filter(
          (run) => run.peer === id && run.operation === operation && run.connections === connections,
        );
        return values.length
          ? cell(results, operation, id, figure(median(values.map((run) => run.throughput_per_s))))
          : '–';
      });
      const ratios = others.map((peer) => {
        const found = ratio(results, { operation, connections, peer });
        const write = peerOf(peer).stores ? times : percent;
        return found ? `**${write(found.median)}** (${write(found.low)} to ${write(found.high)})` : '–';
      });
      return [titles[operation], ...throughput, ...ratios];
    });
    tables.push(
      `${connections === 1 ? '1 connection' : `${connections} connections`}, ${part.rounds} rounds:\n\n${table(head, rows)}`,
    );
  }
  return `Medians of the rounds; the ratio is the median of the rounds' ratios, with the lowest and the highest. ${itemsNote(results)}\n\n${tables.join('\n\n')}${unsyncedNote(results, ids)}`;
}

// Marks the figure of a write that its server did not sync.
const cell = (results, operation, id, text) =>
  write_operations.includes(operation) && syncsWrites(results, id) === false ? `${text} ¹` : text;

// The note to those marks, for a table with the servers `ids`.
function unsyncedNote(results, ids) {
  const unsynced = inTableOrder(ids.filter((id) => syncsWrites(results, id) === false));
  return unsynced.length
    ? `\n\n¹ Not synced before it is answered (${unsynced.map(titleOf).join(', ')}): a power cut may take it back.`
    : '';
}

function itemsNote(results) {
  const loaded = results.parts.loaded?.peers ?? {};
  return `Items loaded: ${inTableOrder(Object.keys(loaded))
    .map((id) => `${titleOf(id)} ${count(loaded[id].items)}`)
    .join(', ')}.`;
}

function halfLoadSection(results) {
  const runs = results.parts.half_load?.runs;
  if (!runs) return '';
  const rows = runs.map((run) => [
    titles[run.operation],
    titleOf(run.peer),
    figure(run.rate),
    ...latencies(run),
    figure(run.latency_us.p999),
    figure(run.latency_us.max),
  ]);
  return `Requests at a fixed rate, half of the server's own throughput at 64 connections; latency counts from when a request was due. Microseconds.\n\n${table(['', '', 'requests/s', 'p50', 'p95', 'p99', 'p99.9', 'max'], rows)}`;
}

const latencies = ({ latency_us }) => [figure(latency_us.p50), figure(latency_us.p95), figure(latency_us.p99)];

// Of several runs of the same case the one with the median throughput.
function allRuns(results) {
  const cases = new Map();
  for (const run of [...(results.parts.ratios?.runs ?? []), ...(results.parts.operations?.runs ?? [])]) {
    const name = `${run.operation} ${run.connections} ${run.peer}`;
    cases.set(name, [...(cases.get(name) ?? []), run]);
  }
  return [...cases.values()].map(
    (runs) => runs.sort((a, b) => a.throughput_per_s - b.throughput_per_s)[Math.floor(runs.length / 2)],
  );
}

function operationSection(results) {
  if (!results.parts.operations) return '';
  const runs = allRuns(results);
  const ids = inTableOrder([...new Set(runs.map((run) => run.peer))]);
  const overview = (title, connections, of) => {
    const rows = all_operations.map((operation) => {
      const cells = ids.map((id) => {
        const run = runs.find(
          (one) => one.peer === id && one.operation === operation && one.connections === connections,
        );
        return run ? cell(results, operation, id, figure(of(run))) : '–';
      });
      return [titles[operation], ...cells];
    });
    return `${title}:\n\n${table(['', ...ids.map(titleOf)], rows)}`;
  };
  const every = [];
  for (const operation of all_operations) {
    for (const id of ids) {
      const of_case = runs
        .filter((run) => run.operation === operation && run.peer === id)
        .sort((a, b) => a.connections - b.connections);
      for (const run of of_case) {
        every.push([
          titles[operation],
          titleOf(id),
          run.connections,
          cell(results, operation, id, figure(run.throughput_per_s)),
          ...latencies(run),
          figure(run.server_cpu_us_per_request),
          checked(run),
        ]);
      }
    }
  }
  return (
    [
      itemsNote(results),
      overview('Requests per second, 64 connections', 64, (run) => run.throughput_per_s),
      overview('p50 in microseconds, 1 connection', 1, (run) => run.latency_us.p50),
      overview('Server CPU per request in microseconds, 64 connections', 64, cpuCost),
      `Every run (latency and CPU in microseconds; "checked" are the answers that were compared with what they had to be):\n\n${table(['', '', 'connections', 'requests/s', 'p50', 'p95', 'p99', 'server CPU', 'checked'], every)}`,
    ].join('\n\n') + unsyncedNote(results, ids)
  );
}

function checked(run) {
  if (run.errors || run.wrong) return `**${count(run.errors)} errors, ${count(run.wrong)} wrong**`;
  return run.checked ? `${count(run.checked)} right` : '–';
}

function footprintSection({ parts }) {
  const { empty, loaded, operations, restart } = parts;
  if (!empty && !loaded) return '';
  const ids = inTableOrder([...new Set([...Object.keys(empty?.peers ?? {}), ...Object.keys(loaded?.peers ?? {})])]);
  const rows = ids.map((id) => {
    const filled = loaded?.peers[id];
    const again = restart?.peers[id];
    return [
      titleOf(id),
      filled ? count(filled.items) : '–',
      empty?.peers[id] ? megabytes(empty.peers[id].memory.pss_bytes) : '–',
      filled ? megabytes(filled.memory.pss_bytes) : '–',
      operations?.memory[id] ? megabytes(operations.memory[id].pss_bytes) : '–',
      filled ? count(diskPerItem(filled)) : '–',
      filled ? megabytes(filled.disk.log_bytes) : '–',
      empty?.peers[id] ? figure(median(empty.peers[id].start_ms)) : '–',
      again ? figure(median(again.clean_ms)) : '–',
      filled ? `${figure(filled.items / filled.seconds)}, ${peerOf(id).loading}` : '–',
    ];
  });
  const head = [
    '',
    'items',
    'memory idle',
    'loaded',
    'after all operations',
    'disk per item, bytes',
    'log on disk',
    'start empty, ms',
    'start with the items, ms',
    'loaded, items/s',
  ];
  const killed = restart?.peers.waybill?.killed_ms;
  const after_kill = killed
    ? `\n\nWaybill after kill -9 under a load of PutItem: first answer after ${figure(median(killed))} ms (median of ${killed.length}).`
    : '';
  return `${table(head, rows)}${after_kill}`;
}

function changesSection({ parts: { changes } }) {
  if (!changes) return '';
  const medianOf = (operation, logged) =>
    figure(median(changes.runs.filter((run) => run.operation === operation && run.logged === logged).map((run) => run.throughput_per_s)));
  const operations = [...new Set(changes.runs.map(({ operation }) => operation))];
  const rows = operations.map((operation) => [
    titles[operation],
    medianOf(operation, false),
    medianOf(operation, true),
    describeShare(keptShares(changes, operation)),
  ]);
  const restored = changes.restores.map(({ items, undone, seconds }) => [
    undone ? `as it was before ${count(undone)} writes` : 'as it is',
    count(items),
    figure(seconds),
    figure(items / seconds),
  ]);
  return [
    'Requests per second at 64 connections, in turns on the same table: without a stream and recovery, and with both (both images of every item in the log). Medians of the rounds; the share is the median of the rounds.',
    table(['', 'neither', 'both', 'kept'], rows),
    'The table restored, with its two indexes, from the request to `ACTIVE`:',
    table(['', 'items', 'seconds', 'items/s'], restored),
  ].join('\n\n');
}

function growthSection({ parts }) {
  const { growth } = parts;
  if (!growth) return '';
  const nameOf = ({ items, one_partition, again }) =>
    `${count(items)} items${one_partition ? ', one partition' : ''}${again ? ', again' : ''}`;
  const costTable = (title, connections, of, write) => {
    const rows = operationsOf(growth).map((operation) => {
      const found = growth.points.map((point) => runAt(point, operation, connections));
      const base = baseCost(growth.points, operation, connections, of);
      return [titles[operation], ...found.map((run) => (run ? `${write(of(run))} (${times(of(run) / base)})` : '–'))];
    });
    return `${title}:\n\n${table(['', ...growth.points.map(nameOf)], rows)}`;
  };
  const facts = growth.points.map((point) => [
    nameOf(point),
    megabytes(point.memory.pss_bytes),
    count(diskPerItem(point)),
    figure(median(point.start_ms)),
    figure(point.items / point.seconds),
    figure(point.settled.waited_s),
  ]);
  const short = growth.points
    .filter((point) => point.items < point.wanted_items)
    .map((point) => `The disk had room for ${count(point.items)} of ${count(point.wanted_items)} items only.\n\n`);
  return [
    `${short.join('')}![Cost per operation as the table grows](${plot_file})`,
    costTable(
      'Server CPU per operation in microseconds, 64 connections; in brackets against the smallest table (mean of its two measurements)',
      64,
      cpuCost,
      figure,
    ),
    costTable('Time per operation in microseconds, 64 connections: 1 / throughput', 64, timeCost, (s) =>
      figure(s * 1e6),
    ),
    costTable('p50 in microseconds, 1 connection', 1, (run) => run.latency_us.p50, figure),
    coldTable(growth, nameOf),
    table(
      ['', 'memory loaded', 'disk per item, bytes', 'start, ms', 'loaded, items/s', 'quiet after loading, s'],
      facts,
    ),
  ].join('\n\n');
}

// What reads cost while Waybill's caches are still empty.
function coldTable({ points }, nameOf) {
  const operations = [...new Set(points.flatMap(({ cold_runs = [] }) => cold_runs.map(({ operation }) => operation)))];
  const rows = operations.map((operation) => [
    titles[operation],
    ...points.map(({ cold_runs = [] }) => {
      const run = cold_runs.find((each) => each.operation === operation);
      return run ? `${figure(cpuCost(run))} (${count(run.throughput_per_s)}/s)` : '–';
    }),
  ]);
  return `Server CPU per operation in microseconds in the first seconds after a start, 64 connections:\n\n${table(['', ...points.map(nameOf)], rows)}`;
}

const operationsOf = ({ points }) =>
  Object.keys(titles).filter((operation) => points.some((point) => runAt(point, operation, 64)));

// As many lines as can be told apart.
const drawn_operations = ['get', 'query', 'put', 'update', 'put_new', 'delete'];

// The growth plot as SVG, or null where growth was not measured.
export function growthPlot({ parts }) {
  const points = (parts.growth?.points ?? []).filter((point) => !point.again);
  const together = points.find((point) => point.one_partition);
  if (points.filter((point) => point !== together).length < 2) return null;
  const series = (connections, of) =>
    drawn_operations
      .filter((operation) => operationsOf(parts.growth).includes(operation))
      .map((operation) => {
        // The smallest table was measured twice.
        const valueAt = (point) =>
          point === points[0]
            ? baseCost(parts.growth.points, operation, connections, of)
            : of(runAt(point, operation, connections));
        const at = (wanted) =>
          points
            .filter((point) => point.one_partition === wanted && runAt(point, operation, connections))
            .map((point) => ({ items: point.items, value: valueAt(point) }));
        return { name: operation.replace('_', ' '), points: at(false), apart: at(true) };
      });
  return plot({
    title: 'Cost per operation as the table grows',
    apart_means: together && `${count(together.items)} items in one partition`,
    panels: [
      { title: 'Server CPU per operation, 64 connections', unit: 'µs', series: series(64, cpuCost) },
      { title: 'p50, 1 connection', unit: 'µs', series: series(1, (run) => run.latency_us.p50) },
    ],
  });
}

// What is printed at the end of a run.
export function summary(results) {
  const rows = holdAgainstTargets(results).filter(({ measured }) => measured !== undefined);
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  return rows
    .map(
      ({ name, asked, measured, spread, reached, note }) =>
        `${reached ? ' reached ' : ' MISSED  '} ${name.padEnd(width)}  ${measured.padStart(9)}  (asked: ${asked}${spread ? `; seen: ${spread}` : ''})${note ? `  ${note}` : ''}`,
    )
    .join('\n');
}
