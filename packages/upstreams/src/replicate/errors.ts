import type { TaskErrorCode } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { type Decision, decisionOfStatus } from '../media/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';

/**
 * Models refuse content in words alone: "The input or output was flagged as sensitive. Please try again with different
 * inputs. (E005)", "NSFW content detected. Try running it again, or try a different prompt."
 */
const MODERATION =
  /\bE005\b|flagged|\bnsfw\b|(?<!case[- ])sensitive|content[ _-]?(?:polic|moderat|filter)|moderation|inappropriate|safety (?:system|filter|polic)|violat\w* .{0,40}(?:polic|guideline|terms)/i;

/** Whether words say that content was refused. */
function saysModerated(words: string | undefined): boolean {
  return words !== undefined && MODERATION.test(words);
}

/** What a refused call means. @param words `detail` of the answer */
export function decisionOf(status: number, words: string | undefined): Decision {
  const decision = decisionOfStatus(status);
  return decision === 'invalid' && saysModerated(words) ? 'moderated' : decision;
}

/** The code of a prediction that has failed. */
export function failureCode(error: string | undefined): TaskErrorCode {
  return saysModerated(error) ? 'content_policy' : 'provider_error';
}

/** When to ask again: the header, else what is said of a rate limit ("resets in ~30s", "available in 1 second"). */
export function laterOf(tools: WireTools, response: UpstreamResponse, words?: string): { retryAfterMs?: number } {
  const later = tools.later(response);
  if (later.retryAfterMs !== undefined || response.status !== 429) return later;
  const seconds = /(?:resets|available) in ~?(\d{1,4}) ?s/i.exec(words ?? '')?.[1];
  return seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1000 };
}
