import type { MediaSubmission, VideoRequest } from '@sluice/canonical';
import { KLING_IMAGES, klingName } from '@sluice/vendors';
import type { MediaWire } from '../media/media-wire.ts';
import { limitImageFiles } from '../media/plan/limit-params.ts';
import { imageBase64 } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { findByReference } from './find.ts';
import { planVideo, type VideoPath, type VideoPlan } from './plan-video.ts';
import { pollCall, readPoll } from './poll.ts';
import { readSubmission } from './submit.ts';

/** Fields that metadata cannot set: those of the plan and the attempt, and images, which are sent inline. */
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

/** The images as the path takes them: bare base64, never a data URL. */
async function imageFields({ images }: MediaSubmission<VideoRequest>, path: VideoPath): Promise<object> {
  limitImageFiles(images, KLING_IMAGES);
  const imageInputs = await Promise.all(
    images.map(async (image) => ({ role: image.role, data: await imageBase64(image) })),
  );
  switch (path) {
    case '/v1/videos/text2video':
      return {};
    case '/v1/videos/image2video': {
      const data = (wanted: string) => imageInputs.find(({ role }) => role === wanted)?.data;
      return { image: data('first_frame'), image_tail: data('last_frame') };
    }
    case '/v1/videos/multi-image2video':
      return { image_list: imageInputs.map((imageInput) => ({ image: imageInput.data })) };
    case '/v1/videos/omni-video':
      if (imageInputs.length === 0) return {};
      return { image_list: imageInputs.map(({ role, data }) => ({ image_url: data, type: OMNI_TYPES[role] })) };
  }
}

/** Videos of Kling. Source: Kling docs, "Video generation". */
export function klingVideo(tools: WireTools): MediaWire<VideoRequest, VideoPlan> {
  return {
    plan: planVideo,
    submission: async (params, { path, fields }) => ({
      method: 'POST',
      path,
      json: {
        ...vendorOptions(params.request.metadata, DECIDED),
        model_name: klingName(params.model),
        ...fields,
        ...(await imageFields(params, path)),
        external_task_id: params.reference,
      },
    }),
    readSubmission: (response, _params, plan) => readSubmission(response, plan, tools),
    jobPath: ({ path }) => path,
    poll: pollCall,
    readPoll: (response, job) => readPoll(response, job, tools),
    find: (params, ask, { path }) => findByReference(params, path, ask, tools),
  };
}
