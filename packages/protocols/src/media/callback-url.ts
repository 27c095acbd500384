import { z } from 'zod';

const MAX_URL = 2_048;
const error = `must be an https URL without a password, of at most ${MAX_URL} characters`;

/** The configuration decides whether http and private addresses are allowed; later code checks that. */
export const CallbackUrlSchema = z
  .string({ error })
  .max(MAX_URL, { error })
  .transform((text) => URL.parse(text))
  .refine((url) => url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '', {
    error,
  })
  // `refine` accepts only URLs.
  .transform((url) => url?.href ?? '')
  .refine((href) => href.length <= MAX_URL, { error })
  .meta({ override: { type: 'string', format: 'uri' } });

export const TaskCallbackUrlSchema = CallbackUrlSchema.optional().meta({
  description: 'Receives one signed notification when the task ends, as webhooks do.',
});
