import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { WireRefusal } from '../direct/refusal.ts';
import { lenient, Text } from '../media/lenient.ts';
import { decisionOfStatus } from '../media/outcomes/decision.ts';

const WireError = lenient({ error: Text, error_type: Text });
/** Error types for failures of the server. They are sent with 424 and 503. */
const OUT_OF_ORDER = /^(?:backend|unhealthy)$/i;

/** Reads an error body, `{error, error_type}`. The response to a wrong key has no body. */
export function teiRefusal({ status, body }: Pick<UpstreamResponse, 'status' | 'body'>): WireRefusal {
  const { error: text, error_type: type = '' } = WireError.parse(body) ?? {};
  return { decision: OUT_OF_ORDER.test(type) ? 'unavailable' : decisionOfStatus(status), text };
}
