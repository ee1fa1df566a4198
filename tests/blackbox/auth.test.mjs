// With a keys file every request is checked before anything else is done: the signature must be right for
// these bytes, this target, this time and a known key, in the header form and the query form. Without keys
// the server answers loopback only. These tests run servers of their own.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Sha256 } from '@aws-crypto/sha256-js';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';
import AWS from 'aws-sdk';
import aws4 from 'aws4';
import { S, clientConfig, fails, freePort, ours, runBinary, scratchDir, startServer, tableShape, until } from './harness.mjs';

const good = { accessKeyId: 'AKIAWAYBILLTEST00001', secretAccessKey: 'kYz1/secret+with/odd=characters0123456789' };
const second = { accessKeyId: 'AKIAWAYBILLTEST00002', secretAccessKey: 'another-secret-of-its-own' };
const TABLE = 'guarded';

let server;
let keysFile;
before(async () => {
  if (ours.skip) return;
  keysFile = join(scratchDir(), 'keys.json');
  writeFileSync(keysFile, JSON.stringify({ keys: [good, second].map(({ accessKeyId, secretAccessKey }) => ({ id: accessKeyId, secret: secretAccessKey })) }), { mode: 0o600 });
  server = await startServer({ args: ['--keys', keysFile] });
  await client(good).createTable({ TableName: TABLE, BillingMode: 'PAY_PER_REQUEST', ...tableShape('pk:S') });
});
after(() => server?.stop());

const client = (credentials, more = {}) => new DynamoDB(clientConfig({ endpoint: server.endpoint, credentials, ...more }));

// ------------------------------------------------------------------------- requests built and then bent

const body = JSON.stringify({ TableName: TABLE, Key: { pk: S('a') } });

function unsigned(overrides = {}) {
  return {
    method: 'POST', protocol: 'http:', hostname: '127.0.0.1', port: server.port, path: '/', query: {}, body,
    ...overrides,
    headers: { host: `127.0.0.1:${server.port}`, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.GetItem', ...overrides.headers },
  };
}

const signer = ({ credentials = good, region = 'us-east-1', service = 'dynamodb', ...more } = {}) => new SignatureV4({ credentials, region, service, sha256: Sha256, applyChecksum: false, ...more });
const signed = (options = {}) => signer(options.signer).sign(unsigned(options.request), { signingDate: options.date });
const presigned = (options = {}) =>
  signer(options.signer).presign(unsigned(options.request), { signingDate: options.date, expiresIn: options.expiresIn ?? 300, unhoistableHeaders: new Set(['x-amz-target']) });

async function send(request) {
  const search = new URLSearchParams(request.query).toString().replaceAll('+', '%20');
  const headers = { ...request.headers };
  delete headers.host;
  const response = await fetch(`${server.endpoint}${request.path}${search ? `?${search}` : ''}`, { method: request.method, headers, body: request.body });
  const text = await response.text();
  return { status: response.status, text, json: text ? JSON.parse(text) : undefined };
}

async function passes(request) {
  const answer = await send(await request);
  assert.equal(answer.status, 200, answer.text);
}


// -------------------------------------------------------------------------------------------- right ones

test('a good signature passes: SDK v3, for each key', ours, async () => {
  for (const credentials of [good, second]) {
    const db = client(credentials);
    await db.putItem({ TableName: TABLE, Item: { pk: S('ü "a" /') } });
    assert.equal((await db.scan({ TableName: TABLE })).Count, 1);
  }
});

test('a good signature passes: SDK v2', ours, async () => {
  const v2 = new AWS.DynamoDB({ endpoint: server.endpoint, region: 'us-east-1', credentials: good, maxRetries: 0 });
  assert.deepEqual((await v2.listTables({}).promise()).TableNames, [TABLE]);
});

test('a good signature passes: aws4', ours, async () => {
  const request = { host: `127.0.0.1:${server.port}`, service: 'dynamodb', region: 'us-east-1', method: 'POST', path: '/', body, headers: { 'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': 'DynamoDB_20120810.GetItem' } };
  aws4.sign(request, good);
  await passes({ ...request, query: {} });
});

test('another region in the scope passes, as AWS endpoints of any name do here', ours, async () => {
  await client(good, { region: 'eu-central-1' }).listTables({});
});

test('the query form passes', ours, async () => {
  await passes(presigned());
});

test('extra signed headers, odd blanks and empty values pass', ours, async () => {
  await passes(signed({ request: { headers: { 'x-odd': 'a   b', 'x-empty': '' } } }));
});

test('an unsigned header more than was signed does no harm', ours, async () => {
  const request = await signed();
  await passes({ ...request, headers: { ...request.headers, 'x-later': 'added by a proxy' } });
});

// -------------------------------------------------------------------------------------------- wrong ones

const mismatch = /signature we calculated does not match/;
const bend = (change) => async () => {
  const request = await signed();
  return change(request) ?? request;
};
const swap = (request, pattern, text) => ((request.headers.authorization = request.headers.authorization.replace(pattern, text)), request);
const minutes = (n) => new Date(Date.now() + n * 60_000);

for (const [what, request, name, message] of [
  ['no signature', () => unsigned(), 'MissingAuthenticationTokenException', /Request is missing Authentication Token/],
  ['an empty Authorization header', () => unsigned({ headers: { authorization: '' } }), 'MissingAuthenticationTokenException'],
  ['an Authorization header of another kind', () => unsigned({ headers: { authorization: 'Basic dXNlcjpwYXNz' } }), /MissingAuthenticationTokenException|IncompleteSignatureException/],
  ['half an Authorization header', () => unsigned({ headers: { authorization: 'AWS4-HMAC-SHA256 Credential=x' } }), 'IncompleteSignatureException'],
  ['no Signature part', bend((r) => swap(r, /, Signature=.*/, '')), 'IncompleteSignatureException', /Signature/],
  ['no SignedHeaders part', bend((r) => swap(r, /SignedHeaders=[^,]*, /, '')), 'IncompleteSignatureException', /SignedHeaders/],
  ['a Credential of too few parts', bend((r) => swap(r, '/aws4_request', '')), 'IncompleteSignatureException'],
  ['no date', bend((r) => void delete r.headers['x-amz-date']), 'IncompleteSignatureException', /Date/],
  ['a date that is none', bend((r) => void (r.headers['x-amz-date'] = 'yesterday')), /IncompleteSignatureException|InvalidSignatureException/],
  ['an unknown key', () => signed({ signer: { credentials: { ...good, accessKeyId: 'AKIANOBODY' } } }), 'UnrecognizedClientException', /The security token included in the request is invalid/],
  ['a wrong secret', () => signed({ signer: { credentials: { ...good, secretAccessKey: 'guess' } } }), 'InvalidSignatureException', mismatch],
  ['another key\'s secret', () => signed({ signer: { credentials: { ...good, secretAccessKey: second.secretAccessKey } } }), 'InvalidSignatureException', mismatch],
  ['a signature 16 minutes old', () => signed({ date: minutes(-16) }), 'InvalidSignatureException', /Signature expired/],
  ['a signature 16 minutes ahead', () => signed({ date: minutes(16) }), 'InvalidSignatureException', /Signature not yet current/],
  ['a tampered body', bend((r) => void (r.body = r.body.replace('"a"', '"b"'))), 'InvalidSignatureException', mismatch],
  ['a tampered target', bend((r) => void (r.headers['x-amz-target'] = 'DynamoDB_20120810.DeleteItem')), 'InvalidSignatureException', mismatch],
  ['a tampered date', bend((r) => void (r.headers['x-amz-date'] = minutes(1).toISOString().replace(/[-:]|\.\d+/g, ''))), 'InvalidSignatureException', mismatch],
  ['another query', bend((r) => void (r.query = { a: 'b' })), 'InvalidSignatureException', mismatch],
  ['a signed header that is not sent', async () => { const r = await signed({ request: { headers: { 'x-extra': 'a' } } }); delete r.headers['x-extra']; return r; }, 'InvalidSignatureException'],
  ['a signature cut short', bend((r) => swap(r, /.{8}$/, '')), 'InvalidSignatureException'],
  ['another service in the scope', () => signed({ signer: { service: 's3' } }), /InvalidSignatureException|IncompleteSignatureException/, /service|scope/i],
  ['a scope of another day', bend((r) => swap(r, /\/\d{8}\//, '/20200101/')), 'InvalidSignatureException'],
  ['a target that was not signed', bend((r) => swap(r, ';x-amz-target', '')), 'InvalidSignatureException'],
  ['an unsigned payload', () => signed({ request: { headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } } }), 'InvalidSignatureException'],
  ['a payload hash of other bytes', () => signed({ request: { headers: { 'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' } } }), 'InvalidSignatureException'],
  ['query form: a wrong secret', () => presigned({ signer: { credentials: { ...good, secretAccessKey: 'guess' } } }), 'InvalidSignatureException', mismatch],
  ['query form: an unknown key', () => presigned({ signer: { credentials: { ...good, accessKeyId: 'AKIANOBODY' } } }), 'UnrecognizedClientException'],
  ['query form: expired', () => presigned({ date: minutes(-10), expiresIn: 60 }), 'InvalidSignatureException', /expired/i],
  ['query form: a longer life than was signed', async () => { const r = await presigned({ date: minutes(-10), expiresIn: 60 }); r.query['X-Amz-Expires'] = '3600'; return r; }, 'InvalidSignatureException'],
  ['query form: ahead of time', () => presigned({ date: minutes(16) }), 'InvalidSignatureException', /not yet current/],
  ['query form: a tampered body', async () => ({ ...(await presigned()), body: body.replace('"a"', '"b"') }), 'InvalidSignatureException', mismatch],
  ['query form: a parameter missing', async () => { const r = await presigned(); delete r.query['X-Amz-SignedHeaders']; return r; }, 'IncompleteSignatureException'],
  ['header and query form at once', async () => { const [a, b] = [await presigned(), await signed()]; return { ...a, headers: { ...a.headers, ...b.headers } }; }, 'InvalidSignatureException'],
]) {
  test(`refused: ${what}`, ours, async () => {
    const answer = await send(await request());
    assert.equal(answer.status, 400, answer.text);
    const found = answer.json.__type.split('#').at(-1);
    if (name instanceof RegExp) assert.match(found, name, answer.text);
    else assert.equal(found, name, answer.text);
    if (message) assert.match(answer.json.message ?? answer.json.Message ?? '', message);
  });
}

test('a refused request does nothing', ours, async () => {
  const stranger = client({ ...good, secretAccessKey: 'guess' });
  await fails(stranger.putItem({ TableName: TABLE, Item: { pk: S('stolen') } }), 'InvalidSignatureException');
  await fails(stranger.deleteTable({ TableName: TABLE }), 'InvalidSignatureException');
  assert.equal((await client(good).getItem({ TableName: TABLE, Key: { pk: S('stolen') } })).Item, undefined);
});

test('a stranger learns nothing about tables or the shape of requests', ours, async () => {
  const stranger = client({ accessKeyId: 'AKIANOBODY', secretAccessKey: 'x' });
  await fails(stranger.describeTable({ TableName: TABLE }), 'UnrecognizedClientException');
  await fails(stranger.describeTable({ TableName: 'not-there' }), 'UnrecognizedClientException');
  await fails(stranger.putItem({ TableName: TABLE, Item: {} }), 'UnrecognizedClientException');
  const broken = await send(unsigned({ body: '{ not JSON' }));
  assert.equal(broken.json.__type.split('#').at(-1), 'MissingAuthenticationTokenException');
});

test('health needs no signature', ours, async () => {
  assert.equal((await fetch(`${server.endpoint}/health`)).status, 200);
});

// ---------------------------------------------------------------------------------------------- starting

async function refusesToStart(args, text) {
  const run = runBinary(['serve', '--data', scratchDir(), ...args], { within_ms: 10_000 });
  const code = await run.exited;
  assert.ok(typeof code === 'number' && code !== 0, `exit: ${code}\n${run.output}`);
  assert.match(run.output, text);
}

test('on another address than loopback it does not start without keys, and says what to do', ours, async () => {
  await refusesToStart(['--listen', `0.0.0.0:${await freePort()}`], /--keys/);
  await refusesToStart(['--listen', `[::]:${await freePort()}`], /--keys|listen/);
});

test('on another address it starts with keys, and checks them', ours, async () => {
  const port = await freePort();
  const run = runBinary(['serve', '--listen', `0.0.0.0:${port}`, '--data', scratchDir(), '--keys', keysFile], { within_ms: 20_000 });
  const at = `http://127.0.0.1:${port}`;
  await until('it is ready', async () => (await fetch(`${at}/health`).catch(() => null))?.status === 200);
  assert.deepEqual((await client(good, { endpoint: at }).listTables({})).TableNames, []);
  await fails(client({ ...good, secretAccessKey: 'x' }, { endpoint: at }).listTables({}), 'InvalidSignatureException');
  run.child.kill('SIGTERM');
  await run.exited;
});

for (const [what, text] of [['not JSON', '{'], ['without keys', '{"keys":[]}'], ['with a key that has no secret', '{"keys":[{"id":"AKIA1"}]}'], ['with an id twice', '{"keys":[{"id":"AKIA1","secret":"0123456789abcdef0"},{"id":"AKIA1","secret":"0123456789abcdef1"}]}']]) {
  test(`a keys file ${what} is refused at start`, ours, async () => {
    const file = join(scratchDir(), 'keys.json');
    writeFileSync(file, text, { mode: 0o600 });
    await refusesToStart(['--listen', `127.0.0.1:${await freePort()}`, '--keys', file], /keys/);
  });
}

test('a keys file that is not there is refused at start', ours, async () => {
  await refusesToStart(['--listen', `127.0.0.1:${await freePort()}`, '--keys', '/nowhere/keys.json'], /keys/);
});
