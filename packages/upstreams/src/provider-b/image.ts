import type { ImageRequest } from '@sluice/canonical';
import { JIMENG_IMAGES } from '@sluice/vendors';
import type { MediaWire } from '../media/media-wire.ts';
import { imageBase64 } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { callOf, jimengJobs, pollCall } from './jobs.ts';
import { type ImagePlan, planImage } from './plan-image.ts';

const DECIDED = [
  'req_key',
  'model',
  'prompt',
  'width',
  'height',
  'seed',
  'force_single',
  'binary_data_base64',
  'image_urls',
  'task_id',
  'req_json',
];

/** Requests URLs. The default is base64. */
const AS_URLS = '{"return_url":true}';

export const jimengImage: MediaWire<ImageRequest, ImagePlan> = {
  ...jimengJobs,
  plan: planImage,
  imageFiles: JIMENG_IMAGES,
  submission: async ({ model, request, images }, { fields }) =>
    callOf('CVSync2AsyncSubmitTask', {
      ...vendorOptions(request.metadata, DECIDED),
      req_key: model,
      ...fields,
      binary_data_base64: images.length > 0 ? await Promise.all(images.map(imageBase64)) : undefined,
    }),
  readSubmission: (response, { resultOptions: path }, tools) => jimengJobs.readSubmission(response, { path }, tools),
  jobPath: ({ resultOptions }) => resultOptions,
  poll: (job) => pollCall(job, job.path ?? AS_URLS),
};
