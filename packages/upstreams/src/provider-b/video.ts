import type { VideoRequest } from '@sluice/canonical';
import { JIMENG_VIDEO_IMAGES } from '@sluice/vendors';
import type { MediaWire } from '../media/media-wire.ts';
import { imageBase64 } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { callOf, jimengJobs, pollCall } from './jobs.ts';
import { planVideo, type VideoPlan } from './plan-video.ts';

const DECIDED = [
  'req_key',
  'model',
  'prompt',
  'frames',
  'aspect_ratio',
  'seed',
  'binary_data_base64',
  'image_urls',
  'task_id',
  'req_json',
];

const ORDER = { first_frame: 0, last_frame: 1, reference: 2, mask: 3 } as const;

export const jimengVideo: MediaWire<VideoRequest, VideoPlan> = {
  ...jimengJobs,
  plan: planVideo,
  imageFiles: JIMENG_VIDEO_IMAGES,
  // Images are sent as one list of plain base64, with the first frame before the last.
  submission: async ({ model, request, images }, { fields }) => {
    const ordered = images.toSorted((one, other) => ORDER[one.role] - ORDER[other.role]);
    return callOf('CVSync2AsyncSubmitTask', {
      ...vendorOptions(request.metadata, DECIDED),
      req_key: model,
      ...fields,
      binary_data_base64: images.length > 0 ? await Promise.all(ordered.map(imageBase64)) : undefined,
    });
  },
  poll: (job) => pollCall(job),
};
