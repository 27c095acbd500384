import { defineVendor, OPTIONAL_KEY, keyed, modelOf } from '../schema/manifest.ts';
import { vertexVendor } from '../schema/vertex-vendor.ts';

export const messages = defineVendor({
  kind: 'messages',
  capabilities: ['text'],
  credentials: OPTIONAL_KEY,
  identities: ['aws', 'azure', 'google'],
  fields: ['vendor_batches'],
  headers: ['x-api-key'],
  sandboxPath: '',
  vendors: [
    {
      upstreams: {
        anthropic: {
          ...keyed('messages', 'https://api.anthropic.com', 'ANTHROPIC_API_KEY'),
          quirks: { threads: true },
        },
      },
      models: [modelOf('claude-*', 'anthropic')],
    },
    vertexVendor('vertex-claude', 'messages', 'anthropic'),
  ],
});
