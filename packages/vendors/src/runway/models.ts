import { type Catalog, findModel, fullSeconds, megabytes, UP_TO_1080, type VideoModel } from '../schema/models.ts';

/**
 * `@runwayml/sdk` 4.20.1: a data URI may have 5 MB. Base64 leaves three quarters of it for the image. Runway documents
 * no total limit, but its largest list of images stays below this limit.
 */
export const RUNWAY_IMAGE_FILES = { maxBytes: megabytes(3.7), maxTogether: megabytes(45) };

/** A Runway video model. Its `frames` or `aspectRatios` are values of `ratio`. */
export interface RunwayVideo extends VideoModel {
  /** Whether `ratio` is required. */
  needsFrame?: true;
  /** Whether the image determines the frame, so that `ratio` is a resolution (e.g. `auto_720p`). */
  autoRatio?: true;
}

const split = (text: string): string[] => text.split(' ');
const GEN4 = split('1280:720 720:1280 1104:832 960:960 832:1104 1584:672');
const VEO = split('1280:720 720:1280 1920:1080 1080:1920');
const HAPPYHORSE = split(
  '1280:720 720:1280 960:960 1108:832 832:1108 1920:1080 1080:1920 1440:1440 1662:1248 1248:1662',
);
const SEEDANCE_720 = split(
  '1280:720 720:1280 960:960 1112:834 834:1112 1470:630 864:496 496:864 640:640 752:560 560:752 992:432',
);
const SEEDANCE_1080 = split('2206:946 1920:1080 1664:1248 1440:1440 1248:1664 1080:1920');
const SEEDANCE_4K = split('3840:1646 3840:2160 3840:2880 3840:3840 2880:3840 2160:3840');
const OMNI = split('1280:720 720:1280 640:360 360:640 1920:1080 1080:1920 3840:2160 2160:3840');
const WAN = split(
  '1280:720 720:1280 960:960 1104:832 832:1104 832:480 480:832 624:624 720:544 544:720 1920:1080 1080:1920 1440:1440 1648:1248 1248:1648',
);
const ASPECT_RATIOS = split('16:9 9:16 1:1 4:3 3:4');

const SILENT = { fixed: { audio: false } } as const;
const FRAMES = { first_frame: 1, last_frame: 1 };
const FIRST = { first_frame: 1 };

const framed = (model: Partial<RunwayVideo>) => ({ when: { first_frame: model, last_frame: model } });
/** Describes a model whose image determines the aspect ratio, so that it has a `resolution` instead of a `ratio`. */
const resolved = (...resolutions: string[]): Partial<RunwayVideo> => ({
  frames: undefined,
  aspectRatios: [],
  resolutions,
});
const seedance = (...frames: string[]): RunwayVideo => ({
  frames,
  maxPrompt: 3500,
  optionalPrompt: 'frame',
  images: { ...FRAMES, reference: 9 },
  optionalFields: ['audio', 'seed'],
});
const SEEDANCE_SECONDS = { seconds: fullSeconds(4, 15), defaultSeconds: 5 };

/** Source: the types in @runwayml/sdk 4.20.1. */
export const RUNWAY_VIDEOS: Catalog<RunwayVideo> = [
  [
    'gen4.5',
    {
      ...SILENT,
      frames: split('1280:720 720:1280'),
      ...framed({ frames: GEN4 }),
      needsFrame: true,
      seconds: fullSeconds(2, 10),
      defaultSeconds: 5,
      maxPrompt: 1000,
      images: FIRST,
      optionalFields: ['seed'],
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
      defaultSeconds: 5,
      maxPrompt: 1000,
      optionalPrompt: 'frame',
      images: FIRST,
      optionalFields: ['seed'],
    },
  ],
  [
    'veo3.1',
    {
      frames: VEO,
      needsFrame: true,
      seconds: [4, 6, 8],
      defaultSeconds: 8,
      maxPrompt: 1000,
      optionalPrompt: 'frame',
      images: FRAMES,
      optionalFields: ['audio', 'negativePrompt', 'seed'],
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
      aspectRatios: [...ASPECT_RATIOS, '21:9'],
      resolutions: ['768p', '2k'],
      images: { ...FRAMES, reference: 9 },
      optionalFields: [],
    },
  ],
  ['h3_max', { ...SILENT, aspectRatios: [], resolutions: ['480p', '768p'], images: FRAMES, optionalFields: ['seed'] }],
  [
    'happyhorse_1_0',
    {
      ...SILENT,
      frames: HAPPYHORSE,
      ...framed(resolved('720p', '1080p')),
      seconds: fullSeconds(3, 15),
      defaultSeconds: 5,
      maxPrompt: 2500,
      optionalPrompt: 'frame',
      images: FIRST,
      optionalFields: [],
    },
  ],
  [
    'gemini_omni_flash_1.1',
    {
      ...SILENT,
      frames: OMNI,
      seconds: fullSeconds(3, 10),
      defaultSeconds: 5,
      images: { ...FRAMES, reference: Infinity },
      optionalFields: [],
    },
  ],
  [
    'gemini_omni_flash',
    {
      ...SILENT,
      frames: split('1280:720 720:1280'),
      seconds: fullSeconds(3, 10),
      defaultSeconds: 5,
      optionalPrompt: 'frame',
      images: FIRST,
      optionalFields: [],
    },
  ],
  [
    'grok_imagine_1_5',
    {
      ...SILENT,
      aspectRatios: [...ASPECT_RATIOS, '3:2', '2:3'],
      resolutions: UP_TO_1080,
      ...framed(resolved(...UP_TO_1080)),
      optionalPrompt: 'frame',
      images: { ...FIRST, reference: Infinity },
      optionalFields: [],
    },
  ],
  [
    'wan3',
    {
      frames: WAN,
      ...framed({ ...resolved(...UP_TO_1080), autoRatio: true }),
      images: { ...FRAMES, reference: 10 },
      optionalFields: ['audio'],
    },
  ],
];

export function runwayVideo(name: string): RunwayVideo | undefined {
  return findModel(RUNWAY_VIDEOS, name);
}

export const ANY_RUNWAY_VIDEO: RunwayVideo = {
  optionalPrompt: 'frame',
  images: { ...FRAMES, reference: Infinity },
  allowsLastFrameAlone: true,
  optionalFields: ['audio', 'negativePrompt', 'seed'],
};
