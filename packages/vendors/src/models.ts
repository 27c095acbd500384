import type { ImageRole, MediaField } from '@sluice/canonical';

export type ImageCounts = Readonly<Partial<Record<ImageRole, number>>>;

/** Limits on images inside the request. An absent limit does not apply. */
export interface ImageLimits {
  /** For example `image/jpeg`. */
  mediaTypes?: readonly string[];
  /** Max size of one image in bytes, before base64. */
  maxBytes?: number;
  /** Max total size of all images in bytes, before base64. */
  maxTogether?: number;
}

export interface FrameLimits {
  area: { min: number; max: number };
  /** Max ratio of the longer side to the shorter. */
  widest: number;
  /** Length of each side. Absent: limited only by the other fields. */
  side?: { min: number; max: number };
  /** Computed frames have sides that are multiples of this. */
  step: number;
}

export type OptionalField = Extract<
  MediaField,
  'negativePrompt' | 'seed' | 'fps' | 'audio' | 'watermark' | 'promptExtend' | 'quality' | 'background' | 'outputFormat'
>;

export interface MediaModel {
  /** Max characters. Absent: no limit. */
  maxPrompt?: number;
  maxNegativePrompt?: number;
  /** When the prompt is optional: with any image, with a first or last frame, or always. Absent: it is required. */
  promptless?: 'image' | 'frame' | 'always';
  /** Max images per role. Absent roles are not supported. */
  images: ImageCounts;
  imageFiles?: ImageLimits;
  /** Roles that require an image. */
  needs?: readonly ImageRole[];
  /** Optional fields that the API supports. Others are dropped. */
  takes: readonly OptionalField[];
}

export interface VideoModel extends MediaModel {
  /** Whether an image of any role is required. */
  needsImage?: true;
  /** Whether references may be combined with frames. */
  mixes?: true;
  /** Whether a last frame may come without a first. */
  lastFrameAlone?: true;
  /** Fields with a fixed value. A request may set that value, but it is not sent. */
  fixed?: Readonly<Partial<Record<'audio' | 'watermark' | 'promptExtend', boolean>>>;
  /** Supported durations. Absent: unknown, any full number is sent. `any`: sent unchanged. Empty: no such field. */
  seconds?: readonly number[] | 'any';
  /** Default duration. Absent: the API decides. */
  usualSeconds?: number;
  /** Shapes such as `16:9`. Absent: unknown, any is sent. Empty: no such field. */
  shapes?: readonly string[];
  /** Whether a first or last frame sets the shape. */
  shapedByImage?: true;
  /** Resolutions such as `720p`, or their durations. Absent: unknown, any is sent. Empty: no such field. */
  resolutions?: readonly string[] | Readonly<Record<string, readonly number[]>>;
  /** Supported frames in pixels (`1280:720` or `1280x720`), instead of shapes and resolutions. */
  frames?: readonly string[];
  /** Overrides for requests with an image in the given role. */
  when?: Readonly<Partial<Record<ImageRole, Partial<VideoModel>>>>;
}

export interface ImageModel extends MediaModel {
  /** Max images per call. Absent: no limit. */
  max?: number;
  shapes?: readonly string[];
}

/** Models by name prefix or pattern. The first match wins. */
export type Catalog<M> = readonly (readonly [name: string | RegExp, model: M])[];

export function findModel<M>(catalog: Catalog<M>, name: string): M | undefined {
  return catalog.find(([key]) => (typeof key === 'string' ? name.startsWith(key) : key.test(name)))?.[1];
}

export function fullSeconds(min: number, max: number): number[] {
  return Array.from({ length: max - min + 1 }, (_, step) => min + step);
}

export function megabytes(count: number): number {
  return Math.floor(count * 1024 * 1024);
}

export const ANY_FRAME: FrameLimits = {
  area: { min: 1, max: Number.POSITIVE_INFINITY },
  widest: Number.POSITIVE_INFINITY,
  step: 16,
};

/** Volcengine and MiniMax docs: 30 MB per image and 64 MB per body, of which base64 leaves three quarters. */
export const CONTENT_BYTES = { maxBytes: megabytes(30), maxTogether: megabytes(45) } as const;
export const UP_TO_1080 = ['480p', '720p', '1080p'];
