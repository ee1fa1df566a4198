// Runs the whole black-box suite against one server and closes with "N passed, N failed".
//
//   node run.mjs [--dynoxide [--differences]] [name ...]   only the files whose names contain one of the names
//
// --dynoxide runs the tests against the peer from npm instead, to check the tests themselves; with
// --differences also those where DynamoDB is known to answer otherwise than the peer, which then fail.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { run } from 'node:test';
import { freePort, runBinary, startServer, until } from './servers.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const args = process.argv.slice(2);
const names = args.filter((arg) => !arg.startsWith('--'));
const files = readdirSync(here)
  .filter((file) => file.endsWith('.test.mjs') && (names.length === 0 || names.some((name) => file.includes(name))))
  .map((file) => join(here, file));

if (args.includes('--differences')) process.env.WAYBILL_TEST_DIFFERENCES = '1';
if (args.includes('--dynoxide')) process.env.WAYBILL_TEST_ENDPOINT = await startDynoxide();

// The test files run in their own processes and find the shared server's address in the environment.
let shared;
if (process.env.WAYBILL_TEST_ENDPOINT === undefined) {
  shared = await startServer();
  process.env.WAYBILL_STARTED_ENDPOINT = shared.endpoint;
  shared.run.exited.then((how) => {
    if (!shared.stopping) console.error(`the server ended during the run (${how}):\n${shared.run.output}`);
  });
}

let passed = 0;
let failed = 0;
let skipped = 0;
const fileOf = (event) => event.file?.slice(here.length) ?? '';

await new Promise((resolve) => {
  run({ files, concurrency: 2, timeout: 300_000 })
    .on('test:pass', (event) => {
      if (event.details.type === 'suite' || event.skip !== undefined) skipped += event.details.type === 'suite' ? 0 : 1;
      else passed += 1;
    })
    .on('test:fail', (event) => {
      if (event.details.type === 'suite') return;
      failed += 1;
      const error = event.details.error?.cause ?? event.details.error;
      console.log(`FAILED ${fileOf(event)}:${event.line ?? ''} ${event.name}\n    ${String(error?.message ?? error).slice(0, 1500).replaceAll('\n', '\n    ')}`);
    })
    .on('test:stderr', (event) => process.env.VERBOSE && process.stderr.write(event.message))
    .on('end', resolve)
    .resume();
});

if (shared) {
  shared.stopping = true;
  await shared.stop();
}
if (skipped) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);

async function startDynoxide() {
  const port = await freePort();
  const command = fileURLToPath(new URL('../node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url));
  const peer = runBinary(['serve', '--port', String(port)], { command });
  const address = `http://127.0.0.1:${port}`;
  await until('dynoxide answers', () => fetch(address).then(() => true, () => false));
  peer.exited.then((how) => console.error(`dynoxide ended: ${how}\n${peer.output}`));
  return address;
}
