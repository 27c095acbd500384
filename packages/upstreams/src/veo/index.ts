import { apiKeyOf } from '../media/api-key.ts';
import { defineMediaUpstream } from '../media/define-media-upstream.ts';
import { versioned } from '../media/google-base.ts';
import { veoVideo } from './video.ts';

export const veo = defineMediaUpstream({
  kind: 'veo',
  signer: (account) => {
    const key = apiKeyOf(account);
    return () => ({ 'x-goog-api-key': key });
  },
  baseUrl: versioned,
  video: veoVideo,
});
