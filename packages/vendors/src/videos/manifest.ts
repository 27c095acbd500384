import { defineVendor, KEY_OR_NONE } from '../manifest.ts';

export const videos = defineVendor({
  kind: 'videos',
  capabilities: ['video'],
  credentials: KEY_OR_NONE,
  sandboxPath: '/v1',
  examples: { video: 'sandbox-video' },
  findsSubmissions: true,
  sources: ['OpenAI docs, `POST /videos` and `POST /videos/{id}/remix`'],
});
