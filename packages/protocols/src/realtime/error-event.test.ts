import { GatewayError } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { encodeErrorEvent, encodeRefusal } from './error-event.ts';
import { RefusedEvent } from './refused-event.ts';

it.each([
  ['session_idle', 'invalid_request_error'],
  ['session_expired', 'invalid_request_error'],
  ['invalid_event', 'invalid_request_error'],
  ['server_stopping', 'server_error'],
  ['provider_error', 'server_error'],
] as const)('encodes %s as OpenAI encodes errors', (code, type) => {
  expect(JSON.parse(encodeErrorEvent(code, 'Why.', 'event_1'))).toEqual({
    type: 'error',
    event_id: 'event_1',
    error: { type, code, message: 'Why.', param: null, event_id: null },
  });
});

it.each([
  ['mine', 'mine'],
  ['x'.repeat(513), null],
  [undefined, null],
])("reports a rejected event with its field and the client's event id: %j", (id, expected) => {
  const error = new GatewayError('unsupported_parameter', 'Why.', { param: 'session.x' });
  expect(JSON.parse(encodeRefusal(new RefusedEvent(error, id), 'event_1'))).toEqual({
    type: 'error',
    event_id: 'event_1',
    error: {
      type: 'invalid_request_error',
      code: 'unsupported_parameter',
      message: 'Why.',
      param: 'session.x',
      event_id: expected,
    },
  });
});
