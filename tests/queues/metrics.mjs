// What /metrics says of queues that nobody works on, against what GetQueueAttributes said last.

const gauges = {waiting: 'waybill_queue_messages_visible', in_flight: 'waybill_queue_messages_in_flight', delayed: 'waybill_queue_messages_delayed'};

export async function check_metrics(url, rounds) {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  if (response.status !== 200) return [{text: `GET /metrics: ${response.status}`}];
  const wrong = [];
  for (const round of rounds) {
    for (const {name} of round.queues) {
      const last = round.history.findLast((event) => event.kind === 'count' && event.queue === name);
      for (const [state, gauge] of Object.entries(gauges)) {
        const value = value_of(text, gauge, name);
        if (value !== last[state]) wrong.push({text: `${gauge} of ${name} is ${value}, GetQueueAttributes says ${last[state]}`});
      }
    }
  }
  return wrong;
}

function value_of(text, gauge, queue) {
  const line = text.split('\n').find((one) => one.startsWith(`${gauge}{`) && one.includes(`queue="${queue}"`));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
}
