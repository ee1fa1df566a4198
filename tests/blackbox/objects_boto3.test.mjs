// Programs in Python: boto3 signs, uploads in parts, copies, presigns and pages in ways of its own.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ours, runBinary, scratchDir, startServer } from './harness.mjs';

const script = fileURLToPath(new URL('objects_boto3.py', import.meta.url));

test('boto3 against a server with keys', ours, async () => {
  const file = join(scratchDir(), 'keys.json');
  writeFileSync(file, JSON.stringify({ keys: [{ id: 'PYTHON', secret: 'a/secret+of=python0123456789' }] }), { mode: 0o600 });
  const server = await startServer({ args: ['--keys', file] });
  const run = runBinary([script, server.endpoint, 'PYTHON', 'a/secret+of=python0123456789'], { command: 'python3', within_ms: 60_000 });
  assert.equal(await run.exited, 0, run.output);
  await server.stop();
});
