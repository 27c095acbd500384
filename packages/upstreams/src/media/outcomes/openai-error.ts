import type { TaskErrorCode } from '@sluice/canonical';
import { failureCodeOf, type Decision } from './decision.ts';

/** OpenAI uses `moderation_blocked` and `content_policy_violation`. Resellers pass on texts of other vendors. */
const MODERATION = /moderation|content[_-]?(policy|filter)|policy[_-]?violation|sensitive|safety|inspection|nsfw/i;
/** OpenAI uses `insufficient_quota` and `billing_hard_limit_reached`; new-api uses `insufficient_user_quota`. */
const NO_BALANCE =
  /^insufficient[_-](user[_-])?(quota|balance|funds?|credits?)|^billing_|^not_enough_(balance|credits?)/i;
const INVALID = /^invalid_/i;
const REFUSALS = new Set([400, 404, 405, 413, 415, 422]);

export interface OpenAiError {
  code?: string | undefined;
  type?: string | undefined;
  message?: string | undefined;
}

/** The topic of an error, derived from its code or type. */
export type ErrorTopic = 'moderated' | 'balance' | 'invalid' | 'other';

/** Classifies an error by its code and type. The message is ignored, because its text is not stable. */
export function errorTopic(error: OpenAiError | undefined): ErrorTopic {
  const names = [error?.code, error?.type].filter((name) => name !== undefined);
  if (names.some((name) => MODERATION.test(name))) return 'moderated';
  if (names.some((name) => NO_BALANCE.test(name))) return 'balance';
  if (names.some((name) => INVALID.test(name))) return 'invalid';
  return 'other';
}

/**
 * Maps an error's status and topic to a decision.
 *
 * - 402, or a missing balance with 400, 403, or 429 → `balance`.
 * - 429 → `busy`; 503 → `unavailable`.
 * - Moderation with 403 or with a status for invalid requests → `moderated`.
 * - 401, 403 → `credential`.
 * - 400, 404, 405, 413, 415, 422 → `invalid`.
 * - Everything else → `unknown`.
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

export function openAiFailure(error: OpenAiError | undefined): TaskErrorCode {
  const topic = errorTopic(error);
  return topic === 'other' ? 'provider_error' : failureCodeOf(topic);
}
