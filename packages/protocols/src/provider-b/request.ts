import type { VideoRequest } from '@sluice/canonical';
import type { z } from 'zod';
import { combinedImages, parseJsonText, withoutBlanks } from '../forms/form-fields.ts';
import { invalidField } from '../json/json-field.ts';
import { asFrames, type DecodedImage, readImageText } from '../media/input-image.ts';
import { isRecord } from '../json/is-record.ts';
import { collectMetadata } from '../media/metadata.ts';
import type { DecodedMedia, MediaForm } from '../contracts/media-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import { isKnownField } from '../media/task-options.ts';
import { FRAMES_PER_SECOND, GetResultSchema, QuerySchema, SubmitSchema } from './schema.ts';

type Submission = z.output<typeof SubmitSchema>;

/** @throws GatewayError `invalid_request` if `Version` is missing */
export function checkQuery(query: unknown): void {
  parseInput(QuerySchema, query);
}

/** Decodes the body of `CVSync2AsyncSubmitTask`. @throws GatewayError `invalid_request` with the field's name */
export function decodeSubmit({ fields }: MediaForm): DecodedMedia<VideoRequest> {
  const body = parseInput(SubmitSchema, withoutBlanks(fields));
  const images = readImages(body);
  if (body.prompt === undefined && images.length === 0) throw invalidField('prompt', 'is required');
  const options = Object.entries(body).filter(([name]) => !isKnownField(SubmitSchema, name));
  const { metadata, dropped } = collectMetadata(
    { fields: Object.fromEntries(options) },
    { fields: body.metadata ?? {}, within: 'metadata' },
  );
  return {
    ...(body.req_key !== undefined && { model: body.req_key }),
    request: {
      kind: 'video',
      ...(body.prompt !== undefined && { prompt: body.prompt }),
      ...(body.frames !== undefined && { seconds: String((body.frames - 1) / FRAMES_PER_SECOND) }),
      ...(body.aspect_ratio !== undefined && { aspectRatio: body.aspect_ratio }),
      ...(body.seed !== undefined && { seed: body.seed }),
      ...(metadata && { metadata }),
    },
    images,
    ...(dropped && { dropped }),
  };
}

/** Decodes the body of `CVSync2AsyncGetResult`. @throws GatewayError `invalid_request` with the field's name */
export function decodeTaskId(fields: unknown): string {
  const { task_id: id, req_json: options } = parseInput(GetResultSchema, withoutBlanks(fields));
  if (!isRecord(parseJsonText(options ?? '{}', 'req_json'))) {
    throw invalidField('req_json', 'must be an object as JSON text');
  }
  return id;
}

function readImages({
  binary_data_base64: inline = [],
  image_urls: urls = [],
}: Submission): DecodedMedia<VideoRequest>['images'] {
  if (inline.length > 0 && urls.length > 0) {
    throw combinedImages('image_urls', 'binary_data_base64');
  }
  if (urls.length > 0) {
    return asFrames(
      urls.map((url, index) => readImageText(url, `image_urls[${index}]`)),
      'image_urls',
    );
  }
  return asFrames(
    inline.map((text, index) => readBase64(text, `binary_data_base64[${index}]`)),
    'binary_data_base64',
  );
}

function readBase64(text: string, param: string): DecodedImage {
  const image = readImageText(text, param, { bareBase64: true });
  if ('base64' in image) return image;
  throw invalidField(param, 'must be base64. Send URLs in image_urls');
}
