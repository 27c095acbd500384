import { type Catalog, findModel, type ImageModel, megabytes } from '../schema/models.ts';

/** OpenAI docs, "Create image edit": files must be smaller than 50 MB. */
export const OPENAI_IMAGES = { maxBytes: megabytes(50) };

export interface OpenAiImage extends ImageModel {
  sizes?: readonly string[];
  /** Maximum length of the longer side, in pixels, for models that accept sides in steps of 16 and ratios up to 3:1. */
  longest?: number;
  /** Whether bytes must be requested explicitly. Otherwise, the model returns URLs that expire in an hour. */
  requestsBytes?: true;
}

const FORMATS = ['quality', 'background', 'outputFormat'] as const;
const GPT_IMAGE = {
  max: 10,
  maxPrompt: 32_000,
  images: { reference: 16, mask: 1 },
  imageFiles: OPENAI_IMAGES,
  optionalFields: FORMATS,
};
const DALL_E = { imageFiles: OPENAI_IMAGES, requestsBytes: true, optionalFields: ['quality'] } as const;

/** Source: OpenAI docs, "Create image" and "Create image edit". */
export const OPENAI_IMAGE_MODELS: Catalog<OpenAiImage> = [
  [/^gpt-image-1|^chatgpt-image/, { ...GPT_IMAGE, sizes: ['1024x1024', '1536x1024', '1024x1536'] }],
  [/^gpt-image-/, { ...GPT_IMAGE, longest: 3840 }],
  [/^dall-e-3/, { ...DALL_E, sizes: ['1024x1024', '1792x1024', '1024x1792'], max: 1, maxPrompt: 4000, images: {} }],
  [
    /^dall-e-2/,
    {
      ...DALL_E,
      sizes: ['1024x1024', '512x512', '256x256'],
      max: 10,
      maxPrompt: 1000,
      images: { reference: 1, mask: 1 },
    },
  ],
];
const UNKNOWN: OpenAiImage = {
  images: { reference: Infinity, mask: 1 },
  imageFiles: OPENAI_IMAGES,
  optionalFields: FORMATS,
};

/** Finds a model by its name, which may have a vendor prefix. */
export function openAiImage(name: string): OpenAiImage {
  return findModel(OPENAI_IMAGE_MODELS, name.slice(name.lastIndexOf('/') + 1)) ?? UNKNOWN;
}
