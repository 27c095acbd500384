import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { WireRefusal } from '../direct/refusal.ts';
import { googleDelay, googleDecision, WireGoogleError } from '../media/google-error.ts';
import { lenient } from '../media/lenient.ts';

const WireRefused = lenient({ error: WireGoogleError });

/** Reads a Gemini API error: `{error: {code, message, status, details}}`. */
export function googleRefusal({ status, body }: Pick<UpstreamResponse, 'status' | 'body'>): WireRefusal {
  const error = WireRefused.parse(body)?.error;
  return { decision: googleDecision(status, error), text: error?.message, ...googleDelay(error) };
}
