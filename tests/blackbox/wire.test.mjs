// SDKs check what they get byte by byte (x-amz-crc32, __type, request ids), and the port is open to anyone:
// whatever arrives, the answer is well formed, one request never becomes two, and the server goes on.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { N, S, address, call, connect, crcOf, createTable, db, differs, endpoint, fill, ours, rawRequest, refused, sleep, unique } from './harness.mjs';

let table;
before(async () => {
  table = await createTable('pk:S');
  await fill(table, [{ pk: S('small'), x: N(1) }, { pk: S('large'), x: S('x'.repeat(50_000)) }]);
});

const getSmall = () => ({ TableName: table, Key: { pk: S('small') } });
const alive = async () => assert.equal((await call('GetItem', getSmall())).status, 200);

async function exchange(bytes, count = 1) {
  const connection = await connect();
  await connection.send(bytes);
  const answers = [];
  for (let i = 0; i < count; i++) answers.push(await connection.answer());
  connection.close();
  return count === 1 ? answers[0] : answers;
}

// -------------------------------------------------------------------------------------------- answers

test('an answer carries its type, length, CRC-32 and a request id of its own', async () => {
  const ids = new Set();
  for (let i = 0; i < 3; i++) {
    const { status, headers, body } = await exchange(rawRequest('GetItem', getSmall()));
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/x-amz-json-1.0');
    assert.equal(Number(headers['content-length']), body.length);
    assert.equal(Number(headers['x-amz-crc32']), crcOf(body));
    assert.match(headers['x-amzn-requestid'], /^[A-Z0-9]{52}$/);
    ids.add(headers['x-amzn-requestid']);
  }
  assert.equal(ids.size, 3);
});

test('an error carries them too', async () => {
  const { status, headers, body } = await exchange(rawRequest('GetItem', { TableName: 'no-such-table', Key: { pk: S('a') } }));
  assert.equal(status, 400);
  assert.equal(headers['content-type'], 'application/x-amz-json-1.0');
  assert.equal(Number(headers['x-amz-crc32']), crcOf(body));
  assert.match(headers['x-amzn-requestid'], /^[A-Z0-9]{52}$/);
});

test('__type is written as DynamoDB writes it for each kind of error', async () => {
  const type = async (operation, body) => (await call(operation, body)).json.__type;
  assert.equal(await type('GetItem', { TableName: 'no-such-table', Key: { pk: S('a') } }), 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException');
  assert.equal(await type('GetItem', { TableName: table, Key: {} }), 'com.amazon.coral.validate#ValidationException');
  assert.equal(await type('GetItem', '{'), 'com.amazon.coral.service#SerializationException');
  assert.equal(await type('Nope', {}), 'com.amazon.coral.service#UnknownOperationException');
  assert.equal(await type('PutItem', { TableName: table, Item: { pk: S('small') }, ConditionExpression: 'attribute_not_exists(pk)' }), 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException');
  assert.equal(await type('CreateTable', { TableName: table, BillingMode: 'PAY_PER_REQUEST', KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }], AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }] }), 'com.amazonaws.dynamodb.v20120810#ResourceInUseException');
});

test('GET / is the health text that DynamoDB gives', async () => {
  const response = await fetch(endpoint);
  assert.equal(response.status, 200);
  assert.match(await response.text(), /^healthy: dynamodb\.us-east-1\.amazonaws\.com/);
});

test('GET /health is 200 when ready', ours, async () => {
  assert.equal((await fetch(`${endpoint}/health`)).status, 200);
});

test('an answer is gzipped for who accepts it, and the CRC is of the bytes sent', ours, async () => {
  const request = { TableName: table, Key: { pk: S('large') } };
  const { status, headers, body } = await exchange(rawRequest('GetItem', request, { 'accept-encoding': 'gzip, deflate' }));
  assert.equal(status, 200);
  assert.equal(headers['content-encoding'], 'gzip');
  assert.ok(body.length < 5000);
  assert.equal(Number(headers['x-amz-crc32']), crcOf(body));
  assert.equal(JSON.parse(gunzipSync(body)).Item.x.S.length, 50_000);
});

test('an answer is not gzipped for who does not accept it', async () => {
  for (const accept of [undefined, 'identity', 'gzip;q=0', 'br']) {
    const { headers, body } = await exchange(rawRequest('GetItem', { TableName: table, Key: { pk: S('large') } }, { 'accept-encoding': accept }));
    assert.equal(headers['content-encoding'], undefined, accept);
    assert.ok(body.length > 50_000);
  }
});

test('a content type of application/json is taken', async () => {
  assert.equal((await call('GetItem', getSmall(), { headers: { 'content-type': 'application/json' } })).status, 200);
});

test('another content type is not for us', async () => {
  const { status } = await call('GetItem', getSmall(), { headers: { 'content-type': 'text/plain' } });
  assert.equal(status, 404);
});

// ---------------------------------------------------------------------------------------- connections

test('keep-alive: many requests on one connection', async () => {
  const connection = await connect();
  for (let i = 0; i < 20; i++) {
    await connection.send(rawRequest(i % 2 ? 'Nope' : 'GetItem', getSmall()));
    assert.equal((await connection.answer()).status, i % 2 ? 400 : 200);
  }
  connection.close();
});

test('pipelining: answers come in the order of the requests', async () => {
  const keys = Array.from({ length: 60 }, () => unique());
  await fill(table, keys.map((pk) => ({ pk: S(pk) })));
  const requests = keys.map((pk) => rawRequest('GetItem', { TableName: table, Key: { pk: S(pk) } }));
  const answers = await exchange(Buffer.concat(requests), keys.length);
  assert.deepEqual(answers.map((a) => JSON.parse(a.text).Item.pk.S), keys);
});

test('pipelining: a read behind a write sees it', async () => {
  const pk = S(unique());
  const pairs = Array.from({ length: 20 }, (_, i) => [rawRequest('PutItem', { TableName: table, Item: { pk, n: N(i) } }), rawRequest('GetItem', { TableName: table, Key: { pk } })]).flat();
  const answers = await exchange(Buffer.concat(pairs), pairs.length);
  assert.deepEqual(answers.filter((_, i) => i % 2).map((a) => Number(JSON.parse(a.text).Item.n.N)), Array.from({ length: 20 }, (_, i) => i));
});

test('Connection: close is honoured, and HTTP/1.0 closes', async () => {
  let connection = await connect();
  await connection.send(rawRequest('GetItem', getSmall(), { connection: 'close' }));
  assert.equal((await connection.answer()).status, 200);
  await connection.ended();
  connection = await connect();
  await connection.send(rawRequest('GetItem', getSmall()).toString('latin1').replace('HTTP/1.1', 'HTTP/1.0'));
  assert.equal((await connection.answer()).status, 200);
  await connection.ended();
});

const chunked = (body, sizes) => {
  let rest = Buffer.from(body);
  const parts = [];
  for (let i = 0; rest.length; i++) {
    const piece = rest.subarray(0, sizes[i % sizes.length]);
    rest = rest.subarray(piece.length);
    parts.push(`${piece.length.toString(16)}\r\n`, piece, '\r\n');
  }
  return Buffer.concat([...parts, '0\r\n\r\n'].map((p) => Buffer.from(p)));
};
const chunkedHead = (operation) => rawRequest(operation, '', { 'content-length': undefined, 'transfer-encoding': 'chunked' });

test('a chunked body, in chunks of any size', async () => {
  for (const sizes of [[1], [7, 3], [100_000]]) {
    const { status, text } = await exchange(Buffer.concat([chunkedHead('GetItem'), chunked(JSON.stringify(getSmall()), sizes)]));
    assert.equal(status, 200);
    assert.equal(JSON.parse(text).Item.x.N, '1');
  }
});

test('a chunked body with extensions, upper-case sizes and trailers, then another request', async () => {
  const body = JSON.stringify({ ...getSmall(), ProjectionExpression: 'x' });
  const framed = `${body.length.toString(16).toUpperCase()};name=value\r\n${body}\r\n0\r\nx-trailer: a\r\n\r\n`;
  const answers = await exchange(Buffer.concat([chunkedHead('GetItem'), Buffer.from(framed), rawRequest('GetItem', getSmall())]), 2);
  assert.deepEqual(answers.map((a) => a.status), [200, 200]);
});

test('Expect: 100-continue is answered before the body is sent', async () => {
  const connection = await connect();
  const body = JSON.stringify(getSmall());
  await connection.send(rawRequest('GetItem', '', { 'content-length': body.length, expect: '100-continue' }));
  assert.equal((await connection.answer()).status, 100);
  await connection.send(body);
  assert.equal((await connection.answer()).status, 200);
  connection.close();
});

test('a gzipped request is read', ours, async () => {
  const item = { pk: S(unique()), x: S('y'.repeat(10_000)) };
  const { status } = await exchange(rawRequest('PutItem', gzipSync(JSON.stringify({ TableName: table, Item: item })), { 'content-encoding': 'gzip' }));
  assert.equal(status, 200);
  assert.deepEqual((await db.getItem({ TableName: table, Key: { pk: item.pk } })).Item, item);
});

test('a gzipped request that is broken, cut or a bomb is refused', ours, async () => {
  const good = gzipSync(JSON.stringify(getSmall()));
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '));
  for (const body of [Buffer.from('not gzip'), good.subarray(0, good.length - 6), bomb]) {
    const answer = await exchange(rawRequest('GetItem', body, { 'content-encoding': 'gzip' }));
    assert.ok(answer.status === 400 || answer.status === 413, `${answer.status}`);
  }
  await alive();
});

test('a request byte by byte is still a request', async () => {
  const connection = await connect();
  const bytes = rawRequest('GetItem', getSmall());
  for (const byte of bytes) await connection.send(Buffer.from([byte]));
  assert.equal((await connection.answer()).status, 200);
  connection.close();
});

test('header names in any case, blanks around values', async () => {
  const text = rawRequest('GetItem', getSmall()).toString('latin1');
  const [head, body] = text.split('\r\n\r\n');
  const odd = head.split('\r\n').map((line, i) => (i === 0 ? line : line.replace(/^([^:]+): (.*)$/, (_, k, v) => `${k.toUpperCase()}:   ${v} \t`)));
  assert.equal((await exchange(`${odd.join('\r\n')}\r\n\r\n${body}`)).status, 200);
});

// --------------------------------------------------------------------------------------- broken bodies

const q = JSON.stringify;
for (const [what, body, type = 'SerializationException'] of [
  ['nothing', ''], ['half an object', '{"TableName":'], ['two objects', '{}{}'], ['no JSON', 'hello'], ['a string', '"x"'], ['a trailing comma', '{"TableName":"abc",}'],
  ['single quotes', "{'TableName':'abc'}"], ['a comment', '{/* */}'], ['NaN', '{"Limit":NaN}'], ['a control character in a string', '{"TableName":"a\u0001c"}'],
  ['a number for a string', '{"TableName":1}'], ['a list for a map', `{"TableName":"abc","Key":[]}`], ['a string for a map', '{"TableName":"abc","Key":"k"}'],
]) {
  test(`a body that is ${what} is a ${type}`, async () => {
    refused(await call('GetItem', body), type);
  });
}

test('invalid UTF-8 is refused, in names and in values', differs('answers without a type'), async () => {
  for (const bad of [[0xff], [0xc3, 0x28], [0xe2, 0x82], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
    for (const [before, after] of [[`{"TableName":"${table}","Key":{"pk":{"S":"`, '"}}}'], [`{"TableName":"${table}","Item":{"pk":{"S":"utf"},"`, '":{"S":"x"}}}']]) {
      const body = Buffer.concat([Buffer.from(before), Buffer.from(bad), Buffer.from(after)]);
      refused(await call(before.includes('Item') ? 'PutItem' : 'GetItem', body), 'SerializationException');
    }
  }
});

test('deep nesting is refused, not followed to the end of the stack', async () => {
  const deep = (open, close, n) => open.repeat(n) + close.repeat(n);
  for (const n of [100, 5000, 200_000]) {
    for (const body of [deep('[', ']', n), deep('{"a":', '}', n).replace('}', '1}'), `{"TableName":"${table}","Item":{"pk":{"S":"deep"},"x":${'{"L":['.repeat(n)}{"N":"1"}${']}'.repeat(n)}}}`]) {
      const answer = await call('PutItem', body);
      assert.equal(answer.status, 400, `${n}: ${answer.text.slice(0, 200)}`);
    }
  }
  await alive();
});

test('duplicate JSON keys never make two answers of one request', async () => {
  for (const body of [`{"TableName":"nope-1","TableName":${q(table)},"Key":{"pk":{"S":"small"}}}`, `{"TableName":${q(table)},"Key":{"pk":{"S":"small"},"pk":{"S":"large"}}}`, `{"TableName":${q(table)},"Key":{"pk":{"S":"small","S":"large"}}}`]) {
    assert.ok([200, 400].includes((await call('GetItem', body)).status));
  }
  const pk = unique();
  const answer = await call('PutItem', `{"TableName":${q(table)},"Item":{"pk":{"S":${q(pk)}},"x":{"S":"1"},"x":{"S":"2"}}}`);
  const { Item } = await db.getItem({ TableName: table, Key: { pk: S(pk) } });
  if (answer.status === 200) assert.ok(['1', '2'].includes(Item.x.S));
  else assert.equal(Item, undefined);
});

test('huge and odd JSON numbers are refused or taken, never a fault', differs('answers 500 to some'), async () => {
  for (const Limit of ['1e400', '-1e400', '99999999999999999999', '9223372036854775808', '-1', '1.5', '0.1e1', '1'.repeat(100_000), '00', '1e', '.5', '-']) {
    const answer = await call('Scan', `{"TableName":${q(table)},"Limit":${Limit}}`);
    assert.ok([200, 400].includes(answer.status), `${Limit}: ${answer.status}`);
  }
  await alive();
});

test('very long numbers in N are refused quickly', differs('takes some'), async () => {
  const started = Date.now();
  for (const n of ['9'.repeat(300_000), `1e${'9'.repeat(100_000)}`, `0.${'0'.repeat(300_000)}1`, `1${'0'.repeat(300_000)}`]) {
    refused(await call('PutItem', { TableName: table, Item: { pk: S('n'), n: { N: n } } }), 'ValidationException');
  }
  assert.ok(Date.now() - started < 5000);
});

test('lone surrogates in escapes are never stored as broken text', async () => {
  for (const escape of ['\\ud800', '\\udc00', '\\ud800x', '\\udc00\\ud800']) {
    const pk = unique();
    const answer = await call('PutItem', `{"TableName":${q(table)},"Item":{"pk":{"S":${q(pk)}},"x":{"S":"${escape}"}}}`);
    assert.ok([200, 400].includes(answer.status));
    const read = await call('GetItem', { TableName: table, Key: { pk: S(pk) } });
    assert.ok(Buffer.from(read.text).toString('utf8') === read.text && !/[\ud800-\udfff]/.test(read.text));
  }
});

test('unknown members are passed over', async () => {
  assert.equal((await call('GetItem', { ...getSmall(), Nope: { deep: [1, 2, { a: null }] } })).status, 200);
});

test('a body of more than 16 MB is refused, declared or chunked', ours, async () => {
  const connection = await connect();
  await connection.send(rawRequest('PutItem', '', { 'content-length': 17 * 1024 * 1024 }));
  connection.send(Buffer.alloc(1024 * 1024, 'x'));
  const answer = await connection.answer();
  assert.ok([400, 413].includes(answer.status), `${answer.status}`);
  await connection.ended();
  const other = await connect();
  await other.send(chunkedHead('PutItem'));
  const megabyte = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024, 'x'), Buffer.from('\r\n')]);
  for (let i = 0; i < 20 && !other.closed; i++) other.send(megabyte);
  assert.ok([400, 413, undefined].includes((await other.answer())?.status));
  await other.ended();
  await alive();
});

test('an oversize body is refused before it is asked for', ours, async () => {
  const connection = await connect();
  await connection.send(rawRequest('PutItem', '', { 'content-length': 100 * 1024 * 1024, expect: '100-continue' }));
  const answer = await connection.answer();
  assert.ok([400, 413, 417].includes(answer.status), `${answer.status}`);
  await connection.ended();
});

test('a body cut short does nothing', async () => {
  const pk = unique();
  const bytes = rawRequest('PutItem', { TableName: table, Item: { pk: S(pk), x: S('x'.repeat(1000)) } });
  for (const end of [bytes.length - 1, bytes.length - 500, 40]) {
    const connection = await connect();
    await connection.send(bytes.subarray(0, end));
    connection.socket.end();
    await connection.ended();
  }
  assert.equal((await db.getItem({ TableName: table, Key: { pk: S(pk) } })).Item, undefined);
});

// ---------------------------------------------------------------------------- framings that could smuggle

const smuggled = () => rawRequest('PutItem', { TableName: table, Item: { pk: S('smuggled') } }).toString('latin1');
const host = `host: ${address.host}:${address.port}\r\n`;
const post = (headers, body = '') => `POST / HTTP/1.1\r\n${headers}\r\n${body}`;
const aws = 'x-amz-target: DynamoDB_20120810.ListTables\r\ncontent-type: application/x-amz-json-1.0\r\n';

for (const [what, bytes] of [
  ['Content-Length and Transfer-Encoding', () => post(`${host}${aws}content-length: 4\r\ntransfer-encoding: chunked\r\n`, `0\r\n\r\n${smuggled()}`)],
  ['two different Content-Lengths', () => post(`${host}${aws}content-length: 2\r\ncontent-length: 0\r\n`, `{}${smuggled()}`)],
  ['a list of Content-Lengths', () => post(`${host}${aws}content-length: 2, 3\r\n`, `{}${smuggled()}`)],
  ['a negative Content-Length', () => post(`${host}${aws}content-length: -1\r\n`, smuggled())],
  ['a signed Content-Length', () => post(`${host}${aws}content-length: +2\r\n`, `{}${smuggled()}`)],
  ['a hexadecimal Content-Length', () => post(`${host}${aws}content-length: 0x2\r\n`, `{}${smuggled()}`)],
  ['an empty Content-Length', () => post(`${host}${aws}content-length:\r\n`, `{}${smuggled()}`)],
  ['a Content-Length past 64 bits', () => post(`${host}${aws}content-length: 18446744073709551618\r\n`, `{}${smuggled()}`)],
  ['a blank before the colon', () => post(`${host}${aws}content-length : 2\r\n`, `{}${smuggled()}`)],
  ['a folded header', () => post(`${host}${aws}x-fold: a\r\n b\r\ncontent-length: 2\r\n`, `{}${smuggled()}`)],
  ['a header line that begins with a blank', () => post(` x: y\r\n${host}${aws}content-length: 2\r\n`, `{}${smuggled()}`)],
  ['bare line feeds', () => post(`${host}${aws}content-length: 2\r\n`, '{}').replaceAll('\r\n', '\n')],
  ['a bare carriage return in a value', () => post(`${host}${aws}x-cr: a\rb\r\ncontent-length: 2\r\n`, `{}${smuggled()}`)],
  ['a NUL in a value', () => post(`${host}${aws}x-nul: a\0b\r\ncontent-length: 2\r\n`, `{}${smuggled()}`)],
  ['a header without a colon', () => post(`${host}${aws}nonsense\r\ncontent-length: 2\r\n`, `{}${smuggled()}`)],
  ['a header without a name', () => post(`${host}${aws}: value\r\ncontent-length: 2\r\n`, `{}${smuggled()}`)],
  ['an unknown transfer coding', () => post(`${host}${aws}transfer-encoding: xchunked\r\n`, `0\r\n\r\n${smuggled()}`)],
  ['chunked that is not last', () => post(`${host}${aws}transfer-encoding: chunked, identity\r\n`, `0\r\n\r\n${smuggled()}`)],
  ['chunked twice', () => post(`${host}${aws}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n`, `0\r\n\r\n${smuggled()}`)],
  ['a chunk size that is no number', () => post(`${host}${aws}transfer-encoding: chunked\r\n`, `zz\r\n{}\r\n0\r\n\r\n${smuggled()}`)],
  ['a chunk size past 64 bits', () => post(`${host}${aws}transfer-encoding: chunked\r\n`, `10000000000000002\r\n{}\r\n0\r\n\r\n${smuggled()}`)],
  ['a chunk longer than it says', () => post(`${host}${aws}transfer-encoding: chunked\r\n`, `1\r\n{}\r\n0\r\n\r\n${smuggled()}`)],
  ['a chunk size ended by a bare line feed', () => post(`${host}${aws}transfer-encoding: chunked\r\n`, `2\n{}\r\n0\r\n\r\n${smuggled()}`)],
  ['no Host', () => post(`${aws}content-length: 2\r\n`, `{}${smuggled()}`)],
  ['two Hosts', () => post(`${host}host: other\r\n${aws}content-length: 2\r\n`, `{}${smuggled()}`)],
  ['no version', () => `POST /\r\n${host}${aws}content-length: 2\r\n\r\n{}${smuggled()}`],
  ['a version that is not there', () => `POST / HTTP/3.7\r\n${host}${aws}content-length: 2\r\n\r\n{}${smuggled()}`],
  ['blanks in the target', () => `POST / / HTTP/1.1\r\n${host}${aws}content-length: 2\r\n\r\n{}${smuggled()}`],
  ['a TLS greeting', () => Buffer.from('16030100a5010000a10303', 'hex')],
]) {
  test(`framing: ${what} is refused and the connection closed`, ours, async () => {
    const connection = await connect();
    await connection.send(Buffer.isBuffer(bytes()) ? Buffer.concat([bytes(), Buffer.from('\r\n\r\n')]) : Buffer.from(bytes(), 'latin1'));
    const answer = await connection.answer();
    assert.ok(answer === null || [400, 413, 501, 505].includes(answer.status), `${answer?.status} ${answer?.text}`);
    assert.equal(await connection.answer(), null, 'a second answer came');
    await connection.ended();
    assert.equal((await db.getItem({ TableName: table, Key: { pk: S('smuggled') } })).Item, undefined);
  });
}

test('endless headers and endless request lines are cut off', ours, async () => {
  for (const bytes of [`POST /${'a'.repeat(200_000)} HTTP/1.1\r\n`, `POST / HTTP/1.1\r\nx: ${'a'.repeat(200_000)}\r\n\r\n`, `POST / HTTP/1.1\r\n${'x: y\r\n'.repeat(30_000)}\r\n`]) {
    const connection = await connect();
    connection.send(bytes);
    const answer = await connection.answer().catch(() => null);
    assert.ok(answer === null || [400, 414, 431].includes(answer.status), `${answer?.status}`);
    await connection.ended();
  }
  await alive();
});

// ------------------------------------------------------------------------------------------------- load

test('10,000 idle connections do not keep others waiting', ours, async () => {
  const idle = [];
  for (let i = 0; i < 10_000; i += 100) idle.push(...(await Promise.all(Array.from({ length: 100 }, () => connect()))));
  const started = Date.now();
  for (let i = 0; i < 50; i++) await alive();
  assert.ok(Date.now() - started < 5000);
  await idle[5000].send(rawRequest('GetItem', getSmall()));
  assert.equal((await idle[5000].answer()).status, 200);
  idle.forEach((connection) => connection.close());
});

test('clients that send slowly or never read do not keep others waiting', ours, async () => {
  const slow = await Promise.all(Array.from({ length: 50 }, () => connect()));
  const bytes = rawRequest('GetItem', { TableName: table, Key: { pk: S('large') } });
  for (const connection of slow) {
    connection.socket.pause();
    connection.send(Buffer.concat(Array.from({ length: 100 }, () => bytes))); // 5 MB of answers that nobody takes
    connection.send(bytes.subarray(0, 30));
  }
  for (let i = 0; i < 50; i++) await alive();
  slow.forEach((connection) => connection.close());
  await sleep(10);
  await alive();
});

test('connections that come and go are all let go', async () => {
  for (let i = 0; i < 20; i++) {
    const connections = await Promise.all(Array.from({ length: 50 }, () => connect()));
    connections.forEach((connection, n) => (n % 2 ? connection.close() : (connection.send(rawRequest('GetItem', getSmall())), connection.close())));
  }
  await alive();
});
