import { keySigner } from '../media/api-key.ts';
import { defineMediaUpstream } from '../media/define-media-upstream.ts';
import { planReplicateImage } from './plan-image.ts';
import { planReplicateVideo } from './plan-video.ts';
import { predictions } from './predictions.ts';

/**
 * Upstream kind `replicate`: models at Replicate. Lost submissions are not looked up, because the list identifies tasks
 * only by their inputs, and another task can have the same inputs.
 */
export const replicate = defineMediaUpstream({
  kind: 'replicate',
  signer: keySigner('Bearer'),
  video: { ...predictions('video'), plan: planReplicateVideo },
  image: { ...predictions('image'), plan: planReplicateImage },
});
