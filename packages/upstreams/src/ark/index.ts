import { keySigner } from '../media/api-key.ts';
import { defineMediaUpstream } from '../media/define-media-upstream.ts';
import { arkVideo } from './video.ts';

/** The kind `ark`: Seedance on Volcengine Ark, at BytePlus ModelArk. */
export const ark = defineMediaUpstream({ kind: 'ark', signer: keySigner('Bearer'), video: arkVideo });
