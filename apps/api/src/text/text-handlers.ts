import type { TextAction, TextEndpoint } from '@sluice/protocols';
import type { ClientCall, EndpointHandler, EndpointHandlers } from '../auth/client-call.ts';
import { countTokens } from '../generation/count-tokens.ts';
import type { GenerationDeps, TextCall } from '../generation/generation-deps.ts';
import { untilDisconnected } from '../http/until-disconnected.ts';
import { completeText } from './complete-text.ts';
import { generateText } from './generate-text.ts';

export function textHandlers(deps: GenerationDeps): EndpointHandlers<TextAction> {
  const handler = (
    serve: (deps: GenerationDeps, call: TextCall) => Promise<unknown>,
  ): EndpointHandler<TextEndpoint> => ({
    readsBytes: true,
    serve: (call: ClientCall<TextEndpoint>) =>
      untilDisconnected(call.reply, (signal) => serve(deps, { ...call, signal })),
  });
  return {
    'text.generate': handler(generateText),
    'text.complete': handler(completeText),
    'text.count-tokens': handler((_deps, call) => countTokens(deps, call)),
  };
}
