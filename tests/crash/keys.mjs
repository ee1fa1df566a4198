// The key file of an encrypted server. A new key comes first; all before it stay, since a kill may leave
// files under any of them.

import {randomBytes} from 'node:crypto';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';

const keys_max = 16; // that the server takes

export class Keys {
  constructor() {
    this.directory = mkdtempSync(path.join(tmpdir(), 'waybill-keys-'));
    this.file = path.join(this.directory, 'keys');
    this.keys = [];
    this.#add();
  }

  get changes() {
    return this.keys.length - 1;
  }

  // Adds a key and tells the server; false where it would be one too many.
  change(server) {
    if (this.keys.length === keys_max) return false;
    this.#add();
    server.child.kill('SIGHUP');
    return true;
  }

  #add() {
    this.keys.unshift(randomBytes(32).toString('hex'));
    writeFileSync(this.file, this.keys.map((key) => `${key}\n`).join(''), {mode: 0o600});
  }

  remove() {
    rmSync(this.directory, {recursive: true, force: true});
  }
}
