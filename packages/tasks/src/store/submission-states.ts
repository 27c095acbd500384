/** States in which a submission's outcome is still unknown. */
export const UNCONFIRMED = ['submitting', 'submit_unknown'] as const;

export function isUnconfirmed(status: string): boolean {
  return UNCONFIRMED.some((one) => one === status);
}

/**
 * States in which a task accepts a late job of its current attempt. A `queued` task has abandoned the attempt, but its
 * job is already paid for.
 */
export const ACCEPTING = [...UNCONFIRMED, 'queued'] as const;
