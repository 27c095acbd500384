import { z } from 'zod';
import { type Credential, defineEndpoints } from '../contracts/endpoint.ts';
import type { VideoGroupsProtocol } from '../contracts/video-groups-protocol.ts';
import { CREATION_ERRORS, CREATION_HEADERS } from '../errors/media-errors.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import { DryRunQuerySchema } from '../media/cost-controls.ts';
import { decodeGroup, decodeListing, decodePage, decodeRetry } from './request.ts';
import { encodeDeleted, encodeEstimate, encodeGroup, encodeGroupPage, encodeGroups } from './response.ts';
import {
  CreateVideoGroupSchema,
  DeletedVideoGroupSchema,
  ListVideoGroupsSchema,
  RetryVideoGroupSchema,
  VideoGroupEstimateSchema,
  VideoGroupPageSchema,
  VideoGroupQuerySchema,
  VideoGroupSchema,
  VideoGroupWithVideosSchema,
} from './schema.ts';

const videoGroupsProtocol: VideoGroupsProtocol = {
  name: 'video-groups',
  decodeGroup,
  decodeRetry,
  decodeListing,
  decodePage,
  encodeEstimate,
  encodeGroup,
  encodeGroupPage,
  encodeGroups,
  encodeDeleted,
  encodeError: encodeOpenAiError,
  errorSchema: OpenAiErrorSchema,
};

const credentials: readonly Credential[] = ['bearer'];
const shared = { credentials, protocol: videoGroupsProtocol };
const group = { 'application/json': VideoGroupSchema };
const BODY = ['payload_too_large', 'unsupported_media_type'] as const;

export const videoGroupsEndpoints = defineEndpoints([
  {
    ...shared,
    method: 'POST',
    path: '/v1/videos/batch',
    operationId: 'createVideoGroup',
    summary: 'Create a group of videos',
    action: 'group.create',
    headers: { 'idempotency-key': CREATION_HEADERS['idempotency-key'] },
    body: { content: { 'application/json': CreateVideoGroupSchema }, fileFields: [], isText: true },
    query: DryRunQuerySchema,
    responses: {
      200: {
        description: 'The stored group, or an estimate of its cost if `dry_run` is true',
        content: { 'application/json': z.union([VideoGroupSchema, VideoGroupEstimateSchema]) },
      },
    },
    errors: [...CREATION_ERRORS, 'batch_not_found', 'storage_quota_exceeded'],
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/videos/batch',
    operationId: 'listVideoGroups',
    summary: 'List the groups of this key',
    action: 'group.list',
    query: ListVideoGroupsSchema,
    responses: {
      200: { description: 'A page of groups, newest first', content: { 'application/json': VideoGroupPageSchema } },
    },
    errors: ['invalid_request', 'store_unavailable'],
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/videos/batch/:group_id',
    operationId: 'retrieveVideoGroup',
    summary: 'Retrieve a group with a page of its videos',
    action: 'group.retrieve',
    query: VideoGroupQuerySchema,
    responses: {
      200: {
        description: 'The group and its videos, by index',
        content: { 'application/json': VideoGroupWithVideosSchema },
      },
    },
    errors: ['invalid_request', 'batch_not_found', 'store_unavailable'],
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/videos/batch/:group_id/cancel',
    operationId: 'cancelVideoGroup',
    summary: 'Cancel all videos of a group that have not ended',
    action: 'group.cancel',
    responses: { 200: { description: 'The group', content: group } },
    errors: ['batch_not_found', 'batch_conflict', ...BODY, 'store_unavailable'],
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/videos/batch/:group_id/retry',
    operationId: 'retryVideoGroup',
    summary: 'Create the failed videos of a group again',
    action: 'group.retry',
    body: { content: { 'application/json': RetryVideoGroupSchema }, fileFields: [], isText: true },
    responses: { 200: { description: 'The group', content: group } },
    errors: [
      'invalid_request',
      'batch_not_found',
      'batch_conflict',
      'rate_limited',
      'insufficient_quota',
      ...BODY,
      'store_unavailable',
    ],
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/v1/videos/batch/:group_id',
    operationId: 'deleteVideoGroup',
    summary: 'Delete a group that has ended; its videos stay',
    action: 'group.delete',
    responses: { 200: { description: 'Deleted', content: { 'application/json': DeletedVideoGroupSchema } } },
    errors: ['batch_not_found', 'batch_conflict', ...BODY, 'store_unavailable'],
  },
]);
