import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { WireRefusal } from '../direct/refusal.ts';
import { lenient, Text } from '../media/lenient.ts';
import { decisionOfStatus } from '../media/decision.ts';

const WireError = lenient({ error: Text, error_type: Text });
/** The server's trouble, which it tells with 424 and 503. */
const OUT_OF_ORDER = /^(?:backend|unhealthy)$/i;

/** What the server refuses with: `{error, error_type}`; nothing at all for a wrong key. */
export function teiRefusal({ status, body }: Pick<UpstreamResponse, 'status' | 'body'>): WireRefusal {
  const { error: words, error_type: type = '' } = WireError.parse(body) ?? {};
  return { decision: OUT_OF_ORDER.test(type) ? 'unavailable' : decisionOfStatus(status), words };
}
