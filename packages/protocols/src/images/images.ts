import type { z } from 'zod';
import { invalidField, listOf } from '../forms/form-fields.ts';
import { filesIn, inRole, type Picture, readPicture, storedImage } from '../media/input-image.ts';
import type { DecodedMedia, ImageParams, MediaForm } from '../contracts/media-protocol.ts';
import type { OpenAiImagesSchema } from './schema.ts';

type Body = z.output<typeof OpenAiImagesSchema>;
type Images = DecodedMedia<ImageParams>['images'];

/** Fields that may be files of a form. */
export const IMAGE_INPUT_FIELDS = ['image', 'images', 'mask'] as const;

const SPELLING = { bareBase64: true };

/** Returns the input images and the mask after them. @throws GatewayError `invalid_request` naming the field */
export function readImages(body: Body, form: MediaForm): Images {
  const references = inRole('reference', readReferences(body, form), body.images === undefined ? 'image' : 'images');
  return [...references, ...inRole('mask', readMask(body, form), 'mask')];
}

function readReferences({ image, images }: Body, form: MediaForm): Picture[] {
  const files = filesIn(form, 'image', 'images').map(storedImage);
  if (image !== undefined && images !== undefined) {
    throw invalidField('images', 'must not be combined with image; send all images in one of them');
  }
  if (files.length > 0 && (image ?? images) !== undefined) {
    const field = image === undefined ? 'images' : 'image';
    throw invalidField(field, 'must be either files or references, not both');
  }
  if (image !== undefined) return [readPicture(image, 'image', SPELLING)];
  return [
    ...files,
    ...(images ?? []).map((imageInput, index) => readPicture(imageInput, `images[${index}]`, SPELLING)),
  ];
}

function readMask({ mask }: Body, form: MediaForm): Picture[] {
  const files = filesIn(form, 'mask').map(storedImage);
  if (files.length + listOf(mask).length > 1) throw invalidField('mask', 'must be a single image');
  return mask === undefined ? files : [readPicture(mask, 'mask', SPELLING)];
}
