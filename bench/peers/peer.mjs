// What the benchmark knows of a server: how it starts and stops, where it keeps its data, when it answers.
//
// One object is one server with one folder. Subclasses name the server and say how it is started; the rest
// (readiness, process tree, disk, memory) is the same for all.
import { existsSync, readdirSync, statSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { end, freePort, processTree, sleep, start } from '../processes.mjs';

export class Peer {
  // The name in --only and in the results.
  static id;
  // The name in tables.
  static title;
  // What it promises about a write that was answered, as it is configured here.
  static durability;
  // Whether it keeps what it is given; the null server does not.
  static stores = true;
  // Items it is asked to hold in a full run, in reason.
  static items_max = 1_000_000;

  // Messages that a queue of it is asked to hold, in reason.
  static messages_max = 1_000_000;
  // The name in libraries/ of the library that its queues are used through; none: it speaks SQS's protocol.
  static library;

  // Whether it can answer an operation of waybill_load.
  static can() {
    return true;
  }

  // How its items are loaded, in the words of the tables.
  static loading = 'BatchWriteItem of 25';

  // Throws, saying what to do, where the server is not installed.
  static async check() {}
  // The version it reports.
  static async version() {}

  constructor(folder) {
    this.folder = folder;
  }

  get id() {
    return this.constructor.id;
  }

  // Command, arguments and user that serve this.folder on this.port.
  commandLine() {
    throw new Error(`${this.id} does not say how it is started`);
  }

  // What must exist in the folder before the first start.
  async prepare() {}

  // Spawns the server and resolves when it has given its first answer; returns the milliseconds that took from
  // just before the spawn.
  async start({ timeout_ms = 60_000 } = {}) {
    this.port = await freePort();
    const { command, args, ...options } = this.commandLine();
    const process_ = start(command, args, options);
    this.process = process_;
    for (;;) {
      if (await this.answers()) break;
      const waited_ms = performance.now() - process_.started_ms;
      if (process_.ended !== undefined || waited_ms > timeout_ms) {
        process_.kill();
        throw new Error(`${this.id} did not get ready (${process_.ended ?? 'still starting'}):\n${process_.output()}`);
      }
      await sleep(1);
    }
    return performance.now() - process_.started_ms;
  }

  async stop(signal = 'SIGTERM') {
    if (!this.process) return;
    await end(this.process, { signal });
    this.process = undefined;
  }

  isRunning() {
    return this.process !== undefined && this.process.ended === undefined;
  }

  // Throws what the server said where it is not running any more.
  assertRunning() {
    if (this.isRunning()) return;
    throw new Error(`${this.id} ended by itself (${this.process?.ended}):\n${this.process?.output()}`);
  }

  pids() {
    this.assertRunning();
    return processTree(this.process.pid);
  }

  // Whether it has made what it makes for each of so many connections; for most that is nothing.
  hasTaken() {
    return true;
  }

  // Fills the folder, before the first start, with what `source` has in `table`. False where it cannot: then the items
  // are written through requests.
  async importFrom() {
    return false;
  }

  // Where waybill_load finds it.
  get target() {
    return `http://127.0.0.1:${this.port}`;
  }

  // One connection, one ListTables: whether it was answered with 200.
  answers() {
    return ask(this.port, list_tables, isGood);
  }

  // Whether a file of the folder (by its path from there) is a log that is written before the data proper, and
  // whose size says nothing about the number of items.
  isLog() {
    return false;
  }

  // Bytes on disk as allocated, and how much of it is log.
  diskUse() {
    const use = { total_bytes: 0, log_bytes: 0 };
    for (const entry of readdirSync(this.folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!existsSync(path)) continue;
      const allocated_bytes = statSync(path).blocks * 512;
      use.total_bytes += allocated_bytes;
      if (entry.isFile() && this.isLog(path.slice(this.folder.length + 1))) use.log_bytes += allocated_bytes;
    }
    return use;
  }
}

// Headers of a request to DynamoDB or another service. The signature is not a true one: no server here looks at it,
// but some want to see one.
const headersFor = (service, target) => ({
  'Content-Type': 'application/x-amz-json-1.0',
  'X-Amz-Target': target,
  'X-Amz-Date': '20250101T000000Z',
  Authorization:
    `AWS4-HMAC-SHA256 Credential=any/20250101/us-east-1/${service}/aws4_request, ` +
    `SignedHeaders=host;x-amz-date;x-amz-target, Signature=${'0'.repeat(64)}`,
});

export const requestHeaders = (operation) => headersFor('dynamodb', `DynamoDB_20120810.${operation}`);
export const queueHeaders = (operation) => headersFor('sqs', `AmazonSQS.${operation}`);

const questionOf = (headers) =>
  [
    'POST / HTTP/1.1',
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Length: 2',
    '',
    '{}',
  ].join('\r\n');
const list_tables = questionOf(requestHeaders('ListTables'));
const list_queues = questionOf(queueHeaders('ListQueues'));
const isGood = (answer) => answer.includes('\r\n\r\n') && answer.startsWith('HTTP/1.1 200');

// One connection, one ListQueues: whether it was answered with 200.
export const askForQueues = (port) => ask(port, list_queues, isGood);

// Connects to 127.0.0.1, sends `question`, and resolves to whether `isAnswer` held for what came back. A refused
// or closed connection is a no.
export function ask(port, question, isAnswer) {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    let answer = '';
    const decide = (yes) => (socket.destroy(), resolve(yes));
    socket.setEncoding('latin1').setTimeout(5_000, () => decide(false));
    socket.once('connect', () => socket.write(question));
    socket.on('data', (text) => isAnswer((answer += text)) && decide(true));
    socket.once('error', () => decide(false));
    socket.once('close', () => resolve(false));
  });
}
