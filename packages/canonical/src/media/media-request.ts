export type MediaSource =
  | {
      kind: 'stored';
      key: string;
      /** Media type, verified against the file's magic bytes. */
      mediaType: string;
      filename: string;
      bytes: number;
      /** Hexadecimal SHA-256 of the content. Absent if the image is not stored yet, or if an earlier version stored it. */
      sha256?: string;
    }
  | {
      /** A URL from a client. Only the SSRF-guarded download may fetch it. */
      kind: 'url';
      url: string;
    };

/**
 * How the image is used. A single image is a `first_frame` if the client's protocol does not declare its use. `mask`
 * marks the area to edit.
 */
export type ImageRole = 'first_frame' | 'last_frame' | 'reference' | 'mask';

export interface InputImage {
  role: ImageRole;
  source: MediaSource;
}

export type MediaKind = 'video' | 'image';

/** Fields that the client omitted are absent. */
export interface VideoRequest {
  kind: 'video';
  prompt?: string;
  negativePrompt?: string;
  /** A positive decimal as text (e.g. `"4"`). */
  seconds?: string;
  /** Size in pixels, as `WIDTHxHEIGHT`. */
  size?: string;
  /** Aspect ratio (e.g. `16:9`). Clients set it and `resolution` (e.g. `720p`) instead of a size. */
  aspectRatio?: string;
  resolution?: string;
  fps?: number;
  seed?: number;
  audio?: boolean;
  watermark?: boolean;
  promptExtend?: boolean;
  images: InputImage[];
  /** The video to remix and the id of its job at the upstream that generated it. */
  remix?: { taskId: string; upstreamId: string };
  /** Vendor options that have no field in the client's protocol. They are passed on to upstreams that support them. */
  metadata?: Record<string, unknown>;
}

export interface ImageRequest {
  kind: 'image';
  prompt?: string;
  negativePrompt?: string;
  n?: number;
  size?: string;
  aspectRatio?: string;
  seed?: number;
  /** The model's own value (e.g. `low`, `hd`). */
  quality?: string;
  background?: string;
  outputFormat?: 'png' | 'jpeg' | 'webp';
  watermark?: boolean;
  promptExtend?: boolean;
  /** Images to edit or to use as references, and at most one `mask`. */
  images: InputImage[];
  metadata?: Record<string, unknown>;
  /** Response format for the client. Not sent to upstreams. */
  delivery: 'url' | 'b64_json';
}

export type MediaRequest = VideoRequest | ImageRequest;

/** Canonical name of a request field. Each protocol maps it to its own name. */
export type MediaField =
  | Exclude<keyof VideoRequest | keyof ImageRequest, 'kind' | 'images' | 'delivery'>
  | 'firstFrame'
  | 'lastFrame'
  | 'reference'
  | 'mask';

/**
 * A request field that an upstream handles differently. `dropped`: omitted. `clamped`: moved into the model's range.
 * `replaced`: sent as a different field or value (e.g. an aspect ratio instead of a size).
 */
export interface MediaLoss {
  field: MediaField;
  how: 'dropped' | 'clamped' | 'replaced';
}

export type MediaLossReport = (loss: MediaLoss) => void;

/** The upstream does not support a field, and dropping it would change the result. */
export class UnsupportedParamsError extends Error {
  readonly field: MediaField;
  /** The problem, phrased to follow the field's name: `must be 5 or 10 seconds`. May be shown to clients. */
  readonly what: string;

  constructor(field: MediaField, what: string) {
    super(`${field} ${what}`);
    this.name = 'UnsupportedParamsError';
    this.field = field;
    this.what = what;
  }
}

export function fieldOfRole(role: ImageRole): MediaField {
  switch (role) {
    case 'first_frame':
      return 'firstFrame';
    case 'last_frame':
      return 'lastFrame';
    case 'reference':
      return 'reference';
    case 'mask':
      return 'mask';
  }
}
