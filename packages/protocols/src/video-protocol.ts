import type { ImageRole, MediaTask, VideoRequest } from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './endpoint.ts';

/** An uploaded file that already lies in the content store. */
export interface StoredFile {
  /** Its key in the content store. */
  key: string;
  /** Found by the first bytes, e.g. `image/png`. */
  mediaType: string;
  filename: string;
  bytes: number;
}

/** A request body as it was read: JSON, or the fields of a multipart body and its one file. */
export interface VideoForm {
  /** An object by multipart field name or JSON key; whatever else a JSON body may be is refused by the decoder. */
  fields: unknown;
  file?: StoredFile;
}

/** A picture that came inside the request's text; its bytes are still to be stored. */
export interface InlineImage {
  role: ImageRole;
  /** As the client says, e.g. `image/png`. */
  mediaType: string;
  /** Base64 without blanks. */
  base64: string;
  /** The field it came in, for errors. */
  param: string;
}

/** What a client asked for. */
export interface DecodedVideo {
  /** Absent: the operator's default. */
  model?: string;
  /** Its `images` are the stored file and the URLs; `inlineImages` are to be stored and added. */
  request: VideoRequest;
  inlineImages: InlineImage[];
}

/** A page of an owner's tasks as asked for. */
export interface DecodedListing {
  after?: string;
  /** 1–100 */
  limit: number;
  order: 'asc' | 'desc';
}

/** How a protocol spells videos. Decoders throw `GatewayError('invalid_request')` naming the field. */
export interface VideoProtocol {
  name: string;
  decodeVideo: (form: VideoForm) => DecodedVideo;
  decodeListing: (query: unknown) => DecodedListing;
  /** @param contentUrl where the finished file can be fetched from this gateway */
  encodeVideo: (task: MediaTask, contentUrl: string) => unknown;
  encodePage: (tasks: readonly MediaTask[], hasMore: boolean, contentUrl: (id: string) => string) => unknown;
  encodeDeleted: (id: string) => unknown;
  encodeError: EncodeError;
  /** Schema of an error body, for the documents. */
  errorSchema: z.ZodType;
}
