export * from './client/compaction.ts';
export { outputItems } from './client/encode-response.ts';
export * from './endpoints.ts';
export * from './protocol.ts';
export { responseError } from './wire/errors.ts';
export * from './client/input-items.ts';
export {
  encodeResponseEvent,
  parseResponseEvent,
  type ResponseEvent,
  responseEvent,
} from './client/response-events.ts';
export * from './client/response-object.ts';
export { CompactTopLevel } from './wire/schema.ts';
