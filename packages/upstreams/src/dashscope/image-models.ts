import { ANY_FRAME, type FrameLimits } from '../media/fit-frame.ts';
import { megabytes, type ImageLimits } from '../media/limit-params.ts';

/** Alibaba docs, "Qwen-Image-Edit API reference". */
export const PICTURES: ImageLimits = {
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp', 'image/tiff', 'image/gif'],
  maxBytes: megabytes(10),
};

/** How a model's images are told: any within limits, one out of a list, or not at all. */
export type ImageFrames =
  | { kind: 'free'; limits: FrameLimits; pixels: number }
  | { kind: 'listed'; sizes: readonly string[] }
  | { kind: 'none' };

/** What an image model can do. */
export interface ImageFamily {
  /**
   * How it is asked, below `/api/v1/services/aigc`: the first answers with the images, the others make a task.
   */
  path: '/multimodal-generation/generation' | '/text2image/image-synthesis' | '/image2image/image-synthesis';
  /** Least and greatest number of pictures that it follows. */
  references: { min: number; max: number };
  /** Images of one call. */
  max: number;
  frames: ImageFrames;
  /** Whether it takes `prompt_extend`. */
  extends: boolean;
  maxPrompt: number;
}

const NONE = { min: 0, max: 0 };

function free(min: number, max: number, side: number, more: Partial<FrameLimits> = {}): ImageFrames {
  const area = { min: min * min, max: max * max };
  return { kind: 'free', limits: { area, widest: 4, step: 16, ...more }, pixels: side * side };
}

/** Alibaba docs, "Qwen-Image API reference": no other sizes. */
const QWEN_SIZES: ImageFrames = {
  kind: 'listed',
  sizes: ['1664x928', '1472x1104', '1328x1328', '1104x1472', '928x1664'],
};

const SYNC = { path: '/multimodal-generation/generation', extends: true } as const;
const TASK = { path: '/text2image/image-synthesis', extends: true, max: 4, references: NONE } as const;
/** wan2.6 and 2.5, text to image. */
const WAN_FRAMES = free(1280, 1440, 1280);
/** wan2.2 and older: each side between 512 and 1440. */
const OLD_FRAMES = free(512, 1440, 1024, { widest: 1440 / 512, side: { min: 512, max: 1440 } });
const EDIT_FRAMES = free(512, 2048, 1024, { side: { min: 512, max: 2048 } });

/** The first that fits. Alibaba docs: the API references of Qwen-Image, of its edits, of wan's images and text-to-image V2. */
const FAMILIES: readonly [RegExp, ImageFamily][] = [
  [
    /^qwen-image-edit$/,
    { ...SYNC, extends: false, references: { min: 1, max: 3 }, max: 1, frames: { kind: 'none' }, maxPrompt: 800 },
  ],
  [/^qwen-image-edit/, { ...SYNC, references: { min: 1, max: 3 }, max: 6, frames: EDIT_FRAMES, maxPrompt: 800 }],
  [
    /^qwen-image-[2-9]/,
    { ...SYNC, references: { min: 0, max: 3 }, max: 6, frames: free(512, 2048, 1328), maxPrompt: 5000 },
  ],
  [/^qwen-image/, { ...SYNC, references: NONE, max: 1, frames: QWEN_SIZES, maxPrompt: 800 }],
  [/^wan2\.6-t2i/, { ...SYNC, references: NONE, max: 4, frames: WAN_FRAMES, maxPrompt: 2100 }],
  [
    /^wan2\.6-image/,
    { ...SYNC, references: { min: 1, max: 4 }, max: 4, frames: free(768, 1280, 1280), maxPrompt: 2000 },
  ],
  [/^wan2\.5-t2i/, { ...TASK, frames: WAN_FRAMES, maxPrompt: 2000 }],
  [
    /^wan2\.5-i2i/,
    {
      ...TASK,
      path: '/image2image/image-synthesis',
      references: { min: 1, max: 3 },
      frames: free(768, 1280, 1280),
      maxPrompt: 2000,
    },
  ],
  [/^wan(2\.[0-4]|x2\.\d)-t2i/, { ...TASK, frames: OLD_FRAMES, maxPrompt: 800 }],
  [
    /^(wanx|flux|stable-diffusion)/,
    { ...TASK, frames: { kind: 'free', limits: ANY_FRAME, pixels: 1024 * 1024 }, maxPrompt: 5000 },
  ],
];

/** Asked as the newest models are, and held to nothing. */
const UNKNOWN: ImageFamily = {
  ...SYNC,
  references: { min: 0, max: 10 },
  max: 10,
  frames: { kind: 'free', limits: ANY_FRAME, pixels: 1024 * 1024 },
  maxPrompt: 5000,
};

/** The family of an image model. */
export function imageFamily(model: string): ImageFamily {
  return FAMILIES.find(([name]) => name.test(model))?.[1] ?? UNKNOWN;
}
