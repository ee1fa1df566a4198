// What newcomers run first: the programs of examples/ and `waybill tour`, against a server with its own workers.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ours, runBinary, scratchDir, startServer } from './harness.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('examples', ours, () => {
  let server, touring, folder;
  before(async () => {
    server = await startServer({ workers: 'photo,image,text,assets', args: ['--contracts', join(root, 'contracts')] });
    // Workflows that the examples' own workers must not lose their runs to.
    touring = await startServer({ workers: 'all', args: ['--contracts', join(root, 'contracts'), '--workflows', join(root, 'examples/workflows')] });
    // Beside the packages of the tests, so that there is one copy of the SDK.
    folder = scratchDir();
    for (const file of readdirSync(join(root, 'examples'))) if (/\.(ts|py)$/.test(file)) copyFileSync(join(root, 'examples', file), join(folder, file));
    symlinkSync(join(root, 'tests/node_modules'), join(folder, 'node_modules'));
  });
  after(() => Promise.all([server.stop(), touring.stop()]));

  // With nothing but the endpoint, a region and any keys.
  const run = (command, ...args) =>
    new Promise((resolve) => {
      const env = { PATH: process.env.PATH, HOME: folder, AWS_ENDPOINT_URL: server.endpoint, AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' };
      const child = spawn(command, args, { cwd: folder, env });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
      child.on('close', (code) => resolve({ code, output }));
    });
  const node = async (...args) => {
    const { code, output } = await run(process.execPath, '--disable-warning=ExperimentalWarning', ...args);
    assert.equal(code, 0, output);
    return output;
  };

  test('P14_photo-editor.ts: from the upload to the edited photo', async () => {
    const output = await node('photo-editor.ts');
    assert.match(output, /COMPLETED/);
    assert.match(output, /edited: 640 x 480 png, \d+ bytes/);
  });

  test('I4, I11_image-service.ts: WebP, thumbnail, lists, and who comes late is told so', async () => {
    const output = await node('image-service.ts');
    assert.match(output, /640 x 480: \d+ bytes of WebP, thumbnail \d+/);
    assert.match(output, /of the user: 1, of the album: 1/);
    assert.match(output, /whoever came late: ConditionalCheckFailedException/);
  });

  test('T3, T4, T6_text-analyzer.ts: the arrival starts the analysis', async () => {
    const output = await node('text-analyzer.ts');
    assert.match(output, /17 words, 11 of them different/);
    assert.match(output, /fox\.txt COMPLETED/);
  });

  test('A3, A7, A8, A11_asset-creator.ts: a decision in between, and an archive by a signed URL', async () => {
    const output = await node('asset-creator.ts');
    assert.match(output, /to be reviewed: refine/);
    assert.match(output, /version 7: \d+ bytes, written to asset\.zip/);
    assert.equal(readFileSync(join(folder, 'asset.zip')).toString('latin1', 0, 4), 'PK\x03\x04');
  });

  for (const [name, worker] of [['worker.ts', () => node('worker.ts', '--once')], ['worker.py', () => run('python3', 'worker.py', '--once')]]) {
    test(`O7, O9, O12_orchestrator.ts and ${name}: one run, its steps, its credits`, async () => {
      const [output, worked] = await Promise.all([node('orchestrator.ts'), worker()]);
      assert.equal(worked.code ?? 0, 0, worked.output);
      assert.match(output, /asked for once more: there is one already/);
      assert.match(output, /completed; credits: 3 spent of 3, 0 still reserved/);
    });
  }

  test('waybill tour tells what happened, with links that can be followed', async () => {
    const tour = runBinary(['tour', '--endpoint', touring.endpoint]);
    assert.equal(await tour.exited, 0, tour.output);
    assert.match(tour.output, /EDITING -> COMPLETED {2}\[photo_job_ended\]/);
    assert.match(tour.output, /PENDING -> IN_PROGRESS/);
    assert.match(tour.output, /2 spent, 0 still reserved/);
    assert.match(tour.output, /running -> paused {2}\[asset_review_needed\]/);
    const links = tour.output.match(/http:\S+\/(v1|objects)\/\S+/g);
    assert.ok(links.length >= 10, tour.output);
    for (const link of links) assert.equal((await fetch(link)).status, 200, link);
  });

  test('waybill tour says what to do where there is no server, or no contract', async () => {
    const nowhere = runBinary(['tour', '--endpoint', 'http://127.0.0.1:1']);
    assert.equal(await nowhere.exited, 1);
    assert.match(nowhere.output, /Start a server with: waybill serve --contracts contracts/);
    const bare = await startServer();
    const tour = runBinary(['tour', '--endpoint', bare.endpoint]);
    assert.equal(await tour.exited, 1);
    assert.match(tour.output, /contract photo-editor is not in force/);
    await bare.stop();
  });
});
