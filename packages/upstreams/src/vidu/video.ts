import type { VideoRequest } from '@sluice/canonical';
import { VIDU_IMAGES } from '@sluice/vendors';
import { at, isEmptyValue } from '../media/lenient.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { failureCodeOf, isSuccess } from '../media/outcomes/decision.ts';
import { frameSize, type TaskState } from '../media/outcomes/task-outcome.ts';
import { imageDataUrl } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { decisionOf } from './errors.ts';
import { findVidu, pathOf, WATERMARKED } from './find.ts';
import { planVidu, type ViduPlan } from './plan.ts';
import { WireRefusal, WireSubmitted, WireTask } from './wire.ts';

const DECIDED = ['model', 'prompt', 'images', 'subjects', 'payload', 'duration'];
const STATES = new Map<string | undefined, TaskState>([
  ['created', 'running'],
  ['queueing', 'running'],
  ['processing', 'running'],
  ['success', 'succeeded'],
  ['failed', 'failed'],
]);

export const viduVideo: MediaWire<VideoRequest, ViduPlan> = {
  plan: planVidu,
  imageFiles: VIDU_IMAGES,
  // Vidu returns `payload` with the task. The lookup can therefore find a lost submission.
  submission: async ({ model, request, images, reference }, { endpoint, prompt, options }) => {
    // Vidu expects the first frame before the last.
    const ordered = images.toSorted(
      (one, other) => Number(one.role === 'last_frame') - Number(other.role === 'last_frame'),
    );
    return {
      method: 'POST',
      path: endpoint,
      json: {
        ...vendorOptions(request.metadata, [...DECIDED, ...Object.keys(options)]),
        model,
        prompt,
        images: images.length > 0 ? await Promise.all(ordered.map(imageDataUrl)) : undefined,
        ...options,
        payload: reference,
      },
    };
  },
  readSubmission: (response, plan, tools) => {
    const { status, body } = response;
    if (isSuccess(status)) {
      const { seconds } = plan;
      return tools.accepted(response, WireSubmitted.parse(body)?.task_id, { path: pathOf(plan), seconds });
    }
    const { reason, message = reason } = WireRefusal.parse(body) ?? {};
    return tools.refused(response, decisionOf(status, reason), message);
  },
  jobPath: pathOf,
  poll: ({ upstreamId }) => ({ method: 'GET', path: `/tasks/${encodeURIComponent(upstreamId)}/creations` }),
  readPoll: (response, job, tools) => {
    const { status, body } = response;
    if (status !== 200) return tools.noState(response);
    const { state, err_code: text, creations } = WireTask.parse(body) ?? {};
    const video = creations?.[0];
    const url = (job.path === WATERMARKED ? video?.watermarked_url : undefined) ?? video?.url;
    const { width, height } = video?.video?.resolution ?? {};
    const task = {
      state: text === 'UserCancelled' && state === 'failed' ? 'canceled' : STATES.get(state),
      outputs: url === undefined ? [] : [{ url }],
      isEmpty: isEmptyValue(at(body, 'creations'), 'url'),
      failure: { code: failureCodeOf(decisionOf(200, text)), text },
      size: frameSize(width, height),
    } as const;
    return tools.polled(response, task, job);
  },
  find: findVidu,
  // Vidu cancels only off-peak tasks that have not started.
  cancellation: {
    call: ({ upstreamId: id }) => ({ method: 'POST', path: `/tasks/${encodeURIComponent(id)}/cancel`, json: { id } }),
    isCancelable: (body) => {
      const task = WireTask.parse(body);
      return task?.off_peak === true && (task.state === 'created' || task.state === 'queueing');
    },
  },
};
