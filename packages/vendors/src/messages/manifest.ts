import { defineVendor, KEY_OR_NONE, keyed, modelOf } from '../manifest.ts';

export const messages = defineVendor({
  kind: 'messages',
  capabilities: ['text'],
  credentials: KEY_OR_NONE,
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
  ],
});
