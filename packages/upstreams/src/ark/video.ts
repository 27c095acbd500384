import type { VideoRequest } from '@sluice/canonical';
import { ARK_IMAGES } from '@sluice/vendors';
import { at, isEmptyValue } from '../media/lenient.ts';
import type { MediaWire, VendorCall } from '../media/media-wire.ts';
import { failureCodeOf, isSuccess } from '../media/outcomes/decision.ts';
import { COMMON_STATES, EXPIRED_TEXT } from '../media/outcomes/task-outcome.ts';
import { contentItems } from '../media/plan/content-items.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { decisionOf } from './errors.ts';
import { expirySeconds } from './expiry.ts';
import { findArk, TASKS_PATH } from './find.ts';
import { type ArkPlan, planArk } from './plan.ts';
import { WireRefusal, WireTask } from './wire.ts';

/** Fields that vendor options cannot set, in addition to the fields of the plan. `frames` would override `duration`. */
const DECIDED = ['model', 'content', 'execution_expires_after', 'duration', 'frames'];

const taskCall = (method: VendorCall['method'], { upstreamId }: { upstreamId: string }): VendorCall => ({
  method,
  path: `${TASKS_PATH}/${encodeURIComponent(upstreamId)}`,
});

export const arkVideo: MediaWire<VideoRequest, ArkPlan> = {
  plan: planArk,
  imageFiles: ARK_IMAGES,
  submission: async ({ model, request, images, reference }, { prompt, options }) => ({
    method: 'POST',
    path: TASKS_PATH,
    json: {
      ...vendorOptions(request.metadata, [...DECIDED, ...Object.keys(options)]),
      model,
      content: await contentItems(prompt, images),
      ...options,
      execution_expires_after: expirySeconds(reference),
    },
  }),
  readSubmission: (response, { seconds }, tools) => {
    if (isSuccess(response.status)) return tools.accepted(response, WireTask.parse(response.body)?.id, { seconds });
    const error = WireRefusal.parse(response.body)?.error;
    return tools.refused(response, decisionOf(response.status, error), error?.message);
  },
  poll: (job) => taskCall('GET', job),
  readPoll: (response, job, tools) => {
    const { status, body } = response;
    if (status !== 200) return tools.noState(response);
    const { status: state, content, error, duration: seconds, seed } = WireTask.parse(body) ?? {};
    const task = {
      state: COMMON_STATES.get(state),
      outputs: content?.video_url === undefined ? [] : [{ url: content.video_url }],
      isEmpty: isEmptyValue(at(body, 'content')) || isEmptyValue(at(body, 'content', 'video_url')),
      failure: {
        code: failureCodeOf(decisionOf(200, error)),
        text: state === 'expired' ? EXPIRED_TEXT : error?.message,
      },
      seconds,
      seed,
    };
    return tools.polled(response, task, job);
  },
  find: findArk,
  // Ark rejects the cancellation of a running task (Volcengine docs 82379/1521720).
  cancellation: {
    call: (job) => taskCall('DELETE', job),
    isCancelable: (body) => WireTask.parse(body)?.status === 'queued',
  },
};
