// The project's contracts, a copy for each lane of rounds: other names, shorter backoffs, and nothing else changed. Their
// machines are read from the same files, by another reader than the server's.

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import YAML from 'yaml';

const directory = fileURLToPath(new URL('../../contracts', import.meta.url));
export const kinds = ['orchestrator', 'photo-editor', 'asset-creator'];
export const backoff_s = [1, 1, 2];

// What is named after its contract, by which no two may be called alike.
const names = {
  'orchestrator': /\blifebook-orchestrator-(jobs|queue|dlq)\b/g,
  'photo-editor': /photoeditor-\{env\}-jobs(-queue|-dlq)?/g,
  'asset-creator': /\basset_creator\b|\basset-creator-(queue|dlq)\b/g,
};

// Where a round's own records are listed by, and who has them.
const tenants = {'orchestrator': 'workspace_id', 'photo-editor': 'userId', 'asset-creator': 'project_id'};
const ids = {
  'orchestrator': (record) => record.job_id,
  'photo-editor': (record) => record.jobId,
  'asset-creator': (record) => `${record.project_id},${record.job_id}`,
};

const text_of = (kind) => readFileSync(path.join(directory, `${kind}.yaml`), 'utf8');
const list_of = (value) => (value === undefined ? [] : [].concat(value));
const plain = (text) => text.replace('{env}', 'dev');

export function write_contracts(to, lanes) {
  mkdirSync(to, {recursive: true});
  for (const kind of kinds) {
    for (let lane = 0; lane < lanes; lane++) {
      const text = text_of(kind).replace(/^contract: .*$/m, `contract: ${kind}-${lane}`).replace(names[kind], `$&-${lane}`)
        .replace(/backoff: \[.*\]/, `backoff: [${backoff_s.map((s) => `${s}s`).join(', ')}]`);
      writeFileSync(path.join(to, `${kind}-${lane}.yaml`), text);
    }
  }
}

// What the checker knows of a contract.
export function read_machine(kind, lane) {
  const {records: {job}} = YAML.parse(text_of(kind));
  const {status, work} = job;
  const ends = Array.isArray(status.ends) ? status.ends : Object.keys(status.ends);
  return {
    kind,
    path: `${kind}-${lane}/job`,
    steps_path: work.steps?.record ? `${kind}-${lane}/${work.steps.record}` : undefined,
    queue: `${plain(work.queue.name)}-${lane}`,
    dead_letters: `${plain(work.queue.dead_letters)}-${lane}`,
    receives_max: work.queue.receives,
    tenant: tenants[kind],
    id_of: ids[kind],
    first: work.enqueue?.to ?? status.start,
    moves: Object.fromEntries(Object.entries(status.moves).map(([from, to]) => [from, list_of(to)])),
    ends,
    states: [...new Set([status.start, ...Object.entries(status.moves).flatMap(([from, to]) => [from, ...list_of(to)]), ...ends])],
    working: work.claim.to,
    failed: work.fail.to,
    dead: work.give_up?.to ?? work.fail.to,
    // Whether a worker's own failure that ends the job sends a dead letter.
    letters_of_failures: Boolean(work.give_up) || Boolean(work.fail.dead_letter),
    replay: work.replay,
    review: work.steps?.review,
    cancels: Boolean(work.cancel),
    steps: kind === 'asset-creator' ? job.fields.current_step.one_of : undefined,
    has_steps: Boolean(work.steps),
    // A claim that changes nothing of the record leaves no line in its history.
    claims_leave_lines: Boolean(work.attempts),
    events: (job.events ?? []).map(({on, type}) => ({on: list_of(on), type})),
  };
}
