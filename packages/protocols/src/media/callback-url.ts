import { z } from 'zod';

const MAX_URL = 2_048;
const error = 'must be an https URL without a password, of at most 2048 characters';

/**
 * The URL of a client's server for notifications. The operator decides whether http and private addresses are allowed:
 * the receiving code checks that before it stores the URL, and again before each call.
 */
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

/** The callback of a request for one task. */
export const TaskCallbackUrlSchema = CallbackUrlSchema.optional().meta({
  description: 'Receives one signed notification when the task ends, as webhooks do.',
});
