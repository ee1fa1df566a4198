// Start to first answer with the loaded data: after a clean stop, and for Waybill also after kill -9 under load.
import { runLoad } from '../measure.mjs';
import { median } from '../numbers.mjs';

export const seconds = ({ peers, starts }) => peers.length * starts * 2 + starts * 3;

export async function measure({ plan, fleet, say }) {
  const found = {};
  for (const peer of fleet.stores()) {
    const one = { items: peer.workload.items, clean_ms: await starts(peer, plan.starts, () => peer.stop()) };
    say(`${peer.id}: first answer after ${median(one.clean_ms).toFixed(1)} ms with the data`);
    if (peer.id === 'waybill') {
      one.killed_ms = await starts(peer, plan.starts, async () => {
        await runLoad(peer, 'put', { ...fleet.flagsFor(peer, 'put'), connections: 64, seconds: 1 });
        await peer.stop('SIGKILL');
      });
      say(`${peer.id}: first answer after ${median(one.killed_ms).toFixed(1)} ms after kill -9`);
    }
    found[peer.id] = one;
  }
  return { peers: found };
}

async function starts(peer, times, end) {
  const taken_ms = [];
  for (let n = 0; n < times; n += 1) {
    await end();
    taken_ms.push(await peer.start());
  }
  return taken_ms;
}
