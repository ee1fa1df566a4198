// Proves that the checker can fail: faults are planted in recorded histories, and each must be noticed. The histories
// without them must pass.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {Server} from '../crash/server.mjs';
import {check} from './check.mjs';
import {kinds} from './queues.mjs';
import {Round} from './round.mjs';
import {Stories, earliest_expiry, flight_end} from './stories.mjs';

const settled_ok = (event) => event.outcome === 'ok';
const all_deliveries = (stories) => [...stories].flatMap((story) => story.deliveries);
const is_rest = (story) => story.key.startsWith('rest');

let planted_handles = 0;

// The message of `delivery` once more, given out in [begin, begin + 1]; the receives after it count on from there.
function give_out(history, delivery, begin, {count = delivery.message.count + 1} = {}) {
  for (const {message} of delivery.story.deliveries) if (message.count >= count) message.count++;
  const message = {...delivery.message, count, handle: `planted-${++planted_handles}`};
  history.push({...delivery.event, client: 'planted', begin, end: begin + 1, messages: [message]});
}

function take_out(delivery) {
  delivery.event.messages = delivery.event.messages.filter((message) => message.handle !== delivery.message.handle);
}

function forget(history, events) {
  for (const event of events) history.splice(history.indexOf(event), 1);
}

// Two messages of one group, the earlier one given out alone and for the first time, and the later one after it.
function in_turn(stories) {
  for (const first of all_deliveries(stories)) {
    if (!stories.queues[first.queue].is_fifo || first.message.count !== 1 || flight_end(first) < first.end + 3 || is_rest(first.story)) continue;
    const second = all_deliveries(stories).find((one) => one.queue === first.queue && one.message.group === first.message.group && one.message.count === 1
      && one.begin > first.end && BigInt(one.message.sequence) > BigInt(first.message.sequence));
    if (second) return {first, second};
  }
  return null;
}

// Of the queue that the round worked on, with what it left behind. Not where that may still be on its way.
const last_count = (stories) => stories.history.findLast((event) => event.kind === 'count' && settled_ok(event) && !stories.queues[event.queue].dead_letters_of && !stories.queues[event.queue].delay_ms);

// Each plants its fault and says whether the history had a place for it.
const faults = {
  'a lost message': {notice: /lost: acknowledged, and never received/, plant(history, stories) {
    const story = [...stories].find(({key, sends, deliveries}) => !key.startsWith('rest') && sends.some(settled_ok) && deliveries.length);
    for (const delivery of story?.deliveries ?? []) {
      take_out(delivery);
      forget(history, [...delivery.changes, ...delivery.deletes, ...delivery.misuses]);
    }
    return story;
  }},
  'a message that goes away by itself': {notice: /lost: nobody deleted it/, plant(history, stories) {
    const last = [...stories].find((story) => !is_rest(story) && story.deliveries.at(-1)?.deletes.length)?.deliveries.at(-1);
    forget(history, last?.deletes ?? []);
    return last;
  }},
  'a message from nowhere': {notice: /received, but never sent/, plant(history, stories) {
    const event = stories.receives.find((one) => one.messages.length);
    event?.messages.push({...event.messages[0], id: 'planted', body: 'stranger|', handle: 'planted', count: 1});
    return event;
  }},
  'a second delivery inside a timeout': {notice: /given out twice inside a visibility timeout/, plant(history, stories) {
    const held = all_deliveries(stories).find((one) => flight_end(one) > one.end + 3);
    if (held) give_out(history, held, held.end + 1);
    return held;
  }},
  'a delivery before the delay is over': {notice: /before its delay was over/, plant(history, stories) {
    const first = [...stories].find(({sends, deliveries}) => sends.length === 1 && sends[0].delay_ms > 0 && deliveries.length)?.deliveries[0];
    if (first) give_out(history, first, first.story.sends[0].end + 1, {count: 1});
    return first;
  }},
  'a delete that is undone': {notice: /came back after its delete was acknowledged/, plant(history, stories) {
    const done = all_deliveries(stories).find((one) => one.deletes.some((event) => settled_ok(event) && event.end < earliest_expiry(one, event.end)));
    if (done) give_out(history, done, done.deletes.find(settled_ok).end + 5000);
    return done;
  }},
  'a FIFO inversion': {notice: /FIFO order/, plant(history, stories) {
    const pair = in_turn(stories);
    if (!pair) return false;
    take_out(pair.second);
    history.push({...pair.second.event, begin: pair.first.begin - 0.2, end: pair.first.begin - 0.1, messages: [pair.second.message]});
    return true;
  }},
  'a wrong order within an answer': {notice: /FIFO order/, plant(history, stories) {
    const pair = in_turn(stories);
    if (!pair) return false;
    take_out(pair.second);
    pair.first.event.messages.unshift(pair.second.message);
    return true;
  }},
  'an unblocked group': {notice: /FIFO blocking/, plant(history, stories) {
    const pair = in_turn(stories);
    if (pair) give_out(history, pair.second, pair.first.end + 1, {count: 1});
    return pair;
  }},
  'a duplicate that is a second message': {notice: /one message has the ids/, plant(history, stories) {
    const twice = [...stories].find(({sends}) => sends.filter(settled_ok).length > 1);
    if (twice) twice.sends.filter(settled_ok)[1].id = 'planted';
    return twice;
  }},
  'a duplicate with a place of its own': {notice: /a duplicate was answered otherwise/, plant(history, stories) {
    const twice = [...stories].find(({sends}) => sends.filter(settled_ok).length > 1);
    if (twice) twice.sends.filter(settled_ok)[1].sequence += '1';
    return twice;
  }},
  'a sequence number that falls': {notice: /its sequence number is greater/, plant(history, stories) {
    const [first] = [...stories].filter(({sends}) => sends.length === 1 && sends[0].sequence && settled_ok(sends[0]) && sends[0].group === 'g0');
    if (first) first.sends[0].sequence = '9'.repeat(20);
    return first;
  }},
  'a receive count that leaps': {notice: /receive count .* follows/, plant(history, stories) {
    const last = [...stories].find(({deliveries}) => deliveries.length)?.deliveries.at(-1);
    if (last) last.message.count += stories.lost_receives.length + 1;
    return last;
  }},
  'a receive count that stands still': {notice: /was given out twice$/, plant(history, stories) {
    const again = [...stories].find(({deliveries}) => deliveries.length > 1)?.deliveries[1];
    if (again) again.message.count = again.story.deliveries[0].message.count;
    return again;
  }},
  'one receive too many before a message is given up': {notice: /in a queue that gives it up after/, plant(history, stories) {
    const last = all_deliveries(stories).find((one) => stories.queues[one.queue].receives_max === one.message.count);
    if (last) last.message.count++;
    return last;
  }},
  'a message that is given up too early': {notice: /given up before/, plant(history, stories) {
    const dead = all_deliveries(stories).find((one) => stories.queues[one.queue].dead_letters_of);
    if (dead) dead.message.count = stories.queues[stories.queues[dead.queue].dead_letters_of].receives_max;
    return dead;
  }},
  'a superseded receipt that holds': {notice: /a superseded receipt/, plant(history, stories) {
    const again = [...stories].find(({deliveries}) => deliveries.length > 1)?.deliveries;
    if (again) history.push({kind: 'change', queue: again[0].queue, client: 'planted', operation: 'planted', begin: again[1].end + 1, end: again[1].end + 2, outcome: 'ok', handle: again[0].message.handle, visibility_ms: 0});
    return again;
  }},
  'a receipt of another queue that is taken': {notice: /took a receipt of/, plant(history, stories) {
    const dead = all_deliveries(stories).find((one) => stories.queues[one.queue].dead_letters_of && one.deletes.some(settled_ok));
    if (dead) dead.deletes.find(settled_ok).queue = stories.queues[dead.queue].dead_letters_of;
    return dead;
  }},
  'a receipt from nowhere that is taken': {notice: /which no receive gave/, plant(history) {
    const event = history.find((one) => one.kind === 'delete' && settled_ok(one));
    if (event) event.handle = 'planted';
    return event;
  }},
  'a token that falls': {notice: /is not above/, plant(history, stories) {
    const receives = stories.receives.filter((event) => event.messages.length && stories.queues[event.queue].has_tokens);
    const later = receives.find((event) => receives.some((other) => other.queue === event.queue && other.end < event.begin));
    if (later) later.messages[0].token = 0n;
    return later;
  }},
  'a token that is given twice': {notice: /token .* was given out twice/, plant(history, stories) {
    const event = stories.receives.find((one) => one.messages.length > 1 && stories.queues[one.queue].has_tokens);
    if (event) event.messages[1].token = event.messages[0].token;
    return event;
  }},
  'an empty answer while a message waits': {notice: /answered with nothing/, plant(history, stories) {
    const waiting = [...stories].find(({sends, deliveries}) => sends.length === 1 && settled_ok(sends[0]) && !stories.queues[sends[0].queue].is_fifo
      && (sends[0].delay_ms ?? stories.queues[sends[0].queue].delay_ms) === 0 && deliveries[0]?.begin > sends[0].end + 1 && !stories.lost_between(sends[0].queue, 0, deliveries[0].begin).length);
    if (waiting) history.push({...waiting.deliveries[0].event, client: 'planted', begin: waiting.sends[0].end + 0.1, end: waiting.sends[0].end + 0.2, messages: []});
    return waiting;
  }},
  'a message twice in one answer': {notice: /twice in one answer/, plant(history, stories) {
    const event = stories.receives.find((one) => one.messages.length);
    event?.messages.push({...event.messages[0], handle: 'planted'});
    return event;
  }},
  ...Object.fromEntries(['waiting', 'in_flight', 'delayed'].map((state) => [`a count that is too high: ${state}`, {notice: new RegExp(`counts of .* ${state}, the history says`), plant(history, stories) {
    const event = last_count(stories);
    if (event) event[state] += 1 + stories.lost_receives.reduce((sum, one) => sum + one.count_max, 0);
    return event;
  }}])),
  ...Object.fromEntries(['waiting', 'in_flight', 'delayed'].map((state) => [`a count that is too low: ${state}`, {notice: new RegExp(`counts of .* ${state}, the history says`), plant(history, stories) {
    const event = last_count(stories);
    if (!event?.[state] || stories.lost_receives.length) return false;
    event[state]--;
    return true;
  }}])),
};

async function record_rounds(url, random, has_tokens) {
  const rounds = Array.from({length: 2 * kinds.length}, (_, number) => new Round(number, url, random.fork(`round${number}`), {has_tokens}));
  const wrong = await Promise.all(rounds.map((round) => round.run()));
  return rounds.map((round, i) => ({round, wrong: wrong[i]}));
}

// What the checker says anew of a copy of the recorded history in which the fault is planted; null where there is no
// place for it.
function plant_in({round, wrong}, fault) {
  const queues = Object.fromEntries(round.queues.map((queue) => [queue.name, queue]));
  const history = structuredClone(round.history);
  if (!fault.plant(history, new Stories(history, queues))) return null;
  const before = new Set(wrong.map(({text}) => text));
  return check(history, queues).map(({text}) => text).filter((text) => !before.has(text));
}

export async function self_check(random, url) {
  const directory = mkdtempSync(path.join(tmpdir(), 'waybill-queues-'));
  const server = url ? null : new Server(path.join(directory, 'data'));
  let [passed, failed] = [0, 0];
  const note = (name, good, text) => {
    good ? passed++ : failed++;
    console.log(`${good ? 'ok' : 'NOT OK'}  ${name}: ${text.slice(0, 160)}`);
  };
  try {
    await server?.start();
    const recordings = await record_rounds(url ?? server.url, random, Boolean(server));
    for (const {round, wrong} of recordings) note(`round ${round.number} (${round.kind}) as it was`, wrong.length === 0, wrong[0]?.text ?? 'clean');
    for (const [name, fault] of Object.entries(faults)) {
      const said = recordings.map((recording) => plant_in(recording, fault)).filter(Boolean);
      const unseen = said.find((texts) => !texts.some((text) => fault.notice.test(text)));
      note(`${name}, in ${said.length} histories`, said.length > 0 && !unseen, unseen ? `not noticed; said: ${unseen[0] ?? 'nothing'}` : said[0]?.find((text) => fault.notice.test(text)) ?? 'no place for it');
    }
  } finally {
    await server?.kill().catch(() => {});
    rmSync(directory, {recursive: true, force: true});
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}
