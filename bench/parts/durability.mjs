// Counts the syncs that each server makes for its writes at one connection, so that what is said about durability
// is what was seen.
import { countSyncs, runLoad } from '../measure.mjs';
import { figure } from '../numbers.mjs';

export const seconds = ({ peers }) => peers.length * 3;

export async function measure({ plan, fleet, say }) {
  const found = {};
  for (const peer of fleet.stores()) {
    let result;
    let calls;
    try {
      calls = await countSyncs(peer, async () => {
        result = await runLoad(peer, 'put', {
          ...fleet.flagsFor(peer, 'put'),
          connections: 1,
          requests: plan.sync_writes,
        });
      });
    } catch (error) {
      say(`${peer.id}: syncs were not counted: ${error.message.split('\n')[0]}`);
      continue;
    }
    const syncs = Object.values(calls).reduce((sum, one) => sum + one, 0);
    found[peer.id] = { writes: result.requests, calls, syncs_per_write: syncs / result.requests };
    say(`${peer.id}: ${figure(syncs / result.requests)} syncs per write (${syncs} in ${result.requests})`);
  }
  return { peers: found };
}
