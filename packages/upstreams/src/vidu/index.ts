import type { UpstreamJob, VideoRequest } from '@sluice/canonical';
import { apiKeyOf } from '../media/api-key.ts';
import { cancelQueued } from '../media/cancel-queued.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import type { MediaWire, VendorCall } from '../media/media-wire.ts';
import { wireTools, type WireTools } from '../media/wire-tools.ts';
import { defineUpstream } from '../upstream.ts';
import { findVidu } from './find.ts';
import { planVidu, type ViduPlan } from './plan.ts';
import { readViduPoll, viduPoll } from './poll.ts';
import { pathOf, readViduSubmission, viduSubmission } from './submit.ts';
import { WireTask } from './wire.ts';

function viduVideo(tools: WireTools): MediaWire<VideoRequest, ViduPlan> {
  return {
    plan: planVidu,
    submission: viduSubmission,
    readSubmission: (response, _params, plan) => readViduSubmission(tools, response, plan),
    jobPath: pathOf,
    poll: viduPoll,
    readPoll: (response, job) => readViduPoll(tools, response, job),
    find: findVidu,
    cancellation: {
      call: viduPoll,
      read: (response, job, ask) =>
        cancelQueued(
          {
            poll: viduPoll(job),
            removal: cancellation(job),
            isQueued: isCancelable,
            read: (polled) => readViduPoll(tools, polled, job),
          },
          response,
          ask,
        ),
    },
  };
}

function cancellation(job: UpstreamJob): VendorCall {
  const { upstreamId: id } = job;
  return { method: 'POST', path: `/tasks/${encodeURIComponent(id)}/cancel`, json: { id } };
}

/** Vidu cancels off-peak tasks that have not started. */
function isCancelable(body: unknown): boolean {
  const task = WireTask.parse(body);
  return task?.off_peak === true && (task.state === 'created' || task.state === 'queueing');
}

/** The kind `vidu`. */
export const vidu = defineUpstream({
  kind: 'vidu',
  build: (account, context) => {
    const authorization = `Token ${apiKeyOf(account)}`;
    return {
      video: createMediaUpstream(account, context, () => ({ authorization }), viduVideo(wireTools(account, context))),
    };
  },
});
