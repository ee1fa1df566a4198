// Every operation on every server at 1 and 64 connections, Waybill also at 256; what the rounds have measured
// already is not measured again. Memory after all of it.
import { memory, untilQuiet } from '../measure.mjs';
import { megabytes } from '../numbers.mjs';
import { peerOf } from '../peers/index.mjs';
import { all_operations } from '../plan.mjs';

const connectionsOf = (id) => (id === 'waybill' ? [1, 64, 256] : [1, 64]);

function cases(id) {
  const operations = all_operations.filter((operation) => peerOf(id).can(operation));
  return operations.flatMap((operation) => connectionsOf(id).map((connections) => ({ operation, connections })));
}

export const seconds = ({ peers, operation_seconds, warmup_seconds }) =>
  peers.reduce((sum, id) => sum + cases(id).length, 0) * (operation_seconds + warmup_seconds + 0.6);

export async function measure({ plan, fleet, results, say, driver }) {
  const known = results.parts.ratios?.runs ?? [];
  const isKnown = (id, { operation, connections }) =>
    known.some((run) => run.peer === id && run.operation === operation && run.connections === connections);
  const runs = [];
  const memories = {};
  for (const peer of fleet.all()) {
    for (const one of cases(peer.id).filter((one) => !isKnown(peer.id, one))) {
      await untilQuiet(fleet.all(), { for_s: 0.3, timeout_s: plan.quiet_seconds_max });
      const flags = {
        ...fleet.flagsFor(peer, one.operation, { warmup: plan.warmup_seconds }),
        connections: one.connections,
        seconds: plan.operation_seconds,
      };
      await driver.drive(runs, peer, one.operation, flags);
    }
    memories[peer.id] = memory(peer);
    say(`${peer.id}: ${megabytes(memories[peer.id].pss_bytes)} after all operations`);
  }
  return { runs, memory: memories };
}
