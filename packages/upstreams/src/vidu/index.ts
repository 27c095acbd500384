import { keySigner } from '../media/api-key.ts';
import { defineMediaUpstream } from '../media/define-media-upstream.ts';
import { viduVideo } from './video.ts';

export const vidu = defineMediaUpstream({ kind: 'vidu', signer: keySigner('Token'), video: viduVideo });
