// How often a run met what it is about.

import {claims_of} from './check.mjs';

const how_many = (list, test) => [...list].filter(test).length;
const lines = (action, to) => (round) => [...round.seen.jobs.values()].reduce((sum, {rows}) => sum + how_many(rows, (row) => row.rule === undefined && row.action === action && (!to || row.to === to)), 0);
const calls = (verb, outcome, more = () => true) => (round) => how_many(round.log, (event) => event.verb === verb && event.outcome === outcome && more(event));
const has_line = (round) => {
  const actors = new Set([...round.seen.jobs.values()].flatMap(({rows}) => rows.map((row) => row.actor)));
  return (event) => actors.has(event.actor);
};
const unknown = (round) => round.log.filter((event) => event.outcome === 'unknown' && event.verb !== 'heartbeat');
const ended = (state) => (round) => how_many(round.seen.jobs.values(), ({record}) => record?.status.toLowerCase() === state);

const readings = {
  'jobs': (round) => round.seen.jobs.size,
  'creates answered as done already': calls('create', 'ok', (event) => event.replayed),
  'claims answered with jobs': calls('claim', 'ok', (event) => event.body.jobs.length > 0),
  'leases that were lost to another worker': (round) => [...round.seen.jobs.keys()].reduce((sum, id) => sum + Math.max(0, claims_of(round.log, id).filter(({attempt}) => attempt > 1).length), 0),
  'writes refused because the lease was lost': (round) => how_many(round.log, (event) => event.problem === 'lease-lost'),
  'writes refused because of the state': (round) => how_many(round.log, (event) => event.problem === 'conflict'),
  'heartbeats': calls('heartbeat', 'ok'),
  'steps done': lines('step'),
  'steps answered as done already': calls('step', 'ok', (event) => event.replayed),
  'finishes answered as done already': calls('finish', 'ok', (event) => event.replayed),
  'failures with another attempt': lines('fail', 'failed'),
  'failures that were the last': lines('fail', 'dead'),
  'jobs given up at a claim': lines('claim', 'dead'),
  'jobs given up by the keeper': lines('give_up'),
  'cancels': lines('cancel'),
  'pauses': lines('pause'),
  'approvals': lines('approve'),
  'rejections': lines('reject'),
  'replays': lines('replay'),
  'replays of many': calls('replay_many', 'ok', (event) => event.body.replayed > 0),
  'removals': lines('remove'),
  'dead letters': (round) => round.seen.letters.length,
  'calls without an answer that were done': (round) => unknown(round).filter(has_line(round)).length,
  'calls without an answer that were not done': (round) => unknown(round).filter((event) => !has_line(round)(event)).length,
  'jobs completed': ended('completed'),
  'jobs failed': ended('failed'),
  'jobs dead': ended('dead'),
  'jobs canceled': ended('canceled'),
};

export class Tally {
  constructor() {
    this.counts = Object.fromEntries(Object.keys(readings).map((name) => [name, 0]));
  }

  add(round) {
    for (const [name, reading] of Object.entries(readings)) this.counts[name] += reading(round);
  }

  lines() {
    return Object.entries(this.counts).map(([name, count]) => `${String(count).padStart(8)} ${name}`);
  }

  missing() {
    return Object.entries(this.counts).filter(([, count]) => count === 0).map(([name]) => `not once: ${name}`);
  }
}
