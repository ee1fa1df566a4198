// The queues of a round. What the checker has to know of one:
//
//   {name, url, is_fifo, has_groups, by_content, visibility_ms, delay_ms, receives_max, dead_letters, dead_letters_of, has_tokens}

import {Endpoint} from '../differential/wire.mjs';

export const kinds = ['standard', 'fair', 'fifo', 'fifo_by_content', 'dead_letter', 'fifo_dead_letter', 'delayed'];

// The queue that a round of the kind works on first, then its dead-letter queue where it has one.
export function plan_queues(kind, round, random, {has_tokens}) {
  const is_fifo = kind.startsWith('fifo');
  const name = (role) => `r${round}-${kind}${role}${is_fifo ? '.fifo' : ''}`;
  const common = {is_fifo, has_groups: is_fifo || kind === 'fair', by_content: kind === 'fifo_by_content', visibility_ms: 1000, delay_ms: 0, has_tokens};
  if (kind === 'delayed') return [{...common, name: name(''), delay_ms: 1000}];
  if (!kind.endsWith('dead_letter')) return [{...common, name: name('')}];
  return [
    {...common, name: name(''), receives_max: random.between(1, 3), dead_letters: name('-dead')},
    {...common, name: name('-dead'), dead_letters_of: name('')},
  ];
}

// Until the server answers: it may be down. `done`: the error that says that an earlier try without an answer did it.
export async function insist(endpoint, operation, body, done) {
  for (;;) {
    const answer = await endpoint.call(operation, body, 'AmazonSQS');
    if (answer.status === 200 || (done && answer.type === done)) return answer.body;
    if (answer.status !== 0) throw new Error(`${operation} ${JSON.stringify(body)}: ${answer.status} ${answer.type} ${answer.message}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export async function create_queues(url, queues) {
  const endpoint = new Endpoint(url);
  let dead_letter_arn;
  for (const queue of queues.toReversed()) {
    const {QueueUrl} = await insist(endpoint, 'CreateQueue', {QueueName: queue.name, Attributes: attributes_of(queue, dead_letter_arn)});
    queue.url = QueueUrl;
    if (queue.dead_letters_of) dead_letter_arn = (await insist(endpoint, 'GetQueueAttributes', {QueueUrl, AttributeNames: ['QueueArn']})).Attributes.QueueArn;
  }
  endpoint.close();
}

function attributes_of(queue, dead_letter_arn) {
  return {
    VisibilityTimeout: String(queue.visibility_ms / 1000), DelaySeconds: String(queue.delay_ms / 1000),
    ...(queue.is_fifo ? {FifoQueue: 'true', ContentBasedDeduplication: String(queue.by_content)} : {}),
    ...(queue.dead_letters ? {RedrivePolicy: JSON.stringify({deadLetterTargetArn: dead_letter_arn, maxReceiveCount: queue.receives_max})} : {}),
  };
}
