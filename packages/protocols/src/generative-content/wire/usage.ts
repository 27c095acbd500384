import type { Usage } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { knownCounts, tokenCount } from '../../text/token-count.ts';
import { amount } from '../../json/amount.ts';
import { decodeServiceTier } from './service-tier.ts';
import { records } from './proto-json.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Decodes usage. The vendor's prompt count includes cached tokens but excludes the prompts of hosted tools. Its
 * candidate count excludes thoughts.
 * @param before usage of earlier chunks, returned if this chunk has none; each chunk repeats the total
 */
export function decodeUsage(metadata: unknown, before?: Usage): Usage | undefined {
  if (!isRecord(metadata)) return before;
  const prompt = count(metadata['promptTokenCount']);
  const total = count(metadata['totalTokenCount']);
  if (prompt === undefined && total === undefined) return before;
  const inputTokens = (prompt ?? 0) + (count(metadata['toolUsePromptTokenCount']) ?? 0);
  const thoughts = count(metadata['thoughtsTokenCount']);
  const candidates = count(metadata['candidatesTokenCount']);
  const reported = (candidates ?? 0) + (thoughts ?? 0);
  const outputTokens = candidates === undefined ? Math.max(reported, (total ?? 0) - inputTokens) : reported;
  return {
    inputTokens,
    outputTokens,
    ...knownCounts({
      serviceTier: decodeServiceTier(metadata),
      cachedTokens: count(metadata['cachedContentTokenCount']),
      reasoningTokens: thoughts,
      audioInputTokens: ofModality(metadata['promptTokensDetails'], 'AUDIO'),
      imageInputTokens: ofModality(metadata['promptTokensDetails'], 'IMAGE'),
      audioOutputTokens: ofModality(metadata['candidatesTokensDetails'], 'AUDIO'),
      imageOutputTokens: ofModality(metadata['candidatesTokensDetails'], 'IMAGE'),
    }),
  };
}

export function encodeUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens = 0 } = usage;
  const prompt = details({ AUDIO: usage.audioInputTokens, IMAGE: usage.imageInputTokens }, inputTokens);
  const candidatesTokenCount = Math.max(0, outputTokens - reasoningTokens);
  const candidates = details({ AUDIO: usage.audioOutputTokens, IMAGE: usage.imageOutputTokens }, candidatesTokenCount);
  return {
    promptTokenCount: inputTokens,
    cachedContentTokenCount: cachedTokens,
    candidatesTokenCount,
    thoughtsTokenCount: reasoningTokens > 0 ? reasoningTokens : undefined,
    totalTokenCount: inputTokens + outputTokens,
    promptTokensDetails: prompt,
    candidatesTokensDetails: candidates,
  };
}

function ofModality(list: unknown, modality: string): number | undefined {
  const counts = records(list).filter((one) => one['modality'] === modality);
  const total = counts.reduce((sum, one) => sum + (count(one['tokenCount']) ?? 0), 0);
  return total > 0 ? total : undefined;
}

function details(counts: Readonly<Record<string, number | undefined>>, total: number): JsonObject[] | undefined {
  const known = Object.entries(counts).flatMap(([modality, tokens]) =>
    tokens === undefined ? [] : [{ modality, tokenCount: tokens }],
  );
  if (known.length === 0) return undefined;
  const text = total - known.reduce((sum, detail) => sum + detail.tokenCount, 0);
  return [...(text > 0 ? [{ modality: 'TEXT', tokenCount: text }] : []), ...known];
}

/** Accepts numbers and strings of digits. */
function count(value: unknown): number | undefined {
  return tokenCount(amount(value));
}
