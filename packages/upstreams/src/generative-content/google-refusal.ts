import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import type { WireRefusal } from '../direct/refusal.ts';
import { googleDelay, googleVerdict, WireGoogleError } from '../media/google-error.ts';
import { lenient } from '../media/lenient.ts';

const WireRefused = lenient({ error: WireGoogleError });

/** What the Gemini API refuses with: `{error: {code, message, status, details}}`. */
export function googleRefusal({ status, body }: Pick<UpstreamAnswer, 'status' | 'body'>): WireRefusal {
  const error = WireRefused.parse(body)?.error;
  return { verdict: googleVerdict(status, error), words: error?.message, ...googleDelay(error) };
}
