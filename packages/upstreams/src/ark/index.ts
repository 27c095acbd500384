import { keySigner } from '../media/api-key.ts';
import { defineMediaUpstream } from '../media/define-media-upstream.ts';
import { arkVideo } from './video.ts';

/** Upstream kind `ark`: Seedance on Volcengine Ark and BytePlus ModelArk. */
export const ark = defineMediaUpstream({ kind: 'ark', signer: keySigner('Bearer'), video: arkVideo });
