import { defineVendor, OPTIONAL_KEY } from '../schema/manifest.ts';

export const videos = defineVendor({
  kind: 'videos',
  capabilities: ['video'],
  credentials: OPTIONAL_KEY,
  sandboxPath: '/v1',
  examples: { video: 'sandbox-video' },
  findsSubmissions: true,
  sources: ['OpenAI docs, `POST /videos` and `POST /videos/{id}/remix`'],
});
