import { type Credential, defineEndpoints } from '../contracts/endpoint.ts';
import { creationResponse, DryRunQuerySchema } from '../media/cost-controls.ts';
import { encodeFlatTask, FlatTaskSchema } from '../media/flat-task.ts';
import { CREATION_ERRORS, CREATION_HEADERS } from '../errors/media-errors.ts';
import type { VideoProtocol } from '../contracts/media-protocol.ts';
import { VideoParamsFormSchema, VideoParamsSchema } from '../media/video-params-schema.ts';
import { decodeVideoParams, VIDEO_FIELD_NAMES, VIDEO_IMAGE_FIELDS } from '../media/video-params.ts';
import { encodeError } from './errors.ts';
import { encodeCreated } from './response.ts';
import { CreatedVideoSchema, ErrorSchema } from './schema.ts';

/** The generic video protocol of new-api and related gateways. */
export const videoGenerationsProtocol: VideoProtocol = {
  name: 'video-generations',
  fieldNames: { ...VIDEO_FIELD_NAMES, firstFrame: 'image' },
  decodeVideo: decodeVideoParams,
  encodeCreated,
  encodeVideo: encodeFlatTask,
  encodeError,
  errorSchema: ErrorSchema,
};

const credentials: readonly Credential[] = ['bearer'];
const shared = { credentials, protocol: videoGenerationsProtocol };

export const videoGenerationsEndpoints = defineEndpoints([
  {
    ...shared,
    method: 'POST',
    path: '/v1/video/generations',
    operationId: 'createVideoGeneration',
    summary: 'Create a video task (generic)',
    action: 'video.create',
    headers: CREATION_HEADERS,
    body: {
      content: { 'application/json': VideoParamsSchema, 'multipart/form-data': VideoParamsFormSchema },
      fileFields: VIDEO_IMAGE_FIELDS,
    },
    query: DryRunQuerySchema,
    responses: { 200: creationResponse('The stored task', CreatedVideoSchema) },
    errors: CREATION_ERRORS,
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/video/generations/:task_id',
    operationId: 'retrieveVideoGeneration',
    summary: 'Retrieve a video task (generic)',
    action: 'video.retrieve',
    responses: { 200: { description: 'The task', content: { 'application/json': FlatTaskSchema } } },
    errors: ['video_not_found', 'store_unavailable'],
  },
]);
