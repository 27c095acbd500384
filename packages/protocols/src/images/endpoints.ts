import { z } from 'zod';
import { creationResponse, DryRunQuerySchema } from '../media/cost-controls.ts';
import { CONTENT_HEADERS, ContentLinkSchema } from '../media/content-route.ts';
import { type Credential, defineEndpoints } from '../contracts/endpoint.ts';
import { CREATION_ERRORS, CREATION_HEADERS } from '../errors/media-errors.ts';
import type { ImageProtocol } from '../contracts/media-protocol.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import { DashScopeImagesSchema } from './dashscope-schema.ts';
import { IMAGE_INPUT_FIELDS } from './images.ts';
import { decodeEdit, decodeGeneration } from './request.ts';
import { encodeImages, encodeImageTask } from './response.ts';
import { ImagesSchema, ImageTaskSchema, OpenAiImagesFormSchema, OpenAiImagesSchema } from './schema.ts';

/** Image generation with the body formats of OpenAI (openai-node 6.49, `resources/images`) and DashScope. */
export const imagesProtocol: ImageProtocol = {
  name: 'images',
  fieldNames: {
    model: 'model',
    prompt: 'prompt',
    negativePrompt: 'negative_prompt',
    n: 'n',
    size: 'size',
    aspectRatio: 'aspect_ratio',
    seed: 'seed',
    quality: 'quality',
    background: 'background',
    outputFormat: 'output_format',
    watermark: 'watermark',
    promptExtend: 'prompt_extend',
    metadata: 'metadata',
    reference: 'image',
    mask: 'mask',
  },
  decodeImage: decodeGeneration,
  encodeImages,
  encodeImageTask,
  encodeError: encodeOpenAiError,
  errorSchema: OpenAiErrorSchema,
};

/** Image edits: like image generation, with input images. */
export const imageEditsProtocol: ImageProtocol = { ...imagesProtocol, decodeImage: decodeEdit };

const credentials: readonly Credential[] = ['bearer'];
const file = { 'image/png': 'binary', 'image/jpeg': 'binary', 'image/webp': 'binary' } as const;
const created = {
  method: 'POST',
  credentials,
  action: 'image.create',
  headers: {
    ...CREATION_HEADERS,
    prefer:
      '`respond-async` returns the task at once with 202; `wait=N` waits up to N seconds for the images, at most 60.',
  },
  body: {
    content: {
      'application/json': z.union([OpenAiImagesSchema, DashScopeImagesSchema]),
      'multipart/form-data': OpenAiImagesFormSchema,
    },
    fileFields: IMAGE_INPUT_FIELDS,
  },
  query: DryRunQuerySchema,
  responses: {
    200: creationResponse('The images', ImagesSchema),
    202: {
      description: 'The task, if the client waits no longer',
      content: { 'application/json': ImageTaskSchema },
    },
  },
  errors: [
    ...CREATION_ERRORS,
    'content_policy',
    'canceled',
    'provider_auth',
    'provider_quota',
    'provider_error',
    'submission_unknown',
    'content_expired',
    'deadline_exceeded',
  ],
} as const;

export const imagesEndpoints = defineEndpoints([
  {
    ...created,
    protocol: imagesProtocol,
    path: '/v1/images/generations',
    operationId: 'createImages',
    summary: 'Generate images',
  },
  {
    ...created,
    protocol: imageEditsProtocol,
    path: '/v1/images/edits',
    operationId: 'editImages',
    summary: 'Edit images',
  },
  {
    method: 'GET',
    path: '/v1/images/generations/:task_id',
    operationId: 'retrieveImages',
    summary: 'Retrieve the images of a task, or the unfinished task',
    credentials,
    protocol: imagesProtocol,
    action: 'image.retrieve',
    responses: {
      200: {
        description: 'The images or the task',
        content: { 'application/json': z.union([ImagesSchema, ImageTaskSchema]) },
      },
    },
    errors: ['image_not_found', 'content_expired', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/v1/images/generations/:task_id/content/:index',
    operationId: 'downloadImage',
    summary: 'Download one image of a task by index, from 0',
    credentials,
    protocol: imagesProtocol,
    action: 'image.content',
    query: ContentLinkSchema,
    headers: CONTENT_HEADERS,
    responses: {
      200: { description: 'The file', content: file },
      206: { description: 'The requested range of the file', content: file },
      304: { description: "The client's copy is current" },
    },
    errors: [
      'invalid_link',
      'not_found',
      'image_not_found',
      'image_not_ready',
      'content_expired',
      'range_not_satisfiable',
      'store_unavailable',
    ],
  },
]);
