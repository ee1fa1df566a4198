// One server process on one data directory: started, killed, started again.

import {spawn} from 'node:child_process';
import http from 'node:http';
import {existsSync} from 'node:fs';
import {free_port, waybill_binary, dynoxide_binary} from '../differential/servers.mjs';

const ready_within_ms = 20_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Waybill is under test. dynoxide stands in for it only while this test itself is being written.
const programs = {
  waybill: (port, directory, workers) => [waybill_binary(), ['serve', '--listen', `127.0.0.1:${port}`, '--data', directory, '--workers', workers]],
  dynoxide: (port, directory) => [dynoxide_binary(), ['serve', '--host', '127.0.0.1', '--port', String(port), '--db-path', `${directory}/d.db`]],
};

export class Server {
  constructor(directory, {program = 'waybill', wrap = (command) => command, more = [], workers = 'none'} = {}) {
    this.directory = directory;
    this.program = program;
    this.wrap = wrap;
    this.more = more; // parameters behind the usual ones
    this.workers = workers; // built-in ones that run
    this.child = null;
    this.output = '';
  }

  // Starts the process and returns at once. `exit` then resolves to {code, signal} when it ends.
  async spawn() {
    this.port ??= await free_port();
    this.url = `http://127.0.0.1:${this.port}`;
    const [binary, plain] = programs[this.program](this.port, this.directory, this.workers);
    if (!existsSync(binary)) throw new Error(`${binary} is not there`);
    const [command, ...parameters] = this.wrap([binary, ...plain, ...this.more]);
    this.output = '';
    this.child = spawn(command, parameters, {stdio: ['ignore', 'pipe', 'pipe']});
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on('data', (chunk) => { this.output = (this.output + chunk).slice(-20_000); });
    const child = this.child;
    this.exit = new Promise((resolve) => child.on('exit', (code, signal) => resolve({code, signal})));
    this.exited = false;
    this.exit.then(() => { if (this.child === child) this.exited = true; });
    process.on('exit', () => child.kill('SIGKILL'));
    process.setMaxListeners(0);
  }

  // True when the server answers; false when the process ended first, or time ran out.
  async ready() {
    const deadline = Date.now() + ready_within_ms;
    while (Date.now() < deadline && !this.exited) {
      if (await this.#healthy()) return true;
      await pause(5);
    }
    return false;
  }

  #healthy() {
    return new Promise((resolve) => {
      const request = http.get(`${this.url}${this.program === 'waybill' ? '/health' : '/'}`, {timeout: 2000, agent: false}, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode === 200));
        response.on('error', () => resolve(false));
      });
      request.on('timeout', () => request.destroy());
      request.on('error', () => resolve(false));
    });
  }

  async start() {
    await this.spawn();
    if (!(await this.ready())) throw new Error(`the server did not become ready\n${this.output}`);
  }

  async kill() {
    this.child.kill('SIGKILL');
    await this.exit;
  }

  async stop() {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 5000);
    const how = await this.exit;
    clearTimeout(timer);
    return how;
  }
}
