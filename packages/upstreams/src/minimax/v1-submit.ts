import type { MediaSubmission, VideoRequest } from '@sluice/canonical';
import { MINIMAX_IMAGES_V1 } from '@sluice/vendors';
import type { VendorCall } from '../media/media-wire.ts';
import { limitImageFiles } from '../media/plan/limit-params.ts';
import { imageDataUrl } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import type { PlanV1 } from './v1-plan.ts';

const DECIDED = ['model', 'prompt', 'duration', 'first_frame_image', 'last_frame_image', 'subject_reference'];

export async function submissionV1(params: MediaSubmission<VideoRequest>, plan: PlanV1): Promise<VendorCall> {
  limitImageFiles(params.images, MINIMAX_IMAGES_V1);
  const { prompt, options, roles } = plan;
  const images = await Promise.all(
    params.images.map(async (image, at) => imageField(roles[at] ?? image.role, await imageDataUrl(image))),
  );
  return {
    method: 'POST',
    path: '/v1/video_generation',
    json: {
      ...vendorOptions(params.request.metadata, [...DECIDED, ...Object.keys(options)]),
      model: params.model,
      ...(prompt !== undefined && { prompt }),
      ...Object.assign({}, ...images),
      ...options,
    },
  };
}

function imageField(role: string, url: string): object {
  switch (role) {
    case 'last_frame':
      return { last_frame_image: url };
    case 'reference':
      return { subject_reference: [{ type: 'character', image: [url] }] };
    default:
      return { first_frame_image: url };
  }
}
