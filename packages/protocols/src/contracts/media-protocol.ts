import type {
  CallbackShape,
  GatewayError,
  ImageRequest,
  ImageRole,
  InputImage,
  MediaField,
  MediaTask,
  PublicStatus,
  VideoRequest,
} from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';

export interface StoredFile {
  field: string;
  key: string;
  /** Detected from the first bytes (e.g. `image/png`). */
  mediaType: string;
  filename: string;
  bytes: number;
  /** Hexadecimal SHA-256 of the content. */
  sha256: string;
}

/** A request body: either JSON, or the fields and files of a multipart form. */
export interface MediaForm {
  /** Any JSON value; the decoder requires an object. */
  fields: unknown;
  files: readonly StoredFile[];
}

/** An image inside the request body. Its bytes are not stored yet. */
export interface InlineImage {
  role: ImageRole;
  /** The media type that the client sent (e.g. `image/png`). Omitted for base64 without a data URL. */
  mediaType?: string;
  /** Base64 without whitespace. */
  base64: string;
  param: string;
}

/** An image that the client has uploaded to the gateway as a file. */
export interface FileImage {
  role: ImageRole;
  fileId: string;
  param: string;
}

export type RequestImage = InputImage | InlineImage | FileImage;

export interface DecodedMedia<R> {
  /** If omitted, the operator's default model applies. */
  model?: string;
  request: Omit<R, 'images'>;
  images: RequestImage[];
  /** The client's own task id, unique among the client's tasks. */
  externalId?: string;
  callbackUrl?: string;
  /**
   * Fields that no upstream receives (e.g. `notify_url`). They are listed in `x-sluice-dropped` and rejected in strict
   * mode. At most 16 names of printable ASCII characters.
   */
  dropped?: string[];
}

/** An image request. If `delivery` is omitted, `deliveryOf` derives it from the model. */
export type ImageParams = Omit<ImageRequest, 'delivery'> & Partial<Pick<ImageRequest, 'delivery'>>;

export interface DecodedListing {
  after?: string;
  limit: number;
  order: 'asc' | 'desc';
  status?: PublicStatus;
  user?: string;
  labels?: Readonly<Record<string, string>>;
}

export interface TaskView {
  contentUrl: string;
  /** The HTTP request's id, as in `x-request-id`. */
  requestId: string;
  elapsedMs: number;
}

/** The protocol's names for request fields, used in errors and losses. */
export type FieldNames = Readonly<Partial<Record<MediaField | 'model', string>>>;

interface MediaProtocol {
  name: string;
  fieldNames: FieldNames;
  /** Validates the query string before the body is read. @throws GatewayError */
  checkQuery?: (query: unknown) => void;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
}

/** A video protocol. Decoders throw `GatewayError('invalid_request')` with the field's name. */
export interface VideoProtocol extends MediaProtocol {
  decodeVideo: (form: MediaForm) => DecodedMedia<VideoRequest>;
  encodeCreated: (task: MediaTask, view: TaskView) => unknown;
  encodeVideo: (task: MediaTask, view: TaskView) => unknown;
  /** Returns the HTTP status of a retrieval. If omitted, the status is 200. */
  statusOf?: (task: MediaTask) => number;
  /** Returns the HTTP status of an error. If omitted, the error's own status applies. */
  statusOfError?: (error: Pick<GatewayError, 'code' | 'status'>) => number;
  /** Encodes the response to an unknown task, sent with status 200. If omitted, the error is `video_not_found`. */
  encodeMissing?: (view: Omit<TaskView, 'contentUrl'>) => unknown;
  /** The format of task callbacks. If omitted, callbacks are webhook events. */
  callbackShape?: CallbackShape;
  /** Whether retrievals accept the client's own task id. */
  acceptsExternalIds?: boolean;
  /** Reads the task id from a request body. If omitted, the path's `task_id` applies. */
  decodeTaskId?: (fields: unknown) => string;
}

/** The video protocol that also lists, deletes, cancels, and remixes videos, and streams their events. */
export interface VideoLibraryProtocol extends VideoProtocol {
  decodeRemix: (fields: unknown) => { prompt: string; callbackUrl?: string };
  decodeListing: (query: unknown) => DecodedListing;
  /** @param next the `after` of the next page; undefined on the last page */
  encodePage: (tasks: readonly MediaTask[], next: string | undefined, viewOf: (task: MediaTask) => TaskView) => unknown;
  encodeDeleted: (id: string) => unknown;
  /** Decodes the revision after which an event stream resumes. 0 means from the beginning. */
  decodeFollowing: (query: unknown, lastEventId: string | undefined) => number;
  /** Encodes a task event. @param revision the event's id */
  encodeEvent: (revision: number, task: MediaTask, view: TaskView) => string;
}

export type ImageView = { url: string } | { b64_json: string };

export interface ImagesView {
  images: ReadonlyMap<number, ImageView>;
}

/** An image protocol. Decoders throw `GatewayError('invalid_request')` with the field's name. */
export interface ImageProtocol extends MediaProtocol {
  decodeImage: (form: MediaForm) => DecodedMedia<ImageParams>;
  encodeImages: (task: MediaTask, view: ImagesView) => unknown;
  /** Encodes an unfinished task for clients that do not wait: `{id, object: "image.task", status}`. */
  encodeImageTask: (task: MediaTask) => unknown;
}
