import { type Credential, defineEndpoints, type VideoEndpoint } from '../contracts/endpoint.ts';
import { CREATION_ERRORS, CREATION_HEADERS } from '../errors/media-errors.ts';
import type { VideoProtocol } from '../contracts/media-protocol.ts';
import { encodeError, statusOfError } from './errors.ts';
import { creationResponse, DryRunQuerySchema } from '../media/cost-controls.ts';
import { checkQuery, decodeSubmit, decodeTaskId } from './request.ts';
import { encodeCreated, encodeMissing, encodeVideo, statusOf } from './response.ts';
import { ErrorSchema, GetResultSchema, querySchema, ResultSchema, SubmitSchema, SubmittedSchema } from './schema.ts';

/** Jimeng's API: Volcengine's visual services, `CVSync2Async*` (its documentation and `@volcengine/openapi`). */
export const providerBProtocol: VideoProtocol = {
  name: 'provider-b',
  fieldNames: {
    model: 'req_key',
    prompt: 'prompt',
    seconds: 'frames',
    aspectRatio: 'aspect_ratio',
    seed: 'seed',
    metadata: 'metadata',
    firstFrame: 'image_urls',
    lastFrame: 'image_urls[1]',
    reference: 'image_urls',
  },
  checkQuery,
  decodeVideo: decodeSubmit,
  decodeTaskId,
  encodeCreated,
  encodeVideo,
  statusOf,
  statusOfError,
  encodeMissing,
  encodeError,
  errorSchema: ErrorSchema,
};

const SUBMIT = 'CVSync2AsyncSubmitTask';
const GET_RESULT = 'CVSync2AsyncGetResult';
const credentials: readonly Credential[] = ['bearer'];
const shared = { method: 'POST', credentials, protocol: providerBProtocol } as const;

/** The neutral path and the vendor's path, each also without its trailing slash, which many clients omit. */
const PATHS = [
  { path: '/provider-b/', name: '', summary: 'provider-b' },
  { path: '/provider-b', name: 'Unslashed', summary: 'provider-b' },
  { path: '/jimeng/', name: 'Jimeng', summary: 'Jimeng' },
  { path: '/jimeng', name: 'JimengUnslashed', summary: 'Jimeng' },
] as const;

export const providerBEndpoints = defineEndpoints(
  PATHS.flatMap(({ path, name, summary }): VideoEndpoint[] => [
    {
      ...shared,
      path,
      select: { parameter: 'Action', value: SUBMIT },
      operationId: `submit${name}VideoTask`,
      summary: `Submit a video task (${summary})`,
      action: 'video.create',
      query: querySchema(SUBMIT).extend(DryRunQuerySchema.shape),
      headers: CREATION_HEADERS,
      body: { content: { 'application/json': SubmitSchema }, fileFields: [] },
      responses: { 200: creationResponse('The stored task', SubmittedSchema) },
      errors: CREATION_ERRORS,
    },
    {
      ...shared,
      path,
      select: { parameter: 'Action', value: GET_RESULT },
      operationId: `get${name}VideoResult`,
      summary: `Retrieve a video task (${summary}); 400 if it failed, 200 if it does not exist`,
      action: 'video.retrieve',
      query: querySchema(GET_RESULT),
      body: { content: { 'application/json': GetResultSchema }, fileFields: [] },
      responses: { 200: { description: 'The task', content: { 'application/json': ResultSchema } } },
      errors: ['invalid_request', 'payload_too_large', 'unsupported_media_type', 'store_unavailable'],
    },
  ]),
);
