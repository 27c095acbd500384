import type { FoundModel, ModelCapability } from '@sluice/config';

/** Whether a model's configuration allows a capability, independent of its upstreams. */
export function mayServe({ model }: Pick<FoundModel, 'model'>, capability: ModelCapability): boolean {
  return model.capabilities?.includes(capability) ?? true;
}
