import type { TaskErrorCode } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { type Decision, decisionOfStatus } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';

/**
 * Models refuse content only in text: "The input or output was flagged as sensitive. Please try again with different
 * inputs. (E005)", "NSFW content detected. Try running it again, or try a different prompt."
 */
const MODERATION =
  /\bE005\b|flagged|\bnsfw\b|(?<!case[- ])sensitive|content[ _-]?(?:polic|moderat|filter)|moderation|inappropriate|safety (?:system|filter|polic)|violat\w* .{0,40}(?:polic|guideline|terms)/i;

function saysModerated(words: string | undefined): boolean {
  return words !== undefined && MODERATION.test(words);
}

/** @param words `detail` of the response */
export function decisionOf(status: number, words: string | undefined): Decision {
  const decision = decisionOfStatus(status);
  return decision === 'invalid' && saysModerated(words) ? 'moderated' : decision;
}

export function failureCode(error: string | undefined): TaskErrorCode {
  return saysModerated(error) ? 'content_policy' : 'provider_error';
}

/** The wait: from the header, else from the text ("resets in ~30s", "available in 1 second"). */
export function laterOf(tools: WireTools, response: UpstreamResponse, words?: string): { retryAfterMs?: number } {
  const later = tools.later(response);
  if (later.retryAfterMs !== undefined || response.status !== 429) return later;
  const seconds = /(?:resets|available) in ~?(\d{1,4}) ?s/i.exec(words ?? '')?.[1];
  return seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1000 };
}
