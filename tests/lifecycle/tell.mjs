// A job's whole story as text, for whoever has to find out what happened: what clients did, what its history says, what it is.

export function tell(round, id) {
  const job = round.seen?.jobs.get(id);
  const calls = round.log.filter((event) => event.job === id || (event.verb === 'claim' && event.body?.jobs?.some((one) => one.id === id)) || job?.rows.some((row) => row.actor === event.actor));
  const origin = calls[0]?.begin ?? 0;
  const time = (ms) => (ms === Infinity ? 'never' : `+${ms - origin}`).padStart(7);
  const claimed = (event) => event.body?.jobs?.filter((one) => one.id === id).map(({lease, attempt}) => `fence ${lease.fence}, attempt ${attempt}, until ${time(Date.parse(lease.until)).trim()}`).join() ?? '';
  const detail = (event) => {
    if (event.verb === 'claim') return `lease ${event.request.lease_s} s: ${claimed(event)}`;
    const {lease: _, ...asked} = event.request ?? {};
    return `${event.fence === undefined ? '' : `fence ${event.fence} `}${JSON.stringify(asked)}`;
  };
  const lines = calls.map((event) => ({
    at: event.begin, text: `${time(event.begin)} ${time(event.end)}  call  ${event.actor} ${event.verb} ${event.outcome}${event.replayed ? ' (done already)' : ''}${event.problem ? ` (${event.problem})` : ''} ${detail(event)}`,
  }));
  for (const row of job?.rows ?? []) {
    const {at, seq, actor, action, from, to, event, ...more} = row;
    lines.push({at: Date.parse(at), text: `${time(Date.parse(at))}          LINE  ${actor} ${action}${to || from ? ` ${from ?? ''} -> ${to ?? 'gone'}` : ''}${event ? ` [${event}]` : ''}${Object.keys(more).length ? ` ${JSON.stringify(more)}` : ''}`});
  }
  lines.sort((a, b) => a.at - b.at);
  return [...lines.map(({text}) => text), `record: ${JSON.stringify(job?.record)}`, ...(job?.steps ?? []).map((step) => `step: ${step.step_name} ${step.status} ${step.ts}`)];
}
