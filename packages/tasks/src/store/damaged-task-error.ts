import { GatewayError } from '@sluice/canonical';

/** A task's record in Redis is invalid or incomplete. Retries do not help. */
export class DamagedTaskError extends GatewayError {
  /** @param problem a public description that does not contain the stored value */
  constructor(id: string, problem: string, cause?: unknown) {
    super('internal_error', `The stored record of task \`${id}\` is damaged: ${problem}.`, {
      retryable: false,
      ...(cause !== undefined && { cause }),
    });
    // The logger hides messages of errors named `GatewayError`, because they may quote a vendor. This message never
    // does, so the name differs.
    this.name = 'DamagedTaskError';
  }
}
