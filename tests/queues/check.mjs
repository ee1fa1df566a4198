// What must hold of a history, message by message. Gives a list of {text, story}; an empty list is a pass.

import {createHash} from 'node:crypto';
import {isDeepStrictEqual} from 'node:util';
import {check_counts} from './check_counts.mjs';
import {check_fifo} from './check_fifo.mjs';
import {Stories, earliest_expiry, possible, slack_ms} from './stories.mjs';

// How long a waiting receive may take to notice a message that has arrived.
const wake_ms = 500;

// `history` ends with a drain of every queue, except for messages whose key begins with "rest".
export function check(history, queues) {
  const stories = new Stories(history, queues);
  const wrong = [];
  const note = (story, text) => wrong.push({story, text: story ? `${story.key}: ${text}` : text});
  for (const story of stories) {
    check_origin(story, queues, note);
    check_loss(story, note);
    check_timeouts(story, queues, note);
    check_return(story, note);
    check_receive_counts(story, stories, note);
    check_dead_letters(story, queues, note);
    check_stale_changes(story, note);
  }
  check_receives(stories, note);
  check_tokens(stories, note);
  check_empty_answers(stories, note);
  check_strays(stories, note);
  check_fifo(stories, note);
  check_counts(stories, note);
  return wrong;
}

// Nothing is received that was never sent, and it comes as it was sent. A send makes one message, with one id.
function check_origin(story, queues, note) {
  const ids = new Set([...story.sends.filter((event) => event.outcome === 'ok').map((event) => event.id), ...story.deliveries.map((one) => one.message.id)]);
  if (ids.size > 1) note(story, `one message has the ids ${[...ids].join(', ')}`);
  for (const {message, queue, end} of story.deliveries) {
    const origin = queues[queue].dead_letters_of ?? queue;
    const sends = story.sends.filter((event) => event.queue === origin && possible(event) && event.begin <= end && event.body === message.body);
    if (!sends.length) { note(story, 'received, but never sent'); continue; }
    if (message.md5 !== createHash('md5').update(message.body).digest('hex')) note(story, 'MD5OfBody is not that of the body');
    if (message.group !== sends[0].group) note(story, `sent with group ${sends[0].group}, received with ${message.group}`);
    if (!isDeepStrictEqual(message.attributes, sends[0].attributes)) note(story, `its attributes are ${JSON.stringify(message.attributes)}`);
  }
}

// Every message that is known to have been there was received, and deleted with the receipt of the last time it was given out: it went
// away in no other manner.
function check_loss(story, note) {
  const last = story.deliveries.at(-1);
  if (story.key.startsWith('rest') || !(last || story.sends.some((event) => event.outcome === 'ok'))) return;
  if (!last) note(story, 'lost: acknowledged, and never received');
  else if (!last.deletes.some(possible)) note(story, 'lost: nobody deleted it with a valid receipt, and it is not there any more');
}

// Never given out twice inside a visibility timeout, nor before its delay is over.
function check_timeouts(story, queues, note) {
  for (let i = 1; i < story.deliveries.length; i++) {
    const [before, after] = [story.deliveries[i - 1], story.deliveries[i]];
    const free = earliest_expiry(before);
    if (after.end < free) note(story, `given out twice inside a visibility timeout, ${(free - after.end).toFixed(1)} ms early (receive ${after.message.count})`);
  }
  const first = story.deliveries[0];
  const sent = Math.min(...story.sends.filter(possible).map((event) => event.begin + (event.delay_ms ?? queues[event.queue].delay_ms)));
  if (first && first.end < sent - slack_ms) note(story, `received ${(sent - first.end).toFixed(1)} ms before its delay was over`);
}

// After an acknowledged delete with the receipt of the last receive, a message is never seen again. A delete is
// without effect only where the timeout was over and the message had been received once more, which the counts
// tell, or had been given up.
function check_return(story, note) {
  story.deliveries.forEach((delivery, i) => {
    for (const event of delivery.deletes.filter((one) => one.outcome === 'ok')) {
      const inside = event.end < earliest_expiry(delivery, event.end);
      for (const later of story.deliveries.slice(i + 1)) {
        const next = later.message.count === delivery.message.count + 1 && later.queue === delivery.queue;
        if (later.begin > event.end && (inside || next)) note(story, `came back after its delete was acknowledged (receive ${later.message.count})`);
      }
    }
  });
}

// Receive counts rise by one each time. One may be missing for every receive whose answer was lost.
function check_receive_counts(story, stories, note) {
  let [count, time] = [0, -Infinity];
  for (const {message, queue, begin, end} of story.deliveries) {
    if (message.count <= count) note(story, `receive count ${message.count} was given out twice`);
    if (end < time) note(story, `receive count ${message.count} came before receive count ${count}`);
    const origin = stories.queues[queue].dead_letters_of;
    const lost = stories.lost_between(queue, time, end).length + (origin ? stories.lost_between(origin, time, end).length : 0);
    if (message.count - count - 1 > lost) note(story, `receive count ${message.count} follows ${count}, and ${lost} receives in between are without an answer`);
    [count, time] = [message.count, begin];
  }
}

// A message is given out in its queue exactly maxReceiveCount times, and from then on in the dead-letter queue.
function check_dead_letters(story, queues, note) {
  for (const {message, queue} of story.deliveries) {
    const {receives_max, dead_letters_of} = queues[queue];
    if (receives_max && message.count > receives_max) note(story, `received ${message.count} times in a queue that gives it up after ${receives_max}`);
    if (!dead_letters_of) continue;
    const source = queues[dead_letters_of];
    if (message.count <= source.receives_max) note(story, `given up before ${source.receives_max} receives: its count in the dead-letter queue is ${message.count}`);
    if (!message.dead_letter_source?.endsWith(`:${source.name}`)) note(story, `its dead-letter source is ${message.dead_letter_source}`);
  }
}

// A receipt means nothing once the message was received again, or was deleted: it changes no timeout.
function check_stale_changes(story, note) {
  story.deliveries.forEach((delivery, i) => {
    const next = story.deliveries[i + 1];
    for (const change of delivery.changes.filter((event) => event.outcome === 'ok')) {
      if (next && change.begin > next.end) note(story, `a superseded receipt (receive ${delivery.message.count}) changed the timeout`);
      if (delivery.deletes.some((event) => event.outcome === 'ok' && event.end < change.begin) && !next) note(story, 'the timeout of a deleted message was changed');
    }
    for (const event of delivery.misuses) if (event.outcome === 'ok') note(story, `${event.queue} took a receipt of ${delivery.queue}`);
  });
}

function check_receives(stories, note) {
  const handles = new Set();
  for (const event of stories.receives) {
    if (event.messages.length > event.count_max) note(null, `${event.messages.length} messages were given to a receive of at most ${event.count_max}`);
    if (new Set(event.messages.map((message) => message.id)).size < event.messages.length) note(null, 'a message is twice in one answer');
    for (const {handle} of event.messages) {
      if (handles.has(handle)) note(stories.by_handle.get(handle).story, 'two receives gave the same receipt');
      handles.add(handle);
    }
  }
  for (const event of stories.history) if (event.error?.startsWith('500')) note(null, `${event.operation} on ${event.queue}: ${event.error}`);
}

// Of two receives that did not overlap, the later one has the greater tokens.
function check_tokens(stories, note) {
  for (const name of Object.keys(stories.queues)) {
    if (!stories.queues[name].has_tokens) continue;
    const receives = stories.receives.filter((event) => event.queue === name && event.messages.length);
    const seen = new Set();
    const by_end = [...receives].sort((a, b) => a.end - b.end);
    let [ended, highest] = [0, -1n];
    for (const event of [...receives].sort((a, b) => a.begin - b.begin)) {
      for (; ended < by_end.length && by_end[ended].end < event.begin; ended++) for (const {token} of by_end[ended].messages) if (token > highest) highest = token;
      for (const {token, handle} of event.messages) {
        const {story} = stories.by_handle.get(handle);
        if (token === undefined) { note(story, 'no fencing token came with it'); continue; }
        if (token <= highest) note(story, `its fencing token ${token} is not above ${highest}, which an earlier receive has`);
        if (seen.has(token)) note(story, `its fencing token ${token} was given out twice`);
        seen.add(token);
      }
    }
  }
}

// A standard queue never says that it is empty while a message waits in it; a waiting receive is woken by one that arrives.
function check_empty_answers(stories, note) {
  const empty = stories.receives.filter((event) => event.outcome === 'ok' && !event.messages.length && !stories.queues[event.queue].is_fifo);
  for (const story of stories) {
    const sent = story.sends[0];
    if (story.sends.length !== 1 || sent.outcome !== 'ok' || (sent.delay_ms ?? stories.queues[sent.queue].delay_ms) > 0) continue;
    const taken = story.deliveries[0]?.begin ?? Infinity;
    for (const event of empty) {
      if (event.queue !== sent.queue || event.end > taken) continue;
      const missed = sent.end < event.begin || sent.end + wake_ms < event.end;
      if (missed && !stories.lost_between(sent.queue, sent.begin, event.end).length) note(story, `waited in the queue while a receive was answered with nothing, ${(event.end - sent.end).toFixed(1)} ms after it was sent`);
    }
  }
}

// A receipt that no receive gave is refused. One that was only altered may be told apart no longer once its message is
// gone; that it does nothing shows in the message's story.
function check_strays(stories, note) {
  const is_altered = ({handle}) => [...stories.by_handle.keys()].some((given) => handle.startsWith(given));
  for (const event of stories.strays) {
    if (event.outcome === 'ok' && !is_altered(event)) note(null, `${event.operation} on ${event.queue} took the receipt ${event.handle}, which no receive gave`);
  }
}
