import type { ImageRequest, MediaKind, MediaRequest, Review, VideoRequest } from '@sluice/canonical';
import { apiKeyOf } from '../media/api-key.ts';
import { cancelQueued } from '../media/cancel-queued.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { wireTools, type WireTools } from '../media/wire-tools.ts';
import { defineUpstream } from '../upstream.ts';
import { planRunwayImage, type RunwayImagePlan } from './plan-image.ts';
import { planRunwayVideo, type RunwayVideoPlan } from './plan-video.ts';
import { readRunwayPoll, runwayCancellation, runwayPoll } from './poll.ts';
import { imageSubmission, readRunwaySubmission, videoSubmission } from './submit.ts';

/** The API version (@runwayml/sdk 4.20.1). */
const VERSION = '2024-11-06';

/** Videos and images are both tasks. */
function runwayTasks<R extends MediaRequest, P extends Review>(
  tools: WireTools,
  kind: MediaKind,
): Pick<MediaWire<R, P>, 'readSubmission' | 'poll' | 'readPoll' | 'cancellation'> {
  return {
    readSubmission: (response, _params, { seconds }) => readRunwaySubmission(tools, response, seconds),
    poll: runwayPoll,
    readPoll: (response) => readRunwayPoll(tools, kind, response),
    cancellation: {
      call: runwayPoll,
      read: (response, job, ask) => cancelQueued(runwayCancellation(tools, kind, job), response, ask),
    },
  };
}

/** The kind `runway`: Runway's API, for its own and third-party models. */
export const runway = defineUpstream({
  kind: 'runway',
  build: (account, context) => {
    const headers = { authorization: `Bearer ${apiKeyOf(account)}`, 'x-runway-version': VERSION };
    const sign = () => headers;
    const tools = wireTools(account, context);
    return {
      video: createMediaUpstream<VideoRequest, RunwayVideoPlan>(account, context, sign, {
        ...runwayTasks(tools, 'video'),
        plan: planRunwayVideo,
        submission: videoSubmission,
      }),
      image: createMediaUpstream<ImageRequest, RunwayImagePlan>(account, context, sign, {
        ...runwayTasks(tools, 'image'),
        plan: planRunwayImage,
        submission: imageSubmission,
      }),
    };
  },
});
