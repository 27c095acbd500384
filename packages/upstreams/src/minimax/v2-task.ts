import type { MediaSubmission, PollOutcome, UpstreamJob, VideoRequest } from '@sluice/canonical';
import { MINIMAX_IMAGES_V2 } from '@sluice/vendors';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { contentItems } from '../media/plan/content-items.ts';
import { at, saysNothing } from '../media/lenient.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { stateOutcome } from '../media/outcomes/task-state.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { decisionOfCode } from './codes.ts';
import type { PlanV2 } from './v2-plan.ts';
import { WireTaskV2 } from './wire.ts';

/** Path of the v2 list; polls use paths below it. */
const LIST_PATH_V2 = '/v2/query/video_generation';
export async function submissionV2(params: MediaSubmission<VideoRequest>, plan: PlanV2): Promise<VendorCall> {
  const { prompt, options } = plan;
  return {
    method: 'POST',
    path: '/v2/video_generation',
    json: {
      ...vendorOptions(params.request.metadata, ['model', 'content', ...Object.keys(options)]),
      model: params.model,
      content: await contentItems(prompt, params.images, MINIMAX_IMAGES_V2),
      ...options,
    },
  };
}

export function pollV2(job: UpstreamJob): VendorCall {
  return { method: 'GET', path: `${LIST_PATH_V2}/${encodeURIComponent(job.upstreamId)}` };
}

/** Cancels a queued v2 task, but deletes a finished one. */
export function removalV2(job: UpstreamJob): VendorCall {
  return { method: 'DELETE', path: `/v2/video_generation/${encodeURIComponent(job.upstreamId)}` };
}

/** Reads a v2 task, which returns a fresh URL each time. */
export function readPollV2(tools: WireTools, response: UpstreamResponse, job: UpstreamJob): PollOutcome {
  const { status, body } = response;
  const later = tools.later(response);
  if (status !== 200) {
    return { kind: 'unclear', message: `The upstream returned HTTP ${status} for the poll`, ...later };
  }
  const task = WireTaskV2.parse(body)?.task;
  const failure = { decision: decisionOfCode(task?.error?.code) ?? 'unknown', message: task?.error?.message };
  const isEmpty = saysNothing(at(body, 'task', 'content')) || saysNothing(at(body, 'task', 'content', 'url'));
  return stateOutcome(tools, { ...task, url: task?.content?.url, isEmpty, failure }, job, later);
}

export function isQueuedV2(body: unknown): boolean {
  return WireTaskV2.parse(body)?.task?.status === 'queued';
}
