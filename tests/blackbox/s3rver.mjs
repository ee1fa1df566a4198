// Starts s3rver from npm for this machine alone: node s3rver.mjs PORT FOLDER
import S3rver from 's3rver';

const [port, directory] = process.argv.slice(2);
await new S3rver({ address: '127.0.0.1', port: Number(port), silent: true, directory }).run();
