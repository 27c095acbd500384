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

/** An uploaded file that already lies in the content store. */
export interface StoredFile {
  /** The form field that it came in, e.g. `image[]`. */
  field: string;
  /** Its key in the content store. */
  key: string;
  /** Found by the first bytes, e.g. `image/png`. */
  mediaType: string;
  filename: string;
  bytes: number;
}

/** A request body as it was read: JSON, or the fields of a multipart body and its files. */
export interface MediaForm {
  /** An object by multipart field name or JSON key; whatever else a JSON body may be is refused by the decoder. */
  fields: unknown;
  /** In the order of arrival. */
  files: readonly StoredFile[];
}

/** A picture that came inside the request's text; its bytes are still to be stored. */
export interface InlineImage {
  role: ImageRole;
  /** As the client says, e.g. `image/png`; absent for bare base64. */
  mediaType?: string;
  /** Base64 without blanks. */
  base64: string;
  /** The field it came in, for errors. */
  param: string;
}

/** A wish without its pictures, and these in the client's order: stored files, URLs, and bytes still to be stored. */
export interface DecodedMedia<R> {
  /** Absent: the operator's default. */
  model?: string;
  request: Omit<R, 'images'>;
  images: (InputImage | InlineImage)[];
  /** The client's own name for the task, unique among its tasks. */
  externalId?: string;
  /** The client's server that wants to be told of the end of the task. */
  callbackUrl?: string;
  /**
   * What is left out whatever the upstream can do, as the client spells it, e.g. `notify_url`: to be told in
   * `x-sluice-dropped`, and refused under strict mode. At most 16 names of printable ASCII.
   */
  dropped?: string[];
}

/**
 * A wish for images whose client may have left open how it gets them: that depends on the model, which only the catalog
 * knows. `deliveryOf` tells it then.
 */
export type ImageParams = Omit<ImageRequest, 'delivery'> & Partial<Pick<ImageRequest, 'delivery'>>;

/** A page of an owner's tasks as asked for. */
export interface DecodedListing {
  after?: string;
  /** 1–100 */
  limit: number;
  order: 'asc' | 'desc';
}

/** What an answer tells beside the task. */
export interface TaskView {
  /** Where the finished file can be fetched from this gateway. */
  contentUrl: string;
  /** Names this very call, as in `x-request-id`. */
  requestId: string;
  /** Since the call came in. */
  elapsedMs: number;
}

/** How a protocol spells the parts of a wish and the model, for what is refused or lost; those that it cannot say are left out. */
export type FieldNames = Readonly<Partial<Record<MediaField | 'model', string>>>;

interface MediaProtocol {
  name: string;
  fieldNames: FieldNames;
  /** Checks the query string of any call, before its body is read; absent: there is nothing to check. @throws GatewayError */
  checkQuery?: (query: unknown) => void;
  encodeError: EncodeError;
  /** Schema of an error body, for the documents. */
  errorSchema: z.ZodType;
}

/** How a protocol spells videos. Decoders throw `GatewayError('invalid_request')` naming the field. */
export interface VideoProtocol extends MediaProtocol {
  decodeVideo: (form: MediaForm) => DecodedMedia<VideoRequest>;
  /** What a creation is answered with. */
  encodeCreated: (task: MediaTask, view: TaskView) => unknown;
  /** What a retrieval is answered with. */
  encodeVideo: (task: MediaTask, view: TaskView) => unknown;
  /** The HTTP status of a retrieval; absent: always 200. */
  statusOf?: (task: MediaTask) => number;
  /** The HTTP status of an error; absent: the error's own. */
  statusOfError?: (error: Pick<GatewayError, 'code' | 'status'>) => number;
  /** What a retrieval of no task is answered with, under 200; absent: the error `video_not_found`. */
  encodeMissing?: (view: Omit<TaskView, 'contentUrl'>) => unknown;
  /** How a task's callback is spelled; absent: as an event of webhooks. */
  callbackShape?: CallbackShape;
  /** Whether a retrieval may name the task as its client did. */
  takesExternalIds?: boolean;
  /** Finds the task's id in a body; absent: the path holds it as `task_id`. */
  decodeTaskId?: (fields: unknown) => string;
}

/** A video protocol with the whole life of a video, which others leave to it. */
export interface VideoLibraryProtocol extends VideoProtocol {
  decodeRemix: (fields: unknown) => { prompt: string; callbackUrl?: string };
  decodeListing: (query: unknown) => DecodedListing;
  encodePage: (tasks: readonly MediaTask[], hasMore: boolean, viewOf: (task: MediaTask) => TaskView) => unknown;
  encodeDeleted: (id: string) => unknown;
  /** Reads the revision after which a client's stream of events goes on; 0 is its beginning. */
  decodeFollowing: (query: unknown, lastEventId: string | undefined) => number;
  /** One event of that stream. @param revision its id */
  encodeEvent: (revision: number, task: MediaTask, view: TaskView) => string;
}

/** One image as an answer carries it. */
export type ImageView = { url: string } | { b64_json: string };

/** What the answer with images tells beside the task. */
export interface ImagesView {
  /** The images that were made, by their index in the task's outputs. */
  images: ReadonlyMap<number, ImageView>;
}

/** How a protocol spells images. Decoders throw `GatewayError('invalid_request')` naming the field. */
export interface ImageProtocol extends MediaProtocol {
  decodeImage: (form: MediaForm) => DecodedMedia<ImageParams>;
  /** A completed task. */
  encodeImages: (task: MediaTask, view: ImagesView) => unknown;
  /** A task that has not completed, for clients that do not wait: `{id, object: "image.task", status}`. */
  encodeImageTask: (task: MediaTask) => unknown;
}
