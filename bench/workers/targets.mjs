// The figures that built-in workers are to reach: how much longer they take than a plain loop over the same files.
import { median, percent } from '../numbers.mjs';

const overhead_most = 0.15;
const asked_of = { texts: 'counting words', photos: 'converting photos' };

export const places = { server: 'in the server', beside: '`waybill work` beside it' };

// Round by round, what workers took more than the plain loop, as a share of what that took: {median, low, high}; null
// where a side is missing.
export function overheadOf({ runs }, set, place, of = ({ seconds }) => seconds) {
  const shares = runs
    .filter((run) => run.set === set && run.place === place)
    .flatMap((ours) => {
      const plain = runs.find((run) => run.set === set && run.place === 'plain' && run.round === ours.round);
      return plain ? [of(ours) / of(plain) - 1] : [];
    });
  return shares.length ? { median: median(shares), low: Math.min(...shares), high: Math.max(...shares) } : null;
}

// As holdAgainstTargets().
export function workerTargets({ parts: { workers } }) {
  if (!workers) return [];
  return Object.entries(asked_of).flatMap(([set, what]) =>
    Object.entries(places).map(([place, where]) => {
      const found = overheadOf(workers, set, place);
      return {
        name: `${what}, workers ${where}, beyond a plain loop over the same files`,
        asked: `at most ${percent(overhead_most)}`,
        ...(found && {
          measured: percent(found.median),
          spread: `${percent(found.low)} to ${percent(found.high)}`,
          reached: found.median <= overhead_most,
          note: `${workers.slots} at a time`,
        }),
      };
    }),
  );
}
