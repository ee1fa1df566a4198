// Each server by itself with nothing in it: start to first answer, and memory two seconds later.
import { memory } from '../measure.mjs';
import { megabytes, median } from '../numbers.mjs';
import { sleep } from '../processes.mjs';

export const seconds = ({ peers, starts }) => peers.length * (starts * 0.3 + 4);

export async function measure({ plan, fleet, say }) {
  const found = {};
  for (const id of plan.peers) {
    const peer = await fleet.make(id, 'empty');
    // The first start makes the store; the ones that count find it made.
    const first_start_ms = await peer.start();
    await peer.stop();
    const start_ms = [];
    for (let n = 0; n < plan.starts; n += 1) {
      start_ms.push(await peer.start());
      if (n + 1 < plan.starts) await peer.stop();
    }
    await sleep(2000);
    found[id] = { first_start_ms, start_ms, memory: memory(peer) };
    say(`${id}: first answer after ${median(start_ms).toFixed(1)} ms, ${megabytes(found[id].memory.pss_bytes)} idle`);
    await fleet.remove(peer);
  }
  return { peers: found };
}
