// The job that every server gets: what an orchestrator would say of a run of a workflow, and what each step leaves.
export const steps = 3;

export const makeJob = (number, created_us) => ({
  number,
  created_us,
  workspace_id: `workspace-${number % 100}`,
  user_id: `user-${number % 1000}`,
  workflow_id: 'resize-and-describe',
  trigger_type: 'manual',
  idempotency_key: `run-${number}`,
  steps_total: steps,
  credits_estimate: 6,
});

// Progress after so many steps.
export const progressAfter = (cursor) => ({ step_cursor: cursor, output: `step ${cursor} of ${steps} has left this` });

// Microseconds of a clock that all processes of the machine share.
export const nowUs = () => Number(process.hrtime.bigint() / 1000n);
