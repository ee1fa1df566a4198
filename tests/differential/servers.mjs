// Starts and ends the servers under comparison, each on a free port of 127.0.0.1.

import {spawn} from 'node:child_process';
import {createServer} from 'node:net';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const tests = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

export const waybill_binary = () => process.env.WAYBILL_BIN ?? path.join(tests, '..', 'build', 'release', 'waybill');
export const dynoxide_binary = () => process.env.DYNOXIDE_BIN ?? path.join(tests, 'node_modules', '@dynoxide', 'linux-x64', 'dynoxide');

// 'exit' listeners end the servers; without these, a signal would skip them.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

export function free_port() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const {port} = server.address();
      server.close(() => resolve(port));
    });
  });
}

// {url, stop()}: `stop` ends the process and removes its directory.
async function start(binary, arguments_of) {
  if (!existsSync(binary)) throw new Error(`${binary} is not there`);
  const port = await free_port();
  const directory = mkdtempSync(path.join(tmpdir(), 'waybill-differential-'));
  const child = spawn(binary, arguments_of(port, directory), {stdio: ['ignore', 'pipe', 'pipe']});
  let output = '';
  const keep = (chunk) => { output = (output + chunk).slice(-4000); };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let end = null;
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => {
    end = {code, signal};
    resolve();
  }));
  const end_with_us = () => {
    child.kill('SIGKILL');
    rmSync(directory, {recursive: true, force: true});
  };
  process.on('exit', end_with_us);
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    output: () => output,
    // How it ended, if it did without being asked to: {code, signal}.
    end: () => end,
    async stop() {
      process.off('exit', end_with_us);
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(timer);
      rmSync(directory, {recursive: true, force: true});
    },
  };
}

export const start_waybill = () => start(waybill_binary(), (port, directory) => ['serve', '--listen', `127.0.0.1:${port}`, '--data', directory]);
export const start_dynoxide = () => start(dynoxide_binary(), (port) => ['serve', '--host', '127.0.0.1', '--port', String(port)]);
