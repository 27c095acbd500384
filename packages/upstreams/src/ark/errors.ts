import { type Decision, decisionOfStatus } from '../media/outcomes/decision.ts';
import type { ArkError } from './wire.ts';

/**
 * Matches e.g. `InputTextSensitiveContentDetected`, `OutputVideoSensitiveContentDetected.PolicyViolation`,
 * `InputTextRiskDetection`.
 */
const MODERATION = /SensitiveContent|PolicyViolation|PrivacyInformation|RiskDetection/;
/**
 * The account cannot use the model: it is disabled, not activated, or reachable only by endpoint id. Operators
 * configure model names per account, so another account may serve the model.
 */
const NOT_OPEN = /^(?:ModelNotOpen|InvalidEndpoint|InvalidSubscription|UnsupportedModel|OperationDenied\.)/;
/** `QuotaExceeded` has three meanings. Only a full queue is temporary; the other two messages contain these texts. */
const USED_UP = /free trial|usage quota/i;

/** Maps a rejected request (ModelArk docs, "Error codes"). @param status HTTP status; 200 for a failed task's error */
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
