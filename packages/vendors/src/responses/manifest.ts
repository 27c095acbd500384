import { defineVendor, OPTIONAL_KEY } from '../schema/manifest.ts';

/**
 * The account `openai-r` of this kind is in `chat-completions/accounts.ts`, because it shares OpenAI's key with the
 * account `openai`.
 */
export const responses = defineVendor({
  kind: 'responses',
  capabilities: ['text'],
  credentials: OPTIONAL_KEY,
  identities: ['aws', 'azure'],
  fields: ['vendor_batches'],
  sandboxPath: '/v1',
});
