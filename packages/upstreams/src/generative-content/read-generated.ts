import { GatewayError, type Usage, UpstreamRefusalError, UPSTREAM_MESSAGES } from '@sluice/canonical';
import { z } from 'zod';
import { lenient, Text, Tokens } from '../media/lenient.ts';
import { WireGenerated } from './image-wire.ts';

/** Finish reasons that mean that a filter blocked the response (@google/genai, `FinishReason`). */
export const FILTERED = /SAFETY|PROHIBITED_CONTENT|RECITATION|BLOCKLIST|SPII/;

/** Finish reasons of a complete response. Some API versions omit the field. */
const ENDED = /^(?:STOP|FINISH_REASON_UNSPECIFIED)?$/;

type Generated = NonNullable<z.output<typeof WireGenerated>>;
export type GeneratedPart = NonNullable<
  NonNullable<NonNullable<NonNullable<NonNullable<Generated['candidates']>[number]>['content']>['parts']>[number]
>;

/**
 * Returns the first candidate's parts without thoughts; undefined if there is no candidate.
 * @throws UpstreamRefusalError if a filter blocked the response or the response is incomplete; Gemini sends both with
 * HTTP 200
 */
export function generatedParts(body: unknown): GeneratedPart[] | undefined {
  const { candidates, promptFeedback } = WireGenerated.parse(body) ?? {};
  const [first] = candidates ?? [];
  if (promptFeedback?.blockReason !== undefined || FILTERED.test(first?.finishReason ?? '')) {
    throw new UpstreamRefusalError(400, new GatewayError('content_policy', UPSTREAM_MESSAGES.outputBlocked));
  }
  if (first === undefined) return undefined;
  if (!ENDED.test(first.finishReason ?? '')) throw cutOff(first.finishReason === 'MAX_TOKENS');
  return (first.content?.parts ?? []).flatMap((part) => (part === undefined || part.thought === true ? [] : [part]));
}

function cutOff(isFull: boolean): UpstreamRefusalError {
  const what = isFull
    ? 'The response exceeds the output limit of the model. Send less in one request.'
    : UPSTREAM_MESSAGES.incomplete;
  // A response over the token limit would fail everywhere. Other failures do not make the upstream unhealthy.
  return new UpstreamRefusalError(isFull ? 400 : 200, new GatewayError('provider_error', what, { retryable: !isFull }));
}

const WireDetails = z
  .array(lenient({ modality: Text, tokenCount: Tokens }))
  .optional()
  .catch(undefined);

const WireCost = lenient({
  usageMetadata: lenient({
    promptTokenCount: Tokens,
    candidatesTokenCount: Tokens,
    thoughtsTokenCount: Tokens,
    promptTokensDetails: WireDetails,
    candidatesTokensDetails: WireDetails,
  }),
});

export function generatedUsage(body: unknown): Usage | undefined {
  const usage = WireCost.parse(body)?.usageMetadata ?? {};
  const { promptTokenCount: inputTokens, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usage;
  if (inputTokens === undefined) return undefined;
  const audioInputTokens = audioOf(usage.promptTokensDetails);
  const audioOutputTokens = audioOf(usage.candidatesTokensDetails);
  return {
    inputTokens,
    outputTokens: candidatesTokenCount + thoughtsTokenCount,
    ...(audioInputTokens > 0 && { audioInputTokens }),
    ...(audioOutputTokens > 0 && { audioOutputTokens }),
  };
}

function audioOf(details: z.output<typeof WireDetails> = []): number {
  const audio = details.filter((part) => part?.modality === 'AUDIO');
  return audio.reduce((sum, part) => sum + (part?.tokenCount ?? 0), 0);
}
