import type { ImageRole, MediaField } from '@sluice/canonical';

export type ImageCounts = Readonly<Partial<Record<ImageRole, number>>>;

/** Limits of images inside the request. An absent limit does not apply. */
export interface ImageLimits {
  /** For example `image/jpeg`. */
  mediaTypes?: readonly string[];
  /** Bytes of one image, before base64. */
  maxBytes?: number;
  /** Bytes of all images together, before base64. */
  maxTogether?: number;
}

export interface FrameLimits {
  area: { min: number; max: number };
  /** Longer side divided by the shorter. */
  widest: number;
  /** Length of a side; absent: whatever the others allow. */
  side?: { min: number; max: number };
  /** Sides of computed frames are multiples of this. */
  step: number;
}

export type OptionalField = Extract<
  MediaField,
  'negativePrompt' | 'seed' | 'fps' | 'audio' | 'watermark' | 'promptExtend' | 'quality' | 'background' | 'outputFormat'
>;

export interface MediaModel {
  /** Characters; absent: no limit. */
  maxPrompt?: number;
  maxNegativePrompt?: number;
  /** If the prompt is optional: with any image, with a first or last frame, or in any case. Absent: it is required. */
  promptless?: 'image' | 'frame' | 'always';
  /** Roles that are absent take no image. */
  images: ImageCounts;
  imageFiles?: ImageLimits;
  /** Required images. */
  needs?: readonly ImageRole[];
  /** Optional fields that the API has; others are dropped. */
  takes: readonly OptionalField[];
}

export interface VideoModel extends MediaModel {
  /** Whether an image of any role is required. */
  needsImage?: true;
  /** Whether references may be combined with frames. */
  mixes?: true;
  /** Whether a last frame may come without a first. */
  lastFrameAlone?: true;
  /** Fields with a fixed value: a request may set them to it, but nothing is sent. */
  fixed?: Readonly<Partial<Record<'audio' | 'watermark' | 'promptExtend', boolean>>>;
  /** Absent: unknown, any whole number is sent. `any`: sent as it is. Empty: there is no field. */
  seconds?: readonly number[] | 'any';
  /** The duration if the request has none; absent: the API decides. */
  usualSeconds?: number;
  /** Shapes such as `16:9`. Absent: unknown, any is sent. Empty: there is no field. */
  shapes?: readonly string[];
  /** Whether a first or last frame decides the shape. */
  shapedByImage?: true;
  /** Resolutions such as `720p`, or the durations of each. Absent: unknown, any is sent. Empty: there is no field. */
  resolutions?: readonly string[] | Readonly<Record<string, readonly number[]>>;
  /** The supported frames, in pixels (`1280:720` or `1280x720`), in place of shapes and resolutions. */
  frames?: readonly string[];
  /** Overrides for requests with an image of a role. */
  when?: Readonly<Partial<Record<ImageRole, Partial<VideoModel>>>>;
}

export interface ImageModel extends MediaModel {
  /** Max number of images of one call; absent: any. */
  max?: number;
  shapes?: readonly string[];
}

/** Models by the beginning of their names or by a pattern; the first that matches counts. */
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

/** Volcengine and MiniMax docs: an image up to 30 MB, a body up to 64 MB, of which base64 leaves three quarters. */
export const CONTENT_BYTES = { maxBytes: megabytes(30), maxTogether: megabytes(45) } as const;
export const UP_TO_1080 = ['480p', '720p', '1080p'];
