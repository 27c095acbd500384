import { defineVendor, KEY_OR_NONE } from '../manifest.ts';

export const videos = defineVendor({
  kind: 'videos',
  capabilities: ['video'],
  credentials: KEY_OR_NONE,
  sandboxPath: '/v1',
  sources: ['OpenAI docs, `POST /videos` and `POST /videos/{id}/remix`'],
});
