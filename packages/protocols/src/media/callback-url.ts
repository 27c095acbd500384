import { z } from 'zod';

const MAX_URL = 2_048;
const error = 'must be an https URL without a password, of at most 2048 characters';

/**
 * The URL of a client's server that wants to be told something. Whether http will do, and where it may lead, is the
 * operator's matter: it is checked by whoever keeps it, and once more by whoever calls it.
 */
export const CallbackUrlSchema = z
  .string({ error })
  .max(MAX_URL, { error })
  .transform((text) => URL.parse(text))
  .refine((url) => url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '', {
    error,
  })
  // What refine has let through is a URL.
  .transform((url) => url?.href ?? '')
  .refine((href) => href.length <= MAX_URL, { error })
  .meta({ override: { type: 'string', format: 'uri' } });

/** The same, as the field of a request for one task. */
export const TaskCallbackUrlSchema = CallbackUrlSchema.optional().meta({
  description: 'Told once when the task has ended, signed as webhooks are.',
});
