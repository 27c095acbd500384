import type { ImageRequest, MediaSubmission } from '@sluice/canonical';
import type { MediaWire } from '../media/media-wire.ts';
import { limitPictureFiles } from '../media/limit-wish.ts';
import { pictureBase64 } from '../media/picture-bytes.ts';
import { vendorOptions } from '../media/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { findByReference } from './find.ts';
import { PICTURES, vendorName } from './models.ts';
import { type ImagePath, type ImagePlan, planImage } from './plan-image.ts';
import { pollCall, readPoll } from './poll.ts';
import { readSubmission } from './submit.ts';

/** Fields that metadata cannot say: what the plan and the attempt decide, and pictures, which go along inline. */
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

/** Pictures as the path takes them: bare base64, never a data URL. */
async function pictureFields({ images }: MediaSubmission<ImageRequest>, path: ImagePath): Promise<object> {
  limitPictureFiles(images, PICTURES);
  const pictures = await Promise.all(images.map(pictureBase64));
  if (pictures.length === 0) return {};
  switch (path) {
    case '/v1/images/generations':
      return { image: pictures[0] };
    case '/v1/images/multi-image2image':
      return { subject_image_list: pictures.map((picture) => ({ subject_image: picture })) };
    case '/v1/images/omni-image':
      return { image_list: pictures.map((picture) => ({ image: picture })) };
  }
}

/** Images of Kling: jobs, like its videos. Prose and codes: Kling docs, "Image generation". */
export function klingImage(tools: WireTools): MediaWire<ImageRequest, ImagePlan> {
  return {
    plan: planImage,
    submission: async (wish, { path, fields }) => {
      const name = vendorName(wish.model);
      return {
        method: 'POST',
        path,
        json: {
          // Kling docs, `image_reference`: kling-v1-5 alone has it, and needs it beside a picture.
          ...(name === 'kling-v1-5' && wish.images.length > 0 && { image_reference: 'subject' }),
          ...vendorOptions(wish.request.metadata, DECIDED),
          model_name: name,
          ...fields,
          ...(await pictureFields(wish, path)),
          external_task_id: wish.reference,
        },
      };
    },
    readSubmission: (answer, _wish, plan) => readSubmission(answer, plan, tools),
    jobPath: ({ path }) => path,
    poll: pollCall,
    readPoll: (answer, job) => readPoll(answer, job, tools),
    find: (wish, ask, { path }) => findByReference(wish, path, ask, tools),
  };
}
