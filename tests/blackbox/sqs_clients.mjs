// What the tests of queues share: a client for each of the two protocols, and queues that nobody else uses.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { SQS } from '@aws-sdk/client-sqs';
import { clientConfig, credentials, endpoint, unique } from './harness.mjs';

process.env.AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE = '1';
const require = createRequire(import.meta.url);
const older = { endpoint, region: 'us-east-1', ...credentials, maxRetries: 0 };

// The methods of an SDK v2 client, each giving a promise.
const promising = (client) =>
  new Proxy(client, { get: (target, name) => (parameters) => target[name](parameters ?? {}).promise() });

// v3 and the last v2 speak JSON; a v2 from before 2023-11 speaks the query protocol.
export const sqs = new SQS(clientConfig());
export const sqsOf = (overrides) => new SQS(clientConfig(overrides));
export const sqs2 = promising(new (require('aws-sdk').SQS)(older));
export const sqsQuery = promising(new (require('aws-sdk-query').SQS)(older));

export const clients = { 'v3, JSON': sqs, 'v2, JSON': sqs2, 'v2, query': sqsQuery };

export const arnOf = (name) => `arn:aws:sqs:us-east-1:000000000000:${name}`;
export const nameOf = (url) => url.split('/').at(-1);

// A new queue's URL. FIFO where the name asked for ends so.
export async function createQueue(Attributes = {}, { fifo = false, client = sqs, ...rest } = {}) {
  const QueueName = unique('q') + (fifo ? '.fifo' : '');
  const all = fifo ? { FifoQueue: 'true', ...Attributes } : Attributes;
  return (await client.createQueue({ QueueName, Attributes: all, ...rest })).QueueUrl;
}

export const attributesOf = async (QueueUrl, ...names) =>
  (await sqs.getQueueAttributes({ QueueUrl, AttributeNames: names.length ? names : ['All'] })).Attributes ?? {};

// Everything that can be received now, one receive after the other.
export async function receiveAll(QueueUrl, request = {}) {
  const messages = [];
  for (;;) {
    const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, ...request });
    if (Messages.length === 0) return messages;
    messages.push(...Messages);
  }
}

// The call is refused with this code in the words of the query protocol, which every SDK tells in its own field.
export async function refusedWith(promise, code, message) {
  let error;
  try {
    await promise;
  } catch (caught) {
    error = caught;
  }
  assert.ok(error, `expected ${code}: ${message}, but the call succeeded`);
  assert.equal(error.Code ?? error.code ?? error.name, code, `${error.name}: ${error.message}`);
  if (message instanceof RegExp) assert.match(error.message, message);
  else if (message !== undefined) assert.equal(error.message, message);
  return error;
}

// One form of the query protocol without an SDK between.
export async function form(parameters, { path = '/', method = 'POST', headers = {} } = {}) {
  const text = new URLSearchParams({ Version: '2012-11-05', ...parameters }).toString();
  const response =
    method === 'GET'
      ? await fetch(`${endpoint}${path}?${text}`, { headers })
      : await fetch(`${endpoint}${path}`, {
          method,
          headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', ...headers },
          body: text,
        });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export const element = (xml, name) => xml.match(new RegExp(`<${name}>([^<]*)</${name}>`))?.[1];
