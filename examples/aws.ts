// The clients that all examples use. Nothing here knows of Waybill: the SDK takes endpoint, region and keys from the environment.
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3 } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { setTimeout as pause } from 'node:timers/promises';

export const dynamodb = DynamoDBDocument.from(new DynamoDB({}), { marshallOptions: { removeUndefinedValues: true } });
export const s3 = new S3({ forcePathStyle: true });

type Place = { Bucket: string; Key: string };

// What a backend gives to a browser, and what the browser does with it.
export async function upload(place: Place, type: string, body: Uint8Array | string) {
  const url = await getSignedUrl(s3, new PutObjectCommand({ ...place, ContentType: type }), { expiresIn: 300 });
  const answer = await fetch(url, { method: 'PUT', headers: { 'Content-Type': type }, body });
  if (!answer.ok) throw new Error(`the upload was refused: ${answer.status} ${await answer.text()}`);
}

export async function download(place: Place): Promise<Buffer> {
  const answer = await fetch(await getSignedUrl(s3, new GetObjectCommand(place), { expiresIn: 300 }));
  if (!answer.ok) throw new Error(`${place.Bucket}/${place.Key} cannot be read: ${answer.status} ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

// Asks until there is an answer, for up to a minute.
export async function until<T>(what: string, ask: () => Promise<T | undefined | false | null>): Promise<T> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(100)) {
    const answer = await ask();
    if (answer) return answer;
  }
  throw new Error(`waited a minute for ${what}. Does anybody work? 'waybill serve' runs workers unless --workers says otherwise.`);
}
