// Fills each server with the same items and leaves it running for the parts after this one.
import { stateFile } from '../fleet.mjs';
import { memory, runLoad, untilQuiet } from '../measure.mjs';
import { count, duration, figure, megabytes } from '../numbers.mjs';
import { peerOf } from '../peers/index.mjs';

const items_per_s = { waybill: 20_000, dynoxide: 5_000, dynalite: 2_500, postgres: 40_000 };

export const seconds = ({ peers, items }) =>
  peers.reduce(
    (sum, id) => sum + (items_per_s[id] ? Math.min(items, peerOf(id).items_max) / items_per_s[id] + 5 : 1),
    0,
  );

export async function measure({ plan, fleet, say, driver }) {
  const found = {};
  for (const id of plan.peers) {
    const peer = await fleet.make(id, 'loaded');
    try {
      if (peerOf(id).stores)
        found[id] = await fill(peer, Math.min(plan.items, peerOf(id).items_max), {
          source: fleet.some(['waybill'])[0],
        });
      else await peer.start();
    } catch (error) {
      if (id === 'waybill') throw error;
      driver.note(`${id} could not be loaded and is left out: ${error.message}`);
      await fleet.remove(peer);
      continue;
    }
    fleet.keep(peer);
    if (found[id]) say(`${id}: ${describe(found[id])}`);
  }
  return { peers: found };
}

// Makes the table with its items, leaves the server running, and waits until it has done what it does afterwards.
// `source` is a server with the same items, from which they may be copied.
export async function fill(peer, items, { users, source } = {}) {
  const table = { items, users: users ?? Math.ceil(items / 20) };
  peer.workload = { ...table, state: stateFile(peer) };
  const began_ms = performance.now();
  const imported = source?.workload.items === items && (await peer.importFrom(source, 'jobs'));
  await peer.start();
  if (!imported) await loadByRequests(peer);
  const seconds = (performance.now() - began_ms) / 1000;
  const settled = await untilQuiet([peer]);
  return { ...table, seconds, settled, disk: peer.diskUse(), memory: memory(peer) };
}

async function loadByRequests(peer) {
  for (const operation of ['create', 'load']) {
    const result = await runLoad(peer, operation, peer.workload);
    if (result.complaint) throw new Error(`${operation} failed: ${JSON.stringify(result)}`);
  }
}

// Bytes on disk for each item, without logs.
export const diskPerItem = ({ disk, items }) => (disk.total_bytes - disk.log_bytes) / items;

function describe(filled) {
  const { items, seconds: taken_s, memory: used } = filled;
  return `${count(items)} items in ${duration(taken_s)} (${figure(items / taken_s)}/s), ${count(diskPerItem(filled))} bytes of disk per item, ${megabytes(used.pss_bytes)}`;
}
