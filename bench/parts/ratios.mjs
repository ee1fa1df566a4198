// The main operations, server by server, several rounds: the machine's mood changes by the minute, so what is
// compared is measured within seconds, and the ratio of each round counts.
import { main_operations } from '../plan.mjs';
import { untilQuiet } from '../measure.mjs';
import { peerOf } from '../peers/index.mjs';

// dynalite is in the table of all operations; no figure is asked against it.
const compared = ({ peers }) => peers.filter((id) => id !== 'dynalite');

// Every case of a round: one operation at one number of connections on the servers that can do it.
function cases(plan) {
  return plan.ratio_connections.flatMap((connections) =>
    main_operations.map((operation) => ({
      operation,
      connections,
      ids: compared(plan).filter((id) => peerOf(id).can(operation)),
    })),
  );
}

const each = ({ ratio_seconds, warmup_seconds, quiet_seconds_max }) =>
  ratio_seconds + warmup_seconds + Math.min(quiet_seconds_max, 2) / 2 + 0.2;

export const seconds = (plan) => plan.rounds * cases(plan).reduce((sum, { ids }) => sum + ids.length, 0) * each(plan);

export async function measure({ plan, fleet, driver }) {
  const runs = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    for (const { operation, connections, ids } of cases(plan)) {
      for (const peer of inOrder(fleet.some(ids), round)) {
        await untilQuiet(fleet.all(), { for_s: 0.3, timeout_s: plan.quiet_seconds_max });
        const flags = {
          ...fleet.flagsFor(peer, operation, { warmup: plan.warmup_seconds }),
          connections,
          seconds: plan.ratio_seconds,
        };
        await driver.drive(runs, peer, operation, flags, { label: `round ${round}  `, facts: { round } });
      }
    }
  }
  return { rounds: plan.rounds, runs };
}

// Each round begins with another server, so that none always comes after the same one.
const inOrder = (peers, round) => peers.map((_, n) => peers[(n + round - 1) % peers.length]);
