/** @runwayml/sdk 4.20.1, `TextToImageCreateParams`. */
import { z } from 'zod';
import {
  contentModeration,
  oneOf,
  promptText,
  Reference,
  seed,
  SubjectReference,
  TaggedReference,
} from './runway-fields.ts';

const GEN4 =
  '1024:1024 1080:1080 1168:880 1360:768 1440:1080 1080:1440 1808:768 1920:1080 1080:1920 2112:912 1280:720 720:1280 720:720 960:720 720:960 1680:720';
const GPT =
  '2048:880 1920:1088 1920:1280 1920:1440 1920:1536 1920:1920 1536:1920 1440:1920 1280:1920 1088:1920 2912:1248 2560:1440 2560:1712 2560:1920 2560:2048 2560:2560 2048:2560 1920:2560 1712:2560 1440:2560 3840:1648 3840:2160 3504:2336 3264:2448 3200:2560 2880:2880 2560:3200 2448:3264 2336:3504 2160:3840 auto';
const GEMINI = '1344:768 768:1344 1024:1024 1184:864 864:1184 1536:672 832:1248 1248:832 896:1152 1152:896';
const GEMINI_LARGE =
  '2048:2048 1696:2528 2528:1696 1792:2400 2400:1792 1856:2304 2304:1856 1536:2752 2752:1536 3168:1344 4096:4096 3392:5056 5056:3392 3584:4800 4800:3584 3712:4608 4608:3712 3072:5504 5504:3072 6336:2688';
const GEMINI_FLASH =
  '512:512 416:624 624:416 432:592 592:432 448:576 576:448 384:672 672:384 768:336 256:1024 1024:256 176:1408 1408:176 512:2048 2048:512 352:2816 2816:352 1024:4096 4096:1024 704:5632 5632:704 2048:8192 8192:2048 1408:11264 11264:1408';
const MUSE = '2352:1008 2016:1152 1920:1280 1792:1344 1600:1600 1344:1792 1280:1920 1152:2016 auto';
const SEEDREAM_PRO =
  '1024:1024 1184:896 896:1184 1376:768 768:1376 1296:864 864:1296 2048:2048 2304:1728 1728:2304 2720:1530 1530:2720 2496:1664 1664:2496 auto_1k auto_2k';
const GROK =
  '1024:1024 1280:720 720:1280 1152:864 864:1152 1248:832 832:1248 1248:576 576:1248 1280:576 576:1280 1408:704 704:1408 2048:2048 2816:1584 1584:2816 2368:1776 1776:2368 2496:1664 1664:2496 2912:1344 1344:2912 3200:1440 1440:3200 2912:1456 1456:2912 auto_1k auto_2k';
/** For undocumented limits. */
const ANY_LENGTH = 32_000;
const SOME = 10;

const outputCount = (max: number) => z.int().min(1).max(max).optional();
/** Free sizes are limited by their number of pixels. */
const Freeform = z.string().superRefine((ratio, context) => {
  const [, width = 0, height = 0] = /^(\d{2,5}):(\d{2,5})$/.exec(ratio)?.map(Number) ?? [];
  const pixels = width * height;
  if (pixels >= 3_686_400 && pixels <= 16_777_216) return;
  context.addIssue({ code: 'custom', message: 'Invalid size: expected between 3686400 and 16777216 pixels' });
});

const model = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.strictObject({ model: z.literal(name), ...shape });

const gen4 = { contentModeration, promptText: promptText(1000), ratio: oneOf(GEN4), seed };
const gpt = {
  outputCount: outputCount(10),
  promptText: promptText(ANY_LENGTH),
  ratio: oneOf(GPT),
  referenceImages: z.array(TaggedReference).max(16).optional(),
};
const newGpt = {
  ...gpt,
  background: oneOf('opaque auto').optional(),
  quality: oneOf('low medium high xhigh max').optional(),
};
const gemini = {
  outputCount: z.union([z.literal(1), z.literal(4)]).optional(),
  promptText: promptText(ANY_LENGTH),
  referenceImages: z.array(SubjectReference).max(14).optional(),
};
const seedream = {
  grounding: z.boolean().optional(),
  outputCount: outputCount(SOME),
  // The sandbox renders only PNG.
  outputFormat: z.enum(['png']).optional(),
  promptText: promptText(4000),
  referenceImages: z.array(Reference).max(SOME).optional(),
};

export const TextToImage = z.discriminatedUnion('model', [
  model('gen4_image_turbo', { ...gen4, referenceImages: z.array(TaggedReference).min(1).max(3) }),
  model('gen4_image', { ...gen4, referenceImages: z.array(TaggedReference).max(3).optional() }),
  model('gpt_image_2', {
    ...gpt,
    background: oneOf('transparent opaque auto').optional(),
    quality: oneOf('low medium high auto').optional(),
  }),
  model('gpt_image_2_5_flare', newGpt),
  model('gpt_image_2_5_sunburst', newGpt),
  model('gemini_2.5_flash', {
    promptText: promptText(ANY_LENGTH),
    ratio: oneOf(GEMINI),
    referenceImages: z.array(TaggedReference).max(3).optional(),
  }),
  model('gemini_image3_pro', { ...gemini, ratio: oneOf(`${GEMINI} ${GEMINI_LARGE}`) }),
  model('gemini_image3.1_flash', { ...gemini, ratio: oneOf(`${GEMINI} ${GEMINI_LARGE} ${GEMINI_FLASH}`) }),
  model('muse_image', {
    outputCount: outputCount(SOME),
    outputFormat: z.enum(['png']).optional(),
    promptText: promptText(ANY_LENGTH),
    ratio: oneOf(MUSE),
    referenceImages: z.array(Reference).max(10).optional(),
  }),
  model('seedream5_pro', { ...seedream, ratio: oneOf(SEEDREAM_PRO) }),
  model('seedream5_lite', { ...seedream, ratio: Freeform }),
  model('grok_imagine_image_2', {
    edit: z.boolean().optional(),
    outputCount: outputCount(SOME),
    promptText: promptText(ANY_LENGTH),
    quality: oneOf('low medium').optional(),
    ratio: oneOf(GROK),
    referenceImages: z.array(Reference).max(3).optional(),
  }),
]);
