import type { VideoRequest } from '@sluice/canonical';
import type { z } from 'zod';
import { withoutBlanks } from '../forms/form-fields.ts';
import { invalidField } from '../json/json-field.ts';
import { inRole, readImageText } from '../media/input-image.ts';
import { isRecord } from '../json/is-record.ts';
import { collectMetadata } from '../media/metadata.ts';
import type { DecodedMedia, MediaForm } from '../contracts/media-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import { Image2VideoSchema, Text2VideoSchema } from './schema.ts';

/** Fields with a canonical equivalent. All other fields are vendor options. */
const CANONICAL = new Set([
  'model_name',
  'model',
  'prompt',
  'negative_prompt',
  'duration',
  'aspect_ratio',
  'seed',
  'sound',
  'watermark_info',
  'external_task_id',
  'callback_url',
  'image',
  'image_tail',
  'metadata',
]);
/** Image fields, which text2video rejects. */
const IMAGE_FIELDS = ['image', 'image_tail', 'static_mask', 'dynamic_masks'] as const;
const IMAGE_FORMAT = { bareBase64: true };

/** @throws GatewayError `invalid_request` with the field's name */
export function decodeText2Video({ fields }: MediaForm): DecodedMedia<VideoRequest> {
  const body = parseInput(Text2VideoSchema, presentFields(fields));
  const imageInput = IMAGE_FIELDS.find((field) => body[field] !== undefined);
  if (imageInput) throw invalidField(imageInput, 'is not supported by text2video. Use image2video');
  // In Kling v3, a video with several shots has one prompt per shot.
  if (body.prompt === undefined && body.multi_prompt === undefined) {
    throw invalidField('prompt', 'is required');
  }
  return { ...decodeShared(body), images: [] };
}

/** @throws GatewayError `invalid_request` with the field's name */
export function decodeImage2Video({ fields }: MediaForm): DecodedMedia<VideoRequest> {
  const body = parseInput(Image2VideoSchema, presentFields(fields));
  const { image, image_tail: tail } = body;
  if (image === undefined && tail === undefined) throw invalidField('image', 'or image_tail is required');
  checkExclusive(body);
  checkMasks(body);
  return {
    ...decodeShared(body),
    images: [
      ...(image === undefined ? [] : inRole('first_frame', [readImageText(image, 'image', IMAGE_FORMAT)], 'image')),
      ...(tail === undefined
        ? []
        : inRole('last_frame', [readImageText(tail, 'image_tail', IMAGE_FORMAT)], 'image_tail')),
    ],
  };
}

/** An empty external id is rejected, because the client could not use it to retrieve the task. */
function presentFields(fields: unknown): unknown {
  if (isRecord(fields) && fields['external_task_id'] === '')
    throw invalidField('external_task_id', 'must not be empty');
  return withoutBlanks(fields);
}

/** In Kling's API, a last frame, a motion brush, and a camera movement are mutually exclusive. */
function checkExclusive(body: z.output<typeof Image2VideoSchema>): void {
  const hasMasks = body.static_mask !== undefined || body.dynamic_masks !== undefined;
  const exclusive = [
    ...(body.image_tail === undefined ? [] : ['image_tail']),
    ...(hasMasks ? [body.dynamic_masks === undefined ? 'static_mask' : 'dynamic_masks'] : []),
    ...(body.camera_control === undefined ? [] : ['camera_control']),
  ];
  const [first, second] = exclusive;
  if (second !== undefined) throw invalidField(second, `cannot be combined with ${first}. Send one of them`);
}

/** Reports invalid mask images early. The vendor receives the masks unchanged. */
function checkMasks({ static_mask: still, dynamic_masks: moving = [] }: z.output<typeof Image2VideoSchema>): void {
  if (still !== undefined) readImageText(still, 'static_mask', IMAGE_FORMAT);
  for (const [index, { mask }] of moving.entries()) {
    readImageText(mask, `dynamic_masks[${index}][mask]`, IMAGE_FORMAT);
  }
}

function decodeShared(body: z.output<typeof Text2VideoSchema>): Omit<DecodedMedia<VideoRequest>, 'images'> {
  const model = body.model_name ?? body.model;
  const options = Object.entries(body).filter(([name]) => !CANONICAL.has(name));
  const { metadata, dropped } = collectMetadata(
    { fields: Object.fromEntries(options) },
    { fields: body.metadata ?? {}, within: 'metadata' },
  );
  return {
    ...(model !== undefined && { model }),
    ...(body.external_task_id !== undefined && { externalId: body.external_task_id }),
    ...(body.callback_url !== undefined && { callbackUrl: body.callback_url }),
    ...(dropped && { dropped }),
    request: {
      kind: 'video',
      ...(body.prompt !== undefined && { prompt: body.prompt }),
      ...(body.negative_prompt !== undefined && { negativePrompt: body.negative_prompt }),
      ...(body.duration !== undefined && { seconds: body.duration }),
      ...(body.aspect_ratio !== undefined && { aspectRatio: body.aspect_ratio }),
      ...(body.seed !== undefined && { seed: body.seed }),
      ...(body.sound !== undefined && { audio: body.sound === 'on' }),
      ...(body.watermark_info !== undefined && { watermark: body.watermark_info.enabled }),
      ...(metadata && { metadata }),
    },
  };
}
