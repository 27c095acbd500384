export * from './config-error.ts';
export * from './config-json-schema.ts';
export * from './describe-config.ts';
export * from './load-config.ts';
export * from './model-catalog.ts';
export * from './schema.ts';
export * from './task-settings.ts';
export * from './secrets-of.ts';
