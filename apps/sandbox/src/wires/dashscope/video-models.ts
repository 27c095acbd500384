import { type Catalog, dashscopeVideo, findModel, fullSeconds } from '@sluice/vendors';
import { secondsOf } from '../media/catalog-model.ts';

export type VideoInputKind =
  | 'text'
  | 'image'
  /** First and last frame in separate fields. */
  | 'frames'
  | 'references'
  /** `input.media` with frames, a clip, and audio. */
  | 'frame-media'
  /** `input.media` with references and a first frame. */
  | 'reference-media'
  /** `input.media` with frames or references, or no media. */
  | 'any-media';

export interface VideoModel {
  /** Segment in the path `/services/aigc/{service}/video-synthesis`. */
  service: 'video-generation' | 'image2video';
  input: VideoInputKind;
  seconds: readonly number[];
  /** The frame is set by `size`, or by `resolution` with an optional `ratio`. */
  frame: { sizes: readonly string[] } | { tiers: readonly Tier[]; defaultTier: Tier; ratios: readonly string[] };
  own: readonly ('audio' | 'shot_type')[];
}

export type Tier = '480P' | '720P' | '1080P';

/** Pixels per tier for every ratio (DashScope docs, "Wan - image-to-video"). */
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
const SHOTS = ['audio', 'shot_type'] as const;

interface Own {
  input: VideoInputKind;
  own?: VideoModel['own'];
  seconds?: readonly number[];
  tiers?: readonly Tier[];
  /** If omitted, the default is the largest tier. */
  defaultTier?: Tier;
  ratios?: readonly string[];
}

/** Models by name prefix (DashScope docs, API references of Wan). */
const MODELS: Catalog<Own> = [
  [/^wan2\.6-t2v/, { input: 'text', own: SHOTS }],
  [/^wan2\.5-t2v/, { input: 'text', own: ['audio'] }],
  // Stricter than the catalog: no model of version 2.2 supports 720P.
  [/^wan2\.2-t2v/, { input: 'text', tiers: ['480P', '1080P'] }],
  [/^wanx?2\.1-t2v-(?:turbo|plus)/, { input: 'text' }],
  [/^wan2\.6-i2v/, { input: 'image', own: SHOTS }],
  [/^wan2\.5-i2v/, { input: 'image', own: ['audio'] }],
  // Stricter than the catalog: 1080P is not supported.
  [/^wan2\.2-i2v-flash/, { input: 'image', tiers: ['480P', '720P'] }],
  [/^wan2\.2-i2v-plus|^wanx?2\.1-i2v-(?:turbo|plus)/, { input: 'image' }],
  [/^wan2\.2-kf2v-flash/, { input: 'frames', defaultTier: '720P' }],
  [/^wanx?2\.1-kf2v-plus/, { input: 'frames' }],
  [/^wan2\.6-r2v/, { input: 'references', own: SHOTS }],
  [/^wan2\.7-t2v/, { input: 'text' }],
  [/^wan2\.7-i2v/, { input: 'frame-media' }],
  // Less strict than the catalog, which lists the durations for requests with a reference video.
  [/^wan2\.7-r2v/, { input: 'reference-media', seconds: fullSeconds(2, 15) }],
  // According to @ai-sdk/alibaba 2.0.58, the maximum duration is shorter than in the catalog. One of these models
  // accepts all inputs and has its own ratio and audio fields.
  [
    /^wan3\.0-video/,
    { input: 'any-media', own: ['audio'], seconds: fullSeconds(2, 15), ratios: ['adaptive', ...RATIOS] },
  ],
];

export function videoModelOf(name: string): VideoModel | undefined {
  const own = findModel(MODELS, name);
  if (own === undefined) return undefined;
  const model = dashscopeVideo(name);
  const tiers = own.tiers ?? model.tiers;
  const ratios = own.ratios ?? (model.frame === 'tier and ratio' ? RATIOS : []);
  return {
    service: model.path.startsWith('/image2video') ? 'image2video' : 'video-generation',
    input: own.input,
    seconds: own.seconds ?? secondsOf(model),
    frame:
      model.frame === 'size'
        ? { sizes: tiers.toReversed().flatMap((tier) => SIZES[tier]) }
        : { tiers, defaultTier: own.defaultTier ?? tiers.at(-1) ?? '720P', ratios },
    own: own.own ?? [],
  };
}
