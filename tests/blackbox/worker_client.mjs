// What tests of workers share: a server without workers of its own, and `waybill work` beside it.
import { SQS } from '@aws-sdk/client-sqs';
import { clientConfig, runBinary, scratchDir, until } from './harness.mjs';
import { clientOf, ok, startJobs } from './jobs_client.mjs';

// Runs `waybill work` for a server; its files go into a folder of its own.
export function startWorker(server, args = [], { env = {} } = {}) {
  const temp = scratchDir();
  const run = runBinary(['work', '--endpoint', server.endpoint, '--temp', temp, ...args], { env });
  // One that has just begun does not know yet what it is to do when it is asked to end.
  const isUp = () => run.output.includes('waybill works for') || run.child.exitCode !== null || run.child.signalCode !== null;
  const stop = async (signal = 'SIGTERM') => {
    if (signal === 'SIGTERM') await until('the worker is up', isUp);
    run.child.kill(signal);
    return run.exited;
  };
  return { run, temp, stop };
}

export class WorkerBench {
  static async start({ args = [], workerArgs = [], env = {}, keys = {} } = {}) {
    const bench = new WorkerBench();
    bench.server = await startJobs({ args });
    bench.api = clientOf(bench.server.endpoint);
    bench.sqs = new SQS(clientConfig({ endpoint: bench.server.endpoint, ...keys }));
    bench.worker = startWorker(bench.server, workerArgs, { env });
    return bench;
  }

  async stop() {
    const code = await this.worker.stop();
    await this.server.stop();
    return code;
  }

  create(kind, fields) {
    return ok(this.api('POST', kind, fields), 201);
  }

  get(path) {
    return ok(this.api('GET', path));
  }

  // Says that a record is ready, as the arrival of its upload does.
  announce(queue, body) {
    return this.sqs.sendMessage({ QueueUrl: `${this.server.endpoint}/000000000000/${queue}`, MessageBody: JSON.stringify(body) });
  }

  // The record once its field is one of these values.
  ended(path, field, values, options = {}) {
    return until(`${path} is ${values.join(' or ')}`, async () => {
      const record = await this.get(path);
      return values.includes(record[field]) && record;
    }, { timeout_ms: 30_000, ...options });
  }
}
