import { apiKeyOf } from '../media/api-key.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { wireTools } from '../media/wire-tools.ts';
import { defineUpstream } from '../upstream.ts';
import { dashscopeImage } from './image.ts';
import { dashscopeVideo } from './video.ts';

/** The kind `dashscope`: Alibaba's own API for videos and images of wan, qwen, and others. */
export const dashscope = defineUpstream({
  kind: 'dashscope',
  build: (account, context) => {
    const key = apiKeyOf(account);
    // The vendor's paths include the version.
    const rooted = { ...account, base_url: account.base_url.replace(/(\/api\/v1)?\/*$/, '') };
    const sign = () => ({ authorization: `Bearer ${key}` });
    const tools = wireTools(rooted, context);
    return {
      video: createMediaUpstream(rooted, context, sign, dashscopeVideo(tools)),
      image: createMediaUpstream(rooted, context, sign, dashscopeImage(tools)),
    };
  },
});
