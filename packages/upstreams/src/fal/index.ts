import { keySigner } from '../media/api-key.ts';
import { defineMediaUpstream } from '../media/define-media-upstream.ts';
import { planFalImage } from './plan-image.ts';
import { planFalVideo } from './plan-video.ts';
import { falQueue } from './queue.ts';
import { falImageSubmission, falVideoSubmission } from './submission.ts';

export const fal = defineMediaUpstream({
  kind: 'fal',
  signer: keySigner('Key'),
  video: { ...falQueue('video'), plan: planFalVideo, submission: falVideoSubmission },
  image: { ...falQueue('image'), plan: planFalImage, submission: falImageSubmission },
});
