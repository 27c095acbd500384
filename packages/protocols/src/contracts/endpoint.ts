import type { DirectKind, ErrorCode } from '@sluice/canonical';
import type { z } from 'zod';
import type { BatchesProtocol } from './batches-protocol.ts';
import type { EncodeError } from './encode-error.ts';
import type { FilesProtocol, UploadsProtocol } from './files-protocol.ts';
import type { SpeechProtocol, TranscriptionProtocol } from './audio-protocol.ts';
import type { DirectProtocol } from './direct-protocol.ts';
import type { TextProtocol } from './text-protocol.ts';
import type { ImageProtocol, VideoLibraryProtocol, VideoProtocol } from './media-protocol.ts';
import type { VideoGroupsProtocol } from './video-groups-protocol.ts';
import type { WebhooksProtocol } from './webhooks-protocol.ts';

/** Where clients can send an API key, for the OpenAPI document. Every route accepts all of them. */
export type Credential = 'bearer' | 'x-api-key' | 'x-gen-api-key' | 'key-query';

/** Actions that every video protocol has. */
export type VideoAction = 'video.create' | 'video.retrieve';

export type VideoLibraryAction =
  | 'video.remix'
  | 'video.list'
  | 'video.delete'
  | 'video.cancel'
  | 'video.content'
  | 'video.events';

export type ImageAction = 'image.create' | 'image.retrieve' | 'image.content';

export type TextAction = 'text.generate' | 'text.count-tokens' | 'text.complete';

export type ResponsesAction =
  | 'responses.create'
  | 'responses.compact'
  | 'responses.count-tokens'
  | 'responses.retrieve'
  | 'responses.delete'
  | 'responses.cancel'
  | 'responses.input-items'
  | 'responses.socket';

export type ModelsAction = 'models.list' | 'models.retrieve';

export type DirectAction = `${DirectKind}.create`;

export type MediaSchema = z.ZodType | 'binary';

export interface EndpointResponse {
  description: string;
  /** Maps media types to schemas. */
  content?: Readonly<Record<string, MediaSchema>>;
}

/** A request header: its description, or also the values that the route accepts. */
export type DocumentedHeader =
  | string
  | { description: string; pattern?: RegExp; isRequired?: boolean; example?: string };

interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /**
   * Parameters are written as `:name` (e.g. `/v1/videos/:task_id`). If the last parameter can contain slashes, it is
   * written as `*name` (e.g. `/v1/models/*model`).
   */
  path: string;
  /** The text after a wildcard's last colon (e.g. `generateContent` in `/v1/models/x:generateContent`). */
  verb?: string;
  /** The query parameter that distinguishes routes with the same path (e.g. `Action=CVSync2AsyncSubmitTask`). */
  select?: { parameter: string; value: string };
  /** Must be unique across all endpoints. */
  operationId: string;
  summary: string;
  credentials: readonly Credential[];
  /** For the OpenAPI document only. The protocol's decoder validates the query. */
  query?: z.ZodObject;
  /** Request headers that affect the response, mapped to their descriptions. */
  headers?: Readonly<Record<string, DocumentedHeader>>;
  body?: {
    content: Readonly<Record<string, z.ZodType>>;
    /** Multipart fields that can hold files, without brackets. `image` also matches `image[]`. */
    fileFields: readonly string[];
    /** Whether the body contains no images, audio, or files. Its size is then limited to `JSON_BOUNDS.textBytes`. */
    isText?: true;
  };
  responses: Readonly<Record<number, EndpointResponse>>;
  /** Error codes that this route returns in addition to the codes that every route returns. */
  errors: readonly ErrorCode[];
  /** For the OpenAPI document, if the client's style selects the format of errors. */
  errorSchema?: z.ZodType;
}

export type VideoEndpoint = Route &
  ({ action: VideoAction; protocol: VideoProtocol } | { action: VideoLibraryAction; protocol: VideoLibraryProtocol });

export type ImageEndpoint = Route & { action: ImageAction; protocol: ImageProtocol };

export type AudioEndpoint = Route &
  (
    | { action: 'speech.create'; kind: 'speech'; protocol: SpeechProtocol }
    | { action: 'transcription.create' | 'translation.create'; kind: 'transcription'; protocol: TranscriptionProtocol }
  );

type JsonKind = Exclude<DirectKind, AudioEndpoint['kind']>;

export type DirectEndpoint =
  | { [K in JsonKind]: Route & { action: `${K}.create`; kind: K; protocol: DirectProtocol<K> } }[JsonKind]
  | AudioEndpoint;

export interface TextEndpoint extends Route {
  action: TextAction | ResponsesAction | ModelsAction;
  protocol: TextProtocol;
}

export type WebhookAction =
  | 'webhook.create'
  | 'webhook.list'
  | 'webhook.retrieve'
  | 'webhook.update'
  | 'webhook.delete'
  | 'webhook.rotate'
  | 'webhook.test'
  | 'webhook.retrieve-secret'
  | 'webhook.rotate-secret'
  | 'webhook.list-deliveries'
  | 'webhook.retrieve-delivery'
  | 'webhook.redeliver';

export type WebhookEndpoint = Route & { action: WebhookAction; protocol: WebhooksProtocol };

export type FileAction = 'file.create' | 'file.list' | 'file.retrieve' | 'file.content' | 'file.delete' | 'file.upload';

export type UploadAction = 'upload.create' | 'upload.add-part' | 'upload.complete' | 'upload.cancel';

export type FileEndpoint = Route & { action: FileAction; protocol: FilesProtocol };

export type UploadEndpoint = Route & { action: UploadAction; protocol: UploadsProtocol };

export type BatchAction =
  | 'batch.create'
  | 'batch.create-messages'
  | 'batch.create-generative'
  | 'batch.list'
  | 'batch.retrieve'
  | 'batch.change'
  | 'batch.cancel'
  | 'batch.delete'
  | 'batch.results';

export type GroupAction =
  | 'group.create'
  | 'group.list'
  | 'group.retrieve'
  | 'group.cancel'
  | 'group.retry'
  | 'group.delete';

export type GroupEndpoint = Route & { action: GroupAction; protocol: VideoGroupsProtocol };

export type BatchEndpoint = Route & { action: BatchAction; protocol: BatchesProtocol };

/** The HTTP part of a realtime protocol. The session itself is relayed. */
export interface RealtimeProtocol {
  name: string;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
}

export type RealtimeEndpoint = Route & { action: 'realtime.connect'; protocol: RealtimeProtocol };

/** Describes a route for the API process and the OpenAPI document. */
export type Endpoint =
  | VideoEndpoint
  | ImageEndpoint
  | TextEndpoint
  | DirectEndpoint
  | RealtimeEndpoint
  | WebhookEndpoint
  | FileEndpoint
  | UploadEndpoint
  | BatchEndpoint
  | GroupEndpoint;

export function defineEndpoints<const T extends readonly Endpoint[]>(endpoints: T): T {
  return endpoints;
}
