import { type Catalog, findModel, type ImageModel } from '../schema/models.ts';

export interface RunwayImage extends ImageModel {
  /** Supported `ratio` values, in pixels. The first one is the default. */
  ratios: readonly string[];
  /** Supported numbers of images. */
  counts: readonly number[];
}

const split = (text: string): string[] => text.split(' ');
const GEN4 = split(
  '1024:1024 1080:1080 1168:880 1360:768 1440:1080 1080:1440 1808:768 1920:1080 1080:1920 2112:912 1280:720 720:1280 720:720 960:720 720:960 1680:720',
);
const GPT = split(
  '1920:1920 2048:880 1920:1088 1920:1280 1920:1440 1920:1536 1536:1920 1440:1920 1280:1920 1088:1920 2912:1248 2560:1440 2560:1712 2560:1920 2560:2048 2560:2560 2048:2560 1920:2560 1712:2560 1440:2560 3840:1648 3840:2160 3504:2336 3264:2448 3200:2560 2880:2880 2560:3200 2448:3264 2336:3504 2160:3840',
);
const GEMINI_1K = split('1024:1024 1344:768 768:1344 1184:864 864:1184 1536:672 832:1248 1248:832 896:1152 1152:896');
const GEMINI_LARGE = split(
  '2048:2048 1696:2528 2528:1696 1792:2400 2400:1792 1856:2304 2304:1856 1536:2752 2752:1536 3168:1344 4096:4096 3392:5056 5056:3392 3584:4800 4800:3584 3712:4608 4608:3712 3072:5504 5504:3072 6336:2688',
);
const MUSE = split('1600:1600 2352:1008 2016:1152 1920:1280 1792:1344 1344:1792 1280:1920 1152:2016');
const SEEDREAM_PRO = split(
  '1024:1024 1184:896 896:1184 1376:768 768:1376 1296:864 864:1296 2048:2048 2304:1728 1728:2304 2720:1530 1530:2720 2496:1664 1664:2496',
);
const SEEDREAM_LITE = split(
  '2048:2048 2304:1728 1728:2304 2848:1600 1600:2848 2496:1664 1664:2496 3136:1344 3072:3072 3456:2592 2592:3456 4096:2304 2304:4096 3744:2496 2496:3744 4704:2016',
);
const GROK = split(
  '1024:1024 1280:720 720:1280 1152:864 864:1152 1248:832 832:1248 1408:704 704:1408 1280:576 576:1280 2048:2048 2816:1584 1584:2816 2368:1776 1776:2368 2496:1664 1664:2496 2912:1456 1456:2912 3200:1440 1440:3200',
);
/** Used for models whose docs specify no maximum. */
const SOME = [1, 2, 3, 4];
const TEN = [...SOME, 5, 6, 7, 8, 9, 10];

/** Source: the types in @runwayml/sdk 4.20.1. */
export const RUNWAY_IMAGES: Catalog<RunwayImage> = [
  [
    'gen4_image_turbo',
    {
      ratios: GEN4,
      counts: [1],
      maxPrompt: 1000,
      images: { reference: 3 },
      needs: ['reference'],
      optionalFields: ['seed'],
    },
  ],
  ['gen4_image', { ratios: GEN4, counts: [1], maxPrompt: 1000, images: { reference: 3 }, optionalFields: ['seed'] }],
  [
    'gpt_image_2',
    {
      ratios: GPT,
      counts: TEN,
      maxPrompt: 32_000,
      images: { reference: 16 },
      optionalFields: ['quality', 'background'],
    },
  ],
  ['gemini_2.5_flash', { ratios: GEMINI_1K, counts: [1], images: { reference: 3 }, optionalFields: [] }],
  [
    'gemini_image3',
    { ratios: [...GEMINI_1K, ...GEMINI_LARGE], counts: [1, 4], images: { reference: 14 }, optionalFields: [] },
  ],
  ['muse_image', { ratios: MUSE, counts: SOME, images: { reference: 10 }, optionalFields: ['outputFormat'] }],
  [
    'seedream5_pro',
    {
      ratios: SEEDREAM_PRO,
      counts: SOME,
      maxPrompt: 4000,
      images: { reference: Infinity },
      optionalFields: ['outputFormat'],
    },
  ],
  [
    'seedream5',
    {
      ratios: SEEDREAM_LITE,
      counts: SOME,
      maxPrompt: 4000,
      images: { reference: Infinity },
      optionalFields: ['outputFormat'],
    },
  ],
  ['grok_imagine_image', { ratios: GROK, counts: SOME, images: { reference: 3 }, optionalFields: ['quality'] }],
];

export function runwayImage(name: string): RunwayImage | undefined {
  return findModel(RUNWAY_IMAGES, name);
}

export const ANY_RUNWAY_IMAGE: ImageModel = {
  images: { reference: Infinity },
  optionalFields: ['seed', 'quality', 'background', 'outputFormat'],
};
