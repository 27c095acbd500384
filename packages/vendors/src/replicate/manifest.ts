import { defineVendor, KEY, modelHost } from '../schema/manifest.ts';
import { REPLICATE_IMAGE_CATALOG, REPLICATE_VIDEO_CATALOG } from './catalogs.ts';
import { REPLICATE_PRICES } from './prices.ts';

export const replicate = defineVendor({
  kind: 'replicate',
  capabilities: ['video', 'image'],
  credentials: [KEY],
  sandboxPath: '/replicate/v1',
  examples: { video: 'wan-video/wan-2.5-t2v', image: 'black-forest-labs/flux-schnell' },
  manyImages: true,
  prices: REPLICATE_PRICES,
  vendors: [modelHost('replicate', 'REPLICATE_API_TOKEN', 'https://api.replicate.com/v1', [])],
  sources: ['API pages of the models at replicate.com, read in 2026', 'replicate 1.4.0'],
  catalogs: [
    { title: 'videos', models: REPLICATE_VIDEO_CATALOG },
    { title: 'images', models: REPLICATE_IMAGE_CATALOG },
  ],
});
