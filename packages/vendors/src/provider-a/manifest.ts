import {
  defineVendor,
  KEY,
  KEY_PAIR,
  modelOf,
  type WellKnownUpstream,
  type WellKnownVendor,
} from '../schema/manifest.ts';
import { KLING_IMAGE_MODELS, KLING_VIDEOS } from './models.ts';

function kling(credential: Partial<WellKnownUpstream>): WellKnownVendor {
  const upstream = { kind: 'provider-a', base_url: 'https://api-singapore.klingai.com', ...credential };
  return { upstreams: { kling: upstream }, models: [modelOf('kling-*', 'kling')] };
}

/** Upstream kind `provider-a`: Kling models. */
export const providerA = defineVendor({
  kind: 'provider-a',
  capabilities: ['video', 'image'],
  credentials: [KEY, KEY_PAIR],
  sandboxPath: '/kling',
  examples: { video: 'kling-v2-1-master', image: 'kling-v2' },
  findsSubmissions: 'all',
  manyImages: true,
  // Both entries have the same name. The first one whose variables are all set applies.
  vendors: [kling({ api_key: '${KLING_API_KEY}' }), kling({ access_key: '${KLING_AK}', secret_key: '${KLING_SK}' })],
  sources: ['Kling docs, "Video generation", "Image generation", "Capability map", "Error code"'],
  catalogs: [
    { title: 'videos', models: KLING_VIDEOS },
    { title: 'images', models: KLING_IMAGE_MODELS },
  ],
});
