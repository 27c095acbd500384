import type { z } from 'zod';
import { combinedImages, listOf } from '../forms/form-fields.ts';
import { invalidField } from '../json/json-field.ts';
import { filesIn, inRole, type DecodedImage, readImage, storedImage } from '../media/input-image.ts';
import type { DecodedMedia, ImageParams, MediaForm } from '../contracts/media-protocol.ts';
import type { OpenAiImagesSchema } from './schema.ts';

type Body = z.output<typeof OpenAiImagesSchema>;
type Images = DecodedMedia<ImageParams>['images'];

/** Fields that can be files in a form. */
export const IMAGE_INPUT_FIELDS = ['image', 'images', 'mask'] as const;

const IMAGE_FORMAT = { bareBase64: true };

/** Returns the input images, followed by the mask. @throws GatewayError `invalid_request` with the field's name */
export function readImages(body: Body, form: MediaForm): Images {
  const references = inRole('reference', readReferences(body, form), body.images === undefined ? 'image' : 'images');
  return [...references, ...inRole('mask', readMask(body, form), 'mask')];
}

function readReferences({ image, images }: Body, form: MediaForm): DecodedImage[] {
  const files = filesIn(form, 'image', 'images').map(storedImage);
  if (image !== undefined && images !== undefined) {
    throw combinedImages('images', 'image');
  }
  if (files.length > 0 && (image ?? images) !== undefined) {
    const field = image === undefined ? 'images' : 'image';
    throw invalidField(field, 'must contain either files or references, not both');
  }
  if (image !== undefined) return [readImage(image, 'image', IMAGE_FORMAT)];
  return [
    ...files,
    ...(images ?? []).map((imageInput, index) => readImage(imageInput, `images[${index}]`, IMAGE_FORMAT)),
  ];
}

function readMask({ mask }: Body, form: MediaForm): DecodedImage[] {
  const files = filesIn(form, 'mask').map(storedImage);
  if (files.length + listOf(mask).length > 1) throw invalidField('mask', 'must be a single image');
  return mask === undefined ? files : [readImage(mask, 'mask', IMAGE_FORMAT)];
}
