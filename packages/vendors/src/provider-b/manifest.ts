import { defineVendor, KEY_PAIR, modelOf } from '../schema/manifest.ts';
import { JIMENG_IMAGE_MODELS, JIMENG_VIDEOS } from './models.ts';

/** Upstream kind `provider-b`: Jimeng models. */
export const providerB = defineVendor({
  kind: 'provider-b',
  capabilities: ['video', 'image'],
  credentials: [KEY_PAIR],
  fields: ['region'],
  headers: ['x-content-sha256', 'x-date'],
  sandboxPath: '',
  examples: { video: 'jimeng_ti2v_v30_pro', image: 'jimeng_t2i_v40' },
  vendors: [
    {
      upstreams: {
        jimeng: {
          kind: 'provider-b',
          base_url: 'https://visual.volcengineapi.com',
          access_key: '${VOLC_AK}',
          secret_key: '${VOLC_SK}',
        },
      },
      models: [modelOf('jimeng_*', 'jimeng')],
    },
  ],
  sources: ['Jimeng docs, "Video generation 3.0" and "Image generation"'],
  catalogs: [
    { title: 'videos', models: JIMENG_VIDEOS },
    { title: 'images', models: JIMENG_IMAGE_MODELS },
  ],
});
