import { defineVendor, KEY, keyVendor } from '../schema/manifest.ts';
import { MINIMAX_VIDEOS_V1, MINIMAX_VIDEOS_V2 } from './models.ts';
import { MINIMAX_PRICES } from './prices.ts';

/** Upstream kind `minimax`: Hailuo and H3 models. */
export const minimax = defineVendor({
  kind: 'minimax',
  capabilities: ['video'],
  credentials: [KEY],
  sandboxPath: '/minimax',
  examples: { video: 'MiniMax-Hailuo-02' },
  vendors: [
    // One pattern matches both Hailuo and H3.
    keyVendor('minimax', 'MINIMAX_API_KEY', 'https://api.minimax.io', ['MiniMax-H*', 'T2V-01*', 'I2V-01*', 'S2V-01*']),
  ],
  sources: ['MiniMax docs, "Text to Video", "Image to Video", "Start / End to Video", "Video Generation V2"'],
  catalogs: [
    { title: 'videos, API version 1', models: MINIMAX_VIDEOS_V1 },
    { title: 'videos, API version 2', models: MINIMAX_VIDEOS_V2 },
  ],
  prices: MINIMAX_PRICES,
});
