import { defineVendor, KEY, modelHost } from '../schema/manifest.ts';
import { RUNWAY_IMAGES } from './image-models.ts';
import { RUNWAY_VIDEOS } from './models.ts';
import { RUNWAY_PRICES } from './prices.ts';

export const runway = defineVendor({
  kind: 'runway',
  capabilities: ['video', 'image'],
  credentials: [KEY],
  headers: ['x-runway-version'],
  sandboxPath: '/runway',
  examples: { video: 'gen4.5', image: 'gen4_image' },
  vendors: [modelHost('runway', 'RUNWAYML_API_SECRET', 'https://api.dev.runwayml.com', ['gen3*', 'gen4*'])],
  sources: ['Runway docs, "HTTP Errors" and "Handle task failures"', '@runwayml/sdk 4.20.1'],
  catalogs: [
    { title: 'videos', models: RUNWAY_VIDEOS },
    { title: 'images', models: RUNWAY_IMAGES },
  ],
  prices: RUNWAY_PRICES,
});
