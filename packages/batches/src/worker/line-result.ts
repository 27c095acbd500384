import { batchResultId, type BatchLineErrorCode, type BatchLineResult, type BatchUsage } from '@sluice/canonical';
import type { LineUse } from './worker-context.ts';

const MESSAGES: Readonly<Record<BatchLineErrorCode, string>> = {
  outcome_unknown:
    'The request was sent, but its outcome is unknown. It was not repeated, because it may have been paid for.',
  batch_expired: 'The batch expired before this request was run.',
  batch_cancelled: 'The batch was canceled before this request was run.',
  request_failed: 'The input file was deleted before this request was sent.',
  result_missing: 'The batch of the vendor ended without a result of this request.',
};

export interface LineName {
  batchId: string;
  /** The number of the line, from 1. */
  number: number;
  customId: string;
}

/** Encodes the response to a line, as a line of the output or error file. */
export function responseResult(
  { batchId, number, customId }: LineName,
  { status, requestId, text }: { status: number; requestId: string; text: string },
): string {
  return JSON.stringify({
    id: batchResultId(batchId, number),
    custom_id: customId,
    response: { status_code: status, request_id: requestId, body: parseBody(text) },
    error: null,
  } satisfies BatchLineResult);
}

/** Encodes why a line has no response, as a line of the error file. */
export function errorResult(
  { batchId, number, customId }: LineName,
  code: BatchLineErrorCode,
  message = MESSAGES[code],
): string {
  return JSON.stringify({
    id: batchResultId(batchId, number),
    custom_id: customId,
    response: null,
    error: { code, message },
  } satisfies BatchLineResult);
}

/** Returns the fields of the batch that the usage and the cost of a line are added to, each with its number. */
export function usageArgs({ usage, costNanos = 0, isUnpriced = false }: LineUse = {}): (string | number)[] {
  const { inputTokens = 0, cachedTokens = 0, outputTokens = 0, reasoningTokens = 0 } = usage ?? {};
  const tokens: BatchUsage = { inputTokens, cachedTokens, outputTokens, reasoningTokens };
  const counts = Object.entries({ ...tokens, costNanos, unpriced: Number(isUnpriced) });
  return counts.flatMap(([name, count]) => (count > 0 ? [name, count] : []));
}

/** A body that is not JSON becomes a string, so that the line is valid JSON in any case. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
