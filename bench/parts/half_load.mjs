// Latency at half of what each server carried at 64 connections: requests come at a fixed rate, and waiting for a
// late answer counts.
import { untilQuiet } from '../measure.mjs';
import { median } from '../numbers.mjs';

const operations = ['get', 'put'];
const measured_peers = ['waybill', 'dynoxide', 'postgres'];

export const seconds = ({ peers, half_load_seconds, warmup_seconds }) =>
  operations.length *
  peers.filter((id) => measured_peers.includes(id)).length *
  (half_load_seconds + warmup_seconds + 1);

export async function measure({ plan, fleet, results, driver }) {
  const runs = [];
  for (const operation of operations) {
    for (const peer of fleet.some(measured_peers)) {
      const at_full = results.parts.ratios.runs.filter(
        (run) => run.peer === peer.id && run.operation === operation && run.connections === 64,
      );
      if (!at_full.length) continue;
      const rate = Math.round(median(at_full.map((run) => run.throughput_per_s)) / 2);
      await untilQuiet(fleet.all(), { for_s: 0.5, timeout_s: plan.quiet_seconds_max });
      const flags = {
        ...fleet.flagsFor(peer, operation, { warmup: plan.warmup_seconds }),
        connections: 64,
        rate,
        seconds: plan.half_load_seconds,
      };
      await driver.drive(runs, peer, operation, flags, { label: 'half load  ' });
    }
  }
  return { runs };
}
