import { CALL_ERRORS } from '../errors/call-errors.ts';
import { defineEndpoints, type RealtimeProtocol } from '../contracts/endpoint.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import { RealtimeQuerySchema } from './schema.ts';

/** OpenAI's realtime sessions. Errors before the web socket are those of HTTP. */
export const realtimeProtocol: RealtimeProtocol = {
  name: 'realtime',
  encodeError: encodeOpenAiError,
  errorSchema: OpenAiErrorSchema,
};

/** The route of realtime sessions. */
export const realtimeEndpoints = defineEndpoints([
  {
    method: 'GET',
    path: '/v1/realtime',
    operationId: 'connectRealtime',
    summary: 'Open a realtime session, a web socket',
    action: 'realtime.connect',
    credentials: ['bearer', 'key-query'],
    protocol: realtimeProtocol,
    query: RealtimeQuerySchema,
    headers: {
      'OpenAI-Beta': '`realtime=v1` for the events of the beta; passed on.',
      'Sec-WebSocket-Protocol':
        'For browsers: `realtime, openai-insecure-api-key.YOUR_KEY`, and `openai-beta.realtime-v1` for the beta.',
    },
    responses: { 101: { description: 'The session is open: events go both ways, one in each message' } },
    errors: [...CALL_ERRORS, 'upgrade_required'],
  },
]);
