import type { GatewayError } from '@sluice/canonical';

/** Client ids longer than this are not returned. */
const MAX_ID_LENGTH = 512;

/** A rejected client event. The session continues. */
export class RefusedEvent extends Error {
  readonly error: GatewayError;
  readonly eventId: string | undefined;

  constructor(error: GatewayError, eventId: string | undefined) {
    super(error.message, { cause: error });
    this.error = error;
    this.eventId = eventId !== undefined && eventId.length <= MAX_ID_LENGTH ? eventId : undefined;
  }
}
