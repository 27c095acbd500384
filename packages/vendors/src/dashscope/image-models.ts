import { ANY_FRAME, type Catalog, findModel, type FrameLimits, type ImageModel, megabytes } from '../schema/models.ts';

/** Source: Alibaba docs, "Qwen-Image-Edit API reference". */
export const DASHSCOPE_IMAGES = {
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp', 'image/tiff', 'image/gif'],
  maxBytes: megabytes(10),
};

export interface DashscopeImage extends ImageModel {
  /** Path below `/api/v1/services/aigc`. The response to the first path contains the images; others create a task. */
  path: '/multimodal-generation/generation' | '/text2image/image-synthesis' | '/image2image/image-synthesis';
  max: number;
  /** Supported sizes: any size within limits, or a list. An empty list means that the model has no size field. */
  size: { limits: FrameLimits; pixels: number } | readonly string[];
}

const FIELDS = ['negativePrompt', 'seed', 'watermark'] as const;
const SYNC = {
  path: '/multimodal-generation/generation',
  // Alibaba docs, `negative_prompt`: longer texts are truncated without an error.
  maxNegativePrompt: 500,
  imageFiles: DASHSCOPE_IMAGES,
  optionalFields: [...FIELDS, 'promptExtend'],
} as const;
const TASK = { ...SYNC, path: '/text2image/image-synthesis', max: 4, images: {} } as const;
const ANY_SIZE = { limits: ANY_FRAME, pixels: 1024 * 1024 };

function free(min: number, max: number, side: number, more: Partial<FrameLimits> = {}) {
  const area = { min: min * min, max: max * max };
  return { limits: { area, maxRatio: 4, step: 16, ...more }, pixels: side * side };
}

/** Alibaba docs, "Qwen-Image API reference": the only supported sizes. */
const QWEN_SIZES = ['1664x928', '1472x1104', '1328x1328', '1104x1472', '928x1664'];
/** Sizes of wan2.6 and wan2.5 for text-to-image. */
const WAN_SIZE = free(1280, 1440, 1280);
/** Sizes of wan2.2 and older models: each side from 512 to 1440. */
const OLD_SIZE = free(512, 1440, 1024, { maxRatio: 1440 / 512, side: { min: 512, max: 1440 } });
const EDIT_SIZE = free(512, 2048, 1024, { side: { min: 512, max: 2048 } });
const WAN_EDIT_SIZE = free(768, 1280, 1280);

/** `references` accepts up to `max` reference images. `needs` requires at least one. */
const references = (max: number) => ({ images: { reference: max } });
const needs = (max: number) => ({ ...references(max), needs: ['reference'] }) as const;

/** Source: Alibaba docs, API references of Qwen-Image, Qwen-Image-Edit, Wan image, and text-to-image V2. */
export const DASHSCOPE_IMAGE_MODELS: Catalog<DashscopeImage> = [
  [/^qwen-image-edit$/, { ...SYNC, optionalFields: FIELDS, ...needs(3), max: 1, size: [], maxPrompt: 800 }],
  [/^qwen-image-edit/, { ...SYNC, ...needs(3), max: 6, size: EDIT_SIZE, maxPrompt: 800 }],
  [/^qwen-image-[2-9]/, { ...SYNC, ...references(3), max: 6, size: free(512, 2048, 1328), maxPrompt: 5000 }],
  [/^qwen-image/, { ...SYNC, images: {}, max: 1, size: QWEN_SIZES, maxPrompt: 800 }],
  [/^wan2\.6-t2i/, { ...SYNC, images: {}, max: 4, size: WAN_SIZE, maxPrompt: 2100 }],
  [/^wan2\.6-image/, { ...SYNC, ...needs(4), max: 4, size: WAN_EDIT_SIZE, maxPrompt: 2000 }],
  [/^wan2\.5-t2i/, { ...TASK, size: WAN_SIZE, maxPrompt: 2000 }],
  [
    /^wan2\.5-i2i/,
    { ...TASK, path: '/image2image/image-synthesis', ...needs(3), size: WAN_EDIT_SIZE, maxPrompt: 2000 },
  ],
  [/^wan(2\.[0-4]|x2\.\d)-t2i/, { ...TASK, size: OLD_SIZE, maxPrompt: 800 }],
  [/^(wanx|flux|stable-diffusion)/, { ...TASK, size: ANY_SIZE, maxPrompt: 5000 }],
];

/** Unknown models are called like the newest models, but without limits. */
const UNKNOWN: DashscopeImage = { ...SYNC, ...references(10), max: 10, size: ANY_SIZE, maxPrompt: 5000 };

export function dashscopeImage(name: string): DashscopeImage {
  return findModel(DASHSCOPE_IMAGE_MODELS, name) ?? UNKNOWN;
}
