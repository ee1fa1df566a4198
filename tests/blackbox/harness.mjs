// What every black-box test shares: the address of the server under test, clients that speak to it, and
// short ways to say "this must answer that".
//
//   WAYBILL_TEST_ENDPOINT  test a server that already runs, e.g. a peer, to check the tests themselves
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { crc32 } from 'node:zlib';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { startServer, until } from './servers.mjs';

export * from './servers.mjs';

// True where the tests run against another server than ours: a peer, to check the tests themselves.
export const onPeer = process.env.WAYBILL_TEST_ENDPOINT !== undefined;

// Test options for what only Waybill promises, and for what DynamoDB is known to answer otherwise than dynoxide.
export const ours = { skip: onPeer && 'a promise of Waybill alone' };
export const differs = (how) => ({ skip: onPeer && !process.env.WAYBILL_TEST_DIFFERENCES && `dynoxide differs: ${how}` });

// The address of the server that all tests of a run share. run.mjs starts it; a test file run by hand
// starts its own.
export const endpoint =
  process.env.WAYBILL_TEST_ENDPOINT ?? process.env.WAYBILL_STARTED_ENDPOINT ?? (await startServer()).endpoint;
export const address = { host: new URL(endpoint).hostname, port: Number(new URL(endpoint).port) };

// ---------------------------------------------------------------------------------------------- clients

export const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'not-a-secret' };

// One attempt only: a retry would hide what the first answer was.
export const clientConfig = (overrides = {}) => ({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1, ...overrides });

export const db = new DynamoDB(clientConfig());
export const doc = DynamoDBDocument.from(db, { marshallOptions: { removeUndefinedValues: true } });

// A name no other test uses.
export const unique = (prefix = 't') => `${prefix}-${randomBytes(6).toString('hex')}`;

const letters = { S: 'S', N: 'N', B: 'B' };
const keyOf = (spec) => spec.split(' ').map((part) => part.split(':'));

// createTable('pk:S sk:N', { gsi: { ByOwner: 'owner:S at:N' }, lsi: {...}, projection: { ByOwner: [...] | 'KEYS_ONLY' } })
// makes the table, waits until it is ACTIVE, and gives its name.
export async function createTable(key = 'pk:S', { gsi = {}, lsi = {}, projection = {}, client = db, ...rest } = {}) {
  const request = { TableName: unique(), BillingMode: 'PAY_PER_REQUEST', ...tableShape(key, { gsi, lsi, projection }), ...rest };
  await client.createTable(request);
  await active(request.TableName, client);
  return request.TableName;
}

export function tableShape(key, { gsi = {}, lsi = {}, projection = {} } = {}) {
  const attributes = new Map();
  const schema = (spec) =>
    keyOf(spec).map(([name, type], i) => {
      attributes.set(name, letters[type]);
      return { AttributeName: name, KeyType: i === 0 ? 'HASH' : 'RANGE' };
    });
  const index = ([name, spec]) => {
    const wanted = projection[name] ?? 'ALL';
    const Projection = Array.isArray(wanted) ? { ProjectionType: 'INCLUDE', NonKeyAttributes: wanted } : { ProjectionType: wanted };
    return { IndexName: name, KeySchema: schema(spec), Projection };
  };
  const shape = { KeySchema: schema(key) };
  if (Object.keys(gsi).length) shape.GlobalSecondaryIndexes = Object.entries(gsi).map(index);
  if (Object.keys(lsi).length) shape.LocalSecondaryIndexes = Object.entries(lsi).map(index);
  shape.AttributeDefinitions = [...attributes].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
  return shape;
}

// The table's description once the table and all its indexes are ACTIVE.
export async function active(TableName, client = db) {
  return until(`${TableName} is ACTIVE`, async () => {
    const { Table } = await client.describeTable({ TableName });
    const indexes = Table.GlobalSecondaryIndexes ?? [];
    return Table.TableStatus === 'ACTIVE' && indexes.every((i) => i.IndexStatus === 'ACTIVE') && Table;
  });
}

// Every page of a query or scan, as the items and the pages themselves.
export async function pages(operation, request, { client = db } = {}) {
  const all = [];
  let ExclusiveStartKey;
  do {
    const page = await client[operation]({ ...request, ExclusiveStartKey });
    all.push(page);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return { pages: all, items: all.flatMap((page) => page.Items ?? []) };
}

// Writes items (attribute-value maps) in batches of 25.
export async function fill(TableName, items, { client = db } = {}) {
  for (let i = 0; i < items.length; i += 25) {
    let RequestItems = { [TableName]: items.slice(i, i + 25).map((Item) => ({ PutRequest: { Item } })) };
    while (Object.keys(RequestItems ?? {}).length) {
      RequestItems = (await client.batchWriteItem({ RequestItems })).UnprocessedItems;
    }
  }
}

// -------------------------------------------------------------------------------------------- assertions

// The call is refused with this error name and exactly this message (or one the pattern matches).
export async function fails(promise, name, message) {
  let error;
  try {
    await promise;
  } catch (caught) {
    error = caught;
  }
  assert.ok(error, `expected ${name}: ${message}, but the call succeeded`);
  assert.equal(error.name, name, `${error.name}: ${error.message}`);
  if (message instanceof RegExp) assert.match(error.message, message);
  else if (message !== undefined) assert.equal(withoutEnvelope(error.message, message), message);
  return error;
}

// AWS puts "1 validation error detected: " before many of its texts in some regions and on some operations,
// and not on others, and moves it about as it rolls out (captures of 2026). A test that does not ask for it
// accepts the text with or without it.
function withoutEnvelope(actual, expected) {
  const envelope = /^1 validation error detected: /;
  return envelope.test(expected) ? actual : actual.replace(envelope, '');
}

export const invalid = (promise, message) => fails(promise, 'ValidationException', message);
export const conditionFailed = (promise) =>
  fails(promise, 'ConditionalCheckFailedException', 'The conditional request failed');

export const S = (text) => ({ S: text });
export const N = (number) => ({ N: String(number) });

// -------------------------------------------------------------------------------------------------- wire

export const authorization =
  'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20300101/us-east-1/dynamodb/aws4_request, ' +
  'SignedHeaders=host;x-amz-date;x-amz-target, Signature=' + '0'.repeat(64);

export const wireHeaders = (operation) => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': `DynamoDB_20120810.${operation}`,
  'x-amz-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
  authorization,
});

// One call without an SDK between: the body is sent as given (a string or bytes) or as JSON.
export async function call(operation, body, { headers = {}, to = endpoint } = {}) {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const response = await fetch(to, { method: 'POST', headers: { ...wireHeaders(operation), ...headers }, body: bytes });
  const text = await response.text();
  let json;
  try {
    json = JSON.parse(text);
  } catch {}
  return { status: response.status, headers: response.headers, text, json };
}

// The wire answer is an error of this type ("ValidationException") with this message.
export function refused(answer, name, message) {
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.json?.__type?.split('#').at(-1), name, answer.text);
  const text = answer.json.message ?? answer.json.Message;
  if (message instanceof RegExp) assert.match(text, message);
  else if (message !== undefined) assert.equal(withoutEnvelope(text, message), message);
}

// A TCP connection that sends what it is told and reads whole HTTP answers.
export async function connect({ host, port } = address) {
  const socket = net.connect(port, host);
  socket.setNoDelay(true);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.on('error', () => {});
  let buffer = Buffer.alloc(0);
  let closed = false;
  const waiting = new Set();
  const wake = () => waiting.forEach((resolve) => resolve());
  socket.on('data', (chunk) => ((buffer = Buffer.concat([buffer, chunk])), wake()));
  socket.on('close', () => ((closed = true), wake()));

  const moreBytes = (deadline) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => (waiting.delete(done), reject(new Error('no answer in time'))), Math.max(0, deadline - Date.now()));
      const done = () => (clearTimeout(timer), waiting.delete(done), resolve());
      waiting.add(done);
    });

  // The next answer: { status, headers, body }, or null where the server closed without one.
  async function answer({ timeout_ms = 10_000 } = {}) {
    const deadline = Date.now() + timeout_ms;
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      if (end >= 0) {
        const [statusLine, ...lines] = buffer.subarray(0, end).toString('latin1').split('\r\n');
        const headers = Object.fromEntries(lines.map((l) => [l.slice(0, l.indexOf(':')).toLowerCase(), l.slice(l.indexOf(':') + 1).trim()]));
        const status = Number(statusLine.split(' ')[1]);
        const length = status === 100 ? 0 : Number(headers['content-length'] ?? 0);
        if (buffer.length >= end + 4 + length) {
          const body = buffer.subarray(end + 4, end + 4 + length);
          buffer = buffer.subarray(end + 4 + length);
          return { status, headers, body, text: body.toString() };
        }
      }
      if (closed) return null;
      await moreBytes(deadline);
    }
  }

  // Resolves when the server has closed the connection.
  async function ended({ timeout_ms = 10_000 } = {}) {
    const deadline = Date.now() + timeout_ms;
    while (!closed) await moreBytes(deadline);
  }

  const send = (bytes) => new Promise((resolve) => socket.write(bytes, () => resolve()));
  return { socket, send, answer, ended, close: () => socket.destroy(), get closed() { return closed; } };
}

// A POST in raw bytes. A header given as undefined is left out.
export function rawRequest(operation, body, headers = {}) {
  const payload = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const all = { host: `${address.host}:${address.port}`, ...wireHeaders(operation), 'content-length': payload.length, ...headers };
  const lines = Object.entries(all).filter(([, v]) => v !== undefined).map(([k, v]) => `${k}: ${v}\r\n`);
  return Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\n${lines.join('')}\r\n`), payload]);
}

export const crcOf = (bytes) => crc32(bytes) >>> 0;
