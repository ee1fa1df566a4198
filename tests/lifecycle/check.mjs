// What must hold of a round, job by job: what its history says against its contract's machine, against what clients were
// answered, and against the record as it is in the end. Gives a list of {text, job}; an empty list is a pass.

import {backoff_s} from './contracts.mjs';

// The server's clock is ours; milliseconds are cut off on both sides.
const slack_ms = 3;
// How late an answer may be on its way for a lease that was over before it was asked for.
const late_ms = 50;

const of_workers = ['heartbeat', 'progress', 'step', 'finish', 'fail', 'pause'];
const time_of = (row) => Date.parse(row.at);
const is_note = (row) => row.rule !== undefined || row.action === 'event'; // a refusal, or one more event: nothing changed

export function check(round) {
  const wrong = [];
  const calls = new Map(round.log.map((event) => [event.actor, event]));
  const calls_of = (actor) => round.log.filter((event) => event.actor === actor);
  for (const job of round.jobs.values()) {
    const note = (text) => wrong.push({text: `${job.id}: ${text}`, job: job.id});
    const story = {...job, machine: round.machine, calls, calls_of, log: round.log.filter((event) => event.job === job.id), claims: claims_of(round.log, job.id)};
    check_path(story, note);
    check_events(story, note);
    check_actors(story, note);
    check_answers(story, note);
    check_leases(story, note);
    check_fences(story, note);
    check_sums(story, note);
    check_step_records(story, note);
  }
  const note = (text, job) => wrong.push({text, job});
  check_keys(round, note);
  check_counts(round, note);
  check_letters(round, note);
  for (const event of round.log) if (event.status >= 500 && event.status !== 503) note(`${event.verb} by ${event.actor}: ${event.status} ${JSON.stringify(event.body)}`, event.job);
  return wrong;
}

// Answered claims of a job, in the order of their fences.
export function claims_of(log, id) {
  return log.filter((event) => event.verb === 'claim' && event.outcome === 'ok')
    .flatMap((event) => event.body.jobs.filter((job) => job.id === id).map(({lease, attempt, record}) => ({event, fence: lease.fence, until: Date.parse(lease.until), attempt, record})))
    .sort((a, b) => a.fence - b.fence);
}

// A legal path of the machine, from where records begin to where the record is.
function check_path({rows, record, machine}, note) {
  if (!rows.length) return note('it has no history');
  let at;
  let seq = -Infinity;
  rows.forEach((row, i) => {
    if (row.seq <= seq) note(`line ${i} has number ${row.seq}, which is not above ${seq}`);
    seq = row.seq;
    if (is_note(row)) return;
    if (at === null) note(`line ${i} (${row.action}) comes after it was removed`);
    if ((i === 0) !== (row.action === 'create')) note(`line ${i} is ${row.action}`);
    if (row.action === 'create' && row.to !== machine.first) note(`it was created in ${row.to}`);
    if (row.action === 'remove') return void (at = null);
    if (row.to === undefined) return;
    if (i > 0 && row.from !== at) note(`line ${i} (${row.action}) goes from ${row.from}, and it is ${at}`);
    if (i > 0 && !is_legal(machine, row)) note(`line ${i} (${row.action}) goes from ${row.from} to ${row.to}, which its machine does not`);
    at = row.to;
  });
  if (at === null ? record !== null : record?.status !== at) note(`its history ends at ${at ?? 'its removal'}, and the record is ${record?.status ?? 'not there'}`);
}

function is_legal({moves, replay}, {action, from, to}) {
  if (action === 'replay') return replay && [].concat(replay.from).includes(from) && to === replay.to;
  return (moves[from] ?? []).includes(to);
}

// Each event with the move that it is of, once, and with nothing else.
function check_events({rows, machine}, note) {
  const due = rows.filter((row) => !is_note(row)).flatMap((row) => machine.events.filter(({on}) => on.includes(row.action === 'create' ? 'create' : row.to)).map(({type}) => type));
  const told = rows.filter((row) => row.event).map((row) => row.event);
  if (due.join() !== told.join()) note(`its events are ${told.join(', ') || 'none'}, and must be ${due.join(', ') || 'none'}`);
  const ended = rows.filter((row) => !is_note(row) && machine.ends.includes(row.to));
  for (const row of ended) {
    const terminal = machine.events.some(({on}) => on.includes(row.to));
    if (terminal && !row.event) note(`its end (${row.to}) has no event`);
  }
}

const verb_of_row = (row) => (row.action === 'remove' ? 'remove' : row.action);

// Every line is of a call that we made, of that kind and on that job, or of the server's own keeper.
function check_actors({id, rows, calls, calls_of}, note) {
  for (const row of rows.filter((one) => !is_note(one))) {
    if (row.actor === 'waybill' && row.action === 'give_up') continue;
    const call = calls.get(row.actor);
    if (!call) { note(`${row.action} is by ${row.actor}, whom nobody was`); continue; }
    const verb = call.verb === 'replay_many' ? 'replay' : call.verb;
    if (verb !== verb_of_row(row)) note(`${row.action} is by ${row.actor}, who did ${call.verb}`);
    if (call.job !== undefined && call.job !== id) note(`${row.action} is by ${row.actor}, who did that to ${call.job}`);
    const begun = Math.min(...calls_of(row.actor).map((one) => one.begin));
    if (time_of(row) < begun - slack_ms) note(`${row.action} by ${row.actor} was there before it was asked for`);
    const ended = Math.max(...calls_of(row.actor).map((one) => (one.outcome === 'unknown' ? Infinity : one.end)));
    if (time_of(row) > ended + slack_ms) note(`${row.action} by ${row.actor} was there after its answer`);
  }
}

// What was acknowledged is in the history, once; what was refused, or had been done already, is not.
function check_answers({id, rows, machine, log, claims}, note) {
  const lines = (actor) => rows.filter((row) => row.actor === actor && !is_note(row));
  for (const event of log) {
    if (event.verb === 'create' || event.verb === 'heartbeat') continue;
    const mine = lines(event.actor);
    const most = event.verb === 'fail' && machine.kind === 'photo-editor' ? 2 : 1;
    if (mine.length > most) note(`${event.verb} by ${event.actor} was done ${mine.length} times`);
    const changed = mine.filter((row) => !is_on_the_way(machine, row));
    if (event.outcome === 'ok' && !event.replayed && changed.length !== 1 && !may_leave_no_line(machine, event)) note(`${event.verb} by ${event.actor} was acknowledged, and is not in its history`);
    if (event.outcome === 'ok' && event.replayed && mine.length) note(`${event.verb} by ${event.actor} was answered as done already, and was done`);
    if (event.outcome === 'refused' && changed.length) note(`${event.verb} by ${event.actor} was refused (${event.problem}), and was done`);
  }
  if (rows.filter((row) => row.action === 'create').length !== 1) note('it was not created once');
  for (const {event} of claims) if (machine.claims_leave_lines && lines(event.actor).filter((row) => row.to !== machine.dead).length !== 1) note(`the claim by ${event.actor} was acknowledged, and is not in its history`);
  void id;
}

// A photo that fails before it is edited goes through EDITING, in a commit of its own.
const is_on_the_way = (machine, row) => machine.kind === 'photo-editor' && row.action === 'fail' && row.to === 'EDITING';
// The last of named steps leaves the cursor where it is.
const may_leave_no_line = (machine, event) => event.verb === 'step' && machine.steps?.at(-1) === event.request.step;

// Nobody is given a job before the last lease, or the backoff, is over.
function check_leases({rows, machine, log, claims}, note) {
  for (let i = 1; i < claims.length; i++) {
    const [before, after] = [claims[i - 1], claims[i]];
    const let_go = ({actor, action}) => actor === 'waybill' || ['replay', 'approve', 'fail', 'pause', 'finish', 'reject'].includes(action);
    const freed = rows.some((row) => time_of(row) >= before.event.begin - slack_ms && time_of(row) <= after.event.end + slack_ms && let_go(row));
    const beats = log.filter((event) => event.verb === 'heartbeat' && event.fence === before.fence);
    if (freed || beats.some((event) => event.outcome === 'unknown')) continue;
    const until = beats.filter((event) => event.outcome === 'ok').map((event) => Date.parse(event.body.lease.until)).reduce((a, b) => Math.max(a, b), before.until);
    if (after.event.end < until - slack_ms) note(`it was given to ${after.event.actor} ${until - after.event.end} ms before the lease of ${before.event.actor} was over`);
  }
  rows.forEach((row, i) => {
    if (row.to !== machine.failed || machine.ends.includes(row.to)) return;
    const next = rows.slice(i + 1).find((one) => one.action === 'claim' && !is_note(one));
    const least_ms = Math.min(...backoff_s) * 1000;
    if (next && time_of(next) < time_of(row) + least_ms - slack_ms) note(`it was claimed ${time_of(next) - time_of(row)} ms after it failed`);
  });
}

// A worker that lost its lease changes nothing.
function check_fences({rows, machine, log, claims, calls}, note) {
  let [holder, fence] = [undefined, -1];
  for (const row of rows.filter((one) => !is_note(one))) {
    if (row.action === 'claim') holder = row.actor;
    const call = calls.get(row.actor);
    if (!of_workers.includes(row.action) || !call) continue;
    if (machine.claims_leave_lines && call.claimed_by !== holder) note(`${row.action} by ${row.actor}, with the lease of ${call.claimed_by}, after ${holder} had claimed it`);
    if (call.fence < fence) note(`${row.action} by ${row.actor}, with fence ${call.fence}, after a change with fence ${fence}`);
    fence = Math.max(fence, call.fence);
  }
  for (const event of log.filter((one) => of_workers.includes(one.verb) && one.outcome === 'ok' && !one.replayed)) {
    const later = claims.find((claim) => claim.fence > event.fence && claim.event.end < event.begin);
    if (later) note(`${event.verb} by ${event.actor}, with the lease of ${event.claimed_by}, was taken after ${later.event.actor} had the job`);
    const beats = log.filter((one) => one.verb === 'heartbeat' && one.fence === event.fence && one.begin <= event.begin && one.outcome !== 'refused');
    const own = claims.find((claim) => claim.fence === event.fence);
    const until = Math.max(own?.until ?? Infinity, ...beats.map((one) => (one.outcome === 'ok' ? Date.parse(one.body.lease.until) : Infinity)));
    if (event.begin > until + late_ms) note(`${event.verb} by ${event.actor} was taken ${event.begin - until} ms after its lease was over`);
  }
  for (let i = 1; i < claims.length; i++) {
    if (claims[i].fence === claims[i - 1].fence) note(`fence ${claims[i].fence} was given out twice`);
    if (claims[i].event.end < claims[i - 1].event.begin) note(`fence ${claims[i].fence} was given out before ${claims[i - 1].fence}`);
  }
}

// Steps, attempts and credits add up, line by line, to what the record has.
function check_sums({rows, record, machine, calls}, note) {
  const sum = {attempts: 0, cursor: 0, spent: 0, done: new Set()};
  const max = calls.get(rows[0]?.actor)?.request.max_attempts ?? Infinity;
  let at;
  for (const row of rows.filter((one) => !is_note(one))) {
    const call = calls.get(row.actor);
    const was_working = at !== undefined && !machine.ends.includes(at) && at !== machine.first && at !== machine.failed;
    if (row.action === 'step') {
      if (!machine.steps && call && Number(call.request.step) !== sum.cursor) note(`step ${call.request.step} was recorded as done when step ${sum.cursor} was to be done`);
      if (machine.steps && call && call.request.step !== machine.steps[sum.cursor]) note(`step ${call.request.step} was recorded as done when step ${machine.steps[sum.cursor]} was to be done`);
      if (sum.done.has(call?.request.step)) note(`step ${call.request.step} was recorded as done twice`);
      sum.done.add(call?.request.step);
      sum.spent += call?.request.spend?.credits ?? 0;
      sum.cursor++;
    }
    if (row.action === 'approve' && machine.steps) sum.cursor = Math.min(sum.cursor + 1, machine.steps.length - 1);
    if (row.action === 'fail' && !is_on_the_way(machine, row)) sum.attempts++;
    if (row.action === 'claim' && was_working) sum.attempts++;
    if (row.action === 'give_up' && was_working && machine.ends.includes(row.to) && !is_passing(rows, row)) sum.attempts++;
    if (row.action === 'replay') sum.attempts = 0;
    if (sum.attempts > max) note(`attempt ${sum.attempts} of ${max}`);
    if (machine.kind === 'orchestrator' && row.to === machine.dead && row.action === 'claim' && sum.attempts < max) note(`it was given up after ${sum.attempts} of ${max} attempts`);
    if (machine.kind === 'orchestrator' && row.action === 'fail' && (row.to === machine.dead) !== (sum.attempts >= max || call?.request.retry === false)) note(`it failed for the ${sum.attempts}. time of ${max}, and went to ${row.to}`);
    at = row.to ?? at;
  }
  if (record) compare_sums(sum, record, machine, note);
}

// A job that nobody ever worked on is moved on by the keeper without a worker having been lost.
function is_passing(rows, row) {
  const before = rows.slice(0, rows.indexOf(row)).filter((one) => !is_note(one)).at(-1);
  return before?.action === 'give_up' && before.to === row.from && !rows.slice(0, rows.indexOf(row)).some((one) => one.action === 'claim' && !is_note(one));
}

function compare_sums(sum, record, machine, note) {
  const is = (name, is_so, must) => { if (is_so !== must) note(`${name} is ${is_so}, and by its history it is ${must}`); };
  const ended = machine.ends.includes(record.status);
  if (machine.kind === 'orchestrator') {
    is('attempts', record.attempts, sum.attempts);
    is('step_cursor', record.step_cursor, sum.cursor);
    is('credits_spent', record.credits_spent, sum.spent);
    is('credits_reserved', record.credits_reserved, ended ? 0 : record.credits_estimate);
    is('completed_at is there', record.completed_at !== undefined, ended);
    is('ttl_at is there', record.ttl_at !== undefined, ended);
    is('next_attempt_at is there', record.next_attempt_at !== undefined, record.status === machine.failed);
    if (record.status === 'completed') is('step_cursor of a completed job', record.step_cursor, record.steps_total);
  }
  if (machine.kind === 'photo-editor') is('error.retryCount', record.error?.retryCount ?? 0, sum.attempts);
  if (machine.kind === 'asset-creator') is('current_step', record.current_step, machine.steps[sum.cursor]);
}

// Where steps have records of their own: one completed for each step that the cursor has passed, and none beyond it.
function check_step_records({steps, record, machine, rows}, note) {
  if (!machine.steps_path || !record) return;
  const at = machine.steps.indexOf(record.current_step);
  for (const [i, name] of machine.steps.entries()) {
    const done = steps.filter((step) => step.step_name === name && step.status === 'completed').length;
    if (i < at && done !== 1) note(`step ${name} is completed ${done} times, and its job is at ${record.current_step}`);
    if (i > at && done > 0) note(`step ${name} is completed, and its job is at ${record.current_step}`);
    if (i === at && done > 1) note(`step ${name} is completed ${done} times`);
  }
  const paused = steps.filter((step) => step.status === 'paused').length;
  if (paused !== 0 && record.status !== 'paused' && rows.at(-1)?.action !== 'cancel') note(`a step is paused, and its job is ${record.status}`);
}

// One job for each idempotency key, whoever asks how often.
function check_keys({log, jobs, machine}, note) {
  const by_key = new Map();
  for (const event of log.filter((one) => one.verb === 'create' && one.key && one.outcome === 'ok')) {
    const known = by_key.get(event.key) ?? {ids: new Set(), made: 0};
    by_key.set(event.key, known);
    known.ids.add(event.job);
    known.made += event.replayed ? 0 : 1;
  }
  for (const [key, {ids, made}] of by_key) {
    if (ids.size > 1) note(`key ${key} made the jobs ${[...ids].join(', ')}`, [...ids][1]);
    if (made > 1) note(`key ${key} was answered with 201 ${made} times`, [...ids][0]);
  }
  const created = new Map();
  for (const {id, rows} of jobs.values()) {
    const actor = rows.find((row) => row.action === 'create')?.actor;
    if (created.has(actor)) note(`${actor} created ${created.get(actor)} and ${id}`, id);
    created.set(actor, id);
  }
  void machine;
}

function check_counts({machine, jobs, counts, counted}, note) {
  for (const state of machine.states) {
    const records = [...jobs.values()].filter(({record}) => record?.status === state).length + (counted[state] ?? 0);
    if (counts[state] !== records) note(`counts say ${counts[state]} ${state}, and there are ${records}`);
  }
  for (const {id, record, is_listed} of jobs.values()) if (is_listed !== (record !== null)) note(`it is ${is_listed ? 'listed, and not there' : 'there, and not listed'}`, id);
}

// A job that was given up is in the dead-letter queue, once; one that was replayed since, or ended otherwise, is not.
function check_letters({machine, jobs, letters, depth}, note) {
  if (depth !== 0) note(`${depth} messages are left in ${machine.queue}`);
  const count = new Map();
  for (const letter of letters) {
    const id = machine.id_of(letter);
    count.set(id, (count.get(id) ?? 0) + 1);
    if (!jobs.has(id)) note(`a dead letter is of ${id}, which is none of ours`);
  }
  for (const {id, record, rows} of jobs.values()) {
    const last = rows.filter((row) => row.to !== undefined && !is_note(row)).at(-1);
    const is_dead = record?.status === machine.dead && (machine.letters_of_failures || last?.action === 'give_up') && last?.action !== 'reject';
    const [least, most] = record === null ? [0, 1] : is_dead ? [1, 1] : [0, may_be_left(machine, record, rows) ? 1 : 0];
    const found = count.get(id) ?? 0;
    if (found < least) note(`${id} is ${record.status}, and not in the dead-letter queue`, id);
    if (found > most) note(`${id} is ${record?.status ?? 'removed'}, and ${found} times in the dead-letter queue`, id);
  }
}

// The queue gives up by itself what was received too often, also where the job was canceled meanwhile.
const may_be_left = (machine, record, rows) => record.status === 'canceled' && rows.filter((row) => row.action === 'claim').length > 0;
