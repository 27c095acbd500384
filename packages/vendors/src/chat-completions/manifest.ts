import { defineVendor, OPTIONAL_KEY } from '../schema/manifest.ts';
import { CHAT_VENDORS } from './accounts.ts';
import { OPENAI_IMAGE_MODELS } from './models.ts';
import { OPENAI_PRICES } from './prices.ts';

export const chatCompletions = defineVendor({
  kind: 'chat-completions',
  capabilities: ['text', 'image', 'embedding', 'speech', 'transcription', 'moderation', 'realtime'],
  credentials: OPTIONAL_KEY,
  identities: ['aws', 'azure'],
  fields: ['completions', 'vendor_batches'],
  headers: ['api-key'], // The `api-key` header is used by Azure OpenAI.
  sandboxPath: '/v1',
  examples: { image: 'dall-e-2', embedding: 'text-embedding-3-small' },
  manyImages: true,
  vendors: CHAT_VENDORS,
  sources: ['OpenAI docs, "Create image" and "Create image edit"'],
  catalogs: [{ title: 'images', models: OPENAI_IMAGE_MODELS }],
  prices: OPENAI_PRICES,
});
