// Who has to do with jobs: producers, workers of every kind of carelessness, and people who cancel, decide, replay and delete.

import {pause} from './client.mjs';

const is_over_for = (event) => event.outcome === 'refused' && !event.was_down;
const retries_max = 200;

export class Producer {
  // `made`: ids of jobs that are known to be there.
  constructor(client, machine, random, tenant, made) {
    Object.assign(this, {client, machine, random, tenant, made});
    this.number = 0;
  }

  async run(count) {
    while (this.number < count) {
      const wish = this.#wish(++this.number);
      const twice = wish.key && this.random.chance(0.4);
      await Promise.all([this.#create(wish), ...(twice ? [this.#create(wish)] : [])]);
      if (wish.key && this.random.chance(0.25)) await this.#create(wish);
      await pause(this.random.between(0, 120));
    }
  }

  #wish(number) {
    const {random, machine} = this;
    const key = machine.kind === 'orchestrator' || random.chance(0.6) ? `${this.client.name}.key${number}` : undefined;
    const fields = {
      'orchestrator': () => ({user_id: 'u', workflow_id: 'wf', trigger_type: random.pick(['manual', 'webhook']), idempotency_key: key,
        steps_total: random.between(1, 4), max_attempts: random.between(1, 4), credits_estimate: random.between(0, 20)}),
      'photo-editor': () => ({fileSize: 10, fileType: 'image/png', provider: 'stub', correlationId: `c${number}`}),
      'asset-creator': () => ({asset_type: '3D_CHARACTER'}),
    }[machine.kind]();
    return {key, fields: {[machine.tenant]: this.tenant, ...fields}};
  }

  // One with a key is sent again until there is an answer: with a key it is safe to.
  async #create({key, fields}) {
    const header = key && this.machine.kind !== 'orchestrator';
    for (let i = 0; i < retries_max; i++) {
      const event = await this.client.call('POST', this.machine.path, fields, {verb: 'create', key},
        {actor: key ? `${this.client.name}/${key}` : undefined, headers: header ? {'idempotency-key': key} : {}});
      if (event.outcome === 'ok') {
        event.job = this.machine.id_of(event.body);
        this.made.add(event.job);
        return;
      }
      if (event.outcome === 'unknown' && !key) return;
    }
  }
}

export class Worker {
  // `thorough`: finishes what it begins, but for photos that it loses now and then: their queue gives those up.
  constructor(client, machine, random, {thorough = false} = {}) {
    Object.assign(this, {client, machine, random, thorough});
  }

  async run(is_over) {
    while (!is_over()) {
      const jobs = await this.claim({wait_s: this.random.weighted([[2, 0], [2, 1]]), lease_s: this.random.weighted([[4, 1], [2, 2]]), max: this.random.weighted([[4, 1], [1, 3]])});
      for (const job of jobs) await this.handle(job);
      if (!jobs.length) await pause(this.random.between(10, 60));
    }
  }

  async claim({wait_s, lease_s, max = 1}) {
    const actor = `${this.client.name}.${++this.client.calls}`;
    const event = await this.client.call('POST', `${this.machine.path}:claim`, {worker: actor, wait_s, lease_s, max}, {verb: 'claim'}, {actor});
    return event.outcome === 'ok' ? event.body.jobs.map((job) => ({...job, lease_s, claimed_by: actor, status: job.record.status})) : [];
  }

  async handle(job) {
    const {random} = this;
    const end = this.thorough ? random.weighted([[6, 'finish'], [1, 'poison'], [this.machine.kind === 'photo-editor' ? 2 : 0, 'vanish']]) : random.weighted([
      [4, 'finish'], [3, 'retry'], [1.5, 'poison'], [3, 'vanish'], [3, 'late'], [this.machine.review ? 5 : 0, 'pause'],
    ]);
    if (!(await this.#steps(job, end === 'finish' ? Infinity : random.between(0, 2)))) return;
    if (end === 'vanish') return;
    if (end === 'late') await pause(job.lease_s * 1000 + random.between(20, 700));
    const verb = end === 'late' ? random.pick(['finish', 'fail', 'step', 'progress', 'heartbeat', ...(this.machine.review ? ['pause'] : [])]) : end;
    await this.#end(job, verb);
  }

  async #end(job, verb) {
    const {random} = this;
    if (verb === 'finish' || verb === 'poison' || verb === 'retry') if (!(await this.#edit(job, verb))) return;
    const acts = {
      finish: () => this.#under(job, 'finish', {fields: this.machine.kind === 'photo-editor' ? {editResult: {s3Key: 'k', width: 1, height: 1, format: 'png', size: 1}} : {}}, {again: true}),
      fail: () => this.#under(job, 'fail', {code: 'LATE', message: 'late', retry: random.chance(0.5)}),
      retry: () => this.#under(job, 'fail', {code: 'AGAIN', message: 'not now'}),
      poison: () => this.#under(job, 'fail', {code: 'NEVER', message: 'never', retry: false}),
      pause: () => this.#under(job, 'pause', {step: job.record.current_step}),
      step: () => this.#step(job),
      progress: () => this.#progress(job),
      heartbeat: () => this.#beat(job),
    };
    const event = await acts[verb]();
    if (verb === 'finish' && event.outcome === 'ok' && random.chance(0.2)) await acts.finish();
  }

  // A photo is edited before it is done. It may also fail before that: the server knows the way.
  async #edit(job, verb) {
    if (this.machine.kind !== 'photo-editor' || job.status !== 'PROCESSING') return true;
    if (verb !== 'finish' && this.random.chance(0.5)) return true;
    const event = await this.#under(job, 'progress', {fields: {status: 'EDITING'}}, {again: true});
    return event.outcome === 'ok' || this.random.chance(0.1);
  }

  // False where the job is not ours any more, as far as a worker cares.
  async #steps(job, count) {
    const {random, machine} = this;
    for (let i = 0; i < count; i++) {
      if (random.chance(0.25)) await this.#beat(job);
      if (random.chance(0.15)) await this.#progress(job);
      if (!machine.has_steps || this.#is_through(job)) return true;
      const event = await this.#step(job);
      if (event.outcome !== 'ok' && !random.chance(0.15)) return false;
      if (event.outcome === 'ok') this.#advance(job);
      if (random.chance(0.1)) await this.#step_out_of_turn(job);
      if (!this.thorough) await pause(random.weighted([[3, 0], [2, random.between(5, 60)]]));
    }
    return true;
  }

  #cursor(job) {
    return this.machine.steps ? job.record.current_step : job.record.step_cursor;
  }

  #is_through(job) {
    return this.machine.steps ? job.is_through === true : job.record.step_cursor >= job.record.steps_total;
  }

  #advance(job) {
    const {steps} = this.machine;
    if (!steps) job.record.step_cursor++;
    else if (job.record.current_step === steps.at(-1)) job.is_through = true;
    else job.record.current_step = steps[steps.indexOf(job.record.current_step) + 1];
  }

  async #step(job, step = this.#cursor(job)) {
    const spend = this.machine.kind === 'orchestrator' ? {spend: {credits: this.random.between(0, 5)}} : {};
    const event = await this.#under(job, 'step', {step, ...spend}, {again: true});
    if (event.outcome === 'ok' && this.random.chance(0.15)) await this.#under(job, 'step', {step, ...spend});
    return event;
  }

  async #step_out_of_turn(job) {
    const {steps} = this.machine;
    const step = steps ? this.random.pick(steps) : this.random.between(0, job.record.steps_total);
    if (step !== this.#cursor(job)) await this.#under(job, 'step', {step});
  }

  #progress(job) {
    const fields = {'orchestrator': {trace_id: `t${this.client.calls}`}, 'photo-editor': {traceId: `t${this.client.calls}`}, 'asset-creator': {error: {note: `n${this.client.calls}`}}};
    return this.#under(job, 'progress', {fields: fields[this.machine.kind]});
  }

  #beat(job) {
    return this.#under(job, 'heartbeat', {lease_s: job.lease_s});
  }

  // `again`: sent until there is an answer, as what is done already is answered the same way.
  async #under(job, verb, body, {again = false} = {}) {
    for (let i = 0; ; i++) {
      const event = await this.client.call('POST', `${this.machine.path}/${job.id}:${verb}`, {lease: job.lease.token, ...body},
        {verb, job: job.id, fence: job.lease.fence, claimed_by: job.claimed_by});
      const is_open = event.outcome === 'unknown' || event.was_down;
      if (is_over_for(event) || event.outcome === 'ok' || !again || !is_open || i === retries_max) return event;
    }
  }
}

// Cancels, decides, replays and deletes, with and without sense.
export class Meddler {
  constructor(client, machine, random, made) {
    Object.assign(this, {client, machine, random, made});
  }

  async run(is_over) {
    const {random, machine} = this;
    while (!is_over()) {
      await pause(random.between(20, 160));
      const job = random.pick([...this.made]);
      if (!job) continue;
      const verb = random.weighted([
        [machine.cancels ? 1 : 0, 'cancel'], [machine.review ? 5 : 0, 'approve'], [machine.review ? 1.5 : 0, 'reject'],
        [machine.replay ? 3 : 0, 'replay'], [machine.replay ? 0.7 : 0, 'replay_many'], [0.25, 'remove'],
      ]);
      await this.act(verb, job);
    }
  }

  act(verb, job) {
    const path = `${this.machine.path}/${job}`;
    if (verb === 'remove') return this.client.call('DELETE', path, undefined, {verb, job});
    if (verb === 'replay_many') return this.client.call('POST', `${this.machine.path}:replay`, {max: this.random.between(1, 5), why: 'many'}, {verb});
    return this.client.call('POST', `${path}:${verb}`, {why: 'because'}, {verb, job});
  }
}
