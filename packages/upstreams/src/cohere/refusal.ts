import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { WireRefusal } from '../direct/refusal.ts';
import { lenient, Text } from '../media/lenient.ts';
import { type Decision, decisionOfStatus } from '../media/outcomes/decision.ts';

const WireError = lenient({ message: Text });
/** Exceeded monthly limits also return 429: "You are using a Trial key, which is limited to 1000 API calls / month". */
const USED_UP = /calls? \/ month|monthly|billing|payment/i;

/** Reads Cohere's error body `{id, message}` (docs.cohere.com, "Errors"). */
export function cohereRefusal({ status, body }: Pick<UpstreamResponse, 'status' | 'body'>): WireRefusal {
  const text = WireError.parse(body)?.message;
  return { decision: decisionOf(status, text ?? ''), text };
}

function decisionOf(status: number, text: string): Decision {
  return status === 429 && USED_UP.test(text) ? 'balance' : decisionOfStatus(status);
}
