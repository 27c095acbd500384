import type { TaskErrorCode } from '@sluice/canonical';
import { failureCodeOf, type Decision } from './decision.ts';

/** OpenAI: `moderation_blocked`, `content_policy_violation`; resellers pass on the words of the vendor behind them. */
const MODERATION = /moderation|content[_-]?(policy|filter)|policy[_-]?violation|sensitive|safety|inspection|nsfw/i;
/** OpenAI: `insufficient_quota`, `billing_hard_limit_reached`; new-api: `insufficient_user_quota`. */
const NO_BALANCE =
  /^insufficient[_-](user[_-])?(quota|balance|funds?|credits?)|^billing_|^not_enough_(balance|credits?)/i;
const INVALID = /^invalid_/i;
/** Statuses with which an upstream says that this request will never do. */
const REFUSALS = new Set([400, 404, 405, 413, 415, 422]);

/** What an upstream that speaks OpenAI's protocols says is wrong, unsanitised. */
export interface OpenAiError {
  code?: string | undefined;
  type?: string | undefined;
  message?: string | undefined;
}

/** What a code or type of an error is about. `other` when it says nothing that matters here. */
export type ErrorTopic = 'moderated' | 'balance' | 'invalid' | 'other';

/** Sorts an error by its code and type; its prose is for people and decides nothing. */
export function errorTopic(error: OpenAiError | undefined): ErrorTopic {
  const words = [error?.code, error?.type].filter((word) => word !== undefined);
  if (words.some((word) => MODERATION.test(word))) return 'moderated';
  if (words.some((word) => NO_BALANCE.test(word))) return 'balance';
  if (words.some((word) => INVALID.test(word))) return 'invalid';
  return 'other';
}

/**
 * What a refusal means, by its status and what its error is about.
 *
 * - 429, 503 → `busy`, `unavailable`.
 * - 401, 402, 403, no balance → the account's fault; but a refusal that names moderation is the request's at any 4xx.
 * - 400, 404, 405, 413, 415, 422 → `invalid`.
 * - everything else → `unknown`.
 */
export function openAiDecision(status: number, error: OpenAiError | undefined): Decision {
  if (status === 503) return 'unavailable';
  if (status < 400 || status > 499) return 'unknown';
  const topic = errorTopic(error);
  if (status === 402 || (topic === 'balance' && [400, 403, 429].includes(status))) return 'balance';
  if (status === 429) return 'busy';
  if (topic === 'moderated' && (REFUSALS.has(status) || status === 403)) return 'moderated';
  if (status === 401 || status === 403) return 'credential';
  return REFUSALS.has(status) ? 'invalid' : 'unknown';
}

/** The code of what failed with such an error after it had been accepted. */
export function openAiFailure(error: OpenAiError | undefined): TaskErrorCode {
  const topic = errorTopic(error);
  return topic === 'other' ? 'provider_error' : failureCodeOf(topic);
}
