// The three counts of a queue against what the history says, at moments when nobody was at work in it.

import {decided_by, earliest_expiry, latest_expiry, possible, slack_ms} from './stories.mjs';

// How late the server may notice that a timeout is over.
const timer_ms = 500;
const states = ['waiting', 'in_flight', 'delayed'];

export function check_counts(stories, note) {
  for (const event of stories.history) {
    if (event.kind !== 'count' || event.outcome !== 'ok' || !is_quiet(event, stories)) continue;
    const range = Object.fromEntries(states.map((state) => [state, {least: 0, most: 0}]));
    for (const story of stories) add(range, places_at(story, event, stories), event.queue);
    loosen_by_lost_receives(range, event, stories);
    for (const state of states) {
      const {least, most} = range[state];
      if (event[state] < least || event[state] > most) note(null, `counts of ${event.queue}: ${event[state]} ${state}, the history says ${least === most ? least : `${least} to ${most}`}`);
    }
  }
}

const family = (queue, queues) => [queue, queues[queue].dead_letters_of, queues[queue].dead_letters].filter(Boolean);

function is_quiet(count, stories) {
  const names = family(count.queue, stories.queues);
  return !stories.history.some((event) => event.kind !== 'count' && names.includes(event.queue) && event.begin < count.end && event.end > count.begin);
}

function add(range, places, queue) {
  for (const state of states) {
    const here = places.filter((place) => place.queue === queue && place.state === state).length;
    if (here && places.length === 1) range[state].least++;
    if (here) range[state].most++;
  }
}

// Every place where the message may be at that moment, as {queue, state}; state `absent`: nowhere.
function places_at(story, count, stories) {
  const before = story.deliveries.filter((one) => one.begin < count.begin);
  const after = story.deliveries.length > before.length;
  const last = before.at(-1);
  const presence = [...(may_be_there(story, last, after, count) ? [true] : []), ...(must_be_there(story, last, after, count) ? [] : [false])];
  return presence.flatMap((there) => (there ? places_if_there(story, last, count, stories) : [{queue: null, state: 'absent'}]));
}

const sent_before = (story, count) => story.sends.filter((event) => possible(event) && event.begin < count.begin);

function may_be_there(story, last, after, count) {
  if (!sent_before(story, count).length) return false;
  return after || !last?.deletes.some((event) => event.outcome === 'ok' && event.end < count.begin);
}

function must_be_there(story, last, after, count) {
  const sent = last || sent_before(story, count).some((event) => event.outcome === 'ok' || after);
  return Boolean(sent) && (after || !last?.deletes.some((event) => possible(event) && event.begin < count.begin));
}

function places_if_there(story, last, count, stories) {
  const sent_to = story.sends[0].queue;
  if (!last) return delay_states(story, count, stories).map((state) => ({queue: sent_to, state}));
  const flying = count.end < earliest_expiry(last, count.begin);
  const free = count.begin > latest_expiry(last, count.begin) + timer_ms;
  const here = [...(free ? [] : ['in_flight']), ...(flying ? [] : ['waiting'])].map((state) => ({queue: last.queue, state}));
  const {receives_max, dead_letters} = stories.queues[last.queue];
  const given_up = receives_max && !flying && last.message.count + stories.lost_between(last.queue, last.begin, count.end).length >= receives_max;
  return given_up ? [...here, {queue: dead_letters, state: 'waiting'}] : here;
}

function delay_states(story, count, stories) {
  const sends = sent_before(story, count);
  const delay = (event) => event.delay_ms ?? stories.queues[event.queue].delay_ms;
  const earliest = Math.min(...sends.map((event) => event.begin + delay(event))) - slack_ms;
  const latest = Math.max(...sends.map((event) => event.end + delay(event))) + slack_ms + timer_ms;
  const none = sends.every((event) => delay(event) === 0);
  return [...(none || count.begin > latest ? [] : ['delayed']), ...(count.end < earliest && !none ? [] : ['waiting'])];
}

// A receive without an answer may have taken as many messages as it asked for, or have given them up.
function loosen_by_lost_receives(range, count, stories) {
  for (const name of family(count.queue, stories.queues)) {
    for (const lost of stories.lost_between(name, -Infinity, count.end)) {
      if (name !== count.queue) { range.waiting.most += lost.count_max; continue; }
      const gives_up = Boolean(stories.queues[name].receives_max);
      if (!gives_up && decided_by(lost) + lost.visibility_ms + timer_ms < count.begin) continue;
      range.waiting.least = Math.max(0, range.waiting.least - lost.count_max);
      range.in_flight.most += lost.count_max;
    }
  }
}
