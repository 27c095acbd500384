import type { ImageRequest, MediaKind, MediaRequest, VideoRequest } from '@sluice/canonical';
import { apiKeyOf } from '../media/api-key.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { wireTools, type WireTools } from '../media/wire-tools.ts';
import { defineUpstream } from '../upstream.ts';
import { planFalImage } from './plan-image.ts';
import { type FalPlan, planFalVideo } from './plan-video.ts';
import { falCancellation, falPoll, readFalCancellation, readFalPoll } from './poll.ts';
import { falImageSubmission, falVideoSubmission, readFalSubmission } from './submit.ts';

/** Videos and images share the queue. */
function falQueue<R extends MediaRequest>(
  tools: WireTools,
  kind: MediaKind,
): Pick<MediaWire<R, FalPlan>, 'readSubmission' | 'poll' | 'readPoll' | 'cancellation'> {
  return {
    readSubmission: (response, _params, plan) => readFalSubmission(tools, response, plan),
    poll: falPoll,
    readPoll: (response, job, ask) => readFalPoll(tools, kind, response, job, ask),
    cancellation: { call: falCancellation, read: readFalCancellation },
  };
}

/** The kind `fal`: models at fal.ai, through its queue. */
export const fal = defineUpstream({
  kind: 'fal',
  build: (account, context) => {
    const authorization = `Key ${apiKeyOf(account)}`;
    const sign = () => ({ authorization });
    const tools = wireTools(account, context);
    return {
      video: createMediaUpstream<VideoRequest, FalPlan>(account, context, sign, {
        ...falQueue(tools, 'video'),
        plan: planFalVideo,
        submission: falVideoSubmission,
      }),
      image: createMediaUpstream<ImageRequest, FalPlan>(account, context, sign, {
        ...falQueue(tools, 'image'),
        plan: planFalImage,
        submission: falImageSubmission,
      }),
    };
  },
});
