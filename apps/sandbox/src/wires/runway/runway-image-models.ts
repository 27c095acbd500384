/** Source: @runwayml/sdk 4.20.1, `TextToImageCreateParams`. */
import { runwayImage } from '@sluice/vendors';
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

const sizesOf = (name: string): string => runwayImage(name)?.ratios.join(' ') ?? '';

const GEN4 = sizesOf('gen4_image');
// Not in the catalog: `auto` sizes, and additional sizes of Gemini Flash and Grok.
const GPT = `${sizesOf('gpt_image_2')} auto`;
const GEMINI = sizesOf('gemini_2.5_flash');
const GEMINI_PRO = sizesOf('gemini_image3_pro');
const GEMINI_FLASH =
  '512:512 416:624 624:416 432:592 592:432 448:576 576:448 384:672 672:384 768:336 256:1024 1024:256 176:1408 1408:176 512:2048 2048:512 352:2816 2816:352 1024:4096 4096:1024 704:5632 5632:704 2048:8192 8192:2048 1408:11264 11264:1408';
const MUSE = `${sizesOf('muse_image')} auto`;
const SEEDREAM_PRO = `${sizesOf('seedream5_pro')} auto_1k auto_2k`;
const GROK = `${sizesOf('grok_imagine_image_2')} 1248:576 576:1248 2912:1344 1344:2912 auto_1k auto_2k`;
/** Used if the docs do not specify a limit. */
const ANY_LENGTH = 32_000;
const SOME = 10;

const outputCount = (max: number) => z.int().min(1).max(max).optional();
/** Free-form sizes are limited by their number of pixels. */
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
  model('gemini_image3_pro', { ...gemini, ratio: oneOf(GEMINI_PRO) }),
  model('gemini_image3.1_flash', { ...gemini, ratio: oneOf(`${GEMINI_PRO} ${GEMINI_FLASH}`) }),
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
