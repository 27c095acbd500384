import { type KeyConfig, KeySettingsSchema } from '@sluice/config';
import { z } from 'zod';

/** A key as the admin API shows it: never its secret. */
export const KeyAnswerSchema = z
  .object({
    object: z.literal('key'),
    name: z.string().describe('The owner of what is made with the key.'),
    source: z.enum(['configuration']).describe('Where the key stands.'),
    status: z.enum(['active']),
    ...KeySettingsSchema.shape,
  })
  .meta({ id: 'AdminKey' });

/** {@link KeyAnswerSchema}, written. */
export type KeyAnswer = z.output<typeof KeyAnswerSchema>;

/** Shows a key of the configuration. */
export function showConfiguredKey({ key: _secret, name, ...settings }: KeyConfig): KeyAnswer {
  return { object: 'key', name, source: 'configuration', status: 'active', ...settings };
}
