import type { TaskErrorCode } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { type Decision, decisionOfStatus } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';

/**
 * Models report moderation only in text: "The input or output was flagged as sensitive. Please try again with different
 * inputs. (E005)", "NSFW content detected. Try running it again, or try a different prompt."
 */
const MODERATION =
  /\bE005\b|flagged|\bnsfw\b|(?<!case[- ])sensitive|content[ _-]?(?:polic|moderat|filter)|moderation|inappropriate|safety (?:system|filter|polic)|violat\w* .{0,40}(?:polic|guideline|terms)/i;

/** @param text the `detail` of the response */
export function decisionOf(status: number, text = ''): Decision {
  const decision = decisionOfStatus(status);
  return decision === 'invalid' && MODERATION.test(text) ? 'moderated' : decision;
}

export function failureCode(error = ''): TaskErrorCode {
  return MODERATION.test(error) ? 'content_policy' : 'provider_error';
}

/** Returns the retry delay from the header or, without one, from the text (e.g. "resets in ~30s"). */
export function retryDelayOf(tools: WireTools, response: UpstreamResponse, text = ''): { retryAfterMs?: number } {
  const delay = tools.retryDelay(response);
  if (delay.retryAfterMs !== undefined || response.status !== 429) return delay;
  const seconds = /(?:resets|available) in ~?(\d{1,4}) ?s/i.exec(text)?.[1];
  return seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1000 };
}
