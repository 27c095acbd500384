import { defineVendor, KEY, keyVendor } from '../manifest.ts';

/** Hailuo and H3. */
export const minimax = defineVendor({
  kind: 'minimax',
  capabilities: ['video'],
  credentials: [KEY],
  sandboxPath: '/minimax',
  vendors: [
    // One pattern matches Hailuo and H3.
    keyVendor('minimax', 'MINIMAX_API_KEY', 'https://api.minimax.io', ['MiniMax-H*', 'T2V-01*', 'I2V-01*', 'S2V-01*']),
  ],
  sources: ['MiniMax docs, "Text to Video", "Image to Video", "Start / End to Video", "Video Generation V2"'],
});
