import type { OpenedImage, VideoRequest } from '@sluice/canonical';
import type { MediaWire } from '../media/media-wire.ts';
import { limitPictureFiles } from '../media/limit-wish.ts';
import { pictureBase64 } from '../media/picture-bytes.ts';
import { vendorOptions } from '../media/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { VIDEO_PICTURES } from './models.ts';
import { planVideo, type VideoPlan } from './plan-video.ts';
import { pollCall, readPoll } from './poll.ts';
import { callOf, readSubmission } from './submit.ts';

/** Fields that metadata cannot say: what the plan decides, and pictures, which go along inline. */
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

/** The pictures in one list, the first frame before the last, as bare base64. */
async function pictureFields(images: readonly OpenedImage[]): Promise<object> {
  if (images.length === 0) return {};
  limitPictureFiles(images, VIDEO_PICTURES);
  const inOrder = images.toSorted((one, other) => ORDER[one.role] - ORDER[other.role]);
  return { binary_data_base64: await Promise.all(inOrder.map(pictureBase64)) };
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
        ...(await pictureFields(images)),
      }),
    readSubmission: (answer, _wish, { seconds }) => readSubmission(answer, { ...(seconds && { seconds }) }, tools),
    poll: (job) => pollCall(job),
    readPoll: (answer, job) => readPoll(answer, job, tools),
  };
}
