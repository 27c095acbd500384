import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { isVertex, versioned } from '../media/google-base.ts';
import { apiKeyOf } from '../media/api-key.ts';
import { defineUpstream } from '../contract/upstream.ts';
import { veoVideo } from './video.ts';
import { vertexVideo } from './vertex-video.ts';

export const veo = defineUpstream({
  kind: 'veo',
  build: (configured, context) => {
    const headers = configured.identity ? {} : { 'x-goog-api-key': apiKeyOf(configured) };
    const account = { ...configured, base_url: versioned(configured.base_url) };
    const wire = isVertex(account.base_url) ? vertexVideo(account.output_uri) : veoVideo;
    return { video: createMediaUpstream(account, context, () => headers, wire) };
  },
});
