import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import { googleDelay, googleVerdict, WireGoogleError } from '../media/google-error.ts';
import { lenient } from '../media/lenient.ts';
import type { WireRefusal } from './refusal.ts';

const WireError = lenient({ error: WireGoogleError });

/** What Google's APIs refuse with: `{error: {code, message, status, details}}`. */
export function googleRefusal({ status, body }: Pick<UpstreamAnswer, 'status' | 'body'>): WireRefusal {
  const error = WireError.parse(body)?.error;
  return { verdict: googleVerdict(status, error), words: error?.message, ...googleDelay(error) };
}
