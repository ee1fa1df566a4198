// What a contract costs: conditional updates of a status through DynamoDB's protocol, in turns on two tables of one
// server that hold the same items. One of them has a contract.
//
// The tables are loaded before the server knows of the contract: the items have all states, and a contract lets
// records begin in one alone.
import { join } from 'node:path';
import { runLoad, untilQuiet } from '../measure.mjs';
import { count } from '../numbers.mjs';
import { requestHeaders } from '../peers/peer.mjs';
import { bench_folder } from '../processes.mjs';

const contract = join(bench_folder, 'jobs/ring.yaml');
const tables = ['plain', 'ruled'];
const connections = 64;
const load_per_s = 50_000;

export const seconds = ({ enforcement: { items, rounds, seconds: each }, warmup_seconds }) =>
  (2 * items) / load_per_s + 2 * rounds * (each + warmup_seconds + 1) + 5;

// Whether an item may not go to a state that no contract has.
async function refusesMove(peer, table) {
  const call = (operation, body) =>
    fetch(peer.target, { method: 'POST', headers: requestHeaders(operation), body: JSON.stringify(body) });
  const { Items } = await (await call('Scan', { TableName: table, Limit: 1 })).json();
  const { jobId, status } = Items[0];
  const set = (state) => ({
    TableName: table,
    Key: { jobId },
    UpdateExpression: 'SET #s = :s',
    ExpressionAttributeNames: { '#s': 'status' },
    ExpressionAttributeValues: { ':s': state },
  });
  const { ok } = await call('UpdateItem', set({ S: 'NOWHERE' }));
  if (ok) await call('UpdateItem', set(status));
  return !ok;
}

export async function measure({ plan, fleet, say, driver }) {
  await fleet.removeAll();
  const { items, rounds, seconds: each } = plan.enforcement;
  const peer = await fleet.make('waybill', 'enforcement');
  await peer.start();
  for (const table of tables) {
    await runLoad(peer, 'create', { table });
    await runLoad(peer, 'load', { table, items, connections });
    say(`${table}: ${count(items)} items`);
  }
  await peer.stop();
  peer.contracts = [contract];
  await peer.start();
  for (const table of tables) {
    const refused = await refusesMove(peer, table);
    if (refused !== (table === 'ruled')) driver.note(`table ${table} ${refused ? 'has' : 'has no'} contract in force`);
  }
  const runs = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const table of round % 2 ? tables : tables.toReversed()) {
      await untilQuiet([peer], { for_s: 0.3, timeout_s: plan.quiet_seconds_max });
      const state = `${peer.folder}.${table}.state`;
      const times = { seconds: each, warmup: plan.warmup_seconds };
      const flags = { table, items, connections, ...times, seed: round, round, state };
      await driver.drive(runs, peer, 'update', flags, { label: `round ${round}  ${table}  `, facts: { round, table } });
    }
  }
  await fleet.remove(peer);
  return { rounds, items, runs };
}
