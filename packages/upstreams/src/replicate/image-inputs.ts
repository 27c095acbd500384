import type { ImageRole, InputImage, OpenedImage } from '@sluice/canonical';
import { limitImages } from '../media/limit-params.ts';
import { limitImageBytes, imageDataUrl } from '../media/image-bytes.ts';

/** An input that takes pictures. */
export interface ImageInput {
  field: string;
  max: number;
  isList: boolean;
}

/** The inputs of a model that take pictures, by what those are for. */
export type ImageInputs = Readonly<Partial<Record<ImageRole, ImageInput>>>;

/** An input for one picture. */
export function one(field: string): ImageInput {
  return { field, max: 1, isList: false };
}

/** An input for a list of pictures. */
export function listOf(field: string, max = Infinity): ImageInput {
  return { field, max, isList: true };
}

/** @throws {UnsupportedParamsError} when there are more pictures of a role than the model takes */
export function checkImageCount(images: readonly InputImage[], imageInputs: ImageInputs): void {
  limitImages(images, Object.fromEntries(Object.entries(imageInputs).map(([role, { max }]) => [role, max])));
}

/** The pictures as inputs, each as a data URL. @throws {UnsupportedParamsError} when they are too large together */
export async function pictureInputs(
  images: readonly OpenedImage[],
  inputs: ImageInputs,
): Promise<Record<string, unknown>> {
  limitImageBytes(images, { each: 9.5, all: 9.5 }); // replicate 1.4.0, `MAX_DATA_URI_SIZE`: 10,000,000 bytes
  const filled: Record<string, unknown> = {};
  for (const [role, given] of Map.groupBy(images, (image) => image.role)) {
    const input = inputs[role];
    const urls = await Promise.all(given.map(imageDataUrl));
    if (input) filled[input.field] = input.isList ? urls : urls[0];
  }
  return filled;
}
