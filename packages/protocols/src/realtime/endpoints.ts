import { CALL_ERRORS } from '../errors/call-errors.ts';
import { defineEndpoints, type RealtimeProtocol } from '../contracts/endpoint.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import { RealtimeQuerySchema } from './schema.ts';

/** Errors that occur before the WebSocket opens are sent as HTTP errors. */
export const realtimeProtocol: RealtimeProtocol = {
  name: 'realtime',
  encodeError: encodeOpenAiError,
  errorSchema: OpenAiErrorSchema,
};

export const realtimeEndpoints = defineEndpoints([
  {
    method: 'GET',
    path: '/v1/realtime',
    operationId: 'connectRealtime',
    summary: 'Open a realtime session (WebSocket)',
    action: 'realtime.connect',
    credentials: ['bearer', 'key-query'],
    protocol: realtimeProtocol,
    query: RealtimeQuerySchema,
    headers: {
      'OpenAI-Beta': '`realtime=v1` for beta events; passed on.',
      'Sec-WebSocket-Protocol':
        'For browsers: `realtime, openai-insecure-api-key.YOUR_KEY`, and `openai-beta.realtime-v1` for the beta.',
    },
    responses: { 101: { description: 'The session is open and carries one event per message, in both directions' } },
    errors: [...CALL_ERRORS, 'upgrade_required'],
  },
]);
