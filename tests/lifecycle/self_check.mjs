// Proves that the checker can fail: faults are planted in recorded rounds, and each must be noticed. The rounds without
// them must pass.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {check, claims_of} from './check.mjs';
import {kinds, read_machine} from './contracts.mjs';
import {Round} from './round.mjs';

const rounds_each = 10;

const jobs_of = (round) => [...round.jobs.values()];
const changes = (rows) => rows.filter((row) => row.rule === undefined && row.action !== 'event');
// The first line that fits, with its job.
function find_line(round, fits) {
  for (const job of jobs_of(round)) {
    const row = job.rows.find((one) => one.rule === undefined && fits(one, job));
    if (row) return {job, row};
  }
  return undefined;
}
const without = (list, item) => list.splice(list.indexOf(item), 1);
const call_by = (round, actor) => round.log.find((event) => event.actor === actor);
const ended = (round) => jobs_of(round).find(({record, rows}) => record && round.machine.ends.includes(record.status) && rows.length > 2);

// Each plants its fault in a copy of a round and returns something true, or nothing where there is no place for it.
const faults = {
  'a move that the machine does not have': {notice: /which its machine does not/, plant(round) {
    const found = find_line(round, (row) => row.action === 'claim' && row.to);
    if (found) found.row.to = found.job.rows[found.job.rows.indexOf(found.row) + 1 || 0].from = round.machine.first;
    return found;
  }},
  'a line that is missing': {notice: /goes from .*, and it is/, plant(round) {
    const found = find_line(round, (row, job) => row.action === 'claim' && row.to && changes(job.rows).some((one) => one.seq > row.seq && one.to));
    if (found) without(found.job.rows, found.row);
    return found;
  }},
  'a record that is elsewhere': {notice: /its history ends at/, plant(round) {
    const job = ended(round);
    if (job) job.record.status = round.machine.first;
    return job;
  }},
  'a record that came back': {notice: /its history ends at its removal/, plant(round) {
    const gone = jobs_of(round).find(({record}) => record === null);
    if (gone) gone.record = {status: round.machine.first};
    return gone;
  }},
  'an end without its event': {notice: /its events are/, plant(round) {
    const found = find_line(round, (row) => row.event && round.machine.ends.includes(row.to));
    if (found) delete found.row.event;
    return found;
  }},
  'an end that is told twice': {notice: /its events are/, plant(round) {
    const found = find_line(round, (row) => row.event && round.machine.ends.includes(row.to));
    if (found) found.job.rows.splice(found.job.rows.indexOf(found.row) + 1, 0, {...found.row, action: 'event', seq: found.row.seq + 0.5, from: undefined, to: undefined});
    return found;
  }},
  'an acknowledged change that was lost': {notice: /was acknowledged, and is not in its history/, plant(round) {
    const found = find_line(round, (row) => ['progress', 'step'].includes(row.action) && !row.to && call_by(round, row.actor)?.outcome === 'ok');
    if (found) without(found.job.rows, found.row);
    return found;
  }},
  'a refused change that was done': {notice: /was refused .*, and was done/, plant(round) {
    const event = round.log.find((one) => one.outcome === 'refused' && one.verb === 'progress' && round.jobs.get(one.job));
    if (event) round.jobs.get(event.job).rows.push({seq: Infinity, at: new Date(event.begin).toISOString(), actor: event.actor, action: 'progress'});
    return event;
  }},
  'a change by nobody': {notice: /whom nobody was/, plant(round) {
    const found = find_line(round, (row) => row.action === 'claim');
    if (found) found.row.actor = 'planted';
    return found;
  }},
  'a step that was recorded twice': {notice: /recorded as done twice|was done 2 times/, plant(round) {
    const found = find_line(round, (row) => row.action === 'step');
    if (found) found.job.rows.splice(found.job.rows.indexOf(found.row) + 1, 0, {...found.row, seq: found.row.seq + 0.5});
    return found;
  }},
  'a cursor that jumped': {notice: /(step_cursor|current_step) is/, plant(round) {
    const job = jobs_of(round).find(({record}) => record && round.machine.has_steps);
    if (job && round.machine.steps) job.record.current_step = round.machine.steps[(round.machine.steps.indexOf(job.record.current_step) + 1) % 7];
    else if (job) job.record.step_cursor++;
    return job;
  }},
  'credits that do not add up': {notice: /credits_spent is/, plant(round) {
    const job = jobs_of(round).find(({record}) => record?.credits_spent !== undefined);
    if (job) job.record.credits_spent++;
    return job;
  }},
  'credits that stay reserved': {notice: /credits_reserved is/, plant(round) {
    const job = jobs_of(round).find(({record}) => record?.credits_reserved === 0);
    if (job) job.record.credits_reserved = 1;
    return job;
  }},
  'an attempt too many': {notice: /(attempts|error\.retryCount) is/, plant(round) {
    const job = jobs_of(round).find(({record}) => record && (record.attempts !== undefined || record.error?.retryCount !== undefined));
    if (job?.record.attempts !== undefined) job.record.attempts++;
    else if (job) job.record.error.retryCount++;
    return job;
  }},
  'a lost lease that still writes': {notice: /with the lease of .*(after|was taken after)/, plant(round) {
    for (const {id} of jobs_of(round)) {
      const claims = claims_of(round.log, id);
      const event = claims.length > 1 && round.log.find((one) => one.job === id && one.outcome === 'ok' && one.fence === claims[1].fence && one.begin > claims[1].event.end);
      if (event) return Object.assign(event, {fence: claims[0].fence, claimed_by: claims[0].event.actor, replayed: false});
    }
    return undefined;
  }},
  'a lease that was cut short': {notice: /before the lease of|was given out before/, plant(round) {
    for (const {id, rows} of jobs_of(round)) {
      const [before, after] = claims_of(round.log, id);
      const quiet = after && !rows.some((row) => row.action !== 'claim' && row.action !== 'step' && row.action !== 'create' && row.action !== 'progress' && Date.parse(row.at) < after.event.end + 5);
      if (quiet && !round.log.some((one) => one.verb === 'heartbeat' && one.outcome === 'unknown')) {
        const lease = before.event.body.jobs.find((job) => job.id === id).lease;
        lease.until = new Date(after.event.end + 500).toISOString();
        return true;
      }
    }
    return false;
  }},
  'a retry before its backoff': {notice: /ms after it failed/, plant(round) {
    const found = find_line(round, (row, job) => row.action === 'fail' && row.to === 'failed' && !round.machine.ends.includes('failed') && job.rows.some((one) => one.seq > row.seq && one.action === 'claim'));
    if (found) found.job.rows.find((one) => one.seq > found.row.seq && one.action === 'claim').at = found.row.at;
    return found;
  }},
  'two jobs of one key': {notice: /made the jobs/, plant(round) {
    const event = round.log.find((one) => one.verb === 'create' && one.outcome === 'ok' && one.key);
    if (event) round.log.push({...event, job: 'planted'});
    return event;
  }},
  'counts that are off': {notice: /^counts say/, plant(round) {
    round.counts[round.machine.first]++;
    return true;
  }},
  'a dead job without a dead letter': {notice: /and not in the dead-letter queue/, plant: (round) => round.letters.length && jobs_of(round).some(({record, id}) => record?.status === round.machine.dead && round.letters.some((one) => round.machine.id_of(one) === id)) && (round.letters.length = 0, true)},
  'a dead letter of a job that lives': {notice: /times in the dead-letter queue/, plant(round) {
    const job = jobs_of(round).find(({record}) => record?.status.toLowerCase() === 'completed');
    if (job) round.letters.push(job.record);
    return job;
  }},
  'a message that is left': {notice: /messages are left/, plant: (round) => (round.depth = 1)},
  'a step completed twice': {notice: /is completed 2 times/, plant(round) {
    const job = jobs_of(round).find(({record, steps}) => record && steps.some((step) => step.status === 'completed'));
    if (job) job.steps.push({...job.steps.find((step) => step.status === 'completed')});
    return job;
  }},
};

const as_recorded = (round) => structuredClone({log: round.log, counted: round.counted, ...round.seen});
const with_machine = (round, copy) => ({...copy, machine: round.machine});

function plant_in(round, fault) {
  const copy = with_machine(round, as_recorded(round));
  return fault.plant(copy) ? check(copy).map(({text}) => text) : null;
}

async function record_rounds(url, random) {
  const rounds = kinds.flatMap((kind, k) => Array.from({length: rounds_each}, (_, lane) => new Round(rounds_each * k + lane, url, read_machine(kind, lane), random.fork(`${kind}${lane}`))));
  const wrong = await Promise.all(rounds.map((round) => round.run()));
  return rounds.map((round, i) => ({round, wrong: wrong[i]}));
}

export async function self_check(random, start) {
  const directory = mkdtempSync(path.join(tmpdir(), 'waybill-lifecycle-'));
  let server;
  let [passed, failed] = [0, 0];
  const note = (name, good, text) => {
    good ? passed++ : failed++;
    console.log(`${good ? 'ok' : 'NOT OK'}  ${name}: ${text.slice(0, 160)}`);
  };
  try {
    server = await start(directory, rounds_each);
    const recorded = await record_rounds(server.url, random);
    for (const {round, wrong} of recorded) note(`round ${round.number} (${round.machine.kind}) as it was`, wrong.length === 0, wrong[0]?.text ?? 'clean');
    for (const [name, fault] of Object.entries(faults)) {
      const said = recorded.map(({round}) => plant_in(round, fault)).filter(Boolean);
      const unseen = said.find((texts) => !texts.some((text) => fault.notice.test(text)));
      note(`${name}, in ${said.length} rounds`, said.length > 0 && !unseen, unseen ? `not noticed; said: ${unseen[0] ?? 'nothing'}` : said[0]?.find((text) => fault.notice.test(text)) ?? 'no place for it');
    }
  } finally {
    await server?.kill().catch(() => {});
    rmSync(directory, {recursive: true, force: true});
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}
