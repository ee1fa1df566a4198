// A worker of the orchestrator that knows SQS and DynamoDB and nothing else, as the document describes it.
//
//   node worker.ts [--once]
import { SQS, type Message } from '@aws-sdk/client-sqs';
import { dynamodb } from './aws.ts';

const TableName = 'lifebook-orchestrator-jobs';
const terminal = ['completed', 'dead', 'canceled'];
const backoff_s = [30, 120, 600, 1800];
const sqs = new SQS({});
const { QueueUrl } = await sqs.getQueueUrl({ QueueName: 'lifebook-orchestrator-queue' });

// One conditional update of a job; undefined where its condition does not hold: somebody else was faster, or it is canceled.
async function change(job_id: string, set: Record<string, unknown>, condition: string, values: Record<string, unknown>) {
  const names = Object.keys(set);
  try {
    const { Attributes } = await dynamodb.update({
      TableName, Key: { job_id }, ReturnValues: 'ALL_NEW', ConditionExpression: condition,
      UpdateExpression: `SET ${names.map((name) => `#${name} = :set_${name}`).join(', ')}`,
      ExpressionAttributeNames: { ...Object.fromEntries(names.map((name) => [`#${name}`, name])), '#status': 'status' },
      ExpressionAttributeValues: { ...Object.fromEntries(names.map((name) => [`:set_${name}`, set[name]])), ...values },
    });
    return Attributes;
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') throw error;
  }
}

const now = () => new Date().toISOString();
const remove = ({ ReceiptHandle }: Message) => sqs.deleteMessage({ QueueUrl, ReceiptHandle });

async function run_step(job: Record<string, any>) {
  console.log(`${job.job_id}: step ${job.step_cursor} of ${job.workflow_id}`);
}

async function fail(message: Message, job: Record<string, any>, error: Error) {
  const attempts = job.attempts + 1;
  const is_dead = attempts >= job.max_attempts;
  const end = is_dead ? { status: 'dead', completed_at: now() } : { status: 'failed' };
  await change(job.job_id, { ...end, attempts, last_error_code: 'STEP_FAILED', last_error_message: error.message, updated_at: now() },
    '#status = :running', { ':running': 'running' });
  const VisibilityTimeout = is_dead ? 0 : backoff_s[Math.min(attempts, backoff_s.length) - 1];
  await sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle: message.ReceiptHandle, VisibilityTimeout });
}

// Steps that are done are not done again: the cursor moves with each of them.
async function work(message: Message) {
  const { job_id } = JSON.parse(message.Body!);
  const { Item } = await dynamodb.get({ TableName, Key: { job_id }, ConsistentRead: true });
  if (!Item || terminal.includes(Item.status)) return remove(message);
  let job = await change(job_id, { status: 'running', updated_at: now() }, '#status IN (:queued, :failed, :running)',
    { ':queued': 'queued', ':failed': 'failed', ':running': 'running' });
  while (job && job.step_cursor < job.steps_total) {
    try {
      await run_step(job);
    } catch (error) {
      return fail(message, job, error as Error);
    }
    job = await change(job_id, { step_cursor: job.step_cursor + 1, credits_spent: job.credits_spent + 1, updated_at: now() },
      'step_cursor = :at AND #status = :running', { ':at': job.step_cursor, ':running': 'running' });
  }
  if (job) await change(job_id, { status: 'completed', completed_at: now(), updated_at: now() }, '#status = :running', { ':running': 'running' });
  await remove(message);
}

do {
  const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 });
  for (const message of Messages) await work(message);
} while (!process.argv.includes('--once'));
