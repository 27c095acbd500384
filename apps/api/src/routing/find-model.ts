import { GatewayError } from '@sluice/canonical';
import type { ResolvedModel, ModelCatalog } from '@sluice/config';
import { printable } from '../http/printable.ts';
import type { ApiKey } from '../auth/api-keys.ts';
import type { FastifyRequest } from 'fastify';

export interface ModelCall {
  apiKey: ApiKey;
  request: Pick<FastifyRequest, 'requestedModel' | 'configuredModel' | 'ledger'>;
}

/** Model names that may be logged. A client may send any text as the model, even a prompt. */
const LOGGABLE_MODEL = /^[\w.:/@+-]{1,128}$/;

/** Finds a model, and records it for log and metrics. @throws GatewayError `model_not_allowed`, `model_not_found` */
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
  const resolvedModel = catalog.find(model);
  request.configuredModel = resolvedModel?.model;
  if (resolvedModel) return resolvedModel;
  throw modelNotFound(catalog, apiKey, model, param);
}

/** The error suggests similar names that the key may use. */
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
