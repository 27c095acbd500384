import { defineUpstream } from '../upstream.ts';
import { createVideosUpstream } from './create-videos-upstream.ts';

/** The kind `videos`: OpenAI's videos protocol, also spoken by resellers. */
export const videos = defineUpstream({
  kind: 'videos',
  build: (account, context) => ({
    video: createVideosUpstream({ ...context, baseUrl: account.base_url, apiKey: account.api_key }),
  }),
});
