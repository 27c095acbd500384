import { defineEndpoints, type Credential } from '../endpoint.ts';
import type { VideoProtocol } from '../video-protocol.ts';
import { encodeError } from './errors.ts';
import { decodeListing, decodeVideo } from './request.ts';
import { encodeDeleted, encodePage, encodeVideo } from './response.ts';
import {
  ContentQuerySchema,
  CreateVideoFormSchema,
  CreateVideoSchema,
  DeletedVideoSchema,
  ErrorSchema,
  ListVideosSchema,
  VideoPageSchema,
  VideoSchema,
} from './schema.ts';

/** The OpenAI videos protocol (openai-node 6.49, `resources/videos`). */
export const videosProtocol: VideoProtocol = {
  name: 'videos',
  decodeVideo,
  decodeListing,
  encodeVideo,
  encodePage,
  encodeDeleted,
  encodeError,
  errorSchema: ErrorSchema,
};

const credentials: readonly Credential[] = ['bearer'];
const shared = { credentials, protocol: videosProtocol };
const video = { 'application/json': VideoSchema };

/** The routes of the videos protocol. */
export const videosEndpoints = defineEndpoints([
  {
    ...shared,
    method: 'POST',
    path: '/v1/videos',
    operationId: 'createVideo',
    summary: 'Create a video task',
    action: 'video.create',
    headers: {
      'idempotency-key': 'At most 255 printable characters. The same key and request give the same task for 24 hours.',
      prefer: '`wait=N` holds the answer up to N seconds, at most 60, until the video has ended.',
    },
    body: {
      content: { 'multipart/form-data': CreateVideoFormSchema, 'application/json': CreateVideoSchema },
      fileFields: ['input_reference'],
    },
    answers: { 200: { description: 'The stored task', content: video } },
    errors: [
      'invalid_request',
      'model_not_allowed',
      'model_not_found',
      'payload_too_large',
      'unsupported_media_type',
      'idempotency_key_reused',
      'no_upstream',
      'store_unavailable',
    ],
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/videos',
    operationId: 'listVideos',
    summary: 'List the videos of this key',
    action: 'video.list',
    query: ListVideosSchema,
    answers: { 200: { description: 'A page of videos', content: { 'application/json': VideoPageSchema } } },
    errors: ['invalid_request', 'store_unavailable'],
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/videos/:task_id',
    operationId: 'retrieveVideo',
    summary: 'Retrieve a video task',
    action: 'video.retrieve',
    answers: { 200: { description: 'The task', content: video } },
    errors: ['video_not_found', 'store_unavailable'],
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/v1/videos/:task_id',
    operationId: 'deleteVideo',
    summary: 'Delete a video; an unfinished one is canceled first',
    action: 'video.delete',
    answers: { 200: { description: 'Deleted', content: { 'application/json': DeletedVideoSchema } } },
    errors: ['video_not_found', 'payload_too_large', 'unsupported_media_type', 'store_unavailable'],
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/videos/:task_id/cancel',
    operationId: 'cancelVideo',
    summary: 'Cancel an unfinished video',
    action: 'video.cancel',
    answers: { 200: { description: 'The task as it then is', content: video } },
    errors: ['video_not_found', 'task_final', 'payload_too_large', 'unsupported_media_type', 'store_unavailable'],
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/videos/:task_id/content',
    operationId: 'downloadVideo',
    summary: 'Download a finished video',
    action: 'video.content',
    query: ContentQuerySchema,
    headers: {
      range: 'One range of bytes; several are answered with the whole file.',
      'if-range': 'The ETag of the file that the range is meant for.',
      'if-none-match': 'ETags that the client has.',
    },
    answers: {
      200: { description: 'The file', content: { 'video/mp4': 'binary' } },
      206: { description: 'A part of the file', content: { 'video/mp4': 'binary' } },
      304: { description: 'The client has the file' },
    },
    errors: [
      'not_found',
      'video_not_found',
      'video_not_ready',
      'content_expired',
      'range_not_satisfiable',
      'store_unavailable',
    ],
  },
]);
