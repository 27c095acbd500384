import { isRecord } from '@sluice/protocols';
import { estimateTextTokens } from '../metering/estimate-tokens.ts';

/** An image, an audio file, or another file, or a link to one. */
const MEDIA = /^(?:data:|https?:)/;
const MEDIA_TOKENS = 1_000;
/** Members that contain base64 without a data URL. */
const MEDIA_NAMES = new Set(['data', 'file_data']);
/** No valid request is nested deeper, and recursion is bounded. */
const MAX_DEPTH = 100;

/**
 * Estimates the input tokens of a body in any protocol by its texts. It does not decode the body, because a batch can have
 * a million of them.
 */
export function estimateBodyTokens(value: unknown, name = '', depth = 0): number {
  if (typeof value === 'string') {
    return MEDIA_NAMES.has(name) || MEDIA.test(value) ? MEDIA_TOKENS : estimateTextTokens(value);
  }
  if (depth > MAX_DEPTH) return 0;
  if (Array.isArray(value)) {
    // A list of numbers is a text as tokens.
    if (typeof value[0] === 'number') return value.length;
    return value.reduce<number>((sum, item) => sum + estimateBodyTokens(item, name, depth + 1), 0);
  }
  if (!isRecord(value)) return 0;
  return Object.entries(value).reduce((sum, [key, inner]) => sum + estimateBodyTokens(inner, key, depth + 1), 0);
}
