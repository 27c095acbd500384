import { isCallbackName, type VideoRequest } from '@sluice/canonical';
import { spellFields } from '../media/spell-fields.ts';

/** Fields that the request itself decides; metadata cannot say them again, plain or bracketed. */
const DECIDED = new Set([
  'model',
  'prompt',
  'seconds',
  'size',
  'input_reference',
  'negative_prompt',
  'seed',
  'metadata',
]);
/**
 * The text fields of `POST /videos`. Metadata goes along as fields of its own, for upstreams that know them; it can
 * never change what the request says, least of all the model.
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
    if (base !== '' && !DECIDED.has(base) && !isCallbackName(base)) fields.push(...spellFields(key, value));
  }
  return fields;
}
