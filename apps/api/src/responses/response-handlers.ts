import { GatewayError } from '@sluice/canonical';
import type { ResponsesAction, TextEndpoint } from '@sluice/protocols';
import type { EndpointHandler, EndpointHandlers } from '../auth/client-call.ts';
import { countTokens } from '../generation/count-tokens.ts';
import type { TextCall } from '../generation/generation-deps.ts';
import { untilDisconnected } from '../http/until-disconnected.ts';
import { compactConversation } from './compact-conversation.ts';
import { createResponse } from './create-response.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import { resolveState } from './state/resolve-state.ts';
import { cancelResponse, deleteResponse, listInputItems, retrieveResponse } from './stored-responses.ts';

export function responseHandlers(deps: ResponsesDeps): EndpointHandlers<ResponsesAction> {
  const handler = (
    serve: (deps: ResponsesDeps, call: TextCall) => Promise<unknown>,
  ): EndpointHandler<TextEndpoint> => ({
    readsBytes: true,
    serve: (call) => untilDisconnected(call.reply, (signal) => serve(deps, { ...call, signal })),
  });
  return {
    'responses.create': handler(createResponse),
    'responses.count-tokens': handler((_deps, call) =>
      countTokens(deps, call, async (plan) => (await resolveState(deps, call.apiKey, plan)).plan),
    ),
    'responses.compact': handler(compactConversation),
    'responses.retrieve': handler(retrieveResponse),
    'responses.delete': handler(deleteResponse),
    'responses.cancel': handler(cancelResponse),
    'responses.input-items': handler(listInputItems),
    'responses.socket': handler(refuseSocket),
  };
}

/**
 * Codex tries a WebSocket first. After this status, it immediately falls back to POST. After any other status, it
 * retries seven times.
 */
function refuseSocket(): Promise<never> {
  throw new GatewayError('upgrade_required', 'Responses are not served over a WebSocket. Use POST with `stream`.');
}
