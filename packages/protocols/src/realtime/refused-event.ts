import type { GatewayError } from '@sluice/canonical';

/** Longer ids of clients are not repeated to them. */
const MAX_ID_LENGTH = 512;

/** A client's event that goes no further; its session goes on. */
export class RefusedEvent extends Error {
  readonly error: GatewayError;
  /** What the client calls the event. */
  readonly eventId: string | undefined;

  constructor(error: GatewayError, eventId: string | undefined) {
    super(error.message, { cause: error });
    this.error = error;
    this.eventId = eventId !== undefined && eventId.length <= MAX_ID_LENGTH ? eventId : undefined;
  }
}
