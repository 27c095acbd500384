import { defineVendor, KEY, keyVendor } from '../schema/manifest.ts';
import { vertexVendor } from '../schema/vertex-vendor.ts';
import { VEO_VIDEOS } from './models.ts';
import { VEO_PRICES } from './prices.ts';

export const veo = defineVendor({
  kind: 'veo',
  capabilities: ['video'],
  credentials: [KEY],
  identities: ['google'],
  fields: ['output_uri'],
  output: { scheme: 'gs' },
  headers: ['x-goog-api-key'],
  sandboxPath: '',
  vendors: [
    keyVendor('veo', 'GEMINI_API_KEY', 'https://generativelanguage.googleapis.com', ['veo-*']),
    vertexVendor('vertex-veo', 'veo', 'google'),
  ],
  examples: { video: 'veo-3.1-generate-preview' },
  sources: ['Gemini API docs, "Generate videos with Veo"', '@google/genai 1.40.0'],
  catalogs: [{ title: 'videos', models: VEO_VIDEOS }],
  prices: VEO_PRICES,
});
