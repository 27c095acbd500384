import { z } from 'zod';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { WireRefusal } from '../direct/refusal.ts';
import { lenient, list, Text } from '../media/lenient.ts';
import { decisionOfStatus } from '../media/decision.ts';

/** One text, or a list of what is wrong with each field, as FastAPI tells it. */
const Detail = z.union([z.string(), list(lenient({ msg: Text }))]);
const WireError = lenient({ detail: Detail.catch(undefined) });
/** The request's id at Jina, which is none of the client's business. */
const REQUEST_ID = /^\[RID: [^\]]*\]\s*/;

/** What Jina refuses with: `{detail}`. */
export function jinaRefusal({ status, body }: Pick<UpstreamResponse, 'status' | 'body'>): WireRefusal {
  const detail = WireError.parse(body)?.detail;
  const words = typeof detail === 'string' ? detail.replace(REQUEST_ID, '') : detail?.find((one) => one?.msg)?.msg;
  return { decision: decisionOfStatus(status), words };
}
