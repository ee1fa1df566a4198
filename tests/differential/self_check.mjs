// Proves that the comparison can fail: dynoxide against dynoxide must agree, and against a dynoxide whose
// answers are altered on the way must not, once for each kind of planted fault.

import http from 'node:http';
import {Endpoint} from './wire.mjs';
import {start_dynoxide} from './servers.mjs';
import {Trial} from './trial.mjs';

const operation_count = 1500;

// Each changes a parsed answer and returns true, or returns false to leave this one alone. `lost_write`
// answers for the server instead.
const faults = {
  wrong_number: (operation, status, body) => status === 200 && edit_first(body, 'N', (n) => (n === '7' ? '8' : '7')),
  wrong_message: (operation, status, body) => status === 400 && typeof body.message === 'string' && Boolean(body.message += ' (planted)'),
  wrong_error_name: (operation, status, body) => status === 400 && Boolean(body.__type = 'x#PlantedException'),
  lost_item_of_scan: (operation, status, body) => operation === 'Scan' && status === 200 && body.Items?.length > 1 && Boolean(body.Items.pop()),
  wrong_order_of_query: (operation, status, body) => operation === 'Query' && status === 200 && body.Items?.length > 1 && Boolean(body.Items.reverse()),
  wrong_capacity: (operation, status, body) => status === 200 && body.ConsumedCapacity?.CapacityUnits && Boolean(body.ConsumedCapacity.CapacityUnits += 0.5),
  lost_write: null,
  wrong_refusal: (operation, status, body) => status === 200 && refusable.has(operation) && Boolean(Object.assign(body, {__type: 'x#ValidationException', message: refusal_texts[refusals++ % refusal_texts.length]})),
};

// Texts that known differences speak of. Of a request that breaks no rule, none of them may pass for one.
const refusable = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'GetItem', 'Query', 'Scan']);
const refusal_texts = [
  'The document path provided in the update expression is invalid for update',
  'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: M',
  'Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]',
  "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
  'ConditionalOperator can only be used when Filter or Expected has two or more elements',
  'Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}',
];
let refusals = 0;

function edit_first(value, type, edit) {
  if (value === null || typeof value !== 'object') return false;
  if (typeof value[type] === 'string') {
    value[type] = edit(value[type]);
    return true;
  }
  return Object.values(value).some((inner) => edit_first(inner, type, edit));
}

// Forwards to `url`; plants `fault` in every `every`-th answer that it fits.
function start_proxy(url, fault, every = 10) {
  let fitting = 0;
  let planted = 0;
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const operation = (request.headers['x-amz-target'] ?? '').split('.').at(-1);
      if (fault === 'lost_write' && operation === 'PutItem' && ++fitting % every === 0) {
        planted++;
        response.writeHead(200, {'content-type': 'application/x-amz-json-1.0'}).end('{}');
        return;
      }
      const forward = http.request(url, {method: request.method, path: request.url, headers: request.headers}, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () => {
          let text = Buffer.concat(parts).toString();
          try {
            const body = JSON.parse(text);
            if (faults[fault]?.(operation, answer.statusCode, structuredClone(body)) && ++fitting % every === 0) {
              faults[fault](operation, answer.statusCode, body);
              text = JSON.stringify(body);
              planted++;
              if (fault === 'wrong_refusal') answer.statusCode = 400;
            }
          } catch { /* not JSON: passed on as it is */ }
          response.writeHead(answer.statusCode, {'content-type': 'application/x-amz-json-1.0'}).end(text);
        });
      });
      // The server may not be up yet: then there is no answer through the proxy either.
      forward.on('error', () => response.destroy());
      forward.end(Buffer.concat(chunks));
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve({
    url: `http://127.0.0.1:${server.address().port}`, planted: () => planted,
    stop: () => { server.close(); server.closeAllConnections(); },
  })));
}

async function trial_with(seed, fault) {
  const servers = [await start_dynoxide(), await start_dynoxide()];
  const proxy = fault ? await start_proxy(servers[0].url, fault) : null;
  const [a, b] = [proxy?.url ?? servers[0].url, servers[1].url].map((url) => new Endpoint(url));
  try {
    await Promise.all([a.ready(), b.ready()]);
    const trial = new Trial({a, b, seed, operation_count, samples_max: 2});
    await trial.run();
    return {trial, planted: proxy?.planted() ?? 0};
  } finally {
    a.close();
    b.close();
    proxy?.stop();
    for (const server of servers) await server.stop();
  }
}

export async function self_check(seed) {
  let passed = 0;
  let failed = 0;
  const check = (name, good, detail) => {
    good ? passed++ : failed++;
    console.log(`${good ? 'ok' : 'NOT OK'}  ${name}: ${detail}`);
  };
  const plain = await trial_with(seed, null);
  check('no fault', plain.trial.report.failed === 0, `${plain.trial.report.failed} mismatches`);
  if (plain.trial.report.failed) plain.trial.report.print();
  for (const fault of Object.keys(faults)) {
    const {trial, planted} = await trial_with(seed, fault);
    check(fault, planted > 0 && trial.report.failed > 0, `${planted} planted, ${trial.report.failed} mismatches of ${trial.report.groups.size} kinds`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}
