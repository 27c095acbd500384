import type { RefusedEvent } from './refused-event.ts';

/** The reason why the gateway ends a session. */
export type SessionErrorCode =
  | 'session_idle'
  | 'session_expired'
  | 'invalid_event'
  | 'server_stopping'
  | 'provider_error';

/** Encodes the last event of a session that the gateway ends, in OpenAI's format. */
export function encodeErrorEvent(code: SessionErrorCode, message: string, eventId: string): string {
  const isServerError = code === 'server_stopping' || code === 'provider_error';
  const type = isServerError ? 'server_error' : 'invalid_request_error';
  return encode(eventId, { type, code, message, param: null, event_id: null });
}

export function encodeRefusal({ error, eventId: refused }: RefusedEvent, eventId: string): string {
  const { code, message, param } = error;
  return encode(eventId, {
    type: 'invalid_request_error',
    code,
    message,
    param: param ?? null,
    event_id: refused ?? null,
  });
}

function encode(eventId: string, error: Record<string, string | null>): string {
  return JSON.stringify({ type: 'error', event_id: eventId, error });
}
