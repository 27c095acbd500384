import { defineVendor, KEY_OR_NONE } from '../manifest.ts';

/** The account `openai-r` of this kind is in `chat-completions/accounts.ts`: both share OpenAI's key. */
export const responses = defineVendor({
  kind: 'responses',
  capabilities: ['text'],
  credentials: KEY_OR_NONE,
  sandboxPath: '/v1',
});
