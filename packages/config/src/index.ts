export * from './config-error.ts';
export * from './config-json-schema.ts';
export * from './describe-config.ts';
export * from './key-limits-schema.ts';
export { type KeySettings, KeySettingsSchema } from './key-schema.ts';
export * from './gateway-secret.ts';
export * from './load-config.ts';
export { matchPattern } from './match-pattern.ts';
export { capabilitiesOfModel } from './model-capabilities.ts';
export * from './model-catalog.ts';
export type { ModelPrice } from './price-schema.ts';
export type { QuirksConfig } from './quirks-schema.ts';
export * from './schema.ts';
export * from './show-url.ts';
export * from './task-settings.ts';
export { unpricedModels } from './unpriced-models.ts';
export { unservedModels } from './unserved-models.ts';
export * from './secrets-of.ts';
export * from './redis-url.ts';
export {
  capabilitiesOfKind,
  isMediaKind,
  isTextKind,
  MODEL_CAPABILITIES,
  type ModelCapability,
  TEXT_UPSTREAM_KINDS,
  UPSTREAM_KINDS,
} from './upstream-schema.ts';
export * from './upstream-settings.ts';
export * from './webhook-settings.ts';
