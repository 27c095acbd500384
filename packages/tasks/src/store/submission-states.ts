/** States in which the outcome of a submission is still open. */
export const UNCONFIRMED = ['submitting', 'submit_unknown'] as const;

export function isUnconfirmed(status: string): boolean {
  return UNCONFIRMED.some((one) => one === status);
}

/**
 * States that accept a late job of the current attempt. In `queued`, the attempt was given up, but the job is paid for.
 */
export const ACCEPTING = [...UNCONFIRMED, 'queued'] as const;
