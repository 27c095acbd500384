import { defineVendor, KEY, modelHost } from '../manifest.ts';

export const replicate = defineVendor({
  kind: 'replicate',
  capabilities: ['video', 'image'],
  credentials: [KEY],
  sandboxPath: '/replicate/v1',
  vendors: [modelHost('replicate', 'REPLICATE_API_TOKEN', 'https://api.replicate.com/v1', [])],
  sources: ['API pages of the models at replicate.com, read in 2026', 'replicate 1.4.0'],
});
