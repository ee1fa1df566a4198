// Reading many records through the jobs API: counts by status, search by tags, a list of 20 by an index, at one
// connection, with as many records as other tables have items.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { untilQuiet } from '../measure.mjs';
import { count, duration, figure } from '../numbers.mjs';
import { repository } from '../processes.mjs';
import { runTool } from '../tool.mjs';

const contract = join(repository, 'contracts/image-service.yaml');
const table = 'image-service/image';
// As the load generator makes them.
const users = 1000;
const tags = 50;
const load_per_s = 10_000;

const records = `/v1/${table}`;
const ofUsers = (pathOf) => Array.from({ length: users }, (_, user) => pathOf(`user-${user}`, user));
const twoTags = (n, apart) => `tag=tag-${n % tags}&tag=tag-${(n + apart) % tags}`;

export const reads = {
  counts: { title: 'counts by status', paths: [`${records}:counts`] },
  list: {
    title: "a user's 20 newest, by an index",
    paths: ofUsers((user) => `${records}?index=UserIndex&userId=${user}&limit=20`),
  },
  any_tag: {
    title: '20 newest with any of two tags',
    paths: ofUsers((user, n) => `${records}?userId=${user}&${twoTags(n, 7)}&match=any&limit=20`),
  },
  all_tags: {
    title: '20 newest with two tags',
    paths: ofUsers((user, n) => `${records}?userId=${user}&${twoTags(n, 1)}&match=all&limit=20`),
  },
};

export const seconds = ({ items, lists }) =>
  items / load_per_s + Object.keys(reads).length * (lists.seconds + lists.warmup_seconds + 1) + 5;

export async function measure({ plan, fleet, folder, say, driver }) {
  await fleet.removeAll();
  const peer = await fleet.make('waybill', 'lists');
  peer.contracts = [contract];
  await peer.start();
  const target = `jobs://127.0.0.1:${peer.port}`;
  const began_ms = performance.now();
  const load = { count: plan.items, items: plan.items, connections: 64 };
  const [filled] = await runTool(peer, { target, table }, 'load', load);
  if (filled.complaint) throw new Error(`creating records: ${filled.complaint}`);
  say(`${count(plan.items)} records in ${duration((performance.now() - began_ms) / 1000)}`);
  await untilQuiet([peer], { for_s: 1, timeout_s: plan.quiet_seconds_max });
  const runs = [];
  for (const [read, { title, paths }] of Object.entries(reads)) {
    const file = join(folder, `${read}.paths`);
    writeFileSync(file, `${paths.join('\n')}\n`);
    const flags = { connections: 1, paths: file, seconds: plan.lists.seconds, warmup: plan.lists.warmup_seconds };
    const [run] = await runTool(peer, { target, table }, 'ask', flags);
    runs.push({ ...run, peer: 'waybill', read });
    say(`${title}: p50 ${figure(run.latency_us.p50)} µs, p99 ${figure(run.latency_us.p99)} µs`);
    if (run.complaint) driver.note(`waybill ${title}: ${run.complaint}`);
  }
  await fleet.remove(peer);
  return { records: plan.items, runs };
}
