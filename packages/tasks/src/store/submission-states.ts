/** States in which a submission's outcome is still unknown. */
export const UNCONFIRMED = ['submitting', 'submit_unknown'] as const;

export function isUnconfirmed(status: string): boolean {
  return UNCONFIRMED.some((one) => one === status);
}

/**
 * States that accept a late job of the current attempt. In `queued`, the attempt was abandoned, but the job is paid for.
 */
export const ACCEPTING = [...UNCONFIRMED, 'queued'] as const;
