// One client of the jobs API. Every call has an actor of its own, whom the server writes into the history of what the call
// changes, and goes into the round's log: when it began, when it ended, what came of it.
//
// An outcome is `ok`, `refused` (nothing happened), or `unknown`: no answer came, so it may have happened or not.

import http from 'node:http';

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const timeout_ms = 30_000;
const down_pause_ms = 15;
const up_within_ms = 60_000;

function send(agent, url, method, headers, body) {
  return new Promise((resolve) => {
    const request = http.request(url, {agent, method, headers, timeout: timeout_ms}, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString()}));
      response.on('error', (error) => resolve({status: 0, error: error.code}));
      response.on('aborted', () => resolve({status: 0, error: 'aborted'}));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', (error) => resolve({status: 0, error: error.code ?? error.message}));
    request.end(body);
  });
}

function outcome_of({status, error}) {
  if (status >= 200 && status < 300) return 'ok';
  return error === 'ECONNREFUSED' || (status >= 400 && status < 500) ? 'refused' : 'unknown';
}

export class Client {
  #agent = new http.Agent({keepAlive: true, maxSockets: 16});

  // `log`: where calls go. `name`: what its actors are called after.
  constructor(url, name, log) {
    this.url = url;
    this.name = name;
    this.log = log;
    this.calls = 0;
  }

  close() {
    this.#agent.destroy();
  }

  // `about`: what the log is to know besides: {verb, job, lease, fence, …}. A call that found no server is not logged.
  async call(method, path, body, about, {actor = `${this.name}.${++this.calls}`, headers = {}} = {}) {
    const event = {...about, actor, client: this.name, request: body, begin: Date.now(), end: Infinity, outcome: 'unknown'};
    this.log.push(event);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await send(this.#agent, `${this.url}/v1/${path}`, method,
      {'waybill-actor': actor, ...(text ? {'content-type': 'application/json', 'content-length': Buffer.byteLength(text)} : {}), ...headers}, text);
    Object.assign(event, {end: Date.now(), outcome: outcome_of(answer), status: answer.status, error: answer.error});
    if (answer.text) event.body = JSON.parse(answer.text);
    event.problem = event.outcome === 'refused' ? event.body?.type?.split('/').at(-1) ?? answer.error : undefined;
    event.replayed = answer.headers?.['idempotency-replayed'] === 'true';
    if (answer.error === 'ECONNREFUSED') {
      this.log.splice(this.log.indexOf(event), 1);
      event.was_down = true;
      await pause(down_pause_ms);
    }
    return event;
  }

  // A reading, again and again until there is an answer; `allowed` are answers besides 200. Not logged.
  async read(path, {allowed = []} = {}) {
    const deadline = Date.now() + up_within_ms;
    for (;;) {
      const answer = await send(this.#agent, `${this.url}/v1/${path}`, 'GET', {});
      if (answer.status === 200 || allowed.includes(answer.status)) return {status: answer.status, body: JSON.parse(answer.text)};
      if (Date.now() > deadline || (answer.status >= 400 && answer.status < 500)) throw new Error(`GET ${path}: ${answer.status} ${answer.error ?? answer.text}`);
      await pause(down_pause_ms);
    }
  }

  async read_all(path) {
    const items = [];
    let cursor = '';
    do {
      const {body} = await this.read(`${path}${path.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      items.push(...body.items);
      cursor = body.next ?? '';
    } while (cursor);
    return items;
  }

  // SQS, for the depth of a queue and for dead letters; again and again until there is an answer.
  async queue(operation, body) {
    const text = JSON.stringify(body);
    const headers = {
      'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}`, 'content-length': Buffer.byteLength(text),
      'x-amz-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
      authorization: `AWS4-HMAC-SHA256 Credential=A/20300101/us-east-1/sqs/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
    };
    const deadline = Date.now() + up_within_ms;
    for (;;) {
      const answer = await send(this.#agent, this.url, 'POST', headers, text);
      if (answer.status === 200) return answer.text ? JSON.parse(answer.text) : {};
      if (Date.now() > deadline || (answer.status >= 400 && answer.status < 500)) throw new Error(`${operation}: ${answer.status} ${answer.error ?? answer.text}`);
      await pause(down_pause_ms);
    }
  }

  async depth(name) {
    const {Attributes} = await this.queue('GetQueueAttributes', {QueueUrl: `${this.url}/000000000000/${name}`, AttributeNames: ['All']});
    return Number(Attributes.ApproximateNumberOfMessages) + Number(Attributes.ApproximateNumberOfMessagesNotVisible) + Number(Attributes.ApproximateNumberOfMessagesDelayed);
  }
}
