import type { OpenedImage, VideoRequest } from '@sluice/canonical';
import { JIMENG_VIDEO_IMAGES } from '@sluice/vendors';
import type { MediaWire } from '../media/media-wire.ts';
import { limitImageFiles } from '../media/plan/limit-params.ts';
import { imageBase64 } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { planVideo, type VideoPlan } from './plan-video.ts';
import { pollCall, readPoll } from './poll.ts';
import { callOf, readSubmission } from './submit.ts';

/** Fields that metadata cannot set: planned fields and images, which are sent inline. */
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

/** The images as one list of bare base64, the first frame before the last. */
async function imageFields(images: readonly OpenedImage[]): Promise<object> {
  if (images.length === 0) return {};
  limitImageFiles(images, JIMENG_VIDEO_IMAGES);
  const inOrder = images.toSorted((one, other) => ORDER[one.role] - ORDER[other.role]);
  return { binary_data_base64: await Promise.all(inOrder.map(imageBase64)) };
}

/** Videos of Jimeng. The model's name is the `req_key`. */
export function jimengVideo(tools: WireTools): MediaWire<VideoRequest, VideoPlan> {
  return {
    plan: planVideo,
    submission: async ({ model, request, images }, { fields }) =>
      callOf('CVSync2AsyncSubmitTask', {
        ...vendorOptions(request.metadata, DECIDED),
        req_key: model,
        ...fields,
        ...(await imageFields(images)),
      }),
    readSubmission: (response, _params, { seconds }) =>
      readSubmission(response, { ...(seconds && { seconds }) }, tools),
    poll: (job) => pollCall(job),
    readPoll: (response, job) => readPoll(response, job, tools),
  };
}
