import { creationResponse, DryRunQuerySchema } from '../media/cost-controls.ts';
import { CONTENT_HEADERS } from '../media/content-route.ts';
import { defineEndpoints, type Credential } from '../contracts/endpoint.ts';
import { CREATION_ERRORS, CREATION_HEADERS } from '../errors/media-errors.ts';
import type { VideoLibraryProtocol } from '../contracts/media-protocol.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import { encodeVideoObject, VideoSchema } from '../media/video-object.ts';
import { VideoParamsFormSchema, VideoParamsSchema } from '../media/video-params-schema.ts';
import { decodeVideoParams, VIDEO_FIELD_NAMES, VIDEO_IMAGE_FIELDS } from '../media/video-params.ts';
import { decodeFollowing, decodeListing, decodeRemix } from './request.ts';
import { encodeDeleted, encodeEvent, encodePage } from './response.ts';
import {
  ContentQuerySchema,
  DeletedVideoSchema,
  FollowVideoSchema,
  ListVideosSchema,
  RemixVideoSchema,
  VideoPageSchema,
} from './schema.ts';

/** OpenAI's videos protocol (openai-node 6.49, `resources/videos`) with new-api's additional fields. */
export const videosProtocol: VideoLibraryProtocol = {
  name: 'videos',
  fieldNames: VIDEO_FIELD_NAMES,
  decodeVideo: decodeVideoParams,
  encodeCreated: encodeVideoObject,
  encodeVideo: encodeVideoObject,
  decodeRemix,
  decodeListing,
  encodePage,
  encodeDeleted,
  decodeFollowing,
  encodeEvent,
  encodeError: encodeOpenAiError,
  errorSchema: OpenAiErrorSchema,
};

const credentials: readonly Credential[] = ['bearer'];
const shared = { credentials, protocol: videosProtocol };
const video = { 'application/json': VideoSchema };

export const videosEndpoints = defineEndpoints([
  {
    ...shared,
    method: 'POST',
    path: '/v1/videos',
    operationId: 'createVideo',
    summary: 'Create a video task',
    action: 'video.create',
    headers: CREATION_HEADERS,
    body: {
      content: { 'multipart/form-data': VideoParamsFormSchema, 'application/json': VideoParamsSchema },
      fileFields: VIDEO_IMAGE_FIELDS,
    },
    query: DryRunQuerySchema,
    responses: { 200: creationResponse('The stored task', VideoSchema) },
    errors: CREATION_ERRORS,
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/videos',
    operationId: 'listVideos',
    summary: 'List the videos of this key',
    action: 'video.list',
    query: ListVideosSchema,
    responses: { 200: { description: 'A page of videos', content: { 'application/json': VideoPageSchema } } },
    errors: ['invalid_request', 'store_unavailable'],
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/videos/:task_id',
    operationId: 'retrieveVideo',
    summary: 'Retrieve a video task',
    action: 'video.retrieve',
    responses: { 200: { description: 'The task', content: video } },
    errors: ['video_not_found', 'store_unavailable'],
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/v1/videos/:task_id',
    operationId: 'deleteVideo',
    summary: 'Delete a video; an unfinished one is canceled first',
    action: 'video.delete',
    responses: { 200: { description: 'Deleted', content: { 'application/json': DeletedVideoSchema } } },
    errors: ['video_not_found', 'payload_too_large', 'unsupported_media_type', 'store_unavailable'],
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/videos/:task_id/remix',
    operationId: 'remixVideo',
    summary: 'Create a variation of a completed video',
    action: 'video.remix',
    headers: CREATION_HEADERS,
    body: {
      content: { 'application/json': RemixVideoSchema, 'multipart/form-data': RemixVideoSchema },
      fileFields: [],
    },
    query: DryRunQuerySchema,
    responses: { 200: creationResponse('The stored task of the variation', VideoSchema) },
    errors: [...CREATION_ERRORS, 'video_not_found', 'video_not_ready', 'content_expired'],
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/videos/:task_id/cancel',
    operationId: 'cancelVideo',
    summary: 'Cancel an unfinished video',
    action: 'video.cancel',
    responses: { 200: { description: 'The task after the cancellation', content: video } },
    errors: ['video_not_found', 'task_final', 'payload_too_large', 'unsupported_media_type', 'store_unavailable'],
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/videos/:task_id/events',
    operationId: 'followVideo',
    summary: 'Follow a video as server-sent events',
    action: 'video.events',
    query: FollowVideoSchema,
    headers: { 'last-event-id': 'Id of the last received event; the stream continues after it.' },
    responses: {
      200: {
        description:
          'Each change of status or progress, once and in order, as `video.queued`, `video.in_progress`, `video.completed`, or `video.failed`; the stream ends with the last one',
        content: { 'text/event-stream': VideoSchema },
      },
      204: { description: 'The video has finished, and the client has received every event' },
    },
    errors: ['video_not_found', 'store_unavailable'],
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/videos/:task_id/content',
    operationId: 'downloadVideo',
    summary: 'Download a finished video',
    action: 'video.content',
    query: ContentQuerySchema,
    headers: CONTENT_HEADERS,
    responses: {
      200: { description: 'The file', content: { 'video/mp4': 'binary' } },
      206: { description: 'The requested range of the file', content: { 'video/mp4': 'binary' } },
      304: { description: "The client's copy is current" },
    },
    errors: [
      'invalid_link',
      'not_found',
      'video_not_found',
      'video_not_ready',
      'content_expired',
      'range_not_satisfiable',
      'store_unavailable',
    ],
  },
]);
