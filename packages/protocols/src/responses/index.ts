export * from './compaction.ts';
export { outputItems } from './encode-response.ts';
export * from './endpoints.ts';
export { responseError } from './errors.ts';
export * from './input-items.ts';
export * from './response-object.ts';
export { CompactTopLevel } from './schema.ts';
