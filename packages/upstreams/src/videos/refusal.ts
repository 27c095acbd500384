import type { TaskErrorCode } from '@sluice/canonical';
import { sanitiseReason } from '../http/sanitise-reason.ts';
import type { WireError } from './wire.ts';

/** OpenAI: `moderation_blocked`, `content_policy_violation`; resellers pass on the words of the vendor behind them. */
const MODERATION = /moderation|content[_-]?(policy|filter)|policy[_-]?violation|sensitive|safety|inspection|nsfw/i;
/** OpenAI: `insufficient_quota`, `billing_hard_limit_reached`; new-api: `insufficient_user_quota`. */
const NO_BALANCE =
  /^insufficient[_-](user[_-])?(quota|balance|funds?|credits?)|^billing_|^not_enough_(balance|credits?)/i;
const INVALID = /^invalid_/i;

/** What a code or type of an error is about. `other` when it says nothing that matters here. */
export type ErrorTopic = 'moderation' | 'balance' | 'invalid' | 'other';

/** Sorts an error by its code and type; its prose is for people and decides nothing. */
export function errorTopic(error: WireError | undefined): ErrorTopic {
  const words = [error?.code, error?.type].filter((word) => word !== undefined);
  if (words.some((word) => MODERATION.test(word))) return 'moderation';
  if (words.some((word) => NO_BALANCE.test(word))) return 'balance';
  if (words.some((word) => INVALID.test(word))) return 'invalid';
  return 'other';
}

/** The code with which a task fails that the upstream had accepted. */
export function failureCode(error: WireError | undefined): TaskErrorCode {
  switch (errorTopic(error)) {
    case 'moderation':
      return 'content_policy';
    case 'invalid':
      return 'invalid_request';
    case 'balance':
      return 'provider_quota';
    case 'other':
      return 'provider_error';
  }
}

/** The upstream's reason for a client, or `otherwise` when it gave none. */
export function reasonFor(error: WireError | undefined, otherwise: string, hide: readonly string[]): string {
  const reason = sanitiseReason(error?.message ?? '', hide);
  return reason === '' ? otherwise : reason;
}
