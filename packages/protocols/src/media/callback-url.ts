import { z } from 'zod';

const MAX_URL = 2_048;
const problem = `must be an https URL without a password, of at most ${MAX_URL} characters`;
const error = ({ input }: { input?: unknown }): string => (input === undefined ? 'is required' : problem);

/** Configuration determines whether http and private addresses are allowed. Later code checks this. */
export const CallbackUrlSchema = z
  .string({ error })
  .max(MAX_URL, { error })
  .transform((text) => URL.parse(text))
  .refine((url) => url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '', {
    error,
  })
  // `refine` rejects everything except URLs, so the empty string is never used.
  .transform((url) => url?.href ?? '')
  .refine((href) => href.length <= MAX_URL, { error })
  .meta({ override: { type: 'string', format: 'uri' } });

export const TaskCallbackUrlSchema = CallbackUrlSchema.optional().meta({
  description: 'Receives one signed notification when the task ends, as webhooks do.',
});
