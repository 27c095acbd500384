import type {
  ImageRequest,
  ImageRole,
  MediaSubmission,
  OpenedImage,
  SubmitOutcome,
  VideoRequest,
} from '@sluice/canonical';
import { falImage, falVideo } from '@sluice/vendors';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { FRAMES, LENGTHS } from '../media/plan/length-options.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { limitImageBytes, imageDataUrl } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { decisionOf, wordsOf } from './errors.ts';
import type { FalPlan } from './plan-video.ts';
import { WireQueued, WireRefusal } from './wire.ts';

/**
 * `sync_mode` would inline the files in the result. The duration comes from the request only, because videos are billed
 * per second. Models without seconds take a frame count as an option, and their videos are measured.
 */
const DECIDED = ['prompt', 'sync_mode', ...LENGTHS];
/** Max megabytes of images, each and together. fal documents no limit, and responses repeat the images in base64. */
const LARGEST = { each: 30, all: 45 };
/** Errors repeat the input, including its images. */
export const RESPONSE_BYTES = 64 * 1024 * 1024;

export async function falVideoSubmission(params: MediaSubmission<VideoRequest>, plan: FalPlan): Promise<VendorCall> {
  limitImageBytes(params.images, LARGEST);
  const { first, last, references } = falVideo(params.model);
  const [[begins], [ends], shown] = await Promise.all([
    imagesOf(params, 'first_frame'),
    imagesOf(params, 'last_frame'),
    imagesOf(params, 'reference'),
  ]);
  return callFor(params, plan, {
    ...(begins !== undefined && { [first]: begins }),
    ...(ends !== undefined && { [last]: ends }),
    ...(shown.length > 0 && { [references]: shown }),
  });
}

export async function falImageSubmission(params: MediaSubmission<ImageRequest>, plan: FalPlan): Promise<VendorCall> {
  limitImageBytes(params.images, LARGEST);
  const { takesList, mask } = falImage(params.model);
  const [shown, [where]] = await Promise.all([imagesOf(params, 'reference'), imagesOf(params, 'mask')]);
  const isList = takesList || shown.length > 1;
  return callFor(params, plan, {
    ...(shown.length > 0 && (isList ? { image_urls: shown } : { image_url: shown[0] })),
    ...(where !== undefined && { [mask]: where }),
  });
}

function imagesOf({ images }: { images: OpenedImage[] }, role: ImageRole): Promise<string[]> {
  return Promise.all(images.filter((image) => image.role === role).map(imageDataUrl));
}

/** Vendor options fill in fields that the request has not set. */
function callFor(
  { request }: MediaSubmission<VideoRequest | ImageRequest>,
  { path, prompt, fields }: FalPlan,
  imageInputs: object,
): VendorCall {
  const said = { ...fields, ...(prompt !== undefined && { prompt }), ...imageInputs };
  const decided = [...DECIDED, ...('duration' in fields ? FRAMES : []), ...Object.keys(said)];
  const json = { ...vendorOptions(request.metadata, decided), ...said };
  return { method: 'POST', path: path.endpoint, json, maxResponseBytes: RESPONSE_BYTES };
}

/** Reads an id or `{detail}`. The URLs beside the id are ignored: the paths follow from the model name. */
export function readFalSubmission(tools: WireTools, response: UpstreamResponse, plan: FalPlan): SubmitOutcome {
  const { status, body } = response;
  if (status >= 200 && status < 300) {
    const id = WireQueued.parse(body)?.request_id;
    if (id === undefined) return { kind: 'unknown', message: `The upstream returned HTTP ${status} without an id` };
    const { seconds, path } = plan;
    return { kind: 'accepted', upstreamId: id, path: path.app, ...(seconds !== undefined && { seconds }) };
  }
  const refusal = WireRefusal.parse(body);
  const reason = tools.reason(wordsOf(refusal), `The upstream refused the request (HTTP ${status})`);
  return refusedSubmission(decisionOf(status, refusal), reason, tools.later(response));
}
