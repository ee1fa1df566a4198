"""A worker of the orchestrator that knows SQS and DynamoDB and nothing else, as the document describes it.

    python3 worker.py [--once]
"""
import json
import os
import sys
from datetime import datetime, timezone

import boto3
from botocore.exceptions import ClientError

TABLE = 'lifebook-orchestrator-jobs'
TERMINAL = ('completed', 'dead', 'canceled')
BACKOFF_S = (30, 120, 600, 1800)

where = {'endpoint_url': os.environ.get('AWS_ENDPOINT_URL'), 'region_name': os.environ.get('AWS_REGION', 'us-east-1')}
jobs = boto3.resource('dynamodb', **where).Table(TABLE)
sqs = boto3.client('sqs', **where)
queue = sqs.get_queue_url(QueueName='lifebook-orchestrator-queue')['QueueUrl']


def now():
    return datetime.now(timezone.utc).isoformat(timespec='milliseconds').replace('+00:00', 'Z')


def change(job_id, fields, condition, values):
    """One conditional update; None where its condition does not hold: somebody else was faster, or it is canceled."""
    try:
        return jobs.update_item(
            Key={'job_id': job_id}, ReturnValues='ALL_NEW', ConditionExpression=condition,
            UpdateExpression='SET ' + ', '.join(f'#{name} = :set_{name}' for name in fields),
            ExpressionAttributeNames={**{f'#{name}': name for name in fields}, '#status': 'status'},
            ExpressionAttributeValues={**{f':set_{name}': value for name, value in fields.items()}, **values})['Attributes']
    except ClientError as error:
        if error.response['Error']['Code'] != 'ConditionalCheckFailedException':
            raise
        return None


def run_step(job):
    print(f"{job['job_id']}: step {job['step_cursor']} of {job['workflow_id']}", flush=True)


def fail(message, job, error):
    attempts = int(job['attempts']) + 1
    is_dead = attempts >= job['max_attempts']
    end = {'status': 'dead', 'completed_at': now()} if is_dead else {'status': 'failed'}
    change(job['job_id'],
           {**end, 'attempts': attempts, 'last_error_code': 'STEP_FAILED', 'last_error_message': str(error), 'updated_at': now()},
           '#status = :running', {':running': 'running'})
    wait_s = 0 if is_dead else BACKOFF_S[min(attempts, len(BACKOFF_S)) - 1]
    sqs.change_message_visibility(QueueUrl=queue, ReceiptHandle=message['ReceiptHandle'], VisibilityTimeout=wait_s)


def remove(message):
    sqs.delete_message(QueueUrl=queue, ReceiptHandle=message['ReceiptHandle'])


def work(message):
    """Steps that are done are not done again: the cursor moves with each of them."""
    job_id = json.loads(message['Body'])['job_id']
    job = jobs.get_item(Key={'job_id': job_id}, ConsistentRead=True).get('Item')
    if job is None or job['status'] in TERMINAL:
        return remove(message)
    job = change(job_id, {'status': 'running', 'updated_at': now()}, '#status IN (:queued, :failed, :running)',
                 {':queued': 'queued', ':failed': 'failed', ':running': 'running'})
    while job and job['step_cursor'] < job['steps_total']:
        try:
            run_step(job)
        except Exception as error:  # whatever a step throws is the job's failure, not the worker's
            return fail(message, job, error)
        job = change(job_id,
                     {'step_cursor': job['step_cursor'] + 1, 'credits_spent': job['credits_spent'] + 1, 'updated_at': now()},
                     'step_cursor = :at AND #status = :running', {':at': job['step_cursor'], ':running': 'running'})
    if job:
        change(job_id, {'status': 'completed', 'completed_at': now(), 'updated_at': now()},
               '#status = :running', {':running': 'running'})
    return remove(message)


while True:
    for each in sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10, WaitTimeSeconds=20).get('Messages', []):
        work(each)
    if '--once' in sys.argv:
        break
