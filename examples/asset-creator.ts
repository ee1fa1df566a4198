// The asset creator's backend: a project, a job, a person who decides behind the second stage, and the archive in the end.
//
//   node asset-creator.ts ['a green rocket']
import { writeFile } from 'node:fs/promises';
import { ulid } from 'ulid';
import { dynamodb, until } from './aws.ts';

const TableName = 'asset_creator';
const project_id = `prj_${ulid()}`;
const job_id = `job_${ulid()}`;
const Key = { PK: `PROJECT#${project_id}`, SK: `JOB#${job_id}` };
const now = () => new Date().toISOString();

await dynamodb.put({ TableName, Item: { PK: `PROJECT#${project_id}`, SK: `PROJECT#${project_id}`, project_id, name: 'Toys', created_at: now() } });
await dynamodb.put({
  TableName,
  Item: {
    ...Key, project_id, job_id, asset_type: '3D_CHARACTER', status: 'queued', current_step: 'text-to-image', created_at: now(), updated_at: now(),
    GSI1PK: 'JOB_STATUS#queued', GSI1SK: now(), prompt: process.argv[2] ?? 'a small red robot', seed: 7, review: ['refine'],
  },
  ConditionExpression: 'attribute_not_exists(PK)',
});
console.log(`job ${job_id} of project ${project_id}`);

const job = async () => (await dynamodb.get({ TableName, Key })).Item;
const steps = async () => (await dynamodb.query({ TableName, KeyConditionExpression: 'PK = :job', ExpressionAttributeValues: { ':job': `JOB#${job_id}` } })).Items ?? [];

await until('a step to review', async () => (await job())?.status === 'paused');
const { Items: awaiting = [] } = await dynamodb.query({
  TableName, IndexName: 'GSI2', KeyConditionExpression: 'GSI2PK = :paused', ExpressionAttributeValues: { ':paused': 'STEP_STATUS#paused' },
});
console.log(`to be reviewed: ${awaiting.filter((step) => step.job_id === job_id).map((step) => step.step_name).join(', ')}`);

// Deciding moves the step and its job together; the jobs API does both in one commit.
const approve = `${process.env.AWS_ENDPOINT_URL}/v1/asset-creator/job/${project_id},${job_id}:approve`;
const approved = await fetch(approve, { method: 'POST', headers: { 'Content-Type': 'application/json', 'Waybill-Actor': 'reviewer-1' }, body: JSON.stringify({ why: 'as I like it' }) });
if (!approved.ok) throw new Error(await approved.text());

const ended = await until('the job to end', async () => {
  const record = await job();
  return record && ['completed', 'failed', 'canceled'].includes(record.status) && record;
});
if (ended.status !== 'completed') throw new Error(JSON.stringify(ended.error));
for (const { step_name, status, artifacts } of await steps()) console.log(`  ${step_name} ${status}: ${artifacts.map((one: { bytes: number }) => `${one.bytes} bytes`)}`);

const { Items: [latest] = [] } = await dynamodb.query({
  TableName, KeyConditionExpression: 'PK = :project AND begins_with(SK, :asset)', ScanIndexForward: false, Limit: 1,
  ExpressionAttributeValues: { ':project': `PROJECT#${project_id}`, ':asset': `ASSET#${ended.asset_id}#V#` },
});
const archive = Buffer.from(await (await fetch(latest.cdn_url)).arrayBuffer());
await writeFile('asset.zip', archive);
console.log(`version ${latest.version}: ${archive.length} bytes, written to asset.zip`);
