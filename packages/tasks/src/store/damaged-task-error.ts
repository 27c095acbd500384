import { GatewayError } from '@sluice/canonical';

/** Redis holds something under a task's id that is no task: what Sluice did not write, or half of it. No repeat helps. */
export class DamagedTaskError extends GatewayError {
  /** @param what is wrong, in public words: what stands there is not told */
  constructor(id: string, what: string, cause?: unknown) {
    super('internal_error', `What is stored of the task ${id} is damaged: ${what}.`, {
      retryable: false,
      ...(cause !== undefined && { cause }),
    });
  }
}
