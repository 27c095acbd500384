/** @runwayml/sdk 4.20.1, `TextToVideoCreateParams` and `ImageToVideoCreateParams`. */
import { ANY_RUNWAY_VIDEO, runwayVideo } from '@sluice/vendors';
import { z } from 'zod';
import {
  audio,
  contentModeration,
  oneOf,
  others,
  promptImage,
  promptText,
  Reference,
  seconds,
  seed,
} from './runway-fields.ts';

/** Sizes of a model, with or without an image. */
function sizesOf(name: string): string {
  const { frames, when } = runwayVideo(name) ?? ANY_RUNWAY_VIDEO;
  return (when?.first_frame?.frames ?? frames ?? []).join(' ');
}

const GEN4 = sizesOf('gen4.5');
const VEO = sizesOf('veo3.1');
const HAPPYHORSE = sizesOf('happyhorse_1_0');
const SEEDANCE = sizesOf('seedance2');
const SEEDANCE_FAST = sizesOf('seedance2_fast');
const SEEDANCE_5 = sizesOf('seedance2_5');
const OMNI = sizesOf('gemini_omni_flash_1.1');
const SHAPES = '16:9 4:3 1:1 3:4 9:16';
// Beyond the catalog: sizes that the image sets, with a text too.
const WAN = `${sizesOf('wan3')} auto_480p auto_720p auto_1080p`;
/** For undocumented limits. */
const ANY_LENGTH = 10_000;

const references = (max: number) => z.array(Reference).max(max).optional();
const withOthers = { referenceAudio: others('audio'), referenceVideos: others('video') };
const gen45 = {
  contentModeration,
  duration: seconds(2, 10),
  // The sandbox renders only MP4.
  outputFormat: z.enum(['mp4']).optional(),
  promptText: promptText(1000),
  seed,
};
const veo = {
  audio,
  duration: z.union([z.literal(4), z.literal(6), z.literal(8)]).optional(),
  negativePrompt: z.string().optional(),
  ratio: oneOf(VEO),
  seed,
};
const hailuo = {
  duration: seconds(4, 15).optional(),
  promptText: promptText(ANY_LENGTH),
  ratio: oneOf(`adaptive 21:9 ${SHAPES}`).optional(),
  referenceAudio: others('audio'),
  resolution: oneOf('768p 2k 768P 2K').optional(),
};
const seedance = (ratios: string) => ({
  audio,
  duration: z.union([seconds(4, 15), z.literal('auto')]).optional(),
  ratio: oneOf(ratios).optional(),
  referenceAudio: others('audio'),
  seed,
});
const omni = {
  duration: z.union([seconds(3, 10), z.literal('auto')]).optional(),
  promptText: promptText(ANY_LENGTH),
  ratio: oneOf(OMNI).optional(),
};
const wan = { audio, duration: seconds(2, 15).optional(), promptText: promptText(ANY_LENGTH), ...withOthers };
const h3 = {
  duration: seconds(4, 15).optional(),
  promptExpansionMode: oneOf('disabled balanced quality').optional(),
  promptText: promptText(ANY_LENGTH),
  resolution: oneOf('480p 768p').optional(),
  seed,
};

const model = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.strictObject({ model: z.literal(name), ...shape });

const spoken = promptText(3500);
const fromSeedance = (ratios: string) => ({ ...seedance(ratios), promptImage: promptImage('any') });
const toSeedance = (ratios: string, max: number) => ({
  ...seedance(ratios),
  references: references(max),
  referenceVideos: others('video'),
});

export const TextToVideo = z.discriminatedUnion('model', [
  model('gen4.5', { ...gen45, ratio: oneOf('1280:720 720:1280') }),
  model('veo3.1', { ...veo, promptText: promptText(1000) }),
  model('veo3.1_fast', { ...veo, promptText: promptText(1000) }),
  model('hailuo3', { ...hailuo, references: references(9), referenceVideos: others('video') }),
  model('happyhorse_1_0', {
    duration: seconds(3, 15).optional(),
    promptText: promptText(2500),
    ratio: oneOf(HAPPYHORSE).optional(),
  }),
  model('seedance2', { ...toSeedance(SEEDANCE, 9), promptText: spoken }),
  model('seedance2_fast', { ...toSeedance(SEEDANCE_FAST, 9), promptText: spoken }),
  model('seedance2_mini', { ...toSeedance(SEEDANCE_FAST, 9), promptText: spoken }),
  model('seedance2_5', {
    ...toSeedance(SEEDANCE_5, 30),
    promptText: promptText(15_000).optional(),
  }),
  model('gemini_omni_flash', {
    duration: seconds(3, 10).optional(),
    promptText: promptText(ANY_LENGTH),
    ratio: oneOf('1280:720 720:1280').optional(),
  }),
  model('gemini_omni_flash_1.1', { ...omni, references: references(14), referenceVideos: others('video') }),
  model('grok_imagine_1_5', {
    duration: seconds(1, 15).optional(),
    promptText: promptText(ANY_LENGTH),
    ratio: oneOf(`${SHAPES} 3:2 2:3`).optional(),
    referenceAudio: others('audio'),
    references: references(7),
    resolution: oneOf('480p 720p 1080p').optional(),
  }),
  model('wan3', { ...wan, ratio: oneOf(WAN).optional(), references: references(10) }),
  model('wan3_prime', { ...wan, ratio: oneOf(WAN).optional(), references: references(10) }),
  model('h3_max', h3),
]);

export const ImageToVideo = z.discriminatedUnion('model', [
  model('gen4.5', { ...gen45, promptImage: promptImage('first'), ratio: oneOf(GEN4) }),
  model('gen4_turbo', {
    contentModeration,
    duration: seconds(2, 10).optional(),
    promptImage: promptImage('first'),
    promptText: promptText(1000).optional(),
    ratio: oneOf(GEN4),
    seed,
  }),
  model('veo3.1', { ...veo, promptImage: promptImage('frames'), promptText: promptText(1000).optional() }),
  model('veo3.1_fast', { ...veo, promptImage: promptImage('frames'), promptText: promptText(1000).optional() }),
  model('hailuo3', { ...hailuo, promptImage: promptImage('any') }),
  model('happyhorse_1_0', {
    duration: seconds(3, 15).optional(),
    promptImage: promptImage('first'),
    promptText: promptText(2500).optional(),
    resolution: oneOf('720p 1080p 720P 1080P').optional(),
  }),
  model('seedance2', {
    ...fromSeedance(SEEDANCE),
    promptText: spoken.optional(),
  }),
  model('seedance2_fast', { ...fromSeedance(SEEDANCE_FAST), promptText: spoken.optional() }),
  model('seedance2_mini', { ...fromSeedance(SEEDANCE_FAST), promptText: spoken.optional() }),
  model('seedance2_5', {
    ...fromSeedance(SEEDANCE_5),
    promptText: promptText(15_000).optional(),
  }),
  model('gemini_omni_flash', {
    duration: seconds(3, 10).optional(),
    promptImage: promptImage('first'),
    promptText: promptText(ANY_LENGTH).optional(),
    ratio: oneOf('1280:720 720:1280').optional(),
  }),
  model('gemini_omni_flash_1.1', { ...omni, promptImage: promptImage('frames') }),
  model('grok_imagine_1_5', {
    duration: seconds(1, 15).optional(),
    promptImage: promptImage('first'),
    promptText: promptText(ANY_LENGTH).optional(),
    resolution: oneOf('480p 720p 1080p').optional(),
  }),
  model('wan3', { ...wan, promptImage: promptImage('any'), ratio: oneOf(WAN).optional() }),
  model('wan3_prime', { ...wan, promptImage: promptImage('any'), ratio: oneOf(WAN).optional() }),
  model('h3_max', { ...h3, promptImage: promptImage('frames') }),
]);
