// How often a run met what it is about.

import {Stories, decided_by, latest_expiry} from './stories.mjs';

export class Tally {
  constructor() {
    this.counts = Object.fromEntries(Object.keys(readings).map((name) => [name, 0]));
  }

  add(round) {
    const stories = new Stories(round.history, Object.fromEntries(round.queues.map((queue) => [queue.name, queue])));
    for (const [name, reading] of Object.entries(readings)) this.counts[name] += reading(stories);
  }

  lines() {
    return Object.entries(this.counts).map(([name, count]) => `${String(count).padStart(8)} ${name}`);
  }

  missing() {
    return Object.entries(this.counts).filter(([, count]) => count === 0).map(([name]) => `not once: ${name}`);
  }
}

const how_many = (list, test) => [...list].filter(test).length;
const deliveries = (stories) => [...stories].flatMap((story) => story.deliveries);
const pairs = (stories) => [...stories].flatMap(({deliveries: list}) => list.slice(1).map((after, i) => ({before: list[i], after})));
const calls = (kind, outcome) => (stories) => how_many(stories.history, (event) => event.kind === kind && event.outcome === outcome);
const unanswered = (stories) => [...stories].filter(({sends}) => sends.length === 1 && sends[0].outcome === 'unknown');

const readings = {
  'sends acknowledged': calls('send', 'ok'),
  'sends without an answer whose message came': (stories) => how_many(unanswered(stories), (story) => story.deliveries.length > 0),
  'sends without an answer whose message never came': (stories) => how_many(unanswered(stories), (story) => story.deliveries.length === 0),
  'duplicates of a message in a FIFO queue': (stories) => [...stories].reduce((sum, {sends}) => sum + Math.max(0, how_many(sends, (event) => event.outcome === 'ok') - 1), 0),
  'messages given out': (stories) => deliveries(stories).length,
  'receives answered with nothing': (stories) => how_many(stories.receives, (event) => event.outcome === 'ok' && !event.messages.length),
  'receives without an answer': calls('receive', 'unknown'),
  'receives that a client broke off': (stories) => how_many(stories.lost_receives, (event) => decided_by(event) !== event.end),
  'times that a message was taken by a receive without an answer': (stories) => pairs(stories).reduce((sum, {before, after}) => sum + after.message.count - before.message.count - 1, 0),
  'redeliveries after a timeout': (stories) => how_many(pairs(stories), ({before, after}) => before.event.visibility_ms > 0 && !before.changes.length && after.end > latest_expiry(before)),
  'redeliveries after a change to 0': (stories) => how_many(pairs(stories), ({before}) => before.changes.some((event) => event.outcome === 'ok' && event.visibility_ms === 0)),
  'timeouts extended': (stories) => how_many(deliveries(stories), ({changes}) => changes.some((event) => event.outcome === 'ok' && event.visibility_ms > 0)),
  'changes without an answer': calls('change', 'unknown'),
  'changes refused': calls('change', 'refused'),
  'deletes acknowledged': calls('delete', 'ok'),
  'deletes without an answer': calls('delete', 'unknown'),
  'deletes refused': calls('delete', 'refused'),
  'deletes with a receipt of an earlier receive': (stories) => how_many(pairs(stories), ({before, after}) => before.deletes.some((event) => event.begin > after.end)),
  'messages given up to a dead-letter queue': (stories) => how_many(stories, ({deliveries: list}) => list.some(({queue}) => stories.queues[queue].dead_letters_of)),
  'counts compared': calls('count', 'ok'),
};
