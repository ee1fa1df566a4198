// waybill_load, where it prints a line for each thing that it measured.
import { programs } from './measure.mjs';
import { start } from './processes.mjs';

// The lines that it printed; each has a `complaint` where something was wrong. `flags` are its own, by name.
export async function runTool(peer, { target, table }, operation, flags) {
  const args = [operation, '--target', target, '--table', table];
  for (const [name, value] of Object.entries(flags)) args.push(`--${name.replaceAll('_', '-')}`, `${value}`);
  let stdout = '';
  const tool = start(programs.load, args, { onStdout: (text) => (stdout += text) });
  let how;
  try {
    how = await tool.exited;
    peer.assertRunning();
  } finally {
    if (tool.ended === undefined) tool.kill();
  }
  const lines = stdout.split('\n').filter(Boolean);
  if (!lines.length) throw new Error(`waybill_load ${args.join(' ')}\n  ended with ${how}: ${tool.output()}`);
  const complaint = how === 0 ? {} : { complaint: tool.output().trim().slice(0, 500) || `ended with ${how}` };
  return lines.map((line) => ({ ...JSON.parse(line), ...complaint }));
}
