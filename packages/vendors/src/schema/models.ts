import type { ImageRole, MediaField } from '@sluice/canonical';

export type ImageCounts = Readonly<Partial<Record<ImageRole, number>>>;

/** Limits on images in a request. If a field is absent, there is no limit. */
export interface ImageLimits {
  /** Media types, e.g. `image/jpeg`. */
  mediaTypes?: readonly string[];
  /** Maximum size of one image in bytes, before base64. */
  maxBytes?: number;
  /** Maximum total size of all images in bytes, before base64. */
  maxTogether?: number;
}

export interface FrameLimits {
  area: { min: number; max: number };
  /** Maximum ratio of the longer side to the shorter. */
  maxRatio: number;
  /** Length of each side. If absent, only the other fields limit the length. */
  side?: { min: number; max: number };
  /** The sides of a computed frame are multiples of this number. */
  step: number;
  /** Whether the sides of a requested frame must be multiples as well. */
  isStepRequired?: true;
}

export type OptionalField = Extract<
  MediaField,
  'negativePrompt' | 'seed' | 'fps' | 'audio' | 'watermark' | 'promptExtend' | 'quality' | 'background' | 'outputFormat'
>;

export interface MediaModel {
  /** Maximum length in characters. If absent, there is no limit. */
  maxPrompt?: number;
  maxNegativePrompt?: number;
  /** When the prompt is optional: with any image, with a first or last frame, or always. If absent, it is required. */
  optionalPrompt?: 'image' | 'frame' | 'always';
  /** Maximum number of images per role. Absent roles are not supported. */
  images: ImageCounts;
  imageFiles?: ImageLimits;
  needs?: readonly ImageRole[];
  /** Optional fields that the API supports. All other optional fields are dropped. */
  optionalFields: readonly OptionalField[];
}

export interface VideoModel extends MediaModel {
  /** Whether an image is required, in any role. */
  needsImage?: true;
  /** Whether a request may contain both references and frames. */
  allowsMixedImages?: true;
  /** Whether a last frame is allowed without a first frame. */
  allowsLastFrameAlone?: true;
  /** Fields with a fixed value. A request may set this value, but the field is not sent. */
  fixed?: Readonly<Partial<Record<'audio' | 'watermark' | 'promptExtend', boolean>>>;
  /**
   * Supported durations. If absent, they are unknown, and any full number is sent. With `any`, the duration is sent
   * unchanged. An empty list means that the API has no such field.
   */
  seconds?: readonly number[] | 'any';
  /** Default duration. If absent, the API chooses it. */
  defaultSeconds?: number;
  /**
   * Aspect ratios, e.g. `16:9`. If absent, they are unknown, and any ratio is sent. An empty list means that the API
   * has no such field.
   */
  aspectRatios?: readonly string[];
  /** Whether a first or last frame determines the aspect ratio. */
  imageSetsAspectRatio?: true;
  /**
   * Resolutions (e.g. `720p`), or an object that maps them to durations. If absent, they are unknown, and any
   * resolution is sent. An empty list means that the API has no such field.
   */
  resolutions?: readonly string[] | Readonly<Record<string, readonly number[]>>;
  /** Supported frames in pixels (`1280:720` or `1280x720`). They replace aspect ratios and resolutions. */
  frames?: readonly string[];
  /** Values that override this model's fields if the request has an image in the given role. */
  when?: Readonly<Partial<Record<ImageRole, Partial<VideoModel>>>>;
}

export interface ImageModel extends MediaModel {
  /** Maximum number of images per call. If absent, there is no limit. */
  max?: number;
  aspectRatios?: readonly string[];
}

/** Models by name prefix or pattern. The first match applies. */
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
  maxRatio: Number.POSITIVE_INFINITY,
  step: 16,
};

/** Volcengine and MiniMax docs: 30 MB per image and 64 MB per body, of which base64 leaves three quarters. */
export const CONTENT_BYTES = { maxBytes: megabytes(30), maxTogether: megabytes(45) } as const;
export const UP_TO_1080 = ['480p', '720p', '1080p'];
