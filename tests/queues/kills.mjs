// Kills the server at random moments, on one data directory, and starts it again: under load, and while it starts.

import {pause} from './workers.mjs';

export class Kills {
  constructor(server, random) {
    this.server = server;
    this.random = random;
    this.count = 0;
    this.during_start = 0;
  }

  // Until stop() is called; then the server is up.
  begin() {
    this.stopping = false;
    this.done = this.#run();
  }

  async stop() {
    this.stopping = true;
    await this.done;
  }

  async once() {
    await this.server.kill();
    this.count++;
    for (let i = this.random.weighted([[8, 0], [1, 1], [1, 2]]); i > 0; i--) {
      await this.server.spawn();
      await pause(this.random.between(0, 60));
      await this.server.kill();
      this.during_start++;
    }
    await this.server.start();
  }

  async #run() {
    for (;;) {
      const at = Date.now() + this.random.weighted([[2, this.random.between(20, 300)], [3, this.random.between(300, 1500)]]);
      while (Date.now() < at && !this.stopping) await pause(10);
      if (this.stopping) return;
      await this.once();
    }
  }
}
