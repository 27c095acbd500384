import type { GenerationRequest } from '@sluice/canonical';
import { boundsInBody, type TextRequest } from '@sluice/protocols';
import { OUTPUT_TOKENS } from '../metering/charges.ts';
import type { MaxTokens } from '../metering/price.ts';
import { estimateTokens } from '../metering/estimate-tokens.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import type { TextPlan } from './plan-text.ts';

/** For requests that cannot be decoded. */
const BYTES_PER_TOKEN = 4;

/**
 * @param tokens default: estimated from the request's conversation
 * @throws GatewayError `rate_limited`, `insufficient_quota`
 */
export function reserveText(
  { charges, tokenCodec }: Pick<GenerationDeps, 'charges' | 'tokenCodec'>,
  call: TextCall,
  { request, found: { model } }: TextPlan,
  tokens = (outputTokens: number): MaxTokens => maxTokensOf(tokenCodec, request, outputTokens),
): Promise<void> {
  const { price, output_tokens = OUTPUT_TOKENS } = model;
  return charges.reserve(call, {
    price,
    protocol: call.endpoint.protocol.name,
    tokens: () => tokens(output_tokens),
  });
}

function maxTokensOf(tokenCodec: GenerationDeps['tokenCodec'], request: TextRequest, outputTokens: number): MaxTokens {
  const generation = decodedOrUndefined(tokenCodec, request);
  // From the body: a vendor of the client's protocol gets it unchanged, with fields that are unknown here.
  const {
    maxOutputTokens,
    otherMaxTokens = 0,
    choices,
  } = boundsInBody(request.protocol.name, (name) => request.member(name));
  return {
    usage: {
      inputTokens: generation ? estimateTokens(generation) : Math.ceil(request.bytes.length / BYTES_PER_TOKEN),
      // An upstream may use the larger one.
      outputTokens: Math.max(maxOutputTokens ?? outputTokens, otherMaxTokens) * choices,
    },
    isBounded: maxOutputTokens !== undefined,
  };
}

/** @returns undefined for a request that only a vendor of its own protocol may understand */
function decodedOrUndefined(
  tokenCodec: GenerationDeps['tokenCodec'],
  request: TextRequest,
): GenerationRequest | undefined {
  const { protocol, model, stream } = request;
  try {
    return protocol.decodeRequest({ body: request.body(), model, stream, tokenCodec, report: () => undefined });
  } catch {
    return undefined;
  }
}
