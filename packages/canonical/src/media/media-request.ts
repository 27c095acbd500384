/** Where the bytes of an input picture are. Bytes themselves never travel in a request or a task record. */
export type MediaSource =
  | {
      /** A blob that was streamed to the content store when the request came in. */
      kind: 'stored';
      /** Its key in the content store. */
      key: string;
      /** As told by the client, checked against the first bytes; e.g. `image/png`. */
      mediaType: string;
      filename: string;
      bytes: number;
    }
  | {
      /** A URL that came from a client: only the guarded download may fetch it. */
      kind: 'url';
      url: string;
    };

/**
 * What a picture is for. `first_frame` is also a lone picture whose use the client's protocol leaves open; `mask` tells
 * where an image is to be edited.
 */
export type ImageRole = 'first_frame' | 'last_frame' | 'reference' | 'mask';

/** One picture that goes into what is made. */
export interface InputImage {
  role: ImageRole;
  source: MediaSource;
}

/** What a task makes. */
export type MediaKind = 'video' | 'image';

/** The wish for a video, in no vendor's words. What a client left out is absent. */
export interface VideoRequest {
  kind: 'video';
  prompt?: string;
  negativePrompt?: string;
  /** Wanted duration in seconds, a positive decimal as text, e.g. `"4"`. */
  seconds?: string;
  /** Wanted frame size as `WIDTHxHEIGHT` in pixels. */
  size?: string;
  /** Wanted shape of the frame as `W:H`, e.g. `16:9`, from clients that name no size. */
  aspectRatio?: string;
  /** Wanted height as `480p`, `720p`, `1080p` or `4k`, from clients that name no size. */
  resolution?: string;
  fps?: number;
  seed?: number;
  /** Whether sound is to be made. */
  audio?: boolean;
  /** Whether the vendor is to mark the result visibly as made by a model. */
  watermark?: boolean;
  /** Whether the vendor may rewrite the prompt. */
  promptExtend?: boolean;
  images: InputImage[];
  /** Another task's video, at the upstream that made it, which this one is a variation of. */
  remix?: { taskId: string; upstreamId: string };
  /** Vendor options that the client's protocol has no field for; passed through to upstreams that know them. */
  metadata?: Record<string, unknown>;
}

/** The wish for one or more images, in no vendor's words. What a client left out is absent. */
export interface ImageRequest {
  kind: 'image';
  prompt?: string;
  negativePrompt?: string;
  /** How many images; absent: one. */
  n?: number;
  /** Wanted size as `WIDTHxHEIGHT` in pixels. */
  size?: string;
  /** Wanted shape as `W:H`, from clients that name no size. */
  aspectRatio?: string;
  seed?: number;
  /** e.g. `low`, `medium`, `high`, `hd`: words of the model's own. */
  quality?: string;
  background?: string;
  outputFormat?: 'png' | 'jpeg' | 'webp';
  watermark?: boolean;
  promptExtend?: boolean;
  /** Pictures to be edited or followed (`reference`), and at most one `mask`. */
  images: InputImage[];
  metadata?: Record<string, unknown>;
  /** How the client wants the images: as URLs of this gateway, or their bytes in the answer. No upstream is told. */
  delivery: 'url' | 'b64_json';
}

/** What a media task makes and how. */
export type MediaRequest = VideoRequest | ImageRequest;

/** A part of a wish, by its canonical name; a protocol has its own spelling for each that it can say. */
export type MediaField =
  | Exclude<keyof VideoRequest | keyof ImageRequest, 'kind' | 'images' | 'delivery'>
  | 'firstFrame'
  | 'lastFrame'
  | 'reference'
  | 'mask';

/**
 * Something of a wish that an upstream does otherwise. `dropped`: left out. `clamped`: moved into the model's range.
 * `replaced`: said in another way, such as a shape instead of a size.
 */
export interface MediaLoss {
  field: MediaField;
  how: 'dropped' | 'clamped' | 'replaced';
}

/** Where an upstream tells what of a wish is lost. */
export type MediaLossReport = (loss: MediaLoss) => void;

/** An upstream cannot do what was wished, and leaving it out would make something else. */
export class UnsupportedParamsError extends Error {
  readonly field: MediaField;
  /** What is wrong with the field, to be read after its name: `must be 5 or 10 seconds`. May be shown to clients. */
  readonly what: string;

  constructor(field: MediaField, what: string) {
    super(`${field} ${what}`);
    this.name = 'UnsupportedWishError';
    this.field = field;
    this.what = what;
  }
}

/** The field that a picture of this role stands for. */
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
