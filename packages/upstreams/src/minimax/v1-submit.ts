import type { MediaSubmission, VideoRequest } from '@sluice/canonical';
import type { VendorCall } from '../media/media-wire.ts';
import { limitPictureFiles } from '../media/limit-wish.ts';
import { pictureDataUrl } from '../media/picture-bytes.ts';
import { vendorOptions } from '../media/vendor-options.ts';
import { PICTURES_V1 } from './pictures.ts';
import type { PlanV1 } from './v1-plan.ts';

const DECIDED = ['model', 'prompt', 'duration', 'first_frame_image', 'last_frame_image', 'subject_reference'];

/** The call that submits to v1. */
export async function submissionV1(wish: MediaSubmission<VideoRequest>, plan: PlanV1): Promise<VendorCall> {
  limitPictureFiles(wish.images, PICTURES_V1);
  const { prompt, options, roles } = plan;
  const pictures = await Promise.all(
    wish.images.map(async (image, at) => pictureField(roles[at] ?? image.role, await pictureDataUrl(image))),
  );
  return {
    method: 'POST',
    path: '/v1/video_generation',
    json: {
      ...vendorOptions(wish.request.metadata, [...DECIDED, ...Object.keys(options)]),
      model: wish.model,
      ...(prompt !== undefined && { prompt }),
      ...Object.assign({}, ...pictures),
      ...options,
    },
  };
}

function pictureField(role: string, url: string): object {
  switch (role) {
    case 'last_frame':
      return { last_frame_image: url };
    case 'reference':
      return { subject_reference: [{ type: 'character', image: [url] }] };
    default:
      return { first_frame_image: url };
  }
}
