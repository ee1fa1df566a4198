// The DynamoDB protocol by hand: raw HTTP, so that requests no SDK would send can be sent.

import http from 'node:http';

const authorization = 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/us-east-1/dynamodb/aws4_request, '
  + 'SignedHeaders=host;x-amz-date;x-amz-target, Signature=' + '0123456789abcdef'.repeat(4);

// One endpoint, with its own keep-alive connections.
export class Endpoint {
  #agent;
  #url;

  constructor(url, {connections_max = 8, timeout_ms = 30_000} = {}) {
    this.url = url;
    this.#url = new URL(url);
    this.timeout_ms = timeout_ms;
    this.#agent = new http.Agent({keepAlive: true, maxSockets: connections_max});
  }

  // The answer: {status, type, message, body}. `payload` is an object, or text to be sent as it is. Status 0
  // means that no answer came; `message` says why.
  call(operation, payload, service = 'DynamoDB_20120810') {
    const text = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
    const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    return new Promise((resolve) => {
      const request = http.request({
        agent: this.#agent, host: this.#url.hostname, port: this.#url.port, method: 'POST', path: '/', timeout: this.timeout_ms,
        headers: {
          'content-type': 'application/x-amz-json-1.0', 'content-length': text.length, 'x-amz-target': `${service}.${operation}`,
          'x-amz-date': date, authorization,
        },
      }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve(read_answer(response.statusCode, Buffer.concat(chunks).toString())));
        response.on('error', (error) => resolve(no_answer(error)));
      });
      request.on('timeout', () => request.destroy(new Error('timeout')));
      request.on('error', (error) => resolve(no_answer(error)));
      request.end(text);
    });
  }

  async ready(within_ms = 15_000) {
    const deadline = Date.now() + within_ms;
    while (Date.now() < deadline) {
      const answer = await this.call('ListTables', {Limit: 1});
      if (answer.status === 200) return true;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return false;
  }

  close() {
    this.#agent.destroy();
  }
}

const no_answer = (error) => ({status: 0, type: 'NoAnswer', message: error.code ?? error.message, body: null});

function read_answer(status, text) {
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return {status, type: 'NotJson', message: text.slice(0, 200), body: null};
  }
  if (status === 200) return {status, type: '', message: '', body};
  return {status, type: String(body?.__type ?? '').replace(/^.*#/, ''), message: body?.message ?? body?.Message ?? '', body};
}
