import { GatewayError, type Usage, UpstreamRefusalError } from '@sluice/canonical';
import type { z } from 'zod';
import { lenient, Tokens } from '../media/lenient.ts';
import { WireGenerated } from './image-wire.ts';

/** Finish reasons that mean that a filter has stepped in (@google/genai, `FinishReason`). */
const FILTERED = /SAFETY|PROHIBITED_CONTENT|RECITATION|BLOCKLIST|SPII/;

/** An answer that came to its own end; some versions of the API leave it out. */
const ENDED = /^(?:STOP|FINISH_REASON_UNSPECIFIED)?$/;

type Generated = NonNullable<z.output<typeof WireGenerated>>;
/** A part of an answer. */
export type GeneratedPart = NonNullable<
  NonNullable<NonNullable<NonNullable<NonNullable<Generated['candidates']>[number]>['content']>['parts']>[number]
>;

/**
 * The parts of the first answer, without thoughts. Undefined when there is no answer at all.
 * @throws UpstreamRefusalError when a filter has stepped in or the answer was cut off, which Gemini tells with HTTP 200
 */
export function generatedParts(body: unknown): GeneratedPart[] | undefined {
  const { candidates, promptFeedback } = WireGenerated.parse(body) ?? {};
  const [first] = candidates ?? [];
  if (promptFeedback?.blockReason !== undefined || FILTERED.test(first?.finishReason ?? '')) {
    throw new UpstreamRefusalError(
      400,
      new GatewayError('content_policy', 'The upstream’s filter stopped the answer.'),
    );
  }
  if (first === undefined) return undefined;
  if (!ENDED.test(first.finishReason ?? '')) throw cutOff(first.finishReason === 'MAX_TOKENS');
  return (first.content?.parts ?? []).flatMap((part) => (part === undefined || part.thought === true ? [] : [part]));
}

/** A part of an answer does not count as all of it. @param isFull whether the model has written as much as it can */
function cutOff(isFull: boolean): UpstreamRefusalError {
  const what = isFull
    ? 'The upstream cut its answer off: it is longer than the model can write. Ask for less at once.'
    : 'The upstream ended its answer before it was whole.';
  // Nobody else is asked for what is too long; anything else may go better elsewhere, and says nothing of the upstream's health.
  return new UpstreamRefusalError(isFull ? 400 : 200, new GatewayError('provider_error', what, { retryable: !isFull }));
}

const WireCost = lenient({
  usageMetadata: lenient({ promptTokenCount: Tokens, candidatesTokenCount: Tokens, thoughtsTokenCount: Tokens }),
});

/** What an answer has cost. */
export function generatedUsage(body: unknown): Usage | undefined {
  const {
    promptTokenCount: inputTokens,
    candidatesTokenCount,
    thoughtsTokenCount,
  } = WireCost.parse(body)?.usageMetadata ?? {};
  if (inputTokens === undefined) return undefined;
  return { inputTokens, outputTokens: (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0) };
}
