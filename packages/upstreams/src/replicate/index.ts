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

/** Videos and images are both predictions. */
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
 * The kind `replicate`: models at Replicate. Lost submissions are not looked up: the list only shows inputs, which
 * another task may share.
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
