import { isCallbackName, type VideoRequest } from '@sluice/canonical';
import { formatFields } from '../media/format-fields.ts';

/**
 * Request fields under their names in this protocol and at compatible resellers. Metadata cannot set them, in any
 * letter case, with or without brackets.
 */
const DECIDED = new Set([
  'model',
  'prompt',
  'seconds',
  'duration',
  'size',
  'n',
  'input_reference',
  'image',
  'images',
  'image_url',
  'image_urls',
  'video',
  'videos',
  'video_id',
  'video_url',
  'remix_video_id',
  'remixed_from_video_id',
  'negative_prompt',
  'seed',
  'metadata',
]);

/**
 * Returns the text fields of `POST /videos`. Metadata is added as extra fields for upstreams that support them. It
 * cannot change the request's own fields.
 */
export function formFields(model: string, request: VideoRequest): [name: string, value: string][] {
  const fields: [string, string][] = [['model', model]];
  if (request.prompt !== undefined) fields.push(['prompt', request.prompt]);
  if (request.seconds !== undefined) fields.push(['seconds', request.seconds]);
  if (request.size !== undefined) fields.push(['size', request.size]);
  if (request.negativePrompt !== undefined) fields.push(['negative_prompt', request.negativePrompt]);
  if (request.seed !== undefined) fields.push(['seed', String(request.seed)]);
  for (const [key, value] of Object.entries(request.metadata ?? {})) {
    const base = key.split('[', 1)[0]?.trim().toLowerCase() ?? '';
    if (base !== '' && !DECIDED.has(base) && !isCallbackName(base)) fields.push(...formatFields(key, value));
  }
  return fields;
}
