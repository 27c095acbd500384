import type { ImageRole, OpenedImage, VideoRequest } from '@sluice/canonical';
import { KLING_IMAGES, klingName } from '@sluice/vendors';
import type { MediaWire } from '../media/media-wire.ts';
import { imageBase64 } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { klingJobs } from './jobs.ts';
import { planVideo, type VideoPath, type VideoPlan } from './plan-video.ts';

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

/** Values of `image_list[].type` (Kling docs, omni-video). A reference has no type. */
const OMNI_TYPES = { first_frame: 'first_frame', last_frame: 'end_frame', reference: undefined, mask: undefined };

async function imageFields(images: readonly OpenedImage[], path: VideoPath): Promise<object> {
  const imageInputs = await Promise.all(
    images.map(async (image) => ({ role: image.role, data: await imageBase64(image) })),
  );
  switch (path) {
    case '/v1/videos/text2video':
      return {};
    case '/v1/videos/image2video': {
      const data = (role: ImageRole) => imageInputs.find((image) => image.role === role)?.data;
      return { image: data('first_frame'), image_tail: data('last_frame') };
    }
    case '/v1/videos/multi-image2video':
      return { image_list: imageInputs.map((imageInput) => ({ image: imageInput.data })) };
    case '/v1/videos/omni-video':
      if (imageInputs.length === 0) return {};
      return { image_list: imageInputs.map(({ role, data }) => ({ image_url: data, type: OMNI_TYPES[role] })) };
  }
}

/** Kling videos. Source: Kling docs, "Video generation". */
export const klingVideo: MediaWire<VideoRequest, VideoPlan> = {
  ...klingJobs,
  plan: planVideo,
  imageFiles: KLING_IMAGES,
  submission: async ({ model, request, images, reference }, { path, fields }) => ({
    method: 'POST',
    path,
    json: {
      ...vendorOptions(request.metadata, DECIDED),
      model_name: klingName(model),
      ...fields,
      ...(await imageFields(images, path)),
      external_task_id: reference,
    },
  }),
};
