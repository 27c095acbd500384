import type { ListedModel, VendorCatalog } from '../schema/manifest.ts';
import { REPLICATE_IMAGES, type ReplicateImage } from './image-models.ts';
import { inputCounts, type InputValues } from './inputs.ts';
import { REPLICATE_VIDEOS, type ReplicateVideo } from './models.ts';

export const REPLICATE_VIDEO_CATALOG: VendorCatalog['models'] = Object.entries(REPLICATE_VIDEOS).map(
  ([name, model]) => [name, listedVideo(model)],
);

export const REPLICATE_IMAGE_CATALOG: VendorCatalog['models'] = Object.entries(REPLICATE_IMAGES).map(
  ([name, model]) => [name, listedImage(model)],
);

function listedVideo({ seconds, aspectRatios, sizes, resolutions, images, maxPrompt }: ReplicateVideo): ListedModel {
  return {
    ...(seconds === undefined ? {} : { seconds: seconds === 'any' ? seconds : seconds.choices }),
    aspectRatios: sizes ?? valuesOf(aspectRatios),
    resolutions: valuesOf(resolutions),
    images: inputCounts(images),
    ...(maxPrompt === undefined ? {} : { maxPrompt }),
  };
}

function listedImage({ aspectRatios = [], images }: ReplicateImage): ListedModel {
  return { aspectRatios, images: inputCounts(images) };
}

function valuesOf(values: InputValues | 'any' = []): readonly string[] {
  if (values === 'any') return [values];
  return Array.isArray(values) ? values : Object.keys(values);
}
