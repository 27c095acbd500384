import type { ImageRole, InputImage, OpenedImage } from '@sluice/canonical';
import { limitPictures } from '../media/limit-wish.ts';
import { limitPictureBytes, pictureDataUrl } from '../media/picture-bytes.ts';

/** An input that takes pictures. */
export interface PictureInput {
  field: string;
  most: number;
  isList: boolean;
}

/** The inputs of a model that take pictures, by what those are for. */
export type PictureInputs = Readonly<Partial<Record<ImageRole, PictureInput>>>;

/** An input for one picture. */
export function one(field: string): PictureInput {
  return { field, most: 1, isList: false };
}

/** An input for a list of pictures. */
export function listOf(field: string, most = Infinity): PictureInput {
  return { field, most, isList: true };
}

/** @throws {UnsupportedWishError} when there are more pictures of a role than the model takes */
export function checkPictureCount(images: readonly InputImage[], pictures: PictureInputs): void {
  limitPictures(images, Object.fromEntries(Object.entries(pictures).map(([role, { most }]) => [role, most])));
}

/** The pictures as inputs, each as a data URL. @throws {UnsupportedWishError} when they are too large together */
export async function pictureInputs(
  images: readonly OpenedImage[],
  inputs: PictureInputs,
): Promise<Record<string, unknown>> {
  limitPictureBytes(images, { each: 9.5, all: 9.5 }); // replicate 1.4.0, `MAX_DATA_URI_SIZE`: 10,000,000 bytes
  const filled: Record<string, unknown> = {};
  for (const [role, given] of Map.groupBy(images, (image) => image.role)) {
    const input = inputs[role];
    const urls = await Promise.all(given.map(pictureDataUrl));
    if (input) filled[input.field] = input.isList ? urls : urls[0];
  }
  return filled;
}
