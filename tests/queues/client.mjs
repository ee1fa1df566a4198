// One client of one queue. Every call goes into the history: when it began, when it ended, what came of it.
//
// An outcome is `ok`, `refused` (nothing happened), or `unknown`: no answer came, so it may have happened or not.

import {Endpoint} from '../differential/wire.mjs';

export const now_ms = () => performance.now();

const never_sent = (answer) => answer.status === 0 && answer.message === 'ECONNREFUSED';

export function outcome_of(answer) {
  if (answer.status === 200) return 'ok';
  return never_sent(answer) || (answer.status >= 400 && answer.status < 500) ? 'refused' : 'unknown';
}

const error_of = (answer) => (answer.status === 200 ? undefined : `${answer.status} ${answer.type} ${answer.message}`);
const seconds = (ms) => (ms === undefined ? undefined : ms / 1000);

export class QueueClient {
  // `history`: where the events go. `queue`: {name, url, …}, see queues.mjs.
  constructor(name, url, queue, history, {timeout_ms = 30_000} = {}) {
    this.name = name;
    this.queue = queue;
    this.history = history;
    this.endpoint = new Endpoint(url, {connections_max: 2, timeout_ms});
  }

  close() {
    this.endpoint.close();
  }

  // One message, or up to ten in one call. `messages`: {key, body, group, deduplication_id, delay_ms, attributes}.
  async send(messages, {batch = messages.length > 1} = {}) {
    const parameters = messages.map((message) => ({
      MessageBody: message.body, DelaySeconds: seconds(message.delay_ms), MessageGroupId: message.group, MessageDeduplicationId: message.deduplication_id,
      MessageAttributes: message.attributes,
    }));
    return this.#each('Send', batch, parameters, messages.map((message) => ({kind: 'send', ...message})), (event, entry) => {
      event.id = entry.MessageId;
      event.sequence = entry.SequenceNumber;
    });
  }

  async remove(handles, {batch = handles.length > 1} = {}) {
    return this.#each('Delete', batch, handles.map((handle) => ({ReceiptHandle: handle})), handles.map((handle) => ({kind: 'delete', handle})));
  }

  async change(handles, visibility_ms, {batch = handles.length > 1} = {}) {
    const parameters = handles.map((handle) => ({ReceiptHandle: handle, VisibilityTimeout: seconds(visibility_ms)}));
    return this.#each('ChangeVisibility', batch, parameters, handles.map((handle) => ({kind: 'change', handle, visibility_ms})));
  }

  // The event, with `messages`. `visibility_ms` undefined: the queue's.
  async receive({count_max = 1, visibility_ms, wait_ms = 0} = {}) {
    const event = {kind: 'receive', count_max, visibility_ms: visibility_ms ?? this.queue.visibility_ms, wait_ms, messages: []};
    const answer = await this.#call('ReceiveMessage', {
      MaxNumberOfMessages: count_max, VisibilityTimeout: seconds(visibility_ms), WaitTimeSeconds: seconds(wait_ms),
      MessageSystemAttributeNames: ['All', ...(this.queue.has_tokens ? ['WaybillFencingToken'] : [])], MessageAttributeNames: ['All'],
    }, [event]);
    if (event.outcome === 'ok') event.messages = (answer.body.Messages ?? []).map(read_message);
    return event;
  }

  async count() {
    const event = {kind: 'count'};
    const answer = await this.#call('GetQueueAttributes', {AttributeNames: ['All']}, [event]);
    if (event.outcome === 'ok') {
      const attribute = (name) => Number(answer.body.Attributes[name]);
      event.waiting = attribute('ApproximateNumberOfMessages');
      event.in_flight = attribute('ApproximateNumberOfMessagesNotVisible');
      event.delayed = attribute('ApproximateNumberOfMessagesDelayed');
    }
    return event;
  }

  // Calls the operation on one thing, or its batch form on several; each has its own event and its own outcome.
  async #each(verb, batch, parameters, events, accept = () => {}) {
    if (!batch) {
      const operation = verb === 'ChangeVisibility' ? 'ChangeMessageVisibility' : `${verb}Message`;
      const answer = await this.#call(operation, parameters[0], events);
      if (answer.status === 200) accept(events[0], answer.body);
      return events;
    }
    const Entries = parameters.map((entry, i) => ({Id: `e${i}`, ...entry}));
    const operation = verb === 'ChangeVisibility' ? 'ChangeMessageVisibilityBatch' : `${verb}MessageBatch`;
    const answer = await this.#call(operation, {Entries}, events);
    if (answer.status !== 200) return events;
    const entry_event = (entry) => events[Number(entry.Id.slice(1))];
    for (const entry of answer.body.Successful ?? []) accept(entry_event(entry), entry);
    for (const entry of answer.body.Failed ?? []) Object.assign(entry_event(entry), {outcome: 'refused', error: `${entry.Code} ${entry.Message}`});
    return events;
  }

  async #call(operation, body, events) {
    const common = {queue: this.queue.name, client: this.name, operation, begin: now_ms(), end: Infinity, outcome: 'unknown'};
    for (const event of events) this.history.push(Object.assign(event, common));
    const answer = await this.endpoint.call(operation, {QueueUrl: this.queue.url, ...body}, 'AmazonSQS');
    const end = now_ms();
    for (const event of events) Object.assign(event, {end, outcome: outcome_of(answer), error: error_of(answer)});
    return answer;
  }
}

function read_message(message) {
  const {Attributes: attributes = {}} = message;
  return {
    id: message.MessageId, body: message.Body, md5: message.MD5OfBody, handle: message.ReceiptHandle, attributes: message.MessageAttributes,
    count: Number(attributes.ApproximateReceiveCount), sequence: attributes.SequenceNumber, group: attributes.MessageGroupId,
    deduplication_id: attributes.MessageDeduplicationId, dead_letter_source: attributes.DeadLetterQueueSourceArn,
    token: attributes.WaybillFencingToken === undefined ? undefined : BigInt(attributes.WaybillFencingToken),
  };
}
