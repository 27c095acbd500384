import { defineVendor, KEY, modelHost } from '../schema/manifest.ts';
import { FAL_IMAGES, FAL_VIDEOS } from './models.ts';
import { FAL_PRICES } from './prices.ts';

export const fal = defineVendor({
  kind: 'fal',
  capabilities: ['video', 'image'],
  credentials: [KEY],
  sandboxPath: '/fal',
  examples: { video: 'fal-ai/veo3', image: 'fal-ai/flux/dev' },
  manyImages: true,
  vendors: [modelHost('fal', 'FAL_KEY', 'https://queue.fal.run', ['fal-ai/*'])],
  sources: ['@fal-ai/client 1.10.1', '@ai-sdk/fal'],
  catalogs: [
    { title: 'videos', models: FAL_VIDEOS },
    { title: 'images', models: FAL_IMAGES },
  ],
  prices: FAL_PRICES,
});
