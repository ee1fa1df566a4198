// Jobs: created, claimed, taken through three steps that are each written down, and finished, at Waybill and at what
// one would use instead; with many finished before, and many waiting.
//
// First, with nothing waiting: how much a library carries at most, in whichever of its styles and in one process or
// two, and how long jobs that come at half of such a rate take to a worker that waits. Then jobs are created that wait,
// the best style is looked for again, as it may be another one, and whole lifecycles are measured in rounds, server by
// server, for the ratios.
import { join } from 'node:path';
import { Workers, stylesOf } from '../jobs/load.mjs';
import { WaybillWorkers, styles as waybill_styles, waits as waybill_waits } from '../jobs/waybill.mjs';
import { countSyncs, untilQuiet } from '../measure.mjs';
import { count, duration, figure, percent } from '../numbers.mjs';
import { peerOf } from '../peers/index.mjs';
import { repository } from '../processes.mjs';
import { describeRun } from '../progress.mjs';

const workers = 64;
const processes_max = 2;
const contract = join(repository, 'contracts/orchestrator.yaml');
// Per second, about: those that are filled through their own lifecycle take longest.
const fill_per_s = { waybill: 5_000, pg_boss: 15_000, graphile_worker: 20_000, bullmq: 15_000, restate: 1_500 };
const styles_of = { waybill: 2, pg_boss: 2, graphile_worker: 2, bullmq: 2, restate: 1 };

export function seconds({ jobs, job_peers: ids, rounds }) {
  return ids.reduce((sum, id) => {
    const fill = (jobs.finished + jobs.waiting) / fill_per_s[id];
    const tried = (id === 'waybill' ? 1 : processes_max) * styles_of[id] * (styles_of[id] > 1 ? 2 : 1);
    const tries = tried * (jobs.try_seconds + jobs.warmup_seconds + 1);
    const runs = (1 + rounds) * (jobs.seconds + jobs.warmup_seconds + 1.5);
    return sum + fill + tries + runs + jobs.sync_seconds + 8;
  }, 0);
}

export async function measure({ plan, fleet, say, driver }) {
  await fleet.removeAll();
  const bench = { plan, fleet, say, driver, runs: [], latencies: [] };
  const contestants = [];
  for (const id of plan.job_peers) {
    const contestant = { id };
    try {
      await prepare(contestant, bench);
      contestants.push(contestant);
    } catch (error) {
      if (id === 'waybill') throw error;
      driver.note(`${id} could not be prepared and is left out: ${error.message}`);
      await leave(contestant, bench);
    }
  }
  await measureRounds(contestants, bench);
  for (const contestant of contestants) await checkLeftOver(contestant, bench);
  for (const contestant of contestants) await leave(contestant, bench);
  const peers = Object.fromEntries(
    contestants.map(({ id, style, processes, tries, tries_waiting, syncs, filled }) => [
      id,
      { style, processes, tries, tries_waiting, syncs, filled },
    ]),
  );
  const { finished, waiting } = plan.jobs;
  return { rounds: plan.rounds, workers, finished, waiting, peers, runs: bench.runs, latencies: bench.latencies };
}

const openWorkers = (peer, processes, many = workers) =>
  peer.id === 'waybill'
    ? new WaybillWorkers(peer, { workers: many })
    : Workers.open(peer, { workers: many, processes });

async function leave({ peer, team }, { fleet }) {
  team?.end();
  if (peer) await fleet.remove(peer);
}

// A running server with what was finished and what waits, and its workers; what is measured before jobs wait, is.
async function prepare(contestant, bench) {
  const { plan, fleet, say } = bench;
  const { id } = contestant;
  const peer = await fleet.make(id, 'jobs');
  contestant.peer = peer;
  if (id === 'waybill') peer.contracts = [contract];
  await peer.start();
  contestant.filled = {};
  contestant.team = await openWorkers(peer, 1);
  await fill(contestant, 'finished', bench);
  contestant.team.end();
  contestant.syncs = await syncsPerJob(contestant, bench);
  contestant.tries = await tryStyles(contestant, bench, { drain: true });
  await useBest(contestant, contestant.tries);
  await untilQuiet([peer], { for_s: 0.5, timeout_s: plan.quiet_seconds_max });
  await measureLatency(contestant, bench);
  await fill(contestant, 'waiting', bench);
  if ((await stylesFor(contestant)).length > 1) {
    contestant.tries_waiting = await tryStyles(contestant, bench, { drain: false });
    await useBest(contestant, contestant.tries_waiting);
  }
  await untilQuiet([peer], { for_s: 0.5, timeout_s: plan.quiet_seconds_max });
  say(`${id}: rounds are measured in style ${contestant.style}, processes ${contestant.processes}`);
}

async function fill({ id, team, filled }, what, { plan, say }) {
  const many = plan.jobs[what];
  const began_ms = performance.now();
  await (what === 'finished' ? team.fillFinished(many) : team.fillWaiting(many));
  const taken_s = (performance.now() - began_ms) / 1000;
  filled[`${what}_s`] = taken_s;
  say(`${id}: ${count(many)} jobs ${what} in ${duration(taken_s)} (${figure(many / taken_s)}/s)`);
}

// How busy the busiest process of the clients was: a loop that is never idle could be what limits a run.
const busiest = ({ clients = [] }) => Math.max(0, ...clients.map(({ loop_busy, cpu_share }) => loop_busy ?? cpu_share));
const clientCores = ({ clients = [] }) => clients.reduce((sum, { cpu_share }) => sum + cpu_share, 0);

const stylesFor = async ({ id, peer }) => (id === 'waybill' ? waybill_styles : (await stylesOf(peer)).styles);

// Tries every style of a library in one process and in two. `drain`: nothing waits.
async function tryStyles(contestant, { plan, say }, { drain }) {
  const { id, peer } = contestant;
  const styles = await stylesFor(contestant);
  const times = { seconds: plan.jobs.try_seconds, warmup: plan.jobs.warmup_seconds, drain };
  const tries = [];
  for (let processes = 1; processes <= (id === 'waybill' ? 1 : processes_max); processes += 1) {
    contestant.team?.end();
    contestant.team = await openWorkers(peer, processes);
    for (const style of styles) {
      const run = await contestant.team.lifecycle(style, times);
      if (run.complaint) throw new Error(run.complaint);
      const { throughput_per_s } = run;
      const tried = { style, processes, throughput_per_s, busiest: busiest(run), client_cores: clientCores(run) };
      tries.push(tried);
      say(
        `${id}: ${figure(throughput_per_s)} jobs/s with ${drain ? 'none' : 'many'} waiting, ${style}, processes: ` +
          `${processes}; ` +
          `clients use ${figure(tried.client_cores)} cores, the busiest has work ${percent(tried.busiest)} of the time`,
      );
    }
  }
  return tries;
}

async function useBest(contestant, tries) {
  const best = tries.reduce((a, b) => (b.throughput_per_s > a.throughput_per_s ? b : a));
  Object.assign(contestant, { style: best.style, processes: best.processes, most_per_s: best.throughput_per_s });
  contestant.team.end();
  contestant.team = await openWorkers(contestant.peer, best.processes);
}

// Calls that force data to disk for each job where there are few at a time; undefined where they cannot be counted.
async function syncsPerJob({ id, peer }, { plan, say }) {
  const alone = await openWorkers(peer, 1, 1);
  try {
    const styles = await stylesFor({ id, peer });
    let run;
    const calls = await countSyncs(peer, async () => {
      run = await alone.lifecycle(styles[0], { seconds: plan.jobs.sync_seconds, warmup: 0, drain: true });
    });
    const finished = run.jobs?.finished ?? run.messages.deleted;
    const syncs = Object.values(calls).reduce((sum, one) => sum + one, 0) / finished;
    say(`${id}: ${figure(syncs)} syncs for each job, one at a time`);
    return syncs;
  } catch (error) {
    say(`${id}: syncs were not counted: ${error.message.split('\n')[0]}`);
    return undefined;
  } finally {
    alone.end();
  }
}

// At half of what is carried in the style in which workers wait.
async function measureLatency(contestant, bench) {
  const { plan, say, driver, latencies } = bench;
  const times = { seconds: plan.jobs.seconds, warmup: plan.jobs.warmup_seconds };
  const style = contestant.id === 'waybill' ? waybill_waits : (await stylesOf(contestant.peer)).waits;
  const carried = contestant.tries.filter((tried) => tried.style === style).map((tried) => tried.throughput_per_s);
  // What the loading left to do is not half a load.
  await untilQuiet([contestant.peer], { for_s: 1, timeout_s: 3 * plan.quiet_seconds_max });
  const run = await contestant.team.latency(Math.max(...carried) / 2, times);
  latencies.push({ ...run, peer: contestant.id });
  say(`create to claim  ${describeRun({ ...run, peer: contestant.id })}`);
  if (run.complaint) driver.note(`${contestant.id} create to claim: ${run.complaint}`);
}

async function measureRounds(contestants, { plan, say, driver, runs }) {
  const servers = contestants.map(({ peer }) => peer);
  const times = { seconds: plan.jobs.seconds, warmup: plan.jobs.warmup_seconds };
  for (let round = 1; round <= plan.rounds; round += 1) {
    // Each round begins with another server.
    const order = contestants.map((_, n) => contestants[(n + round - 1) % contestants.length]);
    for (const { id, team, style } of order) {
      await untilQuiet(servers, { for_s: 0.3, timeout_s: plan.quiet_seconds_max });
      let run;
      try {
        run = { ...(await team.lifecycle(style, times)), peer: id, round };
      } catch (error) {
        if (id === 'waybill') throw error;
        driver.note(`${id} lifecycle: ${error.message}`);
        continue;
      }
      runs.push(run);
      say(`round ${round}  ${describeRun(run)}  clients ${figure(clientCores(run))} cores`);
      const complaint = run.complaint ?? (run.requests ? '' : 'no job was finished in time');
      if (complaint) driver.note(`${id} lifecycle: ${complaint}`);
    }
  }
}

// As many wait at the end as before all runs, but for what the workers of a library have in hand.
async function checkLeftOver({ id, team, style }, { plan, driver }) {
  const found = await team.counts();
  const in_hand = style === 'by_hand' || id === 'waybill' ? 0 : 4 * workers;
  const missing = plan.jobs.waiting - found.waiting;
  if (Math.abs(missing) > in_hand || found.finished < plan.jobs.finished)
    driver.note(`${id}: ${JSON.stringify(found)} at the end, not ${plan.jobs.waiting} waiting`);
}
