import type { FoundModel, ModelCapability } from '@sluice/config';

export function mayServe({ model }: Pick<FoundModel, 'model'>, capability: ModelCapability): boolean {
  return model.capabilities?.includes(capability) ?? true;
}
