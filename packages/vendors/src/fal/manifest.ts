import { defineVendor, KEY, modelHost } from '../manifest.ts';

export const fal = defineVendor({
  kind: 'fal',
  capabilities: ['video', 'image'],
  credentials: [KEY],
  sandboxPath: '/fal',
  vendors: [modelHost('fal', 'FAL_KEY', 'https://queue.fal.run', ['fal-ai/*'])],
  sources: ['@fal-ai/client 1.10.1', '@ai-sdk/fal'],
});
