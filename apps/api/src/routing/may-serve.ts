import type { ResolvedModel, ModelCapability } from '@sluice/config';

export function mayServe({ model }: Pick<ResolvedModel, 'model'>, capability: ModelCapability): boolean {
  return model.capabilities?.includes(capability) ?? true;
}
