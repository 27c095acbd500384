import type { TaskErrorCode } from '@sluice/canonical';
import { failureCodeOf, type Decision, decisionOfStatus } from '../media/outcomes/decision.ts';
import type { FalRefusal } from './wire.ts';

/** Matches error types for blocked content (fal docs, "Model errors": `content_policy_violation`). */
const MODERATION = /content_policy|nsfw|safety|moderation/;
/** Matches errors caused by fal, the model, or their infrastructure, regardless of the status. */
const VENDOR_ERRORS =
  /^(?:internal_|downstream_|generation_timeout|no_media_generated|request_timeout|startup_timeout|runner_)/;
/** Matches `User is locked. Reason: Exhausted balance. Top up your balance at …` and `Reason: TOP_UP.` */
const NO_BALANCE = /exhausted balance|top[ _]up/i;

/** The message if an application does not have this endpoint. The queue accepts requests for any endpoint. */
const NO_ENDPOINT = /^Path .* not found$/;

function typesOf(refusal: FalRefusal): string[] {
  const { detail, error_type: type } = refusal ?? {};
  const types = Array.isArray(detail) ? detail.map((one) => one.type) : [];
  return [...types, type].filter((one) => one !== undefined);
}

export function textOf(refusal: FalRefusal): string | undefined {
  const detail = refusal?.detail;
  if (!Array.isArray(detail)) return detail;
  const sentences = detail.map(({ loc, msg }) => {
    const field = loc?.at(-1);
    return typeof field === 'string' && field !== 'body' ? `${field}: ${msg ?? ''}` : (msg ?? '');
  });
  return sentences.filter(Boolean).join('; ');
}

export function decisionOf(status: number, refusal: FalRefusal): Decision {
  if (status >= 500) return decisionOfStatus(status);
  if (typesOf(refusal).some((type) => MODERATION.test(type))) return 'moderated';
  if (status === 403 && NO_BALANCE.test(textOf(refusal) ?? '')) return 'balance';
  return decisionOfStatus(status);
}

/**
 * Returns the error code of a failed run, from the error that fal returned instead of a result. Returns `undefined` if
 * the error does not describe the run. A gateway error without a type only means that fal could not respond.
 */
export function failureCode(status: number, refusal: FalRefusal): TaskErrorCode | undefined {
  if (status === 404 && NO_ENDPOINT.test(textOf(refusal) ?? '')) return 'invalid_request';
  if ([401, 403, 404, 429].includes(status)) return undefined;
  const types = typesOf(refusal);
  if (types.some((type) => MODERATION.test(type))) return 'content_policy';
  if (types.some((type) => VENDOR_ERRORS.test(type))) return 'provider_error';
  const decision = decisionOfStatus(status);
  if (decision === 'invalid') return refusal?.detail === undefined ? undefined : failureCodeOf(decision);
  return types.length > 0 ? 'provider_error' : undefined;
}
