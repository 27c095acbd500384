import { fullSeconds } from '../media/limit-params.ts';

/** How a frame is asked for. */
export interface Framing {
  /** What `ratio` may be: frames in pixels, or shapes where there are `resolutions`; absent: there is no such field. */
  ratios?: readonly string[];
  /** What `resolution` may be. */
  resolutions?: readonly string[];
  /** The frame is the picture's, and `ratio` a tier such as `auto_720p`. */
  tiers?: readonly string[];
  /** Whether the field must be there. */
  isNeeded?: true;
}

/** What a model of Runway's takes and makes. */
export interface VideoModel {
  /** From a prompt, with or without references; absent: it starts from a picture always. */
  text?: Framing;
  /** From a first frame. */
  image: Framing;
  /** Durations that it makes; absent: not known, any whole number is passed on. */
  seconds?: readonly number[];
  maxPromptLength?: number;
  /** Whether a first frame does without a prompt. */
  isWordless?: true;
  /** Whether it takes a last frame beside a first. */
  takesLast?: true;
  /** Pictures that it takes as references; absent: none. */
  references?: number;
  /** Fields that it has. */
  has?: readonly ('audio' | 'negativePrompt' | 'seed')[];
}

const words = (text: string): string[] => text.split(' ');
const GEN4 = words('1280:720 720:1280 1104:832 960:960 832:1104 1584:672');
const VEO = { ratios: words('1280:720 720:1280 1920:1080 1080:1920'), isNeeded: true } as const;
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

const same = (framing: Framing): Pick<VideoModel, 'text' | 'image'> => ({ text: framing, image: framing });
const seedance = (...ratios: string[]): VideoModel => ({
  ...same({ ratios }),
  maxPromptLength: 3500,
  isWordless: true,
  takesLast: true,
  references: 9,
  has: ['audio', 'seed'],
});
const SEEDANCE_SECONDS = { seconds: fullSeconds(4, 15) };

/** By the beginning of the name, the longer before the shorter; as @runwayml/sdk 4.20.1 types them. */
const MODELS: Readonly<Record<string, VideoModel>> = {
  'gen4.5': {
    text: { ratios: words('1280:720 720:1280'), isNeeded: true },
    image: { ratios: GEN4, isNeeded: true },
    seconds: fullSeconds(2, 10),
    maxPromptLength: 1000,
    has: ['seed'],
  },
  gen4_turbo: {
    image: { ratios: GEN4, isNeeded: true },
    seconds: fullSeconds(2, 10),
    maxPromptLength: 1000,
    isWordless: true,
    has: ['seed'],
  },
  'veo3.1': {
    ...same(VEO),
    seconds: [4, 6, 8],
    maxPromptLength: 1000,
    isWordless: true,
    takesLast: true,
    has: ['audio', 'negativePrompt', 'seed'],
  },
  seedance2_5: {
    ...seedance(...SEEDANCE_720.map((frame) => frame.replace('864', '854').replace('496', '480')), ...SEEDANCE_1080),
    maxPromptLength: 15_000,
    references: 30,
  },
  seedance2_fast: { ...seedance(...SEEDANCE_720), ...SEEDANCE_SECONDS },
  seedance2_mini: { ...seedance(...SEEDANCE_720), ...SEEDANCE_SECONDS },
  seedance2: { ...seedance(...SEEDANCE_720, ...SEEDANCE_1080, ...SEEDANCE_4K), ...SEEDANCE_SECONDS },
  hailuo3: { ...same({ ratios: [...SHAPES, '21:9'], resolutions: ['768p', '2k'] }), takesLast: true, references: 9 },
  h3_max: { ...same({ resolutions: ['480p', '768p'] }), takesLast: true, has: ['seed'] },
  happyhorse_1_0: {
    text: { ratios: HAPPYHORSE },
    image: { resolutions: ['720p', '1080p'] },
    seconds: fullSeconds(3, 15),
    maxPromptLength: 2500,
    isWordless: true,
  },
  'gemini_omni_flash_1.1': {
    ...same({ ratios: OMNI }),
    seconds: fullSeconds(3, 10),
    takesLast: true,
    references: Infinity,
  },
  gemini_omni_flash: {
    ...same({ ratios: words('1280:720 720:1280') }),
    seconds: fullSeconds(3, 10),
    isWordless: true,
  },
  grok_imagine_1_5: {
    text: { ratios: [...SHAPES, '3:2', '2:3'], resolutions: ['480p', '720p', '1080p'] },
    image: { resolutions: ['480p', '720p', '1080p'] },
    isWordless: true,
    references: Infinity,
  },
  wan3: {
    text: { ratios: WAN },
    image: { tiers: ['480p', '720p', '1080p'] },
    takesLast: true,
    references: 10,
    has: ['audio'],
  },
};

/** What is known of a model; nothing for a name that is not known. */
export function videoModelOf(name: string): VideoModel | undefined {
  return Object.entries(MODELS).find(([beginning]) => name.startsWith(beginning))?.[1];
}
