import type { MediaSubmission, SubmitOutcome, VideoRequest } from '@sluice/canonical';
import { VIDU_IMAGES } from '@sluice/vendors';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { limitImageFiles } from '../media/plan/limit-params.ts';
import { imageDataUrl } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { decisionOf } from './errors.ts';
import type { ViduPlan } from './plan.ts';
import { WireRefusal, WireSubmitted } from './wire.ts';

const DECIDED = ['model', 'prompt', 'images', 'subjects', 'payload', 'duration'];

/** Pinned with a job whose watermarked video was requested: it has its own URL. */
export const MARKED = 'watermarked';

/** The pinned path of a job. */
export function pathOf({ options }: ViduPlan): string | undefined {
  return options.watermark === true ? MARKED : undefined;
}

/** Submits a video. `payload` is returned with the task, so that the lookup finds a lost one. */
export async function viduSubmission(params: MediaSubmission<VideoRequest>, plan: ViduPlan): Promise<VendorCall> {
  limitImageFiles(params.images, VIDU_IMAGES);
  const { endpoint, prompt, options } = plan;
  // Of two frames the first comes first.
  const images = params.images.toSorted(
    (one, other) => Number(one.role === 'last_frame') - Number(other.role === 'last_frame'),
  );
  return {
    method: 'POST',
    path: endpoint,
    json: {
      ...vendorOptions(params.request.metadata, [...DECIDED, ...Object.keys(options)]),
      model: params.model,
      ...(prompt !== undefined && { prompt }),
      ...(images.length > 0 && { images: await Promise.all(images.map(imageDataUrl)) }),
      ...options,
      payload: params.reference,
    },
  };
}

/** Reads `{task_id}` or `{code, reason, message}`. */
export function readViduSubmission(tools: WireTools, response: UpstreamResponse, plan: ViduPlan): SubmitOutcome {
  const { status, body } = response;
  if (status >= 200 && status < 300) {
    const upstreamId = WireSubmitted.parse(body)?.task_id;
    if (upstreamId === undefined) {
      return { kind: 'unknown', message: `The upstream returned HTTP ${status} without an id` };
    }
    const { seconds } = plan;
    const path = pathOf(plan);
    return {
      kind: 'accepted',
      upstreamId,
      ...(path !== undefined && { path }),
      ...(seconds !== undefined && { seconds }),
      ...tools.later(response),
    };
  }
  const refusal = WireRefusal.parse(body);
  const words = refusal?.message ?? refusal?.reason;
  const reason = tools.reason(words, `The upstream refused the request (HTTP ${status})`);
  return refusedSubmission(decisionOf(status, refusal?.reason), reason, tools.later(response));
}
