import { expect, it } from 'vitest';
import { encodeErrorEvent } from './error-event.ts';

it.each([
  ['session_idle', 'invalid_request_error'],
  ['session_expired', 'invalid_request_error'],
  ['invalid_event', 'invalid_request_error'],
  ['server_stopping', 'server_error'],
  ['provider_error', 'server_error'],
] as const)('%s is told as OpenAI tells errors', (code, type) => {
  expect(JSON.parse(encodeErrorEvent(code, 'Why.', 'event_1'))).toEqual({
    type: 'error',
    event_id: 'event_1',
    error: { type, code, message: 'Why.', param: null, event_id: null },
  });
});
