// A history told message by message: who sent it, every time it was given out, and what was done with each receipt.
//
// The server decides between the begin and the end of a call. What is said here about times is therefore said
// twice, as the earliest and the latest that is possible.

// Between the server's clock, which counts in whole milliseconds, and ours.
export const slack_ms = 10;

export const key_of = (body) => body.split('|')[0];
export const possible = (event) => event.outcome !== 'refused';

export class Stories {
  // `queues`: by name, see queues.mjs. Events are of these queues alone.
  constructor(history, queues) {
    this.history = history;
    this.queues = queues;
    this.by_key = new Map();
    this.by_handle = new Map();
    this.strays = []; // deletes and changes with a handle that no receive gave
    this.receives = history.filter((event) => event.kind === 'receive');
    this.lost_receives = this.receives.filter((event) => event.outcome === 'unknown' || this.#may_have_taken_more(event));
    for (const event of history) if (event.kind === 'send') this.#story(event.key).sends.push(event);
    for (const event of this.receives) event.messages.forEach((message, place) => this.#deliver(event, message, place));
    for (const event of history) if (event.kind === 'delete' || event.kind === 'change') this.#settle(event);
    for (const story of this.by_key.values()) story.deliveries.sort((a, b) => a.message.count - b.message.count || a.begin - b.begin);
  }

  [Symbol.iterator]() {
    return this.by_key.values();
  }

  // Receives of the queue that may have taken messages which no answer told of, decided after `after` and before `before`.
  lost_between(queue, after, before) {
    return this.lost_receives.filter((event) => event.queue === queue && decided_by(event) > after && event.begin < before);
  }

  // A message that is received for 0 seconds may be given up by the next receive before the answer is written. It is then
  // left out of the answer, and counts as received.
  #may_have_taken_more(event) {
    return event.outcome === 'ok' && event.visibility_ms === 0 && event.messages.length < event.count_max && Boolean(this.queues[event.queue].receives_max);
  }

  #story(key) {
    if (!this.by_key.has(key)) this.by_key.set(key, {key, sends: [], deliveries: []});
    return this.by_key.get(key);
  }

  #deliver(event, message, place) {
    const story = this.#story(key_of(message.body));
    const delivery = {story, event, message, place, queue: event.queue, begin: event.begin, end: event.end, changes: [], deletes: [], misuses: []};
    story.deliveries.push(delivery);
    this.by_handle.set(message.handle, delivery);
  }

  #settle(event) {
    const delivery = this.by_handle.get(event.handle);
    if (!delivery) this.strays.push(event);
    else if (delivery.queue !== event.queue) delivery.misuses.push(event);
    else delivery[event.kind === 'delete' ? 'deletes' : 'changes'].push(event);
  }
}

// A receive that the client broke off may go on at the server until its wait is over, or the server has noticed. One
// that ended with the server did not.
const notice_ms = 500;
export const decided_by = (event) => (event.error?.includes('timeout') ? Math.max(event.end, event.begin + event.wait_ms) + notice_ms : event.end);

// The earliest moment at which the message can have been free again, if nobody deleted it. Only changes that
// began before `before` are looked at.
export function earliest_expiry(delivery, before = Infinity) {
  let at = delivery.begin + delivery.event.visibility_ms;
  for (const change of delivery.changes) {
    if (change.begin >= before || !possible(change)) continue;
    const then = change.begin + change.visibility_ms;
    at = change.outcome === 'ok' ? then : Math.min(at, then);
  }
  return at - slack_ms;
}

export function latest_expiry(delivery, before = Infinity) {
  let at = delivery.end + delivery.event.visibility_ms;
  for (const change of delivery.changes) {
    if (change.begin >= before || !possible(change)) continue;
    const then = change.end + change.visibility_ms;
    at = change.outcome === 'ok' ? then : Math.max(at, then);
  }
  return at + slack_ms;
}

export const earliest_delete = (delivery) => Math.min(Infinity, ...delivery.deletes.filter(possible).map((event) => event.begin));

// Until when the message is in flight for certain, from delivery.end on.
export const flight_end = (delivery) => Math.min(earliest_expiry(delivery), earliest_delete(delivery));

// The earliest moment at which the message can have left the queue of its delivery for good. Only the receipt of
// its last delivery can have deleted it: with an earlier one it could not have come back.
export function earliest_departure(story, queue) {
  const here = story.deliveries.filter((delivery) => delivery.queue === queue);
  const last = here.at(-1);
  if (!last) return story.deliveries.length ? -Infinity : Infinity;
  if (last !== story.deliveries.at(-1)) return earliest_expiry(last);
  return earliest_delete(last);
}

// The whole story as text, for whoever has to find out what happened.
export function tell(story, origin = 0) {
  const events = new Set([...story.sends, ...story.deliveries.flatMap((one) => [one.event, ...one.changes, ...one.deletes, ...one.misuses])]);
  const time = (ms) => (ms === Infinity ? 'never' : (ms - origin).toFixed(1));
  const detail = (event) => {
    if (event.kind === 'send') return `group ${event.group ?? '-'}, deduplication ${event.deduplication_id ?? '-'}, delay ${event.delay_ms ?? '-'}: id ${event.id ?? '-'}, sequence ${event.sequence ?? '-'}`;
    if (event.kind === 'receive') {
      const mine = event.messages.filter((message) => key_of(message.body) === story.key);
      return `for ${event.visibility_ms} ms, ${event.messages.length} messages: ${mine.map((one) => `count ${one.count}, token ${one.token}, sequence ${one.sequence ?? '-'}, handle …${one.handle.slice(-12)}`).join('; ')}`;
    }
    return `${event.kind === 'change' ? `to ${event.visibility_ms} ms, ` : ''}handle …${event.handle.slice(-12)}`;
  };
  return [...events].sort((a, b) => a.begin - b.begin)
    .map((event) => `${time(event.begin)} - ${time(event.end)}  ${event.queue} ${event.client} ${event.operation} ${event.outcome}${event.error ? ` (${event.error})` : ''}: ${detail(event)}`);
}
