import type { FoundModel, ModelCapability } from '@sluice/config';

/** Whether a model may be asked for something, by its configuration; whether an upstream can is another matter. */
export function mayServe({ model }: Pick<FoundModel, 'model'>, capability: ModelCapability): boolean {
  return model.capabilities?.includes(capability) ?? true;
}
