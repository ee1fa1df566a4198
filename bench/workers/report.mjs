// The tables of built-in workers in docs/PERFORMANCE.md.
import { count, figure, median, megabytes, percent } from '../numbers.mjs';
import { sets } from './files.mjs';
import { overheadOf, places } from './targets.mjs';

const described = ({ median: middle, low, high }, write) => `**${write(middle)}** (${write(low)} to ${write(high)})`;

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell ?? '–').join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function workersSection({ parts: { workers } }) {
  if (!workers) return '';
  const { slots, rounds } = workers;
  return [
    `${slots} files at a time on each side, in turns, medians of ${rounds} rounds; seconds of the workers are those from ` +
      'the first claim to the last finish, and their CPU is that of all processes, the server included:',
    runsTable(workers),
    'What a job costs that has nothing to do (the words of an empty text), in milliseconds:',
    emptyTable(workers),
    'Other counters over some of the same texts, for orientation:',
    countersTable(workers),
  ].join('\n\n');
}

function runsTable(workers) {
  const rows = Object.entries(workers.sets).flatMap(([set, { files, bytes }]) =>
    ['plain', ...Object.keys(places)].map((place) => {
      const runs = workers.runs.filter((run) => run.set === set && run.place === place);
      const seconds = median(runs.map((run) => run.seconds));
      const overhead = place === 'plain' ? null : overheadOf(workers, set, place);
      const cpu = place === 'plain' ? null : overheadOf(workers, set, place, (run) => run.cpu_seconds);
      return [
        place === 'plain' ? `${sets[set].title}: ${count(files)}, ${megabytes(bytes)}` : '',
        places[place] ?? 'plain loop',
        figure(seconds),
        figure(files / seconds),
        figure(bytes / 1e6 / seconds),
        figure(median(runs.map((run) => run.cpu_seconds))),
        overhead && described(overhead, percent),
        cpu && described(cpu, percent),
      ];
    }),
  );
  return table(['', '', 'seconds', 'files/s', 'MB/s', 'CPU, seconds', 'longer by', 'more CPU by'], rows);
}

function emptyTable({ empty, slots }) {
  const rows = Object.entries(empty).map(([place, runs]) => [
    places[place],
    figure(median(runs.map(({ seconds, jobs }) => (seconds * 1000) / jobs))),
    figure(median(runs.map(({ cpu_seconds, jobs }) => (cpu_seconds * 1000) / jobs))),
  ]);
  return table(['', `a job, ${slots} at a time`, 'CPU of all processes'], rows);
}

const counter_titles = {
  count: "Waybill's counter, plain loop",
  count_icu: 'ICU and a hash map, plain loop',
  wc: '`wc -w`, which knows no rules of Unicode, one after the other',
};

const countersTable = ({ counters }) =>
  table(
    ['', 'MB', 'MB/s'],
    counters.map(({ counter, bytes, seconds }) => [
      counter_titles[counter],
      figure(bytes / 1e6),
      figure(bytes / 1e6 / seconds),
    ]),
  );
