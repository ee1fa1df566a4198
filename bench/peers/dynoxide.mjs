// dynoxide from npm, with its data in a file.
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bench_folder, run } from '../processes.mjs';
import { requestHeaders, Peer } from './peer.mjs';

const binary = join(bench_folder, 'node_modules/@dynoxide/linux-x64/dynoxide');

export class Dynoxide extends Peer {
  static id = 'dynoxide';
  static title = 'dynoxide';
  static durability = 'default, there is no option: a SQLite transaction for each write';
  static loading = '`dynoxide import` of an export';

  static async check() {
    if (!existsSync(binary)) throw new Error(`there is no ${binary}; run \`scripts/setup bench\``);
  }

  static async version() {
    return (await run(binary, ['--version'])).trim().replace(/^dynoxide /, '');
  }

  get database() {
    return join(this.folder, 'bench.db');
  }

  commandLine() {
    return { command: binary, args: ['serve', '--port', `${this.port}`, '--db-path', this.database] };
  }

  isLog(path) {
    return path.endsWith('-wal');
  }

  // Its own bulk import, from what DynamoDB calls an export: over requests, which are synced one by one, a million
  // items would take the better part of an hour.
  async importFrom(source, table) {
    const exported = `${this.folder}-export`;
    const lines_folder = join(exported, table, 'data');
    mkdirSync(lines_folder, { recursive: true });
    const schema = join(exported, 'schema.json');
    writeFileSync(schema, JSON.stringify([await call(source, 'DescribeTable', { TableName: table })]));
    let after;
    do {
      const page = await call(source, 'Scan', { TableName: table, ExclusiveStartKey: after });
      appendFileSync(
        join(lines_folder, 'items.json'),
        page.Items.map((Item) => `${JSON.stringify({ Item })}\n`).join(''),
      );
      after = page.LastEvaluatedKey;
    } while (after);
    await run(binary, ['import', '--source', exported, '--schema', schema, '--output', this.database]);
    rmSync(exported, { recursive: true });
    return true;
  }
}

async function call(peer, operation, request) {
  const answer = await fetch(peer.target, {
    method: 'POST',
    headers: requestHeaders(operation),
    body: JSON.stringify(request),
  });
  if (!answer.ok) throw new Error(`${peer.id} answers ${operation} with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
