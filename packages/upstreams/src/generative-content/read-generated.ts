import { GatewayError, type Usage, UpstreamRefusalError } from '@sluice/canonical';
import type { z } from 'zod';
import { lenient, Numeric } from '../media/lenient.ts';
import { WireGenerated } from './image-wire.ts';

/** Finish reasons that mean that a filter has stepped in (@google/genai, `FinishReason`). */
const FILTERED = /SAFETY|PROHIBITED_CONTENT|RECITATION|BLOCKLIST|SPII/;

type Generated = NonNullable<z.output<typeof WireGenerated>>;
/** A part of an answer. */
export type GeneratedPart = NonNullable<
  NonNullable<NonNullable<NonNullable<NonNullable<Generated['candidates']>[number]>['content']>['parts']>[number]
>;

/**
 * The parts of the first answer, without thoughts. Undefined when there is no answer at all.
 * @throws UpstreamRefusalError when a filter has stepped in, which Gemini tells with HTTP 200
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
  return (first.content?.parts ?? []).flatMap((part) => (part === undefined || part.thought === true ? [] : [part]));
}

const WireCost = lenient({
  usageMetadata: lenient({ promptTokenCount: Numeric, candidatesTokenCount: Numeric, thoughtsTokenCount: Numeric }),
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
