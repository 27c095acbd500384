/** How a model spells what every model at fal spells in its own way. */
export interface Dialect {
  /** Names of the first and the last frame. */
  first: string;
  last: string;
  /** Name of the list of references. */
  references: string;
  /** Spells a duration of whole seconds. */
  duration: (seconds: number) => string | number;
  /** The durations that it makes, where they are few; others are refused by fal before they run. */
  durations?: readonly number[];
}

/** The commonest names: Kling, Hailuo, Seedance, Pixverse. */
const COMMON: Dialect = { first: 'image_url', last: 'end_image_url', references: 'image_urls', duration: String };

const inSeconds = (seconds: number): string => `${seconds}s`;

/** By what stands in the name; the first that fits counts. As fal.ai's model pages told in 2026. */
const DIALECTS: readonly [RegExp, Partial<Dialect>][] = [
  [/kling-video\/v(?:1|2(?!\.6))/, { last: 'tail_image_url', durations: [5, 10] }],
  [/kling-video\/v2\.6/, { durations: [5, 10] }],
  [
    /veo.*first-last-frame/,
    { first: 'first_frame_url', last: 'last_frame_url', duration: inSeconds, durations: [4, 6, 8] },
  ],
  [/veo2/, { duration: inSeconds, durations: [5, 6, 7, 8] }],
  [/veo/, { duration: inSeconds, durations: [4, 6, 8] }],
  [/luma-dream-machine/, { duration: inSeconds }],
  [/start-end-to-video|flf2v/, { first: 'start_image_url' }],
  [/vidu|seedance.*reference/, { references: 'reference_image_urls' }],
  [/sora|ltx/, { duration: (seconds) => seconds }],
];

/** How a video model spells its input. */
export function dialectOf(model: string): Dialect {
  return { ...COMMON, ...DIALECTS.find(([pattern]) => pattern.test(model))?.[1] };
}

/** Image models that take pictures as a list also when there is one. */
const LISTS = /nano-banana|gemini|gpt-image|seedream|flux-2|reve|qwen-image.*(?:plus|25\d\d)|\/multi/;

/** How an image model spells its input. */
export interface ImageDialect {
  takesList: boolean;
  mask: string;
  /** Whether a size is a word such as `1024x1024`; else it is an object. */
  sizeIsWord: boolean;
}

/** How an image model spells its input. */
export function imageDialectOf(model: string): ImageDialect {
  const isGpt = model.includes('gpt-image');
  return { takesList: LISTS.test(model), mask: isGpt ? 'mask_image_url' : 'mask_url', sizeIsWord: isGpt };
}
