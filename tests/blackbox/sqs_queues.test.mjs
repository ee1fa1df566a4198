// Queues themselves: making, finding, describing, changing and deleting them, by the rules and in the words of
// SQS. O4 asks for a queue with its dead-letter queue; every tool that sets one up goes through these operations.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { address, sleep, unique, until } from './harness.mjs';
import { arnOf, attributesOf, clients, createQueue, nameOf, receiveAll, refusedWith, sqs, sqsOf } from './sqs_clients.mjs';

describe('CreateQueue and GetQueueUrl', () => {
  for (const [name, client] of Object.entries(clients)) {
    test(`the URL has the host that the client used (${name})`, async () => {
      const QueueName = unique('q');
      const { QueueUrl } = await client.createQueue({ QueueName });
      assert.equal(QueueUrl, `http://${address.host}:${address.port}/000000000000/${QueueName}`);
      assert.equal((await client.getQueueUrl({ QueueName })).QueueUrl, QueueUrl);
    });
  }

  test('another name of the host is echoed as it was used', async () => {
    const QueueName = unique('q');
    const local = sqsOf({ endpoint: `http://localhost:${address.port}` });
    const { QueueUrl } = await local.createQueue({ QueueName });
    assert.equal(QueueUrl, `http://localhost:${address.port}/000000000000/${QueueName}`);
    assert.equal(nameOf((await sqs.getQueueUrl({ QueueName })).QueueUrl), QueueName);
  });

  test('the same again gives the same URL; other attributes are refused', async () => {
    const QueueName = unique('q');
    const Attributes = { VisibilityTimeout: '45', DelaySeconds: '0' };
    const { QueueUrl } = await sqs.createQueue({ QueueName, Attributes });
    assert.equal((await sqs.createQueue({ QueueName, Attributes })).QueueUrl, QueueUrl);
    assert.equal((await sqs.createQueue({ QueueName })).QueueUrl, QueueUrl);
    // DelaySeconds was never set, and 0 is what it is anyway.
    assert.equal((await sqs.createQueue({ QueueName, Attributes: { DelaySeconds: '0' } })).QueueUrl, QueueUrl);
    const error = await refusedWith(
      sqs.createQueue({ QueueName, Attributes: { VisibilityTimeout: '46' } }),
      'QueueAlreadyExists',
      'A queue already exists with the same name and a different value for attribute VisibilityTimeout',
    );
    assert.equal(error.name, 'QueueNameExists');
  });

  test('two at once make one queue', async () => {
    const QueueName = unique('q');
    const made = await Promise.all(Array.from({ length: 8 }, () => sqs.createQueue({ QueueName })));
    assert.equal(new Set(made.map((one) => one.QueueUrl)).size, 1);
  });

  const plain = 'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length';
  const fifo =
    'The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with ' +
    '.fifo suffix and be 1 to 80 in length.';
  for (const [QueueName, Attributes, message] of [
    ['a'.repeat(81), {}, plain],
    ['with space', {}, plain],
    ['a.b', {}, plain],
    ['é', {}, plain],
    ['standard.fifo', {}, plain],
    ['no-suffix', { FifoQueue: 'true' }, fifo],
    ['a'.repeat(76) + '.fifo', { FifoQueue: 'true' }, fifo],
    ['.fifo', { FifoQueue: 'true' }, fifo],
  ]) {
    test(`no queue is called ${QueueName.slice(0, 20)} with ${JSON.stringify(Attributes)}`, () =>
      refusedWith(sqs.createQueue({ QueueName, Attributes }), 'InvalidParameterValue', message));
  }

  test('80 characters are a name, with .fifo as well', async () => {
    const rest = unique('').slice(1);
    const long = rest + 'x'.repeat(80 - rest.length);
    assert.equal(nameOf((await sqs.createQueue({ QueueName: long })).QueueUrl), long);
    const ordered = rest + 'y'.repeat(75 - rest.length) + '.fifo';
    await sqs.createQueue({ QueueName: ordered, Attributes: { FifoQueue: 'true' } });
  });

  test('a queue that is not there', async () => {
    for (const client of Object.values(clients)) {
      await refusedWith(
        client.getQueueUrl({ QueueName: unique('none') }),
        'AWS.SimpleQueueService.NonExistentQueue',
        'The specified queue does not exist.',
      );
    }
    const { QueueDoesNotExist } = await import('@aws-sdk/client-sqs');
    await assert.rejects(sqs.getQueueUrl({ QueueName: unique('none') }), QueueDoesNotExist);
  });
});

describe('attributes', () => {
  test('those that were not set have their usual values', async () => {
    const url = await createQueue();
    const { CreatedTimestamp, LastModifiedTimestamp, ...rest } = await attributesOf(url);
    assert.deepEqual(rest, {
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesDelayed: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
      DelaySeconds: '0',
      MaximumMessageSize: '1048576',
      MessageRetentionPeriod: '345600',
      QueueArn: arnOf(nameOf(url)),
      ReceiveMessageWaitTimeSeconds: '0',
      SqsManagedSseEnabled: 'true',
      VisibilityTimeout: '30',
    });
    assert.ok(Math.abs(Number(CreatedTimestamp) - Date.now() / 1000) < 60);
    assert.equal(LastModifiedTimestamp, CreatedTimestamp);
  });

  test('those of a FIFO queue', async () => {
    const url = await createQueue({}, { fifo: true });
    const shown = await attributesOf(url, 'FifoQueue', 'ContentBasedDeduplication', 'DeduplicationScope', 'FifoThroughputLimit');
    assert.deepEqual(shown, {
      FifoQueue: 'true',
      ContentBasedDeduplication: 'false',
      DeduplicationScope: 'queue',
      FifoThroughputLimit: 'perQueue',
    });
  });

  for (const [name, client] of Object.entries(clients)) {
    test(`are read back as they were set (${name})`, async () => {
      const set = {
        VisibilityTimeout: '43200',
        MaximumMessageSize: '1024',
        MessageRetentionPeriod: '1209600',
        DelaySeconds: '900',
        ReceiveMessageWaitTimeSeconds: '20',
        Policy: '{"Version":"2012-10-17","Statement":[]}',
        RedriveAllowPolicy: '{"redrivePermission":"denyAll"}',
        KmsMasterKeyId: 'alias/aws/sqs',
        KmsDataKeyReusePeriodSeconds: '86400',
      };
      const url = await createQueue(set, { client });
      const names = Object.keys(set);
      const { Attributes } = await client.getQueueAttributes({ QueueUrl: url, AttributeNames: names });
      assert.deepEqual(Attributes, set);
      assert.equal((await attributesOf(url)).SqsManagedSseEnabled, 'false');
      const changed = { VisibilityTimeout: '0', DelaySeconds: '0', MaximumMessageSize: '1048576', MessageRetentionPeriod: '60' };
      await client.setQueueAttributes({ QueueUrl: url, Attributes: changed });
      assert.deepEqual(await attributesOf(url, ...Object.keys(changed)), changed);
      assert.equal((await attributesOf(url, 'KmsMasterKeyId')).KmsMasterKeyId, 'alias/aws/sqs');
    });
  }

  test('an empty value takes a policy away', async () => {
    const url = await createQueue({ Policy: '{"Version":"2012-10-17","Statement":[]}' });
    await sqs.setQueueAttributes({ QueueUrl: url, Attributes: { Policy: '' } });
    assert.deepEqual(await attributesOf(url, 'Policy'), {});
  });

  test('none asked for, none told', async () => {
    const QueueUrl = await createQueue();
    assert.equal((await sqs.getQueueAttributes({ QueueUrl })).Attributes, undefined);
  });

  test('one kind of encryption takes the place of the other', async () => {
    const QueueUrl = await createQueue({ KmsMasterKeyId: 'alias/a' });
    await sqs.setQueueAttributes({ QueueUrl, Attributes: { SqsManagedSseEnabled: 'true' } });
    const shown = await attributesOf(QueueUrl);
    assert.equal(shown.SqsManagedSseEnabled, 'true');
    assert.equal(shown.KmsMasterKeyId, undefined);
    await refusedWith(
      sqs.setQueueAttributes({ QueueUrl, Attributes: { SqsManagedSseEnabled: 'true', KmsMasterKeyId: 'alias/a' } }),
      'InvalidAttributeValue',
    );
  });

  const bounds = [
    ['VisibilityTimeout', 0, 43200],
    ['DelaySeconds', 0, 900],
    ['MaximumMessageSize', 1024, 1048576],
    ['MessageRetentionPeriod', 60, 1209600],
    ['ReceiveMessageWaitTimeSeconds', 0, 20],
    ['KmsDataKeyReusePeriodSeconds', 60, 86400],
  ];
  test('both sides of every edge', async () => {
    const QueueUrl = await createQueue();
    for (const [name, least, most] of bounds) {
      for (const good of [least, most]) {
        await sqs.setQueueAttributes({ QueueUrl, Attributes: { [name]: String(good) } });
      }
      for (const bad of [least - 1, most + 1, 'x', '', '1.5', '1 ']) {
        const set = { QueueUrl, Attributes: { [name]: String(bad) } };
        await refusedWith(sqs.setQueueAttributes(set), 'InvalidAttributeValue', `Invalid value for the parameter ${name}.`);
      }
    }
  });

  test('words that are none, and attributes that do not exist', async () => {
    const fifo = await createQueue({}, { fifo: true });
    const QueueUrl = await createQueue();
    const set = (url, Attributes) => sqs.setQueueAttributes({ QueueUrl: url, Attributes });
    await refusedWith(set(fifo, { ContentBasedDeduplication: 'yes' }), 'InvalidAttributeValue');
    await refusedWith(set(fifo, { DeduplicationScope: 'group' }), 'InvalidAttributeValue');
    await refusedWith(set(fifo, { FifoThroughputLimit: 'perMessageGroupId' }), 'InvalidAttributeValue', /only when/);
    await set(fifo, { FifoThroughputLimit: 'perMessageGroupId', DeduplicationScope: 'messageGroup' });
    await refusedWith(set(fifo, { FifoQueue: 'false' }), 'InvalidAttributeName', 'Unknown Attribute FifoQueue.');
    await refusedWith(set(QueueUrl, { FifoQueue: 'true' }), 'InvalidAttributeName');
    await refusedWith(set(QueueUrl, { ContentBasedDeduplication: 'true' }), 'InvalidAttributeName');
    await refusedWith(set(QueueUrl, { Colour: 'red' }), 'InvalidAttributeName', 'Unknown Attribute Colour.');
    await refusedWith(set(QueueUrl, { QueueArn: 'x' }), 'InvalidAttributeName');
    await refusedWith(set(QueueUrl, { Policy: 'x' }), 'InvalidAttributeValue');
    await refusedWith(set(QueueUrl, {}), 'MissingParameter');
    await refusedWith(sqs.createQueue({ QueueName: unique('q'), Attributes: { FifoQueue: 'false' } }), 'InvalidAttributeName');
    await refusedWith(
      sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['Colour'] }), 'InvalidAttributeName', 'Unknown Attribute Colour.');
    await refusedWith(sqs.getQueueAttributes({ AttributeNames: ['All'] }), 'MissingParameter', /QueueUrl/);
  });

  test('what SQS does not have is told only where it was set', async () => {
    const plain = await attributesOf(await createQueue());
    assert.deepEqual(Object.keys(plain).filter((name) => name.startsWith('Waybill')), []);
    const set = { WaybillLongDelays: 'true', WaybillAlarmDepth: '100', WaybillAlarmAgeSeconds: '60', DelaySeconds: '31536000' };
    const QueueUrl = await createQueue(set);
    const shown = await attributesOf(QueueUrl);
    for (const [name, value] of Object.entries(set)) assert.equal(shown[name], value);
    await refusedWith(sqs.setQueueAttributes({ QueueUrl, Attributes: { DelaySeconds: '31536001' } }), 'InvalidAttributeValue');
    await refusedWith(sqs.setQueueAttributes({ QueueUrl, Attributes: { WaybillAlarmDepth: '-1' } }), 'InvalidAttributeValue');
    await sqs.setQueueAttributes({ QueueUrl, Attributes: { WaybillAlarmDepth: '' } });
    assert.deepEqual(await attributesOf(QueueUrl, 'WaybillAlarmDepth'), {});
  });

  test('the moment of a change is told', async () => {
    const QueueUrl = await createQueue();
    const before = await attributesOf(QueueUrl);
    await sleep(1100);
    await sqs.setQueueAttributes({ QueueUrl, Attributes: { DelaySeconds: '1' } });
    const after = await attributesOf(QueueUrl);
    assert.equal(after.CreatedTimestamp, before.CreatedTimestamp);
    assert.ok(Number(after.LastModifiedTimestamp) > Number(before.LastModifiedTimestamp));
  });
});

describe('dead-letter queues (O4)', () => {
  const policy = (target, count = 5) => JSON.stringify({ deadLetterTargetArn: arnOf(nameOf(target)), maxReceiveCount: count });

  test('the policy is read back as it was set, with the count as number or text', async () => {
    const target = await createQueue();
    for (const count of [1, 5, 1000, '1', '1000']) {
      const RedrivePolicy = policy(target, count);
      const url = await createQueue({ RedrivePolicy });
      assert.equal((await attributesOf(url, 'RedrivePolicy')).RedrivePolicy, RedrivePolicy);
    }
  });

  test('policies that cannot be', async () => {
    const target = await createQueue();
    const fifo = await createQueue({}, { fifo: true });
    const QueueUrl = await createQueue();
    const refusals = [
      ['x', 'Redrive policy is not a valid JSON map.'],
      ['[]', 'Redrive policy is not a valid JSON map.'],
      ['{"maxReceiveCount":5}', 'Redrive policy does not contain mandatory attribute: deadLetterTargetArn.'],
      [`{"deadLetterTargetArn":"${arnOf(nameOf(target))}"}`, 'Redrive policy does not contain mandatory attribute: maxReceiveCount.'],
      [policy(target, 0), 'Invalid value for maxReceiveCount: 0, valid values are from 1 to 1000 both inclusive.'],
      [policy(target, 1001), 'Invalid value for maxReceiveCount: 1001, valid values are from 1 to 1000 both inclusive.'],
      [policy('none-' + unique()), 'Dead letter target does not exist.'],
      [policy(fifo), 'Dead-letter queue must be same type of queue as the source.'],
    ];
    for (const [RedrivePolicy, reason] of refusals) {
      const message = `Value ${RedrivePolicy} for parameter RedrivePolicy is invalid. Reason: ${reason}`;
      const Attributes = { RedrivePolicy };
      await refusedWith(sqs.setQueueAttributes({ QueueUrl, Attributes }), 'InvalidParameterValue', message);
      await refusedWith(sqs.createQueue({ QueueName: unique('q'), Attributes }), 'InvalidParameterValue', message);
    }
  });

  test('RedriveAllowPolicy says who may have it as a target', async () => {
    const target = await createQueue({ RedriveAllowPolicy: '{"redrivePermission":"denyAll"}' });
    const QueueUrl = await createQueue();
    const set = () => sqs.setQueueAttributes({ QueueUrl, Attributes: { RedrivePolicy: policy(target) } });
    const allow = (RedriveAllowPolicy) =>
      sqs.setQueueAttributes({ QueueUrl: target, Attributes: { RedriveAllowPolicy: JSON.stringify(RedriveAllowPolicy) } });
    await refusedWith(set(), 'InvalidParameterValue', /redrive allow policy/);
    await allow({ redrivePermission: 'byQueue', sourceQueueArns: [arnOf('another')] });
    await refusedWith(set(), 'InvalidParameterValue');
    await allow({ redrivePermission: 'byQueue', sourceQueueArns: [arnOf('another'), arnOf(nameOf(QueueUrl))] });
    await set();
    await allow({ redrivePermission: 'allowAll' });
    await set();
    const many = Array.from({ length: 11 }, (_, i) => arnOf(`q${i}`));
    for (const bad of [{}, { redrivePermission: 'some' }, { redrivePermission: 'byQueue' }, { redrivePermission: 'allowAll', sourceQueueArns: [arnOf('x')] }, { redrivePermission: 'byQueue', sourceQueueArns: many }]) {
      await refusedWith(allow(bad), 'InvalidParameterValue', /RedriveAllowPolicy is invalid/);
    }
  });

  for (const [name, client] of Object.entries(clients)) {
    test(`ListDeadLetterSourceQueues tells who has it as a target, in pages (${name})`, async () => {
      const target = await createQueue();
      const sources = [];
      for (let i = 0; i < 5; i += 1) sources.push(await createQueue({ RedrivePolicy: policy(target) }));
      await createQueue({ RedrivePolicy: policy(await createQueue()) });
      sources.sort();
      const all = await client.listDeadLetterSourceQueues({ QueueUrl: target });
      assert.deepEqual(all.queueUrls, sources);
      assert.equal(all.NextToken, undefined);
      const seen = [];
      let NextToken;
      do {
        const page = await client.listDeadLetterSourceQueues({ QueueUrl: target, MaxResults: 2, NextToken });
        assert.ok(page.queueUrls.length <= 2);
        seen.push(...page.queueUrls);
        NextToken = page.NextToken;
      } while (NextToken);
      assert.deepEqual(seen, sources);
    });
  }
});

describe('ListQueues', () => {
  for (const [name, client] of Object.entries(clients)) {
    test(`by prefix, in pages (${name})`, async () => {
      const prefix = unique('list');
      const names = Array.from({ length: 5 }, (_, i) => `${prefix}-${i}`);
      for (const QueueName of names) await sqs.createQueue({ QueueName });
      const all = await client.listQueues({ QueueNamePrefix: prefix });
      assert.deepEqual(all.QueueUrls.map(nameOf), names);
      const first = await client.listQueues({ QueueNamePrefix: prefix, MaxResults: 3 });
      assert.deepEqual(first.QueueUrls.map(nameOf), names.slice(0, 3));
      const second = await client.listQueues({ QueueNamePrefix: prefix, MaxResults: 3, NextToken: first.NextToken });
      assert.deepEqual(second.QueueUrls.map(nameOf), names.slice(3));
      assert.equal(second.NextToken, undefined);
    });
  }

  test('none', async () => {
    assert.equal((await sqs.listQueues({ QueueNamePrefix: unique('none') })).QueueUrls, undefined);
  });

  test('bounds of MaxResults, and a token that is none', async () => {
    for (const MaxResults of [0, 1001]) await refusedWith(sqs.listQueues({ MaxResults }), 'InvalidParameterValue');
    await refusedWith(sqs.listQueues({ MaxResults: 1, NextToken: '?' }), 'InvalidParameterValue');
  });
});

describe('tags', () => {
  for (const [name, client] of Object.entries(clients)) {
    test(`are set with the queue, added, changed and taken away (${name})`, async () => {
      const QueueUrl = await createQueue({}, { client, tags: { team: 'a' } });
      await client.tagQueue({ QueueUrl, Tags: { team: 'b', 'cost centre': 'é <&>', empty: '' } });
      const { Tags } = await client.listQueueTags({ QueueUrl });
      assert.deepEqual(Tags, { team: 'b', 'cost centre': 'é <&>', empty: '' });
      await client.untagQueue({ QueueUrl, TagKeys: ['team', 'none', 'empty'] });
      assert.deepEqual((await client.listQueueTags({ QueueUrl })).Tags, { 'cost centre': 'é <&>' });
    });
  }

  test('50 are the most', async () => {
    const QueueUrl = await createQueue();
    const many = (from, count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${from + i}`, 'v']));
    await sqs.tagQueue({ QueueUrl, Tags: many(0, 50) });
    await sqs.tagQueue({ QueueUrl, Tags: many(0, 1) });
    await refusedWith(sqs.tagQueue({ QueueUrl, Tags: many(50, 1) }), 'InvalidParameterValue', /50 tags/);
    await refusedWith(sqs.tagQueue({ QueueUrl, Tags: { ['k'.repeat(129)]: '' } }), 'InvalidParameterValue');
    await refusedWith(sqs.tagQueue({ QueueUrl, Tags: { k: 'v'.repeat(257) } }), 'InvalidParameterValue');
    await refusedWith(sqs.tagQueue({ QueueUrl, Tags: { 'aws:x': 'v' } }), 'InvalidParameterValue');
    await refusedWith(sqs.tagQueue({ QueueUrl, Tags: {} }), 'MissingParameter');
    await refusedWith(sqs.untagQueue({ QueueUrl, TagKeys: [] }), 'MissingParameter');
  });
});

describe('AddPermission and RemovePermission', () => {
  for (const [name, client] of Object.entries(clients)) {
    test(`edit the policy (${name})`, async () => {
      const QueueUrl = await createQueue();
      const arn = arnOf(nameOf(QueueUrl));
      const add = (Label, AWSAccountIds, Actions) => client.addPermission({ QueueUrl, Label, AWSAccountIds, Actions });
      await add('one', ['111122223333'], ['SendMessage']);
      await add('two', ['111122223333', '444455556666'], ['ReceiveMessage', 'DeleteMessage']);
      const policy = JSON.parse((await attributesOf(QueueUrl, 'Policy')).Policy);
      assert.deepEqual(policy.Statement, [
        { Sid: 'one', Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::111122223333:root' }, Action: 'SQS:SendMessage', Resource: arn },
        {
          Sid: 'two', Effect: 'Allow', Principal: { AWS: ['arn:aws:iam::111122223333:root', 'arn:aws:iam::444455556666:root'] },
          Action: ['SQS:ReceiveMessage', 'SQS:DeleteMessage'], Resource: arn,
        },
      ]);
      await refusedWith(add('one', ['111122223333'], ['SendMessage']), 'InvalidParameterValue', 'Value one for parameter Label is invalid. Reason: Already exists.');
      await client.removePermission({ QueueUrl, Label: 'one' });
      assert.deepEqual(JSON.parse((await attributesOf(QueueUrl, 'Policy')).Policy).Statement.map((s) => s.Sid), ['two']);
      await refusedWith(client.removePermission({ QueueUrl, Label: 'one' }), 'InvalidParameterValue', /Label is invalid/);
      await client.removePermission({ QueueUrl, Label: 'two' });
      assert.deepEqual(await attributesOf(QueueUrl, 'Policy'), {});
    });
  }

  test('a policy that was set by hand keeps what else it has', async () => {
    const Policy = '{"Version":"2012-10-17","Id":"mine","Statement":{"Sid":"s","Effect":"Deny","Condition":{"Bool":{"a":false},"N":{"b":[1,2.5,null]}}}}';
    const QueueUrl = await createQueue({ Policy });
    await sqs.addPermission({ QueueUrl, Label: 'l', AWSAccountIds: ['111122223333'], Actions: ['*'] });
    const policy = JSON.parse((await attributesOf(QueueUrl, 'Policy')).Policy);
    assert.equal(policy.Id, 'mine');
    assert.deepEqual(policy.Statement[0], JSON.parse(Policy).Statement);
    assert.equal(policy.Statement[1].Action, 'SQS:*');
  });

  test('what is refused', async () => {
    const QueueUrl = await createQueue();
    const add = (change) => sqs.addPermission({ QueueUrl, Label: 'l', AWSAccountIds: ['111122223333'], Actions: ['SendMessage'], ...change });
    await refusedWith(add({ Label: 'a b' }), 'InvalidParameterValue');
    await refusedWith(add({ AWSAccountIds: ['x'] }), 'InvalidParameterValue');
    await refusedWith(add({ AWSAccountIds: [] }), 'MissingParameter');
    await refusedWith(add({ Actions: ['Fly'] }), 'InvalidParameterValue');
    await refusedWith(add({ Actions: [] }), 'MissingParameter');
    await refusedWith(add({ Actions: Array(8).fill('SendMessage') }), 'OverLimit');
  });
});

describe('PurgeQueue and DeleteQueue', () => {
  for (const [name, client] of Object.entries(clients)) {
    test(`a purge leaves nothing, and is allowed once a minute (${name})`, async () => {
      const QueueUrl = await createQueue();
      for (let i = 0; i < 3; i += 1) await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
      await sqs.receiveMessage({ QueueUrl });
      await client.purgeQueue({ QueueUrl });
      const counts = await attributesOf(QueueUrl, 'ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible');
      assert.deepEqual(counts, { ApproximateNumberOfMessages: '0', ApproximateNumberOfMessagesNotVisible: '0' });
      await refusedWith(
        client.purgeQueue({ QueueUrl }), 'AWS.SimpleQueueService.PurgeQueueInProgress',
        `Only one PurgeQueue operation on ${nameOf(QueueUrl)} is allowed every 60 seconds.`);
      await sqs.sendMessage({ QueueUrl, MessageBody: 'after' });
      assert.deepEqual((await receiveAll(QueueUrl)).map((m) => m.Body), ['after']);
    });

    test(`a deleted queue is gone with its messages (${name})`, async () => {
      const QueueUrl = await createQueue();
      await sqs.sendMessage({ QueueUrl, MessageBody: 'x' });
      await client.deleteQueue({ QueueUrl });
      await refusedWith(client.deleteQueue({ QueueUrl }), 'AWS.SimpleQueueService.NonExistentQueue');
      await refusedWith(client.sendMessage({ QueueUrl, MessageBody: 'x' }), 'AWS.SimpleQueueService.NonExistentQueue');
      await sqs.createQueue({ QueueName: nameOf(QueueUrl) });
      assert.deepEqual(await receiveAll(QueueUrl), []);
    });
  }
});

describe('move tasks', () => {
  for (const [name, client] of Object.entries(clients)) {
    if (name === 'v2, query') continue; // older than the operations
    test(`dead letters go back to where they came from, and the task is listed (P5, ${name})`, async () => {
      const target = await createQueue();
      const SourceArn = arnOf(nameOf(target));
      const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: SourceArn, maxReceiveCount: 1 });
      const url = await createQueue({ RedrivePolicy });
      for (const MessageBody of ['1', '2']) await sqs.sendMessage({ QueueUrl: url, MessageBody });
      await sqs.receiveMessage({ QueueUrl: url, MaxNumberOfMessages: 10, VisibilityTimeout: 0 });
      assert.equal((await sqs.receiveMessage({ QueueUrl: url })).Messages, undefined);
      const { TaskHandle } = await client.startMessageMoveTask({ SourceArn, MaxNumberOfMessagesPerSecond: 500 });
      assert.ok(TaskHandle);
      const task = await until('the task is over', async () => {
        const { Results } = await client.listMessageMoveTasks({ SourceArn, MaxResults: 10 });
        return Results[0].Status === 'COMPLETED' && Results[0];
      });
      const { StartedTimestamp, ...rest } = task;
      assert.ok(Math.abs(StartedTimestamp - Date.now()) < 60_000);
      assert.deepEqual(rest, { Status: 'COMPLETED', SourceArn, MaxNumberOfMessagesPerSecond: 500, ApproximateNumberOfMessagesMoved: 2, ApproximateNumberOfMessagesToMove: 2 });
      assert.deepEqual((await receiveAll(url)).map((m) => m.Body).sort(), ['1', '2']);
      await refusedWith(client.cancelMessageMoveTask({ TaskHandle }), 'AWS.SimpleQueueService.UnsupportedOperation', 'Only active tasks can be cancelled.');
    });
  }

  test('what is refused before a task begins', async () => {
    const url = await createQueue();
    const SourceArn = arnOf(nameOf(url));
    await refusedWith(sqs.startMessageMoveTask({ SourceArn }), 'InvalidParameterValue', 'Source queue must be configured as a Dead Letter Queue.');
    await refusedWith(sqs.startMessageMoveTask({ SourceArn: arnOf(unique('none')) }), 'ResourceNotFoundException');
    await refusedWith(sqs.startMessageMoveTask({ SourceArn: 'x' }), 'ResourceNotFoundException');
    await createQueue({ RedrivePolicy: JSON.stringify({ deadLetterTargetArn: SourceArn, maxReceiveCount: 1 }) });
    for (const rate of [0, 501]) {
      await refusedWith(sqs.startMessageMoveTask({ SourceArn, MaxNumberOfMessagesPerSecond: rate }), 'InvalidParameterValue');
    }
    await refusedWith(sqs.startMessageMoveTask({ SourceArn, DestinationArn: arnOf(unique('none')) }), 'ResourceNotFoundException');
    await refusedWith(sqs.startMessageMoveTask({ SourceArn, DestinationArn: SourceArn }), 'InvalidParameterValue');
    const fifo = await createQueue({}, { fifo: true });
    await refusedWith(sqs.startMessageMoveTask({ SourceArn, DestinationArn: arnOf(nameOf(fifo)) }), 'InvalidParameterValue');
    await refusedWith(sqs.cancelMessageMoveTask({ TaskHandle: 'none' }), 'ResourceNotFoundException');
    for (const MaxResults of [0, 11]) await refusedWith(sqs.listMessageMoveTasks({ SourceArn, MaxResults }), 'InvalidParameterValue');
    assert.equal((await sqs.listMessageMoveTasks({ SourceArn })).Results, undefined);
  });
});
