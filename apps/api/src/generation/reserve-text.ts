import type { GenerationRequest } from '@sluice/canonical';
import type { ModelConfig } from '@sluice/config';
import { boundsInBody, type TextRequest } from '@sluice/protocols';
import { OUTPUT_TOKENS } from '../metering/charges.ts';
import type { ChargeParams } from '../metering/reservation/reservation.ts';
import type { MaxTokens } from '../metering/reservation/max-tokens.ts';
import { estimateTokens } from '../metering/estimate-tokens.ts';
import { outlineOf } from '../metering/request-outline.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';

/** A rough estimate, used for requests that cannot be decoded. */
const BYTES_PER_TOKEN = 4;

interface ReservedPlan extends Pick<ChargeParams, 'targets'> {
  request: TextRequest;
  resolvedModel: { model: Pick<ModelConfig, 'price' | 'output_tokens'> };
}

/**
 * @param tokens if omitted, estimated from the request's conversation
 * @throws GatewayError `rate_limited`, `insufficient_quota`
 */
export function reserveText(
  { charges, tokenCodec }: Pick<GenerationDeps, 'charges' | 'tokenCodec'>,
  call: TextCall,
  { request, resolvedModel: { model }, targets }: ReservedPlan,
  tokens = (outputTokens: number): MaxTokens => maxTokensOf(tokenCodec, request, outputTokens),
): Promise<void> {
  const { output_tokens = OUTPUT_TOKENS } = model;
  return charges.reserve(call, {
    model,
    targets,
    protocol: call.endpoint.protocol.name,
    tokens: () => tokens(output_tokens),
  });
}

function maxTokensOf(tokenCodec: GenerationDeps['tokenCodec'], request: TextRequest, outputTokens: number): MaxTokens {
  // Read from the raw body, because a relayed body is sent unchanged, including fields that Sluice does not decode.
  const {
    maxOutputTokens,
    otherMaxTokens = 0,
    choices,
  } = boundsInBody(request.protocol.name, (name) => request.member(name));
  return {
    usage: {
      inputTokens: inputTokensOf(tokenCodec, request),
      // If both limits are set, the upstream may apply the larger one.
      outputTokens: Math.max(maxOutputTokens ?? outputTokens, otherMaxTokens) * choices,
    },
    isBounded: maxOutputTokens !== undefined,
  };
}

function inputTokensOf(tokenCodec: GenerationDeps['tokenCodec'], request: TextRequest): number {
  const { protocol, model, stream, bytes, skeleton } = request;
  const outline = skeleton.longStrings.length === 0 ? undefined : outlineOf(request);
  const outlined =
    outline &&
    ifSupported(() =>
      protocol.decodeRequest({ body: outline.body, model, stream, tokenCodec, report: () => undefined }),
    );
  if (outlined) return estimateTokens(outlined, outline.complete);
  const generation = ifSupported(() => request.decoded(tokenCodec).generation);
  return generation ? estimateTokens(generation) : Math.ceil(bytes.length / BYTES_PER_TOKEN);
}

function ifSupported(decode: () => GenerationRequest): GenerationRequest | undefined {
  try {
    return decode();
  } catch {
    return undefined; // A vendor of the same protocol may still accept the request.
  }
}
