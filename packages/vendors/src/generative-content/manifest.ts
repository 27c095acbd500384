import { defineVendor, OPTIONAL_KEY, keyed, modelOf } from '../schema/manifest.ts';
import { vertexVendor } from '../schema/vertex-vendor.ts';
import { GEMINI_IMAGES } from './models.ts';
import { GEMINI_PRICES } from './prices.ts';

const GOOGLE_URL = 'https://generativelanguage.googleapis.com';

export const generativeContent = defineVendor({
  kind: 'generative-content',
  capabilities: ['text', 'image', 'embedding', 'speech', 'transcription'],
  credentials: OPTIONAL_KEY,
  identities: ['google'],
  fields: ['vendor_batches'],
  headers: ['x-goog-api-key'],
  sandboxPath: '',
  examples: { image: 'gemini-2.5-flash-image', embedding: 'gemini-embedding-001' },
  vendors: [
    {
      upstreams: { google: keyed('generative-content', GOOGLE_URL, 'GEMINI_API_KEY') },
      models: [modelOf('gemini-*', 'google')],
    },
    vertexVendor('vertex', 'generative-content', 'google'),
  ],
  sources: ['Gemini API docs, "Image generation"'],
  catalogs: [{ title: 'images', models: GEMINI_IMAGES }],
  prices: GEMINI_PRICES,
});
