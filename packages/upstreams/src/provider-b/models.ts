import { ANY_FRAME, type FrameLimits } from '../media/fit-frame.ts';
import { megabytes, type ImageLimits } from '../media/limit-params.ts';

const MEDIA_TYPES = ['image/jpeg', 'image/png'];
/** Jimeng docs, "Video generation 3.0": JPEG or PNG, of 4.7 MB. */
export const VIDEO_IMAGES: ImageLimits = { mediaTypes: MEDIA_TYPES, maxBytes: megabytes(4.7) };
/** Jimeng docs, image 4.0: JPEG or PNG, of 15 MB. */
export const IMAGE_INPUTS: ImageLimits = { mediaTypes: MEDIA_TYPES, maxBytes: megabytes(15) };

/** What a video model, named by its `req_key`, can do. Jimeng docs, "Video generation 3.0"; unknown names may do anything. */
export interface VideoFamily {
  /** Durations, seconds; absent: not known. */
  seconds?: readonly number[];
  /** Whether it is told how many frames to make; the older ones always make the same. */
  reportsFrames: boolean;
  /** Pictures that it must be given. */
  needs: readonly ('first_frame' | 'last_frame')[];
  /** Pictures that it takes. */
  takes: Partial<Record<'first_frame' | 'last_frame' | 'reference', number>>;
}

const FIRST = { first_frame: 1 };
const FIVE_OR_TEN = [5, 10];

/** The first that fits. */
const FAMILIES: readonly [RegExp, VideoFamily][] = [
  [/^jimeng_vgfm_t2v/, { seconds: [5], reportsFrames: false, needs: [], takes: {} }],
  [/^jimeng_vgfm_i2v/, { seconds: [5], reportsFrames: false, needs: ['first_frame'], takes: FIRST }],
  [/^jimeng_t2v/, { seconds: FIVE_OR_TEN, reportsFrames: true, needs: [], takes: {} }],
  [
    /^jimeng_i2v_first_tail/,
    {
      seconds: FIVE_OR_TEN,
      reportsFrames: true,
      needs: ['first_frame', 'last_frame'],
      takes: { ...FIRST, last_frame: 1 },
    },
  ],
  [/^jimeng_i2v/, { seconds: FIVE_OR_TEN, reportsFrames: true, needs: ['first_frame'], takes: FIRST }],
  [/^jimeng_ti2v/, { seconds: FIVE_OR_TEN, reportsFrames: true, needs: [], takes: FIRST }],
];

/** The family of a video model. */
export function videoFamily(model: string): VideoFamily {
  const unknown = { reportsFrames: true, needs: [], takes: { ...FIRST, last_frame: 1, reference: 10 } };
  return FAMILIES.find(([name]) => name.test(model))?.[1] ?? unknown;
}

/** What an image model, named by its `req_key`, can do. Jimeng docs, "Image generation". */
export interface ImageFamily {
  /** Pictures that it follows. */
  references: number;
  frame: FrameLimits;
  /** Of images whose shape alone is wished. */
  pixels: number;
  /** Whether it makes as many images as the prompt asks for, unless it is told to make one. */
  countsByPrompt: boolean;
  /** Whether it takes a seed, and may be told to rewrite the prompt. */
  seeded: boolean;
}

const K = 1024;
/** Jimeng docs, image 4.0: width to height between 1:3 and 3:1; all that they recommend are multiples of 16. */
const SHAPE = { widest: 3, step: 16 };
const V3 = {
  frame: { ...SHAPE, area: { min: 512 * 512, max: 4 * K * K } },
  pixels: 1328 * 1328,
  countsByPrompt: false,
  seeded: true,
};

/** The first that fits. */
const IMAGE_FAMILIES: readonly [RegExp, ImageFamily][] = [
  [
    /^jimeng_t2i_v[4-9]/,
    {
      references: 10,
      frame: { ...SHAPE, area: { min: K * K, max: 16 * K * K } },
      pixels: 4 * K * K,
      countsByPrompt: true,
      seeded: false,
    },
  ],
  [/^jimeng_t2i_v[23]/, { ...V3, references: 0 }],
  [/^jimeng_i2i_v3/, { ...V3, references: 1 }],
];

/** The family of an image model; unknown names take what is asked. */
export function imageFamily(model: string): ImageFamily {
  const unknown = {
    references: 10,
    frame: ANY_FRAME,
    pixels: K * K,
    countsByPrompt: false,
    seeded: true,
  };
  return IMAGE_FAMILIES.find(([name]) => name.test(model))?.[1] ?? unknown;
}
