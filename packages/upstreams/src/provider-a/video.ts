import type { MediaSubmission, VideoRequest } from '@sluice/canonical';
import type { MediaWire } from '../media/media-wire.ts';
import { limitPictureFiles } from '../media/limit-wish.ts';
import { pictureBase64 } from '../media/picture-bytes.ts';
import { vendorOptions } from '../media/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { findByReference } from './find.ts';
import { PICTURES, vendorName } from './models.ts';
import { planVideo, type VideoPath, type VideoPlan } from './plan-video.ts';
import { pollCall, readPoll } from './poll.ts';
import { readSubmission } from './submit.ts';

/** Fields that metadata cannot say: what the plan and the attempt decide, and pictures, which go along inline. */
const DECIDED = [
  'model',
  'model_name',
  'prompt',
  'negative_prompt',
  'duration',
  'aspect_ratio',
  'image',
  'image_tail',
  'image_list',
  'external_task_id',
];

/** Kling docs, omni-video: `image_list[].type`; a reference has none. */
const OMNI_TYPES = { first_frame: 'first_frame', last_frame: 'end_frame', reference: undefined, mask: undefined };

/** Pictures as the path takes them: bare base64, never a data URL. */
async function pictureFields({ images }: MediaSubmission<VideoRequest>, path: VideoPath): Promise<object> {
  limitPictureFiles(images, PICTURES);
  const pictures = await Promise.all(
    images.map(async (image) => ({ role: image.role, data: await pictureBase64(image) })),
  );
  switch (path) {
    case '/v1/videos/text2video':
      return {};
    case '/v1/videos/image2video': {
      const data = (wanted: string) => pictures.find(({ role }) => role === wanted)?.data;
      return { image: data('first_frame'), image_tail: data('last_frame') };
    }
    case '/v1/videos/multi-image2video':
      return { image_list: pictures.map((picture) => ({ image: picture.data })) };
    case '/v1/videos/omni-video':
      if (pictures.length === 0) return {};
      return { image_list: pictures.map(({ role, data }) => ({ image_url: data, type: OMNI_TYPES[role] })) };
  }
}

/** Videos of Kling. Prose and codes: Kling docs, "Video generation". */
export function klingVideo(tools: WireTools): MediaWire<VideoRequest, VideoPlan> {
  return {
    plan: planVideo,
    submission: async (wish, { path, fields }) => ({
      method: 'POST',
      path,
      json: {
        ...vendorOptions(wish.request.metadata, DECIDED),
        model_name: vendorName(wish.model),
        ...fields,
        ...(await pictureFields(wish, path)),
        external_task_id: wish.reference,
      },
    }),
    readSubmission: (answer, _wish, plan) => readSubmission(answer, plan, tools),
    jobPath: ({ path }) => path,
    poll: pollCall,
    readPoll: (answer, job) => readPoll(answer, job, tools),
    find: (wish, ask, { path }) => findByReference(wish, path, ask, tools),
  };
}
