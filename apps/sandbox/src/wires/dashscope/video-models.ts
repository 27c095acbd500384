export type VideoInputKind =
  | 'text'
  | 'image'
  /** First and last frame, in separate fields. */
  | 'frames'
  | 'references'
  /** `input.media` of frames, a clip, and audio. */
  | 'frame-media'
  /** `input.media` of references and a first frame. */
  | 'reference-media'
  /** `input.media` of either, or none. */
  | 'any-media';

export interface VideoModel {
  /** Path segment: `/services/aigc/{service}/video-synthesis`. */
  service: 'video-generation' | 'image2video';
  input: VideoInputKind;
  seconds: readonly number[];
  /** By `size`, or by `resolution` and optionally `ratio`. */
  frame: { sizes: readonly string[] } | { tiers: readonly Tier[]; usual: Tier; ratios: readonly string[] };
  own: readonly ('audio' | 'shot_type')[];
}

export type Tier = '480P' | '720P' | '1080P';

/** Pixels per tier, whatever the ratio (DashScope docs, "Wan - image-to-video"). */
export const TIER_PIXELS: Readonly<Record<Tier, number>> = {
  '480P': 832 * 480,
  '720P': 1280 * 720,
  '1080P': 1920 * 1080,
};

const SIZES: Readonly<Record<Tier, readonly string[]>> = {
  '480P': ['832*480', '480*832', '624*624'],
  '720P': ['1280*720', '720*1280', '960*960', '1088*832', '832*1088'],
  '1080P': ['1920*1080', '1080*1920', '1440*1440', '1632*1248', '1248*1632'],
};
const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4'];

function upTo(min: number, max: number): number[] {
  return Array.from({ length: max - min + 1 }, (_, index) => min + index);
}

/** The default is the first size of the largest tier, which is named last. */
function bySize(...tiers: Tier[]): VideoModel['frame'] {
  return { sizes: tiers.toReversed().flatMap((tier) => SIZES[tier]) };
}

function byTier(usual: Tier, tiers: readonly Tier[], ratios: readonly string[] = []): VideoModel['frame'] {
  return { tiers, usual, ratios };
}

const text = { service: 'video-generation', input: 'text', own: [] } as const;
const image = { service: 'video-generation', input: 'image', own: [] } as const;
const frames = { service: 'image2video', input: 'frames', own: [] } as const;
const media = { service: 'video-generation', own: [] } as const;
const SHOTS = ['audio', 'shot_type'] as const;

/** By name prefix (DashScope docs, API references of Wan). */
const MODELS: readonly (readonly [beginning: RegExp, model: VideoModel])[] = [
  [/^wan2\.6-t2v/, { ...text, own: SHOTS, seconds: upTo(2, 15), frame: bySize('720P', '1080P') }],
  [/^wan2\.5-t2v/, { ...text, own: ['audio'], seconds: [5, 10], frame: bySize('480P', '720P', '1080P') }],
  [/^wan2\.2-t2v/, { ...text, seconds: [5], frame: bySize('480P', '1080P') }],
  [/^wanx?2\.1-t2v-turbo/, { ...text, seconds: [5], frame: bySize('480P', '720P') }],
  [/^wanx?2\.1-t2v-plus/, { ...text, seconds: [5], frame: bySize('720P') }],
  [/^wan2\.6-i2v/, { ...image, own: SHOTS, seconds: upTo(2, 15), frame: byTier('1080P', ['720P', '1080P']) }],
  [/^wan2\.5-i2v/, { ...image, own: ['audio'], seconds: [5, 10], frame: byTier('1080P', ['480P', '720P', '1080P']) }],
  [/^wan2\.2-i2v-flash/, { ...image, seconds: [5], frame: byTier('720P', ['480P', '720P']) }],
  [/^wan2\.2-i2v-plus/, { ...image, seconds: [5], frame: byTier('1080P', ['480P', '1080P']) }],
  [/^wanx?2\.1-i2v-turbo/, { ...image, seconds: upTo(3, 5), frame: byTier('720P', ['480P', '720P']) }],
  [/^wanx?2\.1-i2v-plus/, { ...image, seconds: [5], frame: byTier('720P', ['720P']) }],
  [/^wan2\.2-kf2v-flash/, { ...frames, seconds: [5], frame: byTier('720P', ['480P', '720P', '1080P']) }],
  [/^wanx?2\.1-kf2v-plus/, { ...frames, seconds: [5], frame: byTier('720P', ['720P']) }],
  [/^wan2\.6-r2v/, { ...media, input: 'references', own: SHOTS, seconds: upTo(2, 10), frame: bySize('720P', '1080P') }],
  [/^wan2\.7-t2v/, { ...text, seconds: upTo(2, 15), frame: byTier('1080P', ['720P', '1080P'], RATIOS) }],
  [/^wan2\.7-i2v/, { ...media, input: 'frame-media', seconds: upTo(2, 15), frame: byTier('1080P', ['720P', '1080P']) }],
  [
    /^wan2\.7-r2v/,
    { ...media, input: 'reference-media', seconds: upTo(2, 15), frame: byTier('1080P', ['720P', '1080P'], RATIOS) },
  ],
  [
    // @ai-sdk/alibaba 2.0.58: one name for all inputs, with its own tier, ratio, and audio switch.
    /^wan3\.0-video/,
    {
      ...media,
      input: 'any-media',
      own: ['audio'],
      seconds: upTo(2, 15),
      frame: byTier('1080P', ['480P', '720P', '1080P'], ['adaptive', ...RATIOS]),
    },
  ],
];

export function videoModelOf(name: string): VideoModel | undefined {
  return MODELS.find(([beginning]) => beginning.test(name))?.[1];
}
