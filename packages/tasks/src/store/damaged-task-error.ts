import { GatewayError } from '@sluice/canonical';

/** The record of a task in Redis is invalid or incomplete. Retries do not help. */
export class DamagedTaskError extends GatewayError {
  /** @param problem a public description without the stored value */
  constructor(id: string, problem: string, cause?: unknown) {
    super('internal_error', `The stored record of task \`${id}\` is damaged: ${problem}.`, {
      retryable: false,
      ...(cause !== undefined && { cause }),
    });
    // The logger hides the message of a `GatewayError`, which may quote a vendor. This one contains no such text.
    this.name = 'DamagedTaskError';
  }
}
