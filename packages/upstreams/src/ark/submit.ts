import type { ImageRole, MediaSubmission, OpenedImage, SubmitOutcome, VideoRequest } from '@sluice/canonical';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { limitPictureBytes, pictureDataUrl } from '../media/picture-bytes.ts';
import { vendorOptions } from '../media/vendor-options.ts';
import { refusedSubmission } from '../media/verdict.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { verdictOf } from './errors.ts';
import { markOf } from './mark.ts';
import type { ArkPlan } from './plan.ts';
import { WireRefusal, WireTask } from './wire.ts';

/** Where tasks are made, listed and asked for, below the base URL. */
export const TASKS_PATH = '/contents/generations/tasks';

const ROLES: Partial<Record<ImageRole, string>> = {
  first_frame: 'first_frame',
  last_frame: 'last_frame',
  reference: 'reference_image',
};
/** Besides what the plan says. `frames` would win over `duration`. */
const DECIDED = ['model', 'content', 'execution_expires_after', 'frames'];

/** The call that submits. */
export async function arkSubmission(wish: MediaSubmission<VideoRequest>, plan: ArkPlan): Promise<VendorCall> {
  // Volcengine docs: a picture under 30 MB, a body up to 64 MB, of which base64 leaves three quarters.
  limitPictureBytes(wish.images, { each: 30, all: 45 });
  const { prompt, options } = plan;
  return {
    method: 'POST',
    path: TASKS_PATH,
    json: {
      ...vendorOptions(wish.request.metadata, [...DECIDED, ...Object.keys(options)]),
      model: wish.model,
      content: [
        ...(prompt === undefined ? [] : [{ type: 'text', text: prompt }]),
        ...(await Promise.all(wish.images.map(pictureItem))),
      ],
      ...options,
      execution_expires_after: markOf(wish.reference),
    },
  };
}

async function pictureItem(image: OpenedImage): Promise<object> {
  return { type: 'image_url', image_url: { url: await pictureDataUrl(image) }, role: ROLES[image.role] };
}

/** Reads the answer: an id, or `{error: {code, message}}`. */
export function readArkSubmission(tools: WireTools, answer: UpstreamAnswer, plan: ArkPlan): SubmitOutcome {
  const { status, body } = answer;
  if (status >= 200 && status < 300) {
    const id = WireTask.parse(body)?.id;
    if (id === undefined) return { kind: 'unknown', message: `The upstream answered HTTP ${status} without an id` };
    const { seconds } = plan;
    return { kind: 'accepted', upstreamId: id, ...(seconds !== undefined && { seconds }), ...tools.later(answer) };
  }
  const error = WireRefusal.parse(body)?.error;
  const reason = tools.reason(error?.message, `The upstream refused the request (HTTP ${status})`);
  return refusedSubmission(verdictOf(status, error), reason, tools.later(answer));
}
