import type { ImageRole } from '@sluice/canonical';

/** What is known of a family of image models. */
export interface ImageFamily {
  /** Sizes that it makes, `WIDTHxHEIGHT`; absent: any in steps, see {@link ImageFamily.longest}. */
  sizes?: readonly string[];
  /** Longest side in pixels of families that make any size in steps of 16, up to a shape of 3:1. */
  longest?: number;
  /** Images that one call makes. */
  max: number;
  maxPromptLength: number;
  images: Partial<Record<ImageRole, number>>;
  /** Whether bytes have to be asked for: it answers with URLs else, which are good for an hour. */
  requestsBytes: boolean;
  /** Whether it has `background` and `output_format`. */
  hasFormats: boolean;
}

const GPT_IMAGE = {
  max: 10,
  maxPromptLength: 32_000,
  images: { reference: 16, mask: 1 },
  requestsBytes: false,
  hasFormats: true,
};

/** OpenAI docs, "Create image" and "Create image edit". */
const FAMILIES: readonly [RegExp, ImageFamily][] = [
  [/^gpt-image-1|^chatgpt-image/, { ...GPT_IMAGE, sizes: ['1024x1024', '1536x1024', '1024x1536'] }],
  [/^gpt-image-/, { ...GPT_IMAGE, longest: 3840 }],
  [
    /^dall-e-3/,
    {
      sizes: ['1024x1024', '1792x1024', '1024x1792'],
      max: 1,
      maxPromptLength: 4000,
      images: {},
      requestsBytes: true,
      hasFormats: false,
    },
  ],
  [
    /^dall-e-2/,
    {
      sizes: ['1024x1024', '512x512', '256x256'],
      max: 10,
      maxPromptLength: 1000,
      images: { reference: 1, mask: 1 },
      requestsBytes: true,
      hasFormats: false,
    },
  ],
];

/** The family of a model, by its name without a vendor before it; nothing for names that are not known. */
export function imageFamilyOf(model: string): ImageFamily | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1);
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1];
}
