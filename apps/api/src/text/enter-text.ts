import type { GenerationRequest } from '@sluice/canonical';
import { type TextRequest, toldBounds } from '@sluice/protocols';
import { type MostTokens, OUTPUT_TOKENS } from '../access/fares.ts';
import { estimateTokens } from './estimate-tokens.ts';
import type { TextPlan } from './plan-text.ts';
import type { TextCall, TextRoom } from './text-room.ts';

/** For requests that cannot be decoded: bytes that make a token. */
const BYTES = 4;

/**
 * Lets a request for text in, by what it may use.
 * @param tokens what that is; default by the request's conversation
 * @throws GatewayError `rate_limited`, `insufficient_quota`
 */
export function enterText(
  room: TextRoom,
  call: TextCall,
  { request, found: { model } }: TextPlan,
  tokens: (outputTokens: number) => MostTokens = (outputTokens) => mostTokens(room, request, outputTokens),
): Promise<void> {
  const { price, output_tokens = OUTPUT_TOKENS } = model;
  return room.fares.enter(call, { price, protocol: call.endpoint.protocol.name, tokens: () => tokens(output_tokens) });
}

function mostTokens(room: TextRoom, request: TextRequest, outputTokens: number): MostTokens {
  const wish = decoded(room, request);
  // By the body: a vendor of the client's own protocol has it as it came, what we do not understand too.
  const { maxOutputTokens, choices } = toldBounds(request.protocol.name, (name) => request.member(name));
  return {
    usage: {
      inputTokens: wish ? estimateTokens(wish) : Math.ceil(request.bytes.length / BYTES),
      outputTokens: (maxOutputTokens ?? outputTokens) * choices,
    },
    isBounded: maxOutputTokens !== undefined,
  };
}

/** @returns undefined for what only a vendor of its own protocol may understand */
function decoded({ sealer }: TextRoom, request: TextRequest): GenerationRequest | undefined {
  const { protocol, model, stream } = request;
  try {
    return protocol.decodeRequest({ body: request.body(), model, stream, sealer, report: () => undefined });
  } catch {
    return undefined;
  }
}
