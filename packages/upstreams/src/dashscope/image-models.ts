import { ANY_FRAME, type FrameLimits } from '../media/fit-frame.ts';
import { megabytes, type PictureLimits } from '../media/limit-wish.ts';

/** Alibaba docs, "Qwen-Image-Edit API reference". */
export const PICTURES: PictureLimits = {
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp', 'image/tiff', 'image/gif'],
  mostBytes: megabytes(10),
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
  references: { least: number; most: number };
  /** Images of one call. */
  most: number;
  frames: ImageFrames;
  /** Whether it takes `prompt_extend`. */
  extends: boolean;
  maxPrompt: number;
}

const NONE = { least: 0, most: 0 };

function free(least: number, most: number, side: number, more: Partial<FrameLimits> = {}): ImageFrames {
  const area = { least: least * least, most: most * most };
  return { kind: 'free', limits: { area, widest: 4, step: 16, ...more }, pixels: side * side };
}

/** Alibaba docs, "Qwen-Image API reference": no other sizes. */
const QWEN_SIZES: ImageFrames = {
  kind: 'listed',
  sizes: ['1664x928', '1472x1104', '1328x1328', '1104x1472', '928x1664'],
};

const SYNC = { path: '/multimodal-generation/generation', extends: true } as const;
const TASK = { path: '/text2image/image-synthesis', extends: true, most: 4, references: NONE } as const;
/** wan2.6 and 2.5, text to image. */
const WAN_FRAMES = free(1280, 1440, 1280);
/** wan2.2 and older: each side between 512 and 1440. */
const OLD_FRAMES = free(512, 1440, 1024, { widest: 1440 / 512, side: { least: 512, most: 1440 } });
const EDIT_FRAMES = free(512, 2048, 1024, { side: { least: 512, most: 2048 } });

/** The first that fits. Alibaba docs: the API references of Qwen-Image, of its edits, of wan's images and text-to-image V2. */
const FAMILIES: readonly [RegExp, ImageFamily][] = [
  [
    /^qwen-image-edit$/,
    { ...SYNC, extends: false, references: { least: 1, most: 3 }, most: 1, frames: { kind: 'none' }, maxPrompt: 800 },
  ],
  [/^qwen-image-edit/, { ...SYNC, references: { least: 1, most: 3 }, most: 6, frames: EDIT_FRAMES, maxPrompt: 800 }],
  [
    /^qwen-image-[2-9]/,
    { ...SYNC, references: { least: 0, most: 3 }, most: 6, frames: free(512, 2048, 1328), maxPrompt: 5000 },
  ],
  [/^qwen-image/, { ...SYNC, references: NONE, most: 1, frames: QWEN_SIZES, maxPrompt: 800 }],
  [/^wan2\.6-t2i/, { ...SYNC, references: NONE, most: 4, frames: WAN_FRAMES, maxPrompt: 2100 }],
  [
    /^wan2\.6-image/,
    { ...SYNC, references: { least: 1, most: 4 }, most: 4, frames: free(768, 1280, 1280), maxPrompt: 2000 },
  ],
  [/^wan2\.5-t2i/, { ...TASK, frames: WAN_FRAMES, maxPrompt: 2000 }],
  [
    /^wan2\.5-i2i/,
    {
      ...TASK,
      path: '/image2image/image-synthesis',
      references: { least: 1, most: 3 },
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
  references: { least: 0, most: 10 },
  most: 10,
  frames: { kind: 'free', limits: ANY_FRAME, pixels: 1024 * 1024 },
  maxPrompt: 5000,
};

/** The family of an image model. */
export function imageFamily(model: string): ImageFamily {
  return FAMILIES.find(([name]) => name.test(model))?.[1] ?? UNKNOWN;
}
