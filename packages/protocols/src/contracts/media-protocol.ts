import type {
  CallbackShape,
  GatewayError,
  ImageRequest,
  ImageRole,
  InputImage,
  MediaField,
  MediaTask,
  VideoRequest,
} from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';

export interface StoredFile {
  field: string;
  key: string;
  /** Detected from the first bytes, such as `image/png`. */
  mediaType: string;
  filename: string;
  bytes: number;
}

/** A request body: JSON, or the fields and files of a multipart body. */
export interface MediaForm {
  /** Any JSON value; the decoder requires an object. */
  fields: unknown;
  files: readonly StoredFile[];
}

/** An image in the request's text; its bytes are not stored yet. */
export interface InlineImage {
  role: ImageRole;
  /** As sent by the client, such as `image/png`; absent for bare base64. */
  mediaType?: string;
  /** Base64 without whitespace. */
  base64: string;
  param: string;
}

export interface DecodedMedia<R> {
  /** Absent: the operator's default. */
  model?: string;
  request: Omit<R, 'images'>;
  images: (InputImage | InlineImage)[];
  /** The client's own id of the task, unique among its tasks. */
  externalId?: string;
  callbackUrl?: string;
  /**
   * Fields that no upstream receives, such as `notify_url`: reported in `x-sluice-dropped`, rejected in strict mode. At
   * most 16 names of printable ASCII.
   */
  dropped?: string[];
}

/** An image request. Without a delivery, `deliveryOf` chooses one by the model. */
export type ImageParams = Omit<ImageRequest, 'delivery'> & Partial<Pick<ImageRequest, 'delivery'>>;

export interface DecodedListing {
  after?: string;
  limit: number;
  order: 'asc' | 'desc';
}

export interface TaskView {
  contentUrl: string;
  /** The id of this call, as in `x-request-id`. */
  requestId: string;
  elapsedMs: number;
}

/** The protocol's names of request fields, for errors and losses. */
export type FieldNames = Readonly<Partial<Record<MediaField | 'model', string>>>;

interface MediaProtocol {
  name: string;
  fieldNames: FieldNames;
  /** Validates the query string before the body is read. @throws GatewayError */
  checkQuery?: (query: unknown) => void;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
}

/** A video protocol. Decoders throw `GatewayError('invalid_request')` naming the field. */
export interface VideoProtocol extends MediaProtocol {
  decodeVideo: (form: MediaForm) => DecodedMedia<VideoRequest>;
  encodeCreated: (task: MediaTask, view: TaskView) => unknown;
  encodeVideo: (task: MediaTask, view: TaskView) => unknown;
  /** The HTTP status of a retrieval; default 200. */
  statusOf?: (task: MediaTask) => number;
  /** The HTTP status of an error; default: the error's own. */
  statusOfError?: (error: Pick<GatewayError, 'code' | 'status'>) => number;
  /** Encodes the response for an unknown task with status 200; default: the error `video_not_found`. */
  encodeMissing?: (view: Omit<TaskView, 'contentUrl'>) => unknown;
  /** The format of a task's callback; default: a webhook event. */
  callbackShape?: CallbackShape;
  /** Whether a retrieval accepts the client's own id. */
  takesExternalIds?: boolean;
  /** Reads the task's id from a body; default: `task_id` of the path. */
  decodeTaskId?: (fields: unknown) => string;
}

/** The video protocol with listing, deletion, cancelation, remix, and events. */
export interface VideoLibraryProtocol extends VideoProtocol {
  decodeRemix: (fields: unknown) => { prompt: string; callbackUrl?: string };
  decodeListing: (query: unknown) => DecodedListing;
  encodePage: (tasks: readonly MediaTask[], hasMore: boolean, viewOf: (task: MediaTask) => TaskView) => unknown;
  encodeDeleted: (id: string) => unknown;
  /** Decodes the revision after which an event stream continues; 0 is the start. */
  decodeFollowing: (query: unknown, lastEventId: string | undefined) => number;
  /** Encodes an event. @param revision its id */
  encodeEvent: (revision: number, task: MediaTask, view: TaskView) => string;
}

export type ImageView = { url: string } | { b64_json: string };

export interface ImagesView {
  images: ReadonlyMap<number, ImageView>;
}

/** An image protocol. Decoders throw `GatewayError('invalid_request')` naming the field. */
export interface ImageProtocol extends MediaProtocol {
  decodeImage: (form: MediaForm) => DecodedMedia<ImageParams>;
  encodeImages: (task: MediaTask, view: ImagesView) => unknown;
  /** Encodes an unfinished task, for clients that do not wait: `{id, object: "image.task", status}`. */
  encodeImageTask: (task: MediaTask) => unknown;
}
