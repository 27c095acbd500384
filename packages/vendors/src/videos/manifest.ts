import { defineVendor, OPTIONAL_KEY } from '../schema/manifest.ts';

export const videos = defineVendor({
  kind: 'videos',
  capabilities: ['video'],
  credentials: OPTIONAL_KEY,
  identities: ['azure'],
  sandboxPath: '/v1',
  examples: { video: 'sandbox-video' },
  findsSubmissions: 'all',
  sources: ['OpenAI docs, `POST /videos` and `POST /videos/{id}/remix`'],
});
