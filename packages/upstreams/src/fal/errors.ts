import type { TaskErrorCode } from '@sluice/canonical';
import { failureCodeOf, type Decision, decisionOfStatus } from '../media/decision.ts';
import type { FalRefusal } from './wire.ts';

/** fal docs, "Model errors": `content_policy_violation`. */
const MODERATION = /content_policy|nsfw|safety|moderation/;
/** What lies with fal, the model or those behind it, whatever status it comes with. */
const THEIRS =
  /^(?:internal_|downstream_|generation_timeout|no_media_generated|request_timeout|startup_timeout|runner_)/;
/** `User is locked. Reason: Exhausted balance. Top up your balance at …`, or `Reason: TOP_UP.` */
const NO_BALANCE = /exhausted balance|top[ _]up/i;

/** What the model's own application says of an endpoint that it has not; the queue takes in requests for any. */
const NO_ENDPOINT = /^Path .* not found$/;

/** The machine's words of a refusal. */
function typesOf(refusal: FalRefusal): string[] {
  const { detail, error_type: type } = refusal ?? {};
  const types = Array.isArray(detail) ? detail.map((one) => one.type) : [];
  return [...types, type].filter((word) => word !== undefined);
}

/** The words for people of a refusal. */
export function wordsOf(refusal: FalRefusal): string | undefined {
  const detail = refusal?.detail;
  if (!Array.isArray(detail)) return detail;
  const sentences = detail.map(({ loc, msg }) => {
    const field = loc?.at(-1);
    return typeof field === 'string' && field !== 'body' ? `${field}: ${msg ?? ''}` : (msg ?? '');
  });
  return sentences.filter(Boolean).join('; ');
}

/** What a refused submission means. */
export function decisionOf(status: number, refusal: FalRefusal): Decision {
  if (status >= 500) return decisionOfStatus(status);
  if (typesOf(refusal).some((type) => MODERATION.test(type))) return 'moderated';
  if (status === 403 && NO_BALANCE.test(wordsOf(refusal) ?? '')) return 'balance';
  return decisionOfStatus(status);
}

/**
 * The code of a run that has failed, from the answer that came in place of its result; nothing when that answer says
 * nothing of the run, such as a gateway's own: without a machine's word, what lies with no request tells only that fal
 * could not answer now.
 */
export function failureCode(status: number, refusal: FalRefusal): TaskErrorCode | undefined {
  if (status === 404 && NO_ENDPOINT.test(wordsOf(refusal) ?? '')) return 'invalid_request';
  if ([401, 403, 404, 429].includes(status)) return undefined;
  const types = typesOf(refusal);
  if (types.some((type) => MODERATION.test(type))) return 'content_policy';
  if (types.some((type) => THEIRS.test(type))) return 'provider_error';
  const decision = decisionOfStatus(status);
  if (decision === 'invalid') return refusal?.detail === undefined ? undefined : failureCodeOf(decision);
  return types.length > 0 ? 'provider_error' : undefined;
}
