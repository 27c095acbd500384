import { type Credential, defineEndpoints, type VideoEndpoint } from '../contracts/endpoint.ts';
import { CREATION_ERRORS, CREATION_HEADERS } from '../errors/media-errors.ts';
import type { FieldNames, VideoProtocol } from '../contracts/media-protocol.ts';
import { creationResponse, DryRunQuerySchema } from '../media/cost-controls.ts';
import { encodeError } from './errors.ts';
import { decodeImage2Video, decodeText2Video } from './request.ts';
import { encodeCreated, encodeVideo } from './response.ts';
import { CreatedTaskSchema, ErrorSchema, Image2VideoSchema, TaskSchema, Text2VideoSchema } from './schema.ts';

const FIELD_NAMES: FieldNames = {
  model: 'model_name',
  prompt: 'prompt',
  negativePrompt: 'negative_prompt',
  seconds: 'duration',
  aspectRatio: 'aspect_ratio',
  seed: 'seed',
  audio: 'sound',
  watermark: 'watermark_info',
  metadata: 'metadata',
  firstFrame: 'image',
  lastFrame: 'image_tail',
};

const text2VideoProtocol: VideoProtocol = {
  name: 'provider-a',
  fieldNames: FIELD_NAMES,
  acceptsExternalIds: true,
  callbackShape: 'provider-a',
  decodeVideo: decodeText2Video,
  encodeCreated,
  encodeVideo,
  encodeError,
  errorSchema: ErrorSchema,
};

/**
 * Kling's video API (its documentation and `@ai-sdk/klingai`). The two ways to create a video differ only in their
 * requests.
 */
export const providerAProtocols = {
  text2video: text2VideoProtocol,
  image2video: { ...text2VideoProtocol, decodeVideo: decodeImage2Video },
} as const satisfies Readonly<Record<string, VideoProtocol>>;

const credentials: readonly Credential[] = ['bearer'];
const CREATIONS = [
  { protocolName: 'text2video', name: 'Text2Video', source: 'from text', body: Text2VideoSchema },
  { protocolName: 'image2video', name: 'Image2Video', source: 'from images', body: Image2VideoSchema },
] as const;
/** The neutral path prefix and the vendor's, which published clients hard-code. */
const PREFIXES = [
  { prefix: '/provider-a', name: '', summary: 'provider-a' },
  { prefix: '/kling', name: 'Kling', summary: 'Kling' },
] as const;

export const providerAEndpoints = defineEndpoints(
  PREFIXES.flatMap((prefix) =>
    CREATIONS.flatMap(({ protocolName, name, source, body }): VideoEndpoint[] => {
      const path = `${prefix.prefix}/v1/videos/${protocolName}`;
      const protocol = providerAProtocols[protocolName];
      return [
        {
          method: 'POST',
          path,
          operationId: `create${prefix.name}${name}`,
          summary: `Create a video ${source} (${prefix.summary})`,
          action: 'video.create',
          credentials,
          protocol,
          headers: CREATION_HEADERS,
          body: { content: { 'application/json': body }, fileFields: [] },
          query: DryRunQuerySchema,
          responses: { 200: creationResponse('The stored task', CreatedTaskSchema) },
          errors: CREATION_ERRORS,
        },
        {
          method: 'GET',
          path: `${path}/:task_id`,
          operationId: `retrieve${prefix.name}${name}`,
          summary: `Retrieve a video created ${source} (${prefix.summary}), by its id or its external_task_id`,
          action: 'video.retrieve',
          credentials,
          protocol,
          responses: { 200: { description: 'The task', content: { 'application/json': TaskSchema } } },
          errors: ['video_not_found', 'store_unavailable'],
        },
      ];
    }),
  ),
);
