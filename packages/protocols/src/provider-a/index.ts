export * from './endpoints.ts';
export { encodeCallback } from './response.ts';
