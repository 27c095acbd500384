import type { ImageRequest } from '@sluice/canonical';
import { KLING_IMAGES, type KlingImagePath, klingName } from '@sluice/vendors';
import type { MediaWire } from '../media/media-wire.ts';
import { imageBase64 } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { klingJobs } from './jobs.ts';
import { type ImagePlan, planImage } from './plan-image.ts';

/** Fields that vendor options cannot set. */
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

function imageFields(images: string[], path: KlingImagePath): object {
  if (images.length === 0) return {};
  switch (path) {
    case '/v1/images/generations':
      return { image: images[0] };
    case '/v1/images/multi-image2image':
      return { subject_image_list: images.map((image) => ({ subject_image: image })) };
    case '/v1/images/omni-image':
      return { image_list: images.map((image) => ({ image })) };
  }
}

/** Kling images, which are jobs like videos. Source: Kling docs, "Image generation". */
export const klingImage: MediaWire<ImageRequest, ImagePlan> = {
  ...klingJobs,
  plan: planImage,
  imageFiles: KLING_IMAGES,
  submission: async ({ model, request, images, reference }, { path, fields }) => {
    const name = klingName(model);
    return {
      method: 'POST',
      path,
      json: {
        // Kling docs, `image_reference`: only kling-v1-5 supports this field, and requires it if there is an image.
        ...(name === 'kling-v1-5' && images.length > 0 && { image_reference: 'subject' }),
        ...vendorOptions(request.metadata, DECIDED),
        model_name: name,
        ...fields,
        ...imageFields(await Promise.all(images.map(imageBase64)), path),
        external_task_id: reference,
      },
    };
  },
};
