import { defineVendor, KEY, keyVendor } from '../schema/manifest.ts';
import { ARK_VIDEOS } from './models.ts';

/** Seedance on Volcengine Ark and BytePlus ModelArk. */
export const ark = defineVendor({
  kind: 'ark',
  capabilities: ['video'],
  credentials: [KEY],
  sandboxPath: '/ark/api/v3',
  examples: { video: 'doubao-seedance-1-0-pro-250528' },
  findsSubmissions: 'all',
  vendors: [keyVendor('ark', 'ARK_API_KEY', 'https://ark.cn-beijing.volces.com/api/v3', ['doubao-seedance-*'])],
  sources: ['Volcengine docs 82379/1520757 and 82379/1521720', 'ModelArk docs, "Error codes"'],
  catalogs: [{ title: 'videos', models: ARK_VIDEOS }],
});
