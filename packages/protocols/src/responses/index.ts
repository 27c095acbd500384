export * from './client/compaction.ts';
export { outputItems } from './client/encode-response.ts';
export * from './endpoints.ts';
export * from './protocol.ts';
export { responseError } from './wire/errors.ts';
export * from './client/input-items.ts';
export * from './client/response-object.ts';
export { CompactTopLevel } from './wire/schema.ts';
