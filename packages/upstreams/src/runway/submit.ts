import type { ImageRequest, MediaSubmission, OpenedImage, SubmitOutcome, VideoRequest } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { limitImageBytes, imageDataUrl } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { decisionOf } from './errors.ts';
import type { RunwayImagePlan } from './plan-image.ts';
import type { RunwayVideoPlan } from './plan-video.ts';
import { WireRefusal, WireTask } from './wire.ts';

/** In addition to planned fields. */
const DECIDED = ['model', 'promptText', 'promptImage', 'references', 'referenceImages', 'ratio', 'duration'];
/** @runwayml/sdk 4.20.1: a data URI may have 5 MB, of which base64 leaves three quarters. */
const LARGEST_MB = 3.7;
/** All images together. Runway documents no limit, and its longest list stays below this. */
const ALL_MB = 45;

/** Generates a video from text and references, or from frames. */
export async function videoSubmission(
  { model, request, images }: MediaSubmission<VideoRequest>,
  { options, fromImage }: RunwayVideoPlan,
): Promise<VendorCall> {
  const uris = await dataUris(images);
  const [only] = uris;
  const placed = images.map(({ role }, at) => ({ uri: uris[at], position: role === 'last_frame' ? 'last' : 'first' }));
  const isPlain = images.length === 1 && images[0]?.role === 'first_frame';
  const imageInputs = fromImage
    ? { promptImage: isPlain ? only : placed }
    : { ...(uris.length > 0 && { references: uris.map((uri) => ({ uri })) }) };
  return {
    method: 'POST',
    path: fromImage ? '/v1/image_to_video' : '/v1/text_to_video',
    json: { ...optionsOf(request, options), model, ...options, ...imageInputs },
  };
}

export async function imageSubmission(
  { model, request, images }: MediaSubmission<ImageRequest>,
  { options }: RunwayImagePlan,
): Promise<VendorCall> {
  const referenceImages = (await dataUris(images)).map((uri) => ({ uri }));
  return {
    method: 'POST',
    path: '/v1/text_to_image',
    json: {
      ...optionsOf(request, options),
      model,
      ...options,
      ...(referenceImages.length > 0 && { referenceImages }),
    },
  };
}

function optionsOf({ metadata }: VideoRequest | ImageRequest, decided: object): Record<string, unknown> {
  return vendorOptions(metadata, [...DECIDED, 'outputCount', ...Object.keys(decided)]);
}

function dataUris(images: readonly OpenedImage[]): Promise<string[]> {
  limitImageBytes(images, { each: LARGEST_MB, all: ALL_MB });
  return Promise.all(images.map(imageDataUrl));
}

/** Reads an id or `{error, issues}`. */
export function readRunwaySubmission(tools: WireTools, response: UpstreamResponse, seconds?: string): SubmitOutcome {
  const { status, body } = response;
  if (status >= 200 && status < 300) {
    const id = WireTask.parse(body)?.id;
    if (id === undefined) return { kind: 'unknown', message: `The upstream returned HTTP ${status} without an id` };
    return { kind: 'accepted', upstreamId: id, ...(seconds !== undefined && { seconds }), ...tools.later(response) };
  }
  const { error, issues = [] } = WireRefusal.parse(body) ?? {};
  const details = issues.map((issue) => [issue?.path?.join('.'), issue?.message].filter(Boolean).join(': '));
  const words = [error, ...details].filter(Boolean).join('; ');
  const reason = tools.reason(words, `The upstream refused the request (HTTP ${status})`);
  return refusedSubmission(decisionOf(status, error), reason, tools.later(response));
}
