import type { ImageRequest, ImageRole, MediaSubmission, OpenedImage, VideoRequest } from '@sluice/canonical';
import { falImage, falVideo } from '@sluice/vendors';
import type { VendorCall } from '../media/media-wire.ts';
import { imageDataUrl } from '../media/plan/image-bytes.ts';
import { FRAMES, LENGTHS } from '../media/plan/length-options.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import type { FalPlan } from './plan-video.ts';

/**
 * Fields that options cannot set. `sync_mode` would put the files into the result. Only the request may set the
 * duration, because videos are billed by the second. Some models have no duration field and accept a frame count
 * instead; their finished videos are measured.
 */
const DECIDED = ['prompt', 'sync_mode', ...LENGTHS];
export const RESPONSE_BYTES = 64 * 1024 * 1024;

export async function falVideoSubmission(params: MediaSubmission<VideoRequest>, plan: FalPlan): Promise<VendorCall> {
  const { first, last, references } = falVideo(params.model);
  const [[firstFrame], [lastFrame], images] = await Promise.all([
    imagesOf(params, 'first_frame'),
    imagesOf(params, 'last_frame'),
    imagesOf(params, 'reference'),
  ]);
  return callFor(params, plan, {
    ...(firstFrame !== undefined && { [first]: firstFrame }),
    ...(lastFrame !== undefined && { [last]: lastFrame }),
    ...(images.length > 0 && { [references]: images }),
  });
}

export async function falImageSubmission(params: MediaSubmission<ImageRequest>, plan: FalPlan): Promise<VendorCall> {
  const { requiresList, mask } = falImage(params.model);
  const [images, [maskImage]] = await Promise.all([imagesOf(params, 'reference'), imagesOf(params, 'mask')]);
  const isList = requiresList || images.length > 1;
  return callFor(params, plan, {
    ...(images.length > 0 && (isList ? { image_urls: images } : { image_url: images[0] })),
    ...(maskImage !== undefined && { [mask]: maskImage }),
  });
}

function imagesOf({ images }: { images: OpenedImage[] }, role: ImageRole): Promise<string[]> {
  return Promise.all(images.filter((image) => image.role === role).map(imageDataUrl));
}

function callFor(
  { request }: MediaSubmission<VideoRequest | ImageRequest>,
  { path, prompt, fields }: FalPlan,
  images: object,
): VendorCall {
  const input = { ...fields, ...(prompt !== undefined && { prompt }), ...images };
  const decided = [...DECIDED, ...('duration' in fields ? FRAMES : []), ...Object.keys(input)];
  const json = { ...vendorOptions(request.metadata, decided), ...input };
  return { method: 'POST', path: path.endpoint, json, maxResponseBytes: RESPONSE_BYTES };
}
