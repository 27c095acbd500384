import type { ImageRequest } from '@sluice/canonical';
import { JIMENG_IMAGES } from '@sluice/vendors';
import type { MediaWire } from '../media/media-wire.ts';
import { limitImageFiles } from '../media/plan/limit-params.ts';
import { imageBase64 } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { type ImagePlan, planImage } from './plan-image.ts';
import { pollCall, readPoll } from './poll.ts';
import { callOf, readSubmission } from './submit.ts';

/** Fields that metadata cannot set: planned fields and images, which are sent inline. */
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

/** The default is base64. */
const AS_URLS = '{"return_url":true}';

/** Images of Jimeng: jobs, like its videos. The options of each poll are pinned as the job's path. */
export function jimengImage(tools: WireTools): MediaWire<ImageRequest, ImagePlan> {
  return {
    plan: planImage,
    submission: async ({ model, request, images }, { fields }) => {
      limitImageFiles(images, JIMENG_IMAGES);
      return callOf('CVSync2AsyncSubmitTask', {
        ...vendorOptions(request.metadata, DECIDED),
        req_key: model,
        ...fields,
        ...(images.length > 0 && { binary_data_base64: await Promise.all(images.map(imageBase64)) }),
      });
    },
    readSubmission: (response, _params, { resultOptions }) => readSubmission(response, { path: resultOptions }, tools),
    jobPath: ({ resultOptions }) => resultOptions,
    poll: (job) => pollCall(job, job.path ?? AS_URLS),
    readPoll: (response, job) => readPoll(response, job, tools),
  };
}
