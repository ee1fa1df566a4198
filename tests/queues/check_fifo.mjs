// Order, blocking and deduplication in FIFO queues.

import {earliest_departure, flight_end, possible} from './stories.mjs';

export function check_fifo(stories, note) {
  const lanes = new Map(); // by queue and group: the stories that were seen there
  for (const story of stories) {
    const fifo = story.sends.find((event) => stories.queues[event.queue].is_fifo);
    if (!fifo) continue;
    check_duplicates(story, note);
    for (const queue of new Set([fifo.queue, ...story.deliveries.map((one) => one.queue)])) {
      const lane = `${queue} ${fifo.group}`;
      lanes.set(lane, [...(lanes.get(lane) ?? []), {story, queue, sequence: sequence_of(story)}]);
    }
  }
  for (const lane of lanes.values()) {
    const known = lane.filter((one) => one.sequence !== undefined).sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
    check_sequence(known, note);
    check_order(known, note);
    check_blocking(known, note);
  }
}

// As the queue gave it that the message was sent to; a dead-letter queue numbers it anew.
function sequence_of(story) {
  const sent_to = story.sends[0].queue;
  const text = story.sends.find((event) => event.sequence)?.sequence ?? story.deliveries.find((one) => one.queue === sent_to)?.message.sequence;
  return text === undefined ? undefined : BigInt(text);
}

// A deduplication id that comes again within five minutes makes no second message, and is answered like the first.
function check_duplicates(story, note) {
  const answers = new Set(story.sends.filter((event) => event.outcome === 'ok').map((event) => `${event.id} ${event.sequence}`));
  if (answers.size > 1) note(story, `a duplicate was answered otherwise than the first: ${[...answers].join(', ')}`);
}

// Of two sends that did not overlap, the later one has the greater sequence number.
function check_sequence(lane, note) {
  const first_sent = (story) => Math.min(...story.sends.filter(possible).map((event) => event.begin));
  const first_acknowledged = (story) => Math.min(Infinity, ...story.sends.filter((event) => event.outcome === 'ok').map((event) => event.end));
  for (let late = 1; late < lane.length; late++) {
    for (let early = 0; early < late; early++) {
      if (first_acknowledged(lane[late].story) < first_sent(lane[early].story)) note(lane[late].story, `sent before ${lane[early].story.key}, but its sequence number is greater`);
    }
  }
}

// Whenever a message is given out, those before it in its group are gone, or come before it in the same answer.
function check_order(lane, note) {
  lane.forEach(({story, queue}, at) => {
    for (const delivery of story.deliveries.filter((one) => one.queue === queue)) {
      for (const {story: earlier} of lane.slice(0, at)) {
        const together = earlier.deliveries.find((one) => one.event === delivery.event);
        if (together ? together.place > delivery.place : delivery.end < earliest_departure(earlier, queue)) {
          note(story, `FIFO order: given out (receive ${delivery.message.count}) while ${earlier.key} was before it in its group`);
        }
      }
    }
  });
}

// While a message is in flight, no other answer has one of its group.
function check_blocking(lane, note) {
  const deliveries = lane.flatMap(({story, queue}) => story.deliveries.filter((one) => one.queue === queue));
  for (const holder of deliveries) {
    const until = flight_end(holder);
    for (const other of deliveries) {
      if (other.event === holder.event || other.story === holder.story) continue;
      if (other.begin > holder.end && other.end < until) note(other.story, `FIFO blocking: given out while ${holder.story.key} of its group was in flight`);
    }
  }
}
