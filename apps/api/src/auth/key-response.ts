import { type KeyConfig, KeySettingsSchema } from '@sluice/config';
import { z } from 'zod';
import { timeSchema } from '../schemas/times.ts';

const dollars = (what: string) => z.number().describe(`${what}, in US dollars.`);

const SpendingSchema = z
  .object({
    spent_usd: dollars('Spending in the current budget period'),
    reserved_usd: dollars('Reserved for requests and tasks in progress'),
    remaining_usd: dollars('Maximum cost of the next request'),
    resets_at: timeSchema('Start of the next period').optional(),
  })
  .meta({ id: 'AdminKeySpending' });

export const KeyResponseSchema = z
  .object({
    object: z.literal('key'),
    id: z.string().optional().describe('Absent: the key is part of the configuration.'),
    name: z.string().describe('Owner of everything created with the key.'),
    source: z.enum(['store', 'configuration']).describe('Where the key is stored.'),
    status: z
      .enum(['active', 'expired', 'revoked', 'shadowed'])
      .describe('`shadowed`: inactive because a configured key has the same name.'),
    last4: z.string().optional().describe('Last characters of the secret.'),
    ...KeySettingsSchema.shape,
    unknown_models: z.array(z.string()).optional().describe('Ids in `models` that match no current model.'),
    spending: SpendingSchema.optional().describe('Spending and remaining budget, when a key is retrieved or listed.'),
    created_at: timeSchema('Creation time').optional(),
    expires_at: timeSchema('Expiry').optional(),
    revoked_at: timeSchema('Time of the revocation').optional(),
    former_secrets: z
      .array(z.object({ last4: z.string(), ends_at: timeSchema('End of its validity') }))
      .optional()
      .describe('Earlier secrets that are still valid after a rotation.'),
  })
  .meta({ id: 'AdminKey' });

export const IssuedKeyResponseSchema = KeyResponseSchema.extend({
  key: z.string().describe('The secret that clients send. It is not stored and never shown again.'),
}).meta({ id: 'AdminMadeKey' });

export const KeyPageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(KeyResponseSchema),
    has_more: z.boolean(),
  })
  .meta({ id: 'AdminKeyPage' });

export type ConfiguredKey = z.input<typeof KeyResponseSchema>;

export function showConfiguredKey({ key: _secret, name, ...settings }: KeyConfig): ConfiguredKey {
  return { object: 'key', name, source: 'configuration', status: 'active', ...settings };
}
