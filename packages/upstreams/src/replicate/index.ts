import type { ImageRequest, MediaKind, MediaRequest, VideoRequest } from '@sluice/canonical';
import { apiKeyOf } from '../media/api-key.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { wireTools, type WireTools } from '../media/wire-tools.ts';
import { defineUpstream } from '../upstream.ts';
import type { ReplicatePlan } from './inputs.ts';
import { planReplicateImage } from './plan-image.ts';
import { planReplicateVideo } from './plan-video.ts';
import { readReplicateCancellation, readReplicatePoll, replicateCancellation, replicatePoll } from './poll.ts';
import { readReplicateSubmission, replicateSubmission } from './submit.ts';

/** What is the same for videos and images: a prediction. */
function predictions<R extends MediaRequest>(
  tools: WireTools,
  kind: MediaKind,
): Omit<MediaWire<R, ReplicatePlan>, 'plan'> {
  return {
    submission: replicateSubmission,
    readSubmission: (response, _params, plan) => readReplicateSubmission(tools, response, plan),
    poll: replicatePoll,
    readPoll: (response, job) => readReplicatePoll(tools, kind, response, job),
    cancellation: {
      call: replicateCancellation,
      read: (response, job, ask) => readReplicateCancellation(tools, kind, response, job, ask),
    },
  };
}

/**
 * The kind `replicate`: models at Replicate. A lost submission is not looked for: its list tells inputs, which another
 * task may share.
 */
export const replicate = defineUpstream({
  kind: 'replicate',
  build: (account, context) => {
    const authorization = `Bearer ${apiKeyOf(account)}`;
    const sign = () => ({ authorization });
    const tools = wireTools(account, context);
    return {
      video: createMediaUpstream<VideoRequest, ReplicatePlan>(account, context, sign, {
        ...predictions(tools, 'video'),
        plan: planReplicateVideo,
      }),
      image: createMediaUpstream<ImageRequest, ReplicatePlan>(account, context, sign, {
        ...predictions(tools, 'image'),
        plan: planReplicateImage,
      }),
    };
  },
});
