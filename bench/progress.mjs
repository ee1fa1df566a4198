// What is printed while a benchmark runs: one line per step, with the time since its begin.
import { count, duration, figure } from './numbers.mjs';

export function makeProgress(total_s) {
  const began_ms = performance.now();
  const clock = () => {
    const seconds = Math.floor((performance.now() - began_ms) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  };
  return {
    say: (line) => console.log(`[${clock().padStart(6)} of ~${duration(total_s)}] ${line}`),
    elapsed_s: () => (performance.now() - began_ms) / 1000,
  };
}

// One run in one line.
export function describeRun(run) {
  const { operation, connections, peer, rate, throughput_per_s, latency_us, server_cpu_us_per_request, errors, wrong } =
    run;
  const bad = errors || wrong ? `  ${count(errors)} ERRORS, ${count(wrong)} WRONG ANSWERS` : '';
  return (
    `${operation.padEnd(14)} ${String(connections).padStart(3)} conn  ${peer.padEnd(11)} ${count(throughput_per_s).padStart(8)}/s` +
    `${rate ? ' (open loop)' : ''}  p50 ${figure(latency_us.p50)}  p95 ${figure(latency_us.p95)}  p99 ${figure(latency_us.p99)} µs` +
    (server_cpu_us_per_request === undefined ? '' : `  server CPU ${figure(server_cpu_us_per_request)} µs/request`) +
    bad
  );
}
