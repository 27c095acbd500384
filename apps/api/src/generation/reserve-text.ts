import type { GenerationRequest } from '@sluice/canonical';
import { boundsInBody, type TextRequest } from '@sluice/protocols';
import { OUTPUT_TOKENS } from '../metering/charges.ts';
import type { MaxTokens } from '../metering/price.ts';
import { estimateTokens } from '../metering/estimate-tokens.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import type { TextPlan } from './plan-text.ts';

/** A rough estimate, used for requests that cannot be decoded. */
const BYTES_PER_TOKEN = 4;

/**
 * @param tokens if omitted, estimated from the request's conversation
 * @throws GatewayError `rate_limited`, `insufficient_quota`
 */
export function reserveText(
  { charges, tokenCodec }: Pick<GenerationDeps, 'charges' | 'tokenCodec'>,
  call: TextCall,
  { request, resolvedModel: { model } }: TextPlan,
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
  // Read from the raw body, because a relayed body is sent unchanged, including fields that Sluice does not decode.
  const {
    maxOutputTokens,
    otherMaxTokens = 0,
    choices,
  } = boundsInBody(request.protocol.name, (name) => request.member(name));
  return {
    usage: {
      inputTokens: generation ? estimateTokens(generation) : Math.ceil(request.bytes.length / BYTES_PER_TOKEN),
      // If both limits are set, the upstream may apply the larger one.
      outputTokens: Math.max(maxOutputTokens ?? outputTokens, otherMaxTokens) * choices,
    },
    isBounded: maxOutputTokens !== undefined,
  };
}

/** @returns undefined if the request cannot be decoded; a vendor of the same protocol may still accept it */
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
