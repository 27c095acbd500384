import { z } from 'zod';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { WireRefusal } from '../direct/refusal.ts';
import { lenient, list, Text } from '../media/lenient.ts';
import { decisionOfStatus } from '../media/outcomes/decision.ts';

const Detail = z.union([z.string(), list(lenient({ msg: Text }))]);
const WireError = lenient({ detail: Detail.catch(undefined) });
/** Jina's request id, which clients must not see. */
const REQUEST_ID = /^\[RID: [^\]]*\]\s*/;

export function jinaRefusal({ status, body }: Pick<UpstreamResponse, 'status' | 'body'>): WireRefusal {
  const detail = WireError.parse(body)?.detail;
  const text = typeof detail === 'string' ? detail.replace(REQUEST_ID, '') : detail?.find((one) => one?.msg)?.msg;
  return { decision: decisionOfStatus(status), text };
}
