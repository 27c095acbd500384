import { type Catalog, findModel, fullSeconds, megabytes, UP_TO_1080, type VideoModel } from '../models.ts';

/**
 * `@runwayml/sdk` 4.20.1: a data URI may have 5 MB, of which base64 leaves three quarters. Runway documents no total
 * limit, and its largest image list stays below this one.
 */
export const RUNWAY_IMAGE_FILES = { maxBytes: megabytes(3.7), maxTogether: megabytes(45) };

/** A Runway video model. `frames` or `shapes` are its `ratio` values. */
export interface RunwayVideo extends VideoModel {
  /** Whether `ratio` is required. */
  needsFrame?: true;
  /** Whether the image sets the frame, so that `ratio` is a resolution such as `auto_720p`. */
  autoRatio?: true;
}

const words = (text: string): string[] => text.split(' ');
const GEN4 = words('1280:720 720:1280 1104:832 960:960 832:1104 1584:672');
const VEO = words('1280:720 720:1280 1920:1080 1080:1920');
const HAPPYHORSE = words(
  '1280:720 720:1280 960:960 1108:832 832:1108 1920:1080 1080:1920 1440:1440 1662:1248 1248:1662',
);
const SEEDANCE_720 = words(
  '1280:720 720:1280 960:960 1112:834 834:1112 1470:630 864:496 496:864 640:640 752:560 560:752 992:432',
);
const SEEDANCE_1080 = words('2206:946 1920:1080 1664:1248 1440:1440 1248:1664 1080:1920');
const SEEDANCE_4K = words('3840:1646 3840:2160 3840:2880 3840:3840 2880:3840 2160:3840');
const OMNI = words('1280:720 720:1280 640:360 360:640 1920:1080 1080:1920 3840:2160 2160:3840');
const WAN = words(
  '1280:720 720:1280 960:960 1104:832 832:1104 832:480 480:832 624:624 720:544 544:720 1920:1080 1080:1920 1440:1440 1648:1248 1248:1648',
);
const SHAPES = words('16:9 9:16 1:1 4:3 3:4');

const SILENT = { fixed: { audio: false } } as const;
const FRAMES = { first_frame: 1, last_frame: 1 };
const FIRST = { first_frame: 1 };

const framed = (model: Partial<RunwayVideo>) => ({ when: { first_frame: model, last_frame: model } });
/** The image sets the shape, so the model has a `resolution` instead of a `ratio`. */
const resolved = (...resolutions: string[]): Partial<RunwayVideo> => ({ frames: undefined, shapes: [], resolutions });
const seedance = (...frames: string[]): RunwayVideo => ({
  frames,
  maxPrompt: 3500,
  promptless: 'frame',
  images: { ...FRAMES, reference: 9 },
  takes: ['audio', 'seed'],
});
const SEEDANCE_SECONDS = { seconds: fullSeconds(4, 15), usualSeconds: 5 };

/** Source: the types in @runwayml/sdk 4.20.1. */
export const RUNWAY_VIDEOS: Catalog<RunwayVideo> = [
  [
    'gen4.5',
    {
      ...SILENT,
      frames: words('1280:720 720:1280'),
      ...framed({ frames: GEN4 }),
      needsFrame: true,
      seconds: fullSeconds(2, 10),
      usualSeconds: 5,
      maxPrompt: 1000,
      images: FIRST,
      takes: ['seed'],
    },
  ],
  [
    'gen4_turbo',
    {
      ...SILENT,
      frames: GEN4,
      needsFrame: true,
      needs: ['first_frame'],
      seconds: fullSeconds(2, 10),
      usualSeconds: 5,
      maxPrompt: 1000,
      promptless: 'frame',
      images: FIRST,
      takes: ['seed'],
    },
  ],
  [
    'veo3.1',
    {
      frames: VEO,
      needsFrame: true,
      seconds: [4, 6, 8],
      usualSeconds: 8,
      maxPrompt: 1000,
      promptless: 'frame',
      images: FRAMES,
      takes: ['audio', 'negativePrompt', 'seed'],
    },
  ],
  [
    'seedance2_5',
    {
      ...seedance(...SEEDANCE_720.map((frame) => frame.replace('864', '854').replace('496', '480')), ...SEEDANCE_1080),
      maxPrompt: 15_000,
      images: { ...FRAMES, reference: 30 },
    },
  ],
  ['seedance2_fast', { ...seedance(...SEEDANCE_720), ...SEEDANCE_SECONDS }],
  ['seedance2_mini', { ...seedance(...SEEDANCE_720), ...SEEDANCE_SECONDS }],
  ['seedance2', { ...seedance(...SEEDANCE_720, ...SEEDANCE_1080, ...SEEDANCE_4K), ...SEEDANCE_SECONDS }],
  [
    'hailuo3',
    {
      ...SILENT,
      shapes: [...SHAPES, '21:9'],
      resolutions: ['768p', '2k'],
      images: { ...FRAMES, reference: 9 },
      takes: [],
    },
  ],
  ['h3_max', { ...SILENT, shapes: [], resolutions: ['480p', '768p'], images: FRAMES, takes: ['seed'] }],
  [
    'happyhorse_1_0',
    {
      ...SILENT,
      frames: HAPPYHORSE,
      ...framed(resolved('720p', '1080p')),
      seconds: fullSeconds(3, 15),
      usualSeconds: 5,
      maxPrompt: 2500,
      promptless: 'frame',
      images: FIRST,
      takes: [],
    },
  ],
  [
    'gemini_omni_flash_1.1',
    {
      ...SILENT,
      frames: OMNI,
      seconds: fullSeconds(3, 10),
      usualSeconds: 5,
      images: { ...FRAMES, reference: Infinity },
      takes: [],
    },
  ],
  [
    'gemini_omni_flash',
    {
      ...SILENT,
      frames: words('1280:720 720:1280'),
      seconds: fullSeconds(3, 10),
      usualSeconds: 5,
      promptless: 'frame',
      images: FIRST,
      takes: [],
    },
  ],
  [
    'grok_imagine_1_5',
    {
      ...SILENT,
      shapes: [...SHAPES, '3:2', '2:3'],
      resolutions: UP_TO_1080,
      ...framed(resolved(...UP_TO_1080)),
      promptless: 'frame',
      images: { ...FIRST, reference: Infinity },
      takes: [],
    },
  ],
  [
    'wan3',
    {
      frames: WAN,
      ...framed({ ...resolved(...UP_TO_1080), autoRatio: true }),
      images: { ...FRAMES, reference: 10 },
      takes: ['audio'],
    },
  ],
];

export function runwayVideo(name: string): RunwayVideo | undefined {
  return findModel(RUNWAY_VIDEOS, name);
}

export const ANY_RUNWAY_VIDEO: RunwayVideo = {
  promptless: 'frame',
  images: { ...FRAMES, reference: Infinity },
  lastFrameAlone: true,
  takes: ['audio', 'negativePrompt', 'seed'],
};
