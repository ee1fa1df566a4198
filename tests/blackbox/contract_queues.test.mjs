// Queues that a contract in force works with, through SQS: what would lose jobs without a word is refused.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SQS } from '@aws-sdk/client-sqs';
import { clientConfig, ours, runBinary } from './harness.mjs';
import { clientOf, newRun, ok, startJobs } from './jobs_client.mjs';

describe('queues of contracts', ours, () => {
  let server, sqs, api;
  before(async () => {
    server = await startJobs();
    sqs = new SQS(clientConfig({ endpoint: server.endpoint }));
    api = clientOf(server.endpoint);
  });
  after(() => server.stop());
  const url = (queue) => `${server.endpoint}/000000000000/${queue}`;
  const work = 'lifebook-orchestrator-queue';
  const dead = 'lifebook-orchestrator-dlq';

  test('are not deleted while it is in force, and the error says which contract and what to do', async () => {
    const { job_id } = await ok(api('POST', 'orchestrator/job', newRun()), 201);
    for (const queue of [work, dead]) {
      await assert.rejects(sqs.deleteQueue({ QueueUrl: url(queue) }), (error) => {
        assert.match(error.name, /UnsupportedOperation/);
        assert.match(error.message, new RegExp(`The queue ${queue} is that of contract orchestrator`));
        assert.match(error.message, /waybill contract withdraw orchestrator/);
        return true;
      });
    }
    const { jobs } = await ok(api('POST', 'orchestrator/job:claim', { max: 10 }));
    assert.deepEqual(jobs.map((job) => job.id), [job_id], 'its message is still there');
  });

  test('are not purged, but for dead letters', async () => {
    await assert.rejects(sqs.purgeQueue({ QueueUrl: url(work) }), /its records would wait for ever/);
    await sqs.purgeQueue({ QueueUrl: url(dead) });
  });

  test('keep what the contract says of them; the rest is free', async () => {
    const set = (Attributes, queue = work) => sqs.setQueueAttributes({ QueueUrl: url(queue), Attributes });
    const { Attributes } = await sqs.getQueueAttributes({ QueueUrl: url(work), AttributeNames: ['All'] });
    await assert.rejects(set({ MessageRetentionPeriod: '60' }), /MessageRetentionPeriod stays as the contract has it/);
    await assert.rejects(set({ RedrivePolicy: '' }), /RedrivePolicy stays as the contract has it/);
    await set({ VisibilityTimeout: '120', ReceiveMessageWaitTimeSeconds: '5', RedrivePolicy: Attributes.RedrivePolicy, MessageRetentionPeriod: Attributes.MessageRetentionPeriod });
    await set({ MessageRetentionPeriod: '86400' }, dead);
    const now = (await sqs.getQueueAttributes({ QueueUrl: url(work), AttributeNames: ['All'] })).Attributes;
    assert.deepEqual([now.VisibilityTimeout, now.MessageRetentionPeriod], ['120', Attributes.MessageRetentionPeriod]);
  });

  test('are like any other once the contract is withdrawn', async () => {
    const run = runBinary(['contract', 'withdraw', 'orchestrator', '--data', server.data], { within_ms: 30_000 });
    assert.equal(await run.exited, 0, run.output);
    await sqs.purgeQueue({ QueueUrl: url(work) });
    await sqs.deleteQueue({ QueueUrl: url(work) });
  });
});
