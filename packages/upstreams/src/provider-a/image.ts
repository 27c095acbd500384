import type { ImageRequest, MediaSubmission } from '@sluice/canonical';
import { KLING_IMAGES, type KlingImagePath, klingName } from '@sluice/vendors';
import type { MediaWire } from '../media/media-wire.ts';
import { limitImageFiles } from '../media/plan/limit-params.ts';
import { imageBase64 } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { findByReference } from './find.ts';
import { type ImagePlan, planImage } from './plan-image.ts';
import { pollCall, readPoll } from './poll.ts';
import { readSubmission } from './submit.ts';

/** Fields that metadata cannot set: those of the plan and the attempt, and images, which are sent inline. */
const DECIDED = [
  'model',
  'model_name',
  'prompt',
  'negative_prompt',
  'n',
  'aspect_ratio',
  'image',
  'image_list',
  'subject_image_list',
  'external_task_id',
];

/** The images as the path takes them: bare base64, never a data URL. */
async function imageFields({ images }: MediaSubmission<ImageRequest>, path: KlingImagePath): Promise<object> {
  limitImageFiles(images, KLING_IMAGES);
  const imageInputs = await Promise.all(images.map(imageBase64));
  if (imageInputs.length === 0) return {};
  switch (path) {
    case '/v1/images/generations':
      return { image: imageInputs[0] };
    case '/v1/images/multi-image2image':
      return { subject_image_list: imageInputs.map((image) => ({ subject_image: image })) };
    case '/v1/images/omni-image':
      return { image_list: imageInputs.map((image) => ({ image: image })) };
  }
}

/** Images of Kling: jobs, like its videos. Source: Kling docs, "Image generation". */
export function klingImage(tools: WireTools): MediaWire<ImageRequest, ImagePlan> {
  return {
    plan: planImage,
    submission: async (params, { path, fields }) => {
      const name = klingName(params.model);
      return {
        method: 'POST',
        path,
        json: {
          // Kling docs, `image_reference`: only kling-v1-5 has it, and requires it with an image.
          ...(name === 'kling-v1-5' && params.images.length > 0 && { image_reference: 'subject' }),
          ...vendorOptions(params.request.metadata, DECIDED),
          model_name: name,
          ...fields,
          ...(await imageFields(params, path)),
          external_task_id: params.reference,
        },
      };
    },
    readSubmission: (response, _params, plan) => readSubmission(response, plan, tools),
    jobPath: ({ path }) => path,
    poll: pollCall,
    readPoll: (response, job) => readPoll(response, job, tools),
    find: (params, ask, { path }) => findByReference(params, path, ask, tools),
  };
}
