import { isCallbackName, type VideoRequest } from '@sluice/canonical';
import { formatFields } from '../media/format-fields.ts';

/**
 * Request fields under the names of this protocol and of compatible resellers. Metadata cannot set them, plain or
 * bracketed, in any case.
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
 * The text fields of `POST /videos`. Metadata becomes extra fields for upstreams that know them; it cannot change the
 * request, and never the model.
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
