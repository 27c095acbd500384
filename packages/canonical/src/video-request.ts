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

/** What a picture is for. */
export type ImageRole = 'first_frame' | 'last_frame' | 'reference';

/** One picture that goes into a video. */
export interface InputImage {
  role: ImageRole;
  source: MediaSource;
}

/** The wish for a video, in no vendor's words. What a client left out is absent. */
export interface VideoRequest {
  prompt?: string;
  negativePrompt?: string;
  /** Wanted duration in seconds, a positive decimal as text, e.g. `"4"`. */
  seconds?: string;
  /** Wanted frame size as `WIDTHxHEIGHT` in pixels. */
  size?: string;
  seed?: number;
  images: InputImage[];
  /** Vendor options that the client's protocol has no field for; passed through to upstreams that know them. */
  metadata?: Record<string, unknown>;
}
