import { type Decision, decisionOfStatus } from '../media/decision.ts';
import type { ArkError } from './wire.ts';

/** `InputTextSensitiveContentDetected`, `OutputVideoSensitiveContentDetected.PolicyViolation`, `InputTextRiskDetection` … */
const MODERATION = /SensitiveContent|PolicyViolation|PrivacyInformation|RiskDetection/;
/**
 * The account cannot serve the model: closed, not activated, or only to be called by an endpoint's id. Model names come
 * from the operator, so that another account may well do.
 */
const NOT_OPEN = /^(?:ModelNotOpen|InvalidEndpoint|InvalidSubscription|UnsupportedModel|OperationDenied\.)/;
/** `QuotaExceeded` means three things; the queue being full is the one that passes by itself. */
const USED_UP = /free trial|usage quota/i;

/**
 * What a refusal of Ark means (ModelArk docs, "Error codes").
 * @param status of HTTP, 200 for the error of a failed task
 */
export function decisionOf(status: number, error: ArkError): Decision {
  const code = error?.code ?? '';
  if (status >= 500) return decisionOfStatus(status);
  if (MODERATION.test(code)) return 'moderated';
  if (/^AccountOverdue|ServiceOverdue$|^SetLimitExceeded$/.test(code)) return 'balance';
  if (code.startsWith('QuotaExceeded')) return USED_UP.test(error?.message ?? '') ? 'balance' : 'busy';
  if (NOT_OPEN.test(code)) return 'credential';
  if (/^(?:InvalidParameter|MissingParameter|InvalidImageURL|OutofContext)/.test(code)) return 'invalid';
  if (code === 'ServerOverloaded') return 'unavailable';
  return decisionOfStatus(status);
}
