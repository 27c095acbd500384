import { defineVendor, KEY, keyVendor } from '../schema/manifest.ts';
import { VIDU_VIDEOS } from './models.ts';

export const vidu = defineVendor({
  kind: 'vidu',
  capabilities: ['video'],
  credentials: [KEY],
  sandboxPath: '/vidu/ent/v2',
  examples: { video: 'viduq2' },
  findsSubmissions: 'all',
  vendors: [keyVendor('vidu', 'VIDU_API_KEY', 'https://api.vidu.com/ent/v2', ['vidu*'])],
  sources: ['Vidu docs, "Text to Video", "Image to Video", "Reference to Video", "Error Code"'],
  catalogs: [{ title: 'videos', models: VIDU_VIDEOS }],
});
