import type { MediaSubmission, SubmitOutcome, VideoRequest } from '@sluice/canonical';
import { ARK_IMAGES } from '@sluice/vendors';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { contentItems } from '../media/plan/content-items.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { decisionOf } from './errors.ts';
import { markOf } from './mark.ts';
import type { ArkPlan } from './plan.ts';
import { WireRefusal, WireTask } from './wire.ts';

/** Path of submissions, lists, and polls. */
export const TASKS_PATH = '/contents/generations/tasks';

/** In addition to planned fields. `frames` would override `duration`. */
const DECIDED = ['model', 'content', 'execution_expires_after', 'duration', 'frames'];

export async function arkSubmission(params: MediaSubmission<VideoRequest>, plan: ArkPlan): Promise<VendorCall> {
  const { prompt, options } = plan;
  return {
    method: 'POST',
    path: TASKS_PATH,
    json: {
      ...vendorOptions(params.request.metadata, [...DECIDED, ...Object.keys(options)]),
      model: params.model,
      content: await contentItems(prompt, params.images, ARK_IMAGES),
      ...options,
      execution_expires_after: markOf(params.reference),
    },
  };
}

/** Reads an id or `{error: {code, message}}`. */
export function readArkSubmission(tools: WireTools, response: UpstreamResponse, plan: ArkPlan): SubmitOutcome {
  const { status, body } = response;
  if (status >= 200 && status < 300) {
    const id = WireTask.parse(body)?.id;
    if (id === undefined) return { kind: 'unknown', message: `The upstream returned HTTP ${status} without an id` };
    const { seconds } = plan;
    return { kind: 'accepted', upstreamId: id, ...(seconds !== undefined && { seconds }), ...tools.later(response) };
  }
  const error = WireRefusal.parse(body)?.error;
  const reason = tools.reason(error?.message, `The upstream refused the request (HTTP ${status})`);
  return refusedSubmission(decisionOf(status, error), reason, tools.later(response));
}
