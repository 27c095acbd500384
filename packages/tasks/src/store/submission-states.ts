/** States in which the outcome of a submission is still open. */
export const UNCONFIRMED = ['submitting', 'submit_unknown'] as const;

/** Whether the vendor may have accepted a submission without our knowledge. */
export function isUnconfirmed(status: string): boolean {
  return UNCONFIRMED.some((one) => one === status);
}

/**
 * States in which a job of the current attempt is accepted. `queued` is one of them: if the attempt was given up and the
 * next one has not begun, the paid job is used instead of paying again.
 */
export const ACCEPTING = [...UNCONFIRMED, 'queued'] as const;
