// What tests of workflows share: a service that the steps call, a folder of workflows, and an orchestrator whose jobs are
// tried again after a second.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { scratchDir } from './harness.mjs';
import { contracts } from './jobs_client.mjs';

// Answers as `answer(request)` says: {status, body, headers, delay_ms}, or nothing for a request that hangs.
export class Service {
  requests = [];
  answered = 0;
  answer = () => ({ status: 200, body: {} });

  async start() {
    this.server = http.createServer(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      const seen = { method: request.method, path: request.url, headers: request.headers, body };
      this.requests.push(seen);
      const answer = await this.answer(seen);
      if (answer === undefined) return;
      setTimeout(() => {
        this.answered += 1;
        response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
        response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
      }, answer.delay_ms ?? 0);
    });
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
}

export class Workflows {
  folder = scratchDir();

  // The text of the steps; {service} is left to the caller.
  add(name, steps) {
    writeFileSync(join(this.folder, `${name}.yaml`), `workflow: ${name}\nsteps:\n${steps}`);
    return name;
  }

  script(name, text) {
    const path = join(this.folder, name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  }
}

// The project's contract, whose backoff is too long for a test, and whose patience with lost workers too short.
export function quickOrchestrator(more = '') {
  const folder = scratchDir();
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(join(contracts, 'orchestrator.yaml'), 'utf8')
    .replace('backoff: [30s, 2m, 10m, 30m]', 'backoff: [1s]').replace('receives: 5', 'receives: 100');
  writeFileSync(join(folder, 'orchestrator.yaml'), text + more);
  return folder;
}
