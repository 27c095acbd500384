import { GatewayError } from '@sluice/canonical';
import type { ResolvedModel, ModelCatalog } from '@sluice/config';
import { printable } from '../http/printable.ts';
import type { ApiKey } from '../auth/api-keys.ts';

/** @throws GatewayError `model_not_allowed`, `model_not_found` */
export function findModel(catalog: ModelCatalog, apiKey: ApiKey, model: string, param = 'model'): ResolvedModel {
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
