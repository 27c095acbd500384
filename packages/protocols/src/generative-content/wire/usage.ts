import type { Usage } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { tokenCount } from '../../text/token-count.ts';
import { amount } from '../../json/amount.ts';
import { records } from './proto-json.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Reads `usageMetadata`. Its prompt count includes cached tokens but not the prompts of hosted tools; its candidates
 * exclude
 * thoughts.
 * @param before usage of earlier chunks of the stream; each chunk repeats the total
 * @returns `before` when there is none
 */
export function decodeUsage(metadata: unknown, before?: Usage): Usage | undefined {
  if (!isRecord(metadata)) return before;
  const prompt = count(metadata['promptTokenCount']);
  const total = count(metadata['totalTokenCount']);
  if (prompt === undefined && total === undefined) return before;
  const inputTokens = (prompt ?? 0) + (count(metadata['toolUsePromptTokenCount']) ?? 0);
  const thoughts = count(metadata['thoughtsTokenCount']);
  const candidates = count(metadata['candidatesTokenCount']);
  const written = (candidates ?? 0) + (thoughts ?? 0);
  const outputTokens = candidates === undefined ? Math.max(written, (total ?? 0) - inputTokens) : written;
  const cachedTokens = count(metadata['cachedContentTokenCount']);
  const audioInputTokens = ofModality(metadata['promptTokensDetails'], 'AUDIO');
  const imageInputTokens = ofModality(metadata['promptTokensDetails'], 'IMAGE');
  const audioOutputTokens = ofModality(metadata['candidatesTokensDetails'], 'AUDIO');
  return {
    inputTokens,
    outputTokens,
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(thoughts !== undefined && { reasoningTokens: thoughts }),
    ...(audioInputTokens !== undefined && { audioInputTokens }),
    ...(imageInputTokens !== undefined && { imageInputTokens }),
    ...(audioOutputTokens !== undefined && { audioOutputTokens }),
  };
}

export function encodeUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens = 0 } = usage;
  const prompt = details({ AUDIO: usage.audioInputTokens, IMAGE: usage.imageInputTokens }, inputTokens);
  const candidatesTokenCount = Math.max(0, outputTokens - reasoningTokens);
  const candidates = details({ AUDIO: usage.audioOutputTokens }, candidatesTokenCount);
  return {
    promptTokenCount: inputTokens,
    ...(cachedTokens !== undefined && { cachedContentTokenCount: cachedTokens }),
    candidatesTokenCount,
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
    totalTokenCount: inputTokens + outputTokens,
    ...(prompt && { promptTokensDetails: prompt }),
    ...(candidates && { candidatesTokensDetails: candidates }),
  };
}

function ofModality(list: unknown, modality: string): number | undefined {
  const counts = records(list).filter((one) => one['modality'] === modality);
  const total = counts.reduce((sum, one) => sum + (count(one['tokenCount']) ?? 0), 0);
  return total > 0 ? total : undefined;
}

function details(counts: Readonly<Record<string, number | undefined>>, total: number): JsonObject[] | undefined {
  const told = Object.entries(counts).flatMap(([modality, some]) =>
    some === undefined ? [] : [{ modality, tokenCount: some }],
  );
  if (told.length === 0) return undefined;
  const text = total - told.reduce((sum, detail) => sum + detail.tokenCount, 0);
  return [...(text > 0 ? [{ modality: 'TEXT', tokenCount: text }] : []), ...told];
}

/** Strings of digits count too. */
function count(value: unknown): number | undefined {
  return tokenCount(amount(value));
}
