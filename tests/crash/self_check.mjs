// Proves that the checker can fail: each sabotage behind its back must be noticed, and a cycle without one
// must pass.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {Endpoint} from '../differential/wire.mjs';
import {Server} from './server.mjs';
import {Cycles} from './cycles.mjs';
import {Checker} from './check.mjs';

const behind_its_back = (make) => async (url) => {
  const endpoint = new Endpoint(url);
  const items = (await endpoint.call('Scan', {TableName: 'main'})).body.Items;
  await make(endpoint, items);
  endpoint.close();
};

const owned = (items) => items.find((item) => /^c\d/.test(item.pk.S));
const half = (items) => items.find((item) => /^p\d/.test(item.pk.S));
const key = ({pk, sk}) => ({pk, sk});
const without_last_of = (source) => (items, name) => (name === source ? items.slice(0, -1) : items);

// Halves whose other half is gone would go on being torn.
const drop_mirror = async (url) => {
  const endpoint = new Endpoint(url);
  for (const TableName of ['main', 'mirror']) {
    for (const item of (await endpoint.call('Scan', {TableName})).body.Items) {
      if (/^p\d/.test(item.pk.S)) await endpoint.call('DeleteItem', {TableName, Key: TableName === 'main' ? key(item) : {pk: item.pk}});
    }
  }
  endpoint.close();
};

const sabotages = {
  'an acknowledged item is deleted': {sabotage: behind_its_back((endpoint, items) => endpoint.call('DeleteItem', {TableName: 'main', Key: key(owned(items))})), notice: /possible:/},
  'an acknowledged item is changed': {sabotage: behind_its_back((endpoint, items) => endpoint.call('PutItem', {TableName: 'main', Item: {...owned(items), note: {S: 'planted'}}})), notice: /possible:/},
  'an item appears': {sabotage: behind_its_back((endpoint) => endpoint.call('PutItem', {TableName: 'main', Item: {pk: {S: 'stranger'}, sk: {S: 'x'}}})), notice: /from nowhere/, undo: behind_its_back((endpoint) => endpoint.call('DeleteItem', {TableName: 'main', Key: {pk: {S: 'stranger'}, sk: {S: 'x'}}}))},
  'half a transaction is undone': {sabotage: behind_its_back((endpoint, items) => endpoint.call('DeleteItem', {TableName: 'main', Key: key(half(items))})), notice: /torn/, undo: drop_mirror},
  'a counter is turned back': {sabotage: behind_its_back((endpoint) => endpoint.call('PutItem', {TableName: 'main', Item: {pk: {S: 'shared'}, sk: {S: 'counter0'}, hits: {N: '1'}}})), notice: /counter0/},
  'an entry of a global index is missing': {view: without_last_of('by_group'), notice: /index main.by_group/},
  'an entry of a sparse index is missing': {view: without_last_of('sparse'), notice: /index main.sparse/},
  'an entry of a local index is missing': {view: without_last_of('by_rank'), notice: /index main.by_rank/},
  'a table is short of an item that its index has': {view: without_last_of('main'), notice: /index main|possible|acknowledged/},
  'a change is missing from the log': {tamper: forget_one, notice: /its log gives|begins with/},
  'a change is twice in the log': {tamper: forget_place, notice: /begins with/},
};

// As if the replay had not heard of some changes; gives what takes that back.
function forget_one({history: {replays: {mirror}}}) {
  const [key, item] = [...mirror.state][0];
  mirror.state.delete(key);
  return () => mirror.state.has(key) || mirror.state.set(key, item);
}

// It hears everything again, and ends where it was.
function forget_place({history: {replays: {main}}}) {
  main.last = null;
}

export async function self_check(random, program) {
  const directory = mkdtempSync(path.join(tmpdir(), 'waybill-crash-'));
  const server = new Server(directory, {program});
  const cycles = new Cycles({server, random, sizes: program === 'waybill'});
  let passed = 0;
  let failed = 0;
  const note = (name, good, wrong) => {
    good ? passed++ : failed++;
    console.log(`${good ? 'ok' : 'NOT OK'}  ${name}: ${wrong.length ? wrong[0].slice(0, 160) : 'nothing noticed'}`);
  };
  try {
    await cycles.prepare();
    for (const [name, {notice, undo, tamper, ...plan}] of Object.entries(sabotages)) {
      const mend = tamper?.(cycles);
      const wrong = await cycles.run('plain', plan);
      note(name, wrong.some((text) => notice.test(text)), wrong);
      await undo?.(server.url);
      mend?.();
      // What was planted is now what is expected, or the next cycle would report it again.
      const checker = new Checker(server.url, cycles.workload, {sizes: false});
      await checker.check();
      checker.close();
    }
    const wrong = await cycles.run('plain');
    note('no sabotage', wrong.length === 0, wrong.length ? wrong : ['clean']);
  } finally {
    await server.kill().catch(() => {});
    rmSync(directory, {recursive: true, force: true});
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}
