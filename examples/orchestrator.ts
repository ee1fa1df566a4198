// The orchestrator's API side: a run is created with an idempotency key, asked for twice, and followed to its end.
// Whoever works on it is not its concern: worker.ts, worker.py, or anybody who reads the queue.
//
//   node orchestrator.ts [workflow]
import { randomUUID } from 'node:crypto';
import { dynamodb, until } from './aws.ts';

const TableName = 'lifebook-orchestrator-jobs';
const workspace_id = 'workspace-1';
const idempotency_key = randomUUID();

// The same logical run, however often it is asked for.
async function create(): Promise<string | undefined> {
  const job_id = randomUUID();
  const now = new Date().toISOString();
  const made = await dynamodb
    .put({
      TableName,
      Item: {
        job_id, workspace_id, user_id: 'user-1', workflow_id: process.argv[2] ?? 'summarize', trigger_type: 'manual', status: 'pending',
        attempts: 0, max_attempts: 5, step_cursor: 0, steps_total: 3, credits_estimate: 3, credits_reserved: 3, credits_spent: 0,
        idempotency_key, created_at: now, updated_at: now,
      },
      ConditionExpression: 'attribute_not_exists(job_id)',
    })
    .catch((error) => {
      if (error.name !== 'ConditionalCheckFailedException') throw error;
    });
  return made && job_id;
}

const job_id = await create();
console.log(`run ${job_id}; asked for once more: ${(await create()) ?? 'there is one already'}`);
await dynamodb.update({
  TableName, Key: { job_id }, UpdateExpression: 'SET #status = :queued', ConditionExpression: '#status = :pending',
  ExpressionAttributeNames: { '#status': 'status' }, ExpressionAttributeValues: { ':queued': 'queued', ':pending': 'pending' },
});

let seen = '';
const run = await until('the run to end', async () => {
  const { Item } = await dynamodb.get({ TableName, Key: { job_id } });
  const now = `${Item?.status}, step ${Item?.step_cursor} of ${Item?.steps_total}`;
  if (now !== seen) console.log(`  ${(seen = now)}`);
  return Item && ['completed', 'dead', 'canceled'].includes(Item.status) && Item;
});
console.log(`${run.status}; credits: ${run.credits_spent} spent of ${run.credits_estimate}, ${run.credits_reserved} still reserved`);

const { Items: runs } = await dynamodb.query({
  TableName, IndexName: 'workspace_created_at', KeyConditionExpression: 'workspace_id = :workspace',
  ExpressionAttributeValues: { ':workspace': workspace_id }, ScanIndexForward: false, Limit: 5,
});
console.log(`newest of ${workspace_id}: ${runs?.map((one) => `${one.workflow_id} ${one.status}`).join(', ')}`);
