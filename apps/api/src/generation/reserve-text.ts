import type { GenerationRequest } from '@sluice/canonical';
import { type TextRequest, boundsInBody } from '@sluice/protocols';
import { type MaxTokens, OUTPUT_TOKENS } from '../metering/charges.ts';
import { estimateTokens } from '../metering/estimate-tokens.ts';
import type { TextPlan } from './plan-text.ts';
import type { TextCall, GenerationDeps } from './text-services.ts';

/** For requests that cannot be decoded: bytes that make a token. */
const BYTES = 4;

/**
 * Lets a request for text in, by what it may use.
 * @param tokens what that is; default by the request's conversation
 * @throws GatewayError `rate_limited`, `insufficient_quota`
 */
export function reserveText(
  deps: GenerationDeps,
  call: TextCall,
  { request, found: { model } }: TextPlan,
  tokens: (outputTokens: number) => MaxTokens = (outputTokens) => maxTokensOf(deps, request, outputTokens),
): Promise<void> {
  const { price, output_tokens = OUTPUT_TOKENS } = model;
  return deps.charges.enter(call, {
    price,
    protocol: call.endpoint.protocol.name,
    tokens: () => tokens(output_tokens),
  });
}

function maxTokensOf(deps: GenerationDeps, request: TextRequest, outputTokens: number): MaxTokens {
  const params = decoded(deps, request);
  // By the body: a vendor of the client's own protocol has it as it came, what we do not understand too.
  const { maxOutputTokens, choices } = boundsInBody(request.protocol.name, (name) => request.member(name));
  return {
    usage: {
      inputTokens: params ? estimateTokens(params) : Math.ceil(request.bytes.length / BYTES),
      outputTokens: (maxOutputTokens ?? outputTokens) * choices,
    },
    isBounded: maxOutputTokens !== undefined,
  };
}

/** @returns undefined for what only a vendor of its own protocol may understand */
function decoded({ tokenCodec }: GenerationDeps, request: TextRequest): GenerationRequest | undefined {
  const { protocol, model, stream } = request;
  try {
    return protocol.decodeRequest({ body: request.body(), model, stream, tokenCodec, report: () => undefined });
  } catch {
    return undefined;
  }
}
