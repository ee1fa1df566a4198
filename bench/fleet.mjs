// The servers of one run and their folders.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { peerOf } from './peers/index.mjs';

// Where waybill_load keeps what it knows of a server's items from run to run.
export const stateFile = (peer) => `${peer.folder}.state`;

export class Fleet {
  #folder;
  #kept = [];
  #made = 0;

  // `folder` gets a folder for each server.
  constructor(folder) {
    this.#folder = folder;
  }

  // A server that has what it needs to be started; `purpose` is part of its folder's name.
  async make(id, purpose) {
    const folder = join(this.#folder, `${(this.#made += 1)}-${id}-${purpose}`);
    mkdirSync(folder, { recursive: true });
    const peer = new (peerOf(id))(folder);
    await peer.prepare();
    return peer;
  }

  // Stops a server and removes its data.
  async remove(peer) {
    this.#kept = this.#kept.filter((one) => one !== peer);
    await peer.stop();
    rmSync(peer.folder, { recursive: true, force: true });
    rmSync(stateFile(peer), { force: true });
  }

  // Hands a running server over to the parts that come later.
  keep(peer) {
    this.#kept.push(peer);
  }

  all() {
    return this.#kept;
  }

  some(ids) {
    return this.#kept.filter((peer) => ids.includes(peer.id));
  }

  stores() {
    return this.#kept.filter((peer) => peerOf(peer.id).stores);
  }

  // What waybill_load must be told to run an operation on a server. Each call is for one run: runs choose other items
  // than those before, new items get ids of their own, and what is deleted is a quarter of the table that no run has
  // deleted before. Deletes have no warm-up: it would use up a small table.
  flagsFor(peer, operation, { warmup = 0 } = {}) {
    peer.runs = (peer.runs ?? 0) + 1;
    const flags = { ...(peer.workload ?? {}), seed: peer.runs, round: peer.runs, warmup };
    if (operation !== 'delete') return flags;
    const quarter = Math.floor(flags.items / 4);
    peer.deleted = (peer.deleted ?? -1) + 1;
    return { ...flags, warmup: 0, first: peer.deleted * quarter, count: quarter };
  }

  async removeAll() {
    for (const peer of [...this.#kept]) await this.remove(peer);
  }
}
