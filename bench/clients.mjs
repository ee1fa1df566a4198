// Processes of Node.js that use a library as its users would, and are told by the benchmark what to do.
import { start } from './processes.mjs';

// A process that does not answer for so long has failed.
const silence_ms_max = 120_000;

export class ClientProcess {
  #process;
  #waiting;

  // `program` says {ready}, then answers each task with {result} or {error}, and may say {progress} meanwhile.
  constructor(program, args) {
    this.ready = this.#wait();
    this.#process = start(process.execPath, [program, ...args.map(String)], {
      onMessage: (message) => this.#take(message),
    });
    this.#process.exited.then((how) =>
      this.#waiting.reject(new Error(`${args[0]} ended with ${how}: ${this.#process.output()}`)),
    );
  }

  get pid() {
    return this.#process.pid;
  }

  #wait() {
    const waiting = Promise.withResolvers();
    this.#waiting = waiting;
    const timer = setTimeout(() => waiting.reject(new Error('a client does not answer')), silence_ms_max);
    this.#waiting.heard = () => timer.refresh();
    return waiting.promise.finally(() => clearTimeout(timer));
  }

  #take({ result, error, ready, progress }) {
    this.#waiting.heard();
    if (error) this.#waiting.reject(new Error(error));
    else if (result ?? ready) this.#waiting.resolve(result);
    else this.onProgress?.(progress);
  }

  do(task) {
    const done = this.#wait();
    this.#process.send(task);
    return done;
  }

  end() {
    this.#waiting.promise.catch(() => {});
    this.#process.kill();
  }
}

export const inAll = (each, task) => Promise.all(each.map((client) => client.do(task)));
