import { keySigner } from '../media/api-key.ts';
import { defineMediaUpstream } from '../media/define-media-upstream.ts';
import { dashscopeImage } from './image.ts';
import { dashscopeVideo } from './video.ts';

export const dashscope = defineMediaUpstream({
  kind: 'dashscope',
  signer: keySigner('Bearer'),
  baseUrl: (url) => url.replace(/(\/api\/v1)?\/*$/, ''),
  video: dashscopeVideo,
  image: dashscopeImage,
});
