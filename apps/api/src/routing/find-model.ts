import { GatewayError } from '@sluice/canonical';
import type { ResolvedModel, ModelCatalog } from '@sluice/config';
import { printable } from '../http/printable.ts';
import type { ApiKey } from '../auth/api-keys.ts';
import type { FastifyRequest } from 'fastify';

export interface ModelCall {
  apiKey: ApiKey;
  request: Pick<FastifyRequest, 'requestedModel'>;
}

/** Names that may be logged: a client may send any text, such as a prompt, in place of a model. */
const LOGGABLE_MODEL = /^[\w.:/@+-]{1,128}$/;

/** Records the requested model for the log. @throws GatewayError `model_not_allowed`, `model_not_found` */
export function findModel(
  catalog: ModelCatalog,
  { apiKey, request }: ModelCall,
  model: string,
  param = 'model',
): ResolvedModel {
  if (LOGGABLE_MODEL.test(model)) request.requestedModel = model;
  if (!apiKey.allows(model)) {
    throw new GatewayError('model_not_allowed', `This API key may not use ${printable(model)}.`, { param });
  }
  const found = catalog.find(model);
  if (found) return found;
  throw modelNotFound(catalog, apiKey, model, param);
}

/** With similar names that the key may use. */
export function modelNotFound(
  catalog: Pick<ModelCatalog, 'near'>,
  apiKey: Pick<ApiKey, 'allows'>,
  model: string,
  param = 'model',
): GatewayError {
  const near = catalog.near(model).filter((id) => apiKey.allows(id));
  const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  const what = `Model ${printable(model)} does not exist or is not available to this key.${hint}`;
  return new GatewayError('model_not_found', what, { param });
}
