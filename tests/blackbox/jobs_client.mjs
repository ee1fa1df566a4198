// What the tests of the jobs API share: a server with the contracts in force, and a client that is plain fetch.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { startServer, unique } from './harness.mjs';

export const contracts = fileURLToPath(new URL('../../contracts', import.meta.url));
export const startJobs = (options = {}) =>
  startServer({ ...options, args: ['--contracts', contracts, ...(options.args ?? [])] });

// api('POST', 'orchestrator/job', {…}) -> {status, headers, body}; the body is parsed where it is JSON.
export const clientOf = (endpoint) => async (method, path, body, headers = {}) => {
  const response = await fetch(`${endpoint}/v1/${path}`, {
    method,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : text };
};

// The answer has this status; its body is given.
export async function ok(promise, status = 200) {
  const answer = await promise;
  assert.equal(answer.status, status, answer.text);
  return answer.body;
}

// The call is refused with this problem; `more` are members that it must have (rule, field).
export async function refused(promise, status, name, more = {}) {
  const answer = await promise;
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  assert.equal(answer.body.status, status);
  assert.ok(answer.body.type.endsWith(`/problems/${name}`), `${answer.body.type} is not ${name}: ${answer.text}`);
  assert.ok(answer.body.title);
  for (const [member, value] of Object.entries(more)) assert.equal(answer.body[member], value, answer.text);
  return answer.body;
}

// A run of a workflow, in a workspace of its own where none is given.
export const newRun = (fields = {}) => ({
  workspace_id: unique('ws'),
  user_id: 'u1',
  workflow_id: 'wf1',
  trigger_type: 'manual',
  idempotency_key: unique('key'),
  steps_total: 3,
  ...fields,
});

export const newPhoto = (fields = {}) => ({ userId: unique('user'), fileSize: 10, fileType: 'image/png', provider: 'stub', ...fields });

export const newImage = (fields = {}) => ({
  userId: unique('user'),
  originalFilename: 'a.png',
  mimeType: 'image/png',
  fileSize: 10,
  ...fields,
});

// Reads server-sent events: events.next() gives {id, event, data}.
export async function listen(endpoint, path, headers = {}) {
  const abort = new AbortController();
  const response = await fetch(`${endpoint}/v1/${path}`, { headers, signal: abort.signal });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async () => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += value;
        continue;
      }
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const event = {};
      for (const line of lines) event[line.slice(0, line.indexOf(':'))] = line.slice(line.indexOf(':') + 2);
      if (event.event === undefined) continue;
      return { id: event.id, event: event.event, data: JSON.parse(event.data) };
    }
  };
  return { next, close: () => abort.abort() };
}
