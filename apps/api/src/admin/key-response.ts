import { type KeyConfig, KeySettingsSchema } from '@sluice/config';
import { z } from 'zod';

const seconds = (what: string) => z.int().describe(`${what}, Unix seconds.`);
const dollars = (what: string) => z.number().describe(`${what}, US dollars.`);

const SpendingSchema = z
  .object({
    spent_usd: dollars('What was spent in the present period of the budget'),
    reserved_usd: dollars('What is held for requests and tasks that are under way'),
    remaining_usd: dollars('What the next request may cost at most'),
    resets_at: seconds('When the next period begins').optional(),
  })
  .meta({ id: 'AdminKeySpending' });

/** A key as the admin API shows it: never its secret. */
export const KeyResponseSchema = z
  .object({
    object: z.literal('key'),
    id: z.string().optional().describe('Absent: the key stands in the configuration.'),
    name: z.string().describe('The owner of what is made with the key.'),
    source: z.enum(['store', 'configuration']).describe('Where the key stands.'),
    status: z
      .enum(['active', 'expired', 'revoked', 'shadowed'])
      .describe('`shadowed`: not served, because a key of the configuration has its name.'),
    last4: z.string().optional().describe('Last characters of the secret.'),
    ...KeySettingsSchema.shape,
    unknown_models: z.array(z.string()).optional().describe('Ids among `models` that no model has at present.'),
    spending: SpendingSchema.optional().describe('What has become of the budget, where a key is retrieved or listed.'),
    created_at: seconds('When it was made').optional(),
    expires_at: seconds('When it ends by itself').optional(),
    revoked_at: seconds('When it was revoked').optional(),
    former_secrets: z
      .array(z.object({ last4: z.string(), ends_at: seconds('When it ends') }))
      .optional()
      .describe('Secrets before the last rotations that are still good.'),
  })
  .meta({ id: 'AdminKey' });

/** The same, with the secret: at creation and rotation, once. */
export const MadeKeyResponseSchema = KeyResponseSchema.extend({
  key: z.string().describe('The secret that clients send. It is not stored, and never shown again.'),
}).meta({ id: 'AdminMadeKey' });

/** A page of keys. */
export const KeyPageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(KeyResponseSchema),
    has_more: z.boolean(),
  })
  .meta({ id: 'AdminKeyPage' });

/** A key of the configuration, as it is shown. */
export type ConfiguredKey = z.input<typeof KeyResponseSchema>;

/** Shows a key of the configuration. */
export function showConfiguredKey({ key: _secret, name, ...settings }: KeyConfig): ConfiguredKey {
  return { object: 'key', name, source: 'configuration', status: 'active', ...settings };
}
