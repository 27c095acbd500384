import { z } from 'zod';
import { optionalCount, optionalText } from './field-types.ts';
import { IdentitySchema } from './identity/identity-schema.ts';
import { BUDGET_PERIODS } from './key-limits-schema.ts';

const CredentialBudgetSchema = z.strictObject({
  usd: z
    .number()
    .positive()
    .max(1_000_000)
    .describe('US dollars of text and direct calls per period. After that, the credential rests until the next one.'),
  period: z
    .enum(BUDGET_PERIODS)
    .default('month')
    .describe('When the budget resets: every `day` or `month` in UTC, or never (`total`).'),
});

/** A credential of an upstream's pool. */
export const CredentialSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'must be up to 64 letters, digits, `_`, and `-`')
    .describe('The name in logs, metrics, and task records. It must not change while the credential has open tasks.'),
  api_key: optionalText().describe('The credential, for kinds that need one key.'),
  access_key: optionalText().describe('The first half of the credential, for kinds that need a pair.'),
  secret_key: optionalText().describe('The second half of the credential, for kinds that need a pair.'),
  identity: IdentitySchema.optional().describe(
    'An identity at a cloud, in place of `api_key`. See the table of identities.',
  ),
  weight: z
    .int()
    .min(0)
    .max(1_000)
    .default(1)
    .describe(
      "The credential's share of the conversations and tasks. With 0, it only serves its open tasks and stored responses.",
    ),
  rpm: optionalCount().describe(
    'Maximum text and direct calls per 60 seconds, across all API processes. If omitted, there is no limit.',
  ),
  tpm: optionalCount().describe(
    'Maximum input and output tokens of text calls per 60 seconds, across all API processes. If omitted, there is no limit.',
  ),
  max_in_flight: optionalCount().describe(
    'Maximum concurrent text and direct calls, and maximum concurrent videos and images. If omitted, `max_in_flight` of the upstream limits videos and images.',
  ),
  budget: CredentialBudgetSchema.optional(),
});

export type CredentialConfig = z.output<typeof CredentialSchema>;
