import { ANY_FRAME, type FrameLimits } from '../schema/models.ts';
import { type ImageInputs, type InputNames, listOf, one } from './inputs.ts';

export interface ReplicateImage {
  /** Whether the model's input names are unknown. The most common names are then used. */
  usesCommonNames?: true;
  /** Supported `aspect_ratio` values. If absent, the requested value is sent. */
  aspectRatios?: readonly string[];
  /** The input that is set to `custom` for `width` and `height`. If absent, a size is sent as an aspect ratio. */
  custom?: { field: string; limits: FrameLimits };
  sendsBoth?: true;
  /** The input for the number of images. If absent, the model generates one image. */
  count?: { field: string; max: number };
  images: ImageInputs;
  needsReference?: true;
  formats: Readonly<Partial<Record<'png' | 'jpeg' | 'webp', string>>>;
  names: InputNames;
}

const JPG_PNG = { jpeg: 'jpg', png: 'png' };
const ALL_FORMATS = { ...JPG_PNG, webp: 'webp' };
const SEED = { seed: 'seed' };
const FLUX_ASPECT_RATIOS = ['1:1', '16:9', '21:9', '3:2', '2:3', '4:5', '5:4', '3:4', '4:3', '9:16', '9:21'];
const GEMINI_ASPECT_RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];

function custom(field: string, min: number, max: number, step: number): NonNullable<ReplicateImage['custom']> {
  return {
    field,
    limits: { ...ANY_FRAME, area: { min: min * min, max: max * max }, side: { min, max }, step },
  };
}

const FLUX_OPEN: ReplicateImage = {
  aspectRatios: FLUX_ASPECT_RATIOS,
  count: { field: 'num_outputs', max: 4 },
  images: {},
  formats: ALL_FORMATS,
  names: SEED,
};
const FLUX_PRO: ReplicateImage = {
  aspectRatios: FLUX_ASPECT_RATIOS,
  custom: custom('aspect_ratio', 256, 1440, 32),
  images: { reference: one('image_prompt') },
  formats: ALL_FORMATS,
  names: { ...SEED, promptExtend: 'prompt_upsampling' },
};
const FLUX_FILL: ReplicateImage = {
  images: { reference: one('image'), mask: one('mask') },
  needsReference: true,
  formats: ALL_FORMATS,
  names: SEED,
};

/** Models by the prefix of `owner/name`, longer prefixes first. Source: the API pages at replicate.com in 2026. */
export const REPLICATE_IMAGES: Readonly<Record<string, ReplicateImage>> = {
  'black-forest-labs/flux-schnell': FLUX_OPEN,
  'black-forest-labs/flux-dev': { ...FLUX_OPEN, images: { reference: one('image') } },
  'black-forest-labs/flux-fill-dev': { ...FLUX_FILL, count: { field: 'num_outputs', max: 4 } },
  'black-forest-labs/flux-fill-pro': FLUX_FILL,
  'black-forest-labs/flux-1.1-pro-ultra': {
    aspectRatios: FLUX_ASPECT_RATIOS,
    images: { reference: one('image_prompt') },
    formats: JPG_PNG,
    names: SEED,
  },
  'black-forest-labs/flux-1.1-pro': FLUX_PRO,
  'black-forest-labs/flux-pro': FLUX_PRO,
  'black-forest-labs/flux-kontext-': {
    aspectRatios: [...FLUX_ASPECT_RATIOS, '2:1', '1:2'],
    images: { reference: one('input_image') },
    formats: JPG_PNG,
    names: { ...SEED, promptExtend: 'prompt_upsampling' },
  },
  'black-forest-labs/flux-2-dev': {
    aspectRatios: FLUX_ASPECT_RATIOS,
    custom: custom('aspect_ratio', 256, 1440, 32),
    images: { reference: listOf('input_images', 4) },
    formats: ALL_FORMATS,
    names: SEED,
  },
  'black-forest-labs/flux-2-': {
    aspectRatios: FLUX_ASPECT_RATIOS,
    custom: custom('aspect_ratio', 256, 2048, 32),
    images: { reference: listOf('input_images', 8) },
    formats: ALL_FORMATS,
    names: SEED,
  },

  'google/imagen-4': { aspectRatios: ['1:1', '9:16', '16:9', '3:4', '4:3'], images: {}, formats: JPG_PNG, names: {} },
  'google/nano-banana': {
    aspectRatios: GEMINI_ASPECT_RATIOS,
    images: { reference: listOf('image_input', 14) },
    formats: JPG_PNG,
    names: {},
  },

  'bytedance/seedream-4': {
    aspectRatios: ['1:1', '4:3', '3:4', '16:9', '9:16', '3:2', '2:3', '21:9'],
    custom: custom('size', 1024, 4096, 16),
    images: { reference: listOf('image_input', 10) },
    formats: {},
    names: { promptExtend: 'enhance_prompt' },
  },

  'openai/gpt-image-': {
    aspectRatios: ['1:1', '3:2', '2:3'],
    count: { field: 'number_of_images', max: 10 },
    images: { reference: listOf('input_images') },
    formats: { png: 'png', jpeg: 'jpeg', webp: 'webp' },
    names: { quality: 'quality', background: 'background' },
  },

  'runwayml/gen4-image': {
    aspectRatios: ['16:9', '9:16', '4:3', '3:4', '1:1', '21:9'],
    images: { reference: listOf('reference_images', 3) },
    formats: {},
    names: SEED,
  },

  'qwen/qwen-image-edit-': {
    images: { reference: listOf('image') },
    needsReference: true,
    formats: ALL_FORMATS,
    names: SEED,
  },
};

/** Creates a model with the most common names: `image` for one image, or a list for several. */
function withCommonNames(references: number): ReplicateImage {
  return {
    usesCommonNames: true,
    sendsBoth: true,
    count: { field: 'num_outputs', max: Infinity },
    images: { reference: references > 1 ? listOf('image_input') : one('image'), mask: one('mask') },
    formats: ALL_FORMATS,
    names: { ...SEED, negativePrompt: 'negative_prompt' },
  };
}

export function replicateImage(name: string, count: number): ReplicateImage {
  return (
    Object.entries(REPLICATE_IMAGES).find(([beginning]) => name.startsWith(beginning))?.[1] ?? withCommonNames(count)
  );
}
