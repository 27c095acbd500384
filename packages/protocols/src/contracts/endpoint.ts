import type { DirectKind, ErrorCode } from '@sluice/canonical';
import type { z } from 'zod';
import type { EncodeError } from './encode-error.ts';
import type { SpeechProtocol, TranscriptionProtocol } from './audio-protocol.ts';
import type { DirectProtocol } from './direct-protocol.ts';
import type { TextProtocol } from './text-protocol.ts';
import type { ImageProtocol, VideoLibraryProtocol, VideoProtocol } from './media-protocol.ts';
import type { WebhooksProtocol } from './webhooks-protocol.ts';

/** The places in which an API key may stand. Any of them is taken on any route; these are told in the documents. */
export type Credential = 'bearer' | 'x-api-key' | 'x-gen-api-key' | 'key-query';

/** What a route of any video protocol does; the API process has one function for each. */
export type VideoAction = 'video.create' | 'video.retrieve';

/** What only the protocol with the whole life of a video has. */
export type VideoLibraryAction =
  | 'video.remix'
  | 'video.list'
  | 'video.delete'
  | 'video.cancel'
  | 'video.content'
  | 'video.events';

/** What a route of an image protocol does. */
export type ImageAction = 'image.create' | 'image.retrieve' | 'image.content';

/** What a text route does. */
export type TextAction = 'text.generate' | 'text.count-tokens' | 'text.compact' | 'text.complete';

/** What a route to a kept answer does. */
export type ResponsesAction =
  | 'responses.retrieve'
  | 'responses.delete'
  | 'responses.cancel'
  | 'responses.input-items'
  | 'responses.socket';

/** What a route to the catalog does. */
export type ModelsAction = 'models.list' | 'models.retrieve';

/** What a route of a direct protocol does, by what is wished for. */
export type DirectAction = `${DirectKind}.create`;

/** A body in one media type; `binary` are bytes without a schema. */
export type MediaSchema = z.ZodType | 'binary';

/** One success answer of a route. */
export interface EndpointResponse {
  description: string;
  /** Media type → schema; absent: no body. */
  content?: Readonly<Record<string, MediaSchema>>;
}

interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /**
   * With `:name` for a parameter, as in `/v1/videos/:task_id`. A parameter at the end that may hold slashes is written
   * `*name`, as in `/v1/models/*model`.
   */
  path: string;
  /** What follows the last colon of the path's wildcard, as `generateContent` in `/v1/models/x:generateContent`. */
  verb?: string;
  /** The query parameter that tells this route from others of its path, as `Action=CVSync2AsyncSubmitTask`. */
  select?: { parameter: string; value: string };
  /** Unique over all routes; the `operationId` of the OpenAPI document. */
  operationId: string;
  summary: string;
  credentials: readonly Credential[];
  /** Schema of the query string, for the documents; the protocol's decoder is what checks it. */
  query?: z.ZodObject;
  /** Request headers that change what happens: name → what it does. */
  headers?: Readonly<Record<string, string>>;
  body?: {
    /** Media type → schema of the accepted bodies. */
    content: Readonly<Record<string, z.ZodType>>;
    /** Names of multipart fields that may carry files, without brackets: `image` stands for `image[]` as well. */
    fileFields: readonly string[];
  };
  /** Status → answer. */
  responses: Readonly<Record<number, EndpointResponse>>;
  /** Codes that this route can answer with, beyond those of every route. */
  errors: readonly ErrorCode[];
}

/** A route of a video protocol. */
export type VideoEndpoint = Route &
  (
    | { action: VideoAction; /** How the protocol spells requests, answers and errors. */ protocol: VideoProtocol }
    | { action: VideoLibraryAction; protocol: VideoLibraryProtocol }
  );

/** A route of an image protocol. */
export type ImageEndpoint = Route & { action: ImageAction; protocol: ImageProtocol };

/** A route of sound. */
export type AudioEndpoint = Route &
  (
    | { action: 'speech.create'; kind: 'speech'; protocol: SpeechProtocol }
    | { action: 'transcription.create' | 'translation.create'; kind: 'transcription'; protocol: TranscriptionProtocol }
  );

/** What is wished for and given in JSON. */
type JsonKind = Exclude<DirectKind, AudioEndpoint['kind']>;

/** A route whose answer is one call of an upstream away. */
export type DirectEndpoint =
  | { [K in JsonKind]: Route & { action: `${K}.create`; kind: K; protocol: DirectProtocol<K> } }[JsonKind]
  | AudioEndpoint;

/** A route of a text protocol. */
export interface TextEndpoint extends Route {
  action: TextAction | ResponsesAction | ModelsAction;
  protocol: TextProtocol;
}

/** What a route of webhooks does. */
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

/** A route of webhooks. */
export type WebhookEndpoint = Route & { action: WebhookAction; protocol: WebhooksProtocol };

/** How clients spell what precedes a realtime session; the session itself is relayed. */
export interface RealtimeProtocol {
  name: string;
  encodeError: EncodeError;
  errorSchema: z.ZodType;
}

/** A route that opens a web socket. */
export type RealtimeEndpoint = Route & { action: 'realtime.connect'; protocol: RealtimeProtocol };

/** One route as data: what the API process registers and what the OpenAPI document tells. */
export type Endpoint =
  | VideoEndpoint
  | ImageEndpoint
  | TextEndpoint
  | DirectEndpoint
  | RealtimeEndpoint
  | WebhookEndpoint;

/** Identity, for the types. */
export function defineEndpoints<const T extends readonly Endpoint[]>(endpoints: T): T {
  return endpoints;
}
