import type {
  KlingVideoV25TurboProImageToVideoInput as Kling,
  LumaDreamMachineRay2Input as Luma,
  Ltx2TextToVideoInput as Ltx2,
  Sora2TextToVideoInput as Sora2,
  Veo2ImageToVideoInput as Veo2,
} from '@fal-ai/client/endpoints';
import type { ImageToVideoCreateParams as Runway } from '@runwayml/sdk/resources/image-to-video';
import type { TextToImageCreateParams as RunwayImages } from '@runwayml/sdk/resources/text-to-image';
import type { ImageCreateVariationParams as ImageVariations } from 'openai/resources/images';
import { describe, expect, it } from 'vitest';
import { openAiImage } from './chat-completions/models.ts';
import { falVideo } from './fal/models.ts';
import { runwayImage } from './runway/image-models.ts';
import { runwayVideo } from './runway/models.ts';

// The compiler rejects a record that lacks a value of the SDK's type. The tests compare its keys with the catalog.
type Values<T> = Record<Extract<T, string>, true>;

describe('Runway: the frames are those of the SDK', () => {
  const gen4 = {
    '1280:720': true,
    '720:1280': true,
    '1104:832': true,
    '960:960': true,
    '832:1104': true,
    '1584:672': true,
  } as const;
  const veo = { '1280:720': true, '720:1280': true, '1080:1920': true, '1920:1080': true } as const;
  const omni = {
    ...veo,
    '640:360': true,
    '360:640': true,
    '3840:2160': true,
    '2160:3840': true,
  } as const;
  const seedance = {
    '992:432': true,
    '864:496': true,
    '752:560': true,
    '640:640': true,
    '560:752': true,
    '496:864': true,
    '1470:630': true,
    '1280:720': true,
    '1112:834': true,
    '960:960': true,
    '834:1112': true,
    '720:1280': true,
  } as const;
  it.each([
    ['gen4.5', gen4 satisfies Values<Runway.Gen4_5['ratio']>],
    ['gen4_turbo', gen4 satisfies Values<Runway.Gen4Turbo['ratio']>],
    ['veo3.1', veo satisfies Values<Runway.Veo3_1['ratio']>],
    ['veo3.1_fast', veo satisfies Values<Runway.Veo3_1Fast['ratio']>],
    ['seedance2_fast', seedance satisfies Values<Runway.Seedance2Fast['ratio']>],
    ['seedance2_mini', seedance satisfies Values<Runway.Seedance2Mini['ratio']>],
    ['gemini_omni_flash_1.1', omni satisfies Values<Runway.GeminiOmniFlash1_1['ratio']>],
  ])('%s', (name, frames) => {
    const model = runwayVideo(name);
    expect((model?.when?.first_frame?.frames ?? model?.frames)?.toSorted()).toEqual(Object.keys(frames).toSorted());
  });

  it('muse_image', () => {
    const ratios = {
      '2352:1008': true,
      '2016:1152': true,
      '1920:1280': true,
      '1792:1344': true,
      '1600:1600': true,
      '1344:1792': true,
      '1280:1920': true,
      '1152:2016': true,
    } satisfies Values<Exclude<RunwayImages.MuseImage['ratio'], 'auto'>>;
    expect(runwayImage('muse_image')?.ratios.toSorted()).toEqual(Object.keys(ratios).toSorted());
  });
});

describe('fal: the durations are those of the SDK', () => {
  it.each([
    ['fal-ai/kling-video/v2.5-turbo/pro/image-to-video', { '5': true, '10': true } satisfies Values<Kling['duration']>],
    [
      'fal-ai/veo2/image-to-video',
      { '5s': true, '6s': true, '7s': true, '8s': true } satisfies Values<Veo2['duration']>,
    ],
    ['fal-ai/luma-dream-machine/ray-2', { '5s': true, '9s': true } satisfies Values<Luma['duration']>],
    ['fal-ai/ltx-2/text-to-video', { '6': true, '8': true, '10': true } satisfies Values<Ltx2['duration']>],
    [
      'fal-ai/sora-2/text-to-video',
      { '4': true, '8': true, '12': true, '16': true, '20': true } satisfies Values<Sora2['duration']>,
    ],
  ])('%s', (name, durations) => {
    const { seconds = [], duration } = falVideo(name);
    const sent = seconds === 'any' ? [] : seconds.map((each) => String(duration(each)));
    expect(sent.toSorted()).toEqual(Object.keys(durations).toSorted());
  });
});

it('OpenAI: the sizes of dall-e-2 are those of the SDK', () => {
  const sizes = { '1024x1024': true, '512x512': true, '256x256': true } satisfies Values<ImageVariations['size']>;
  expect(openAiImage('dall-e-2').sizes).toEqual(Object.keys(sizes));
});
