export * from './endpoints.ts';
export * from './wire/model-path.ts';
export * from './protocol.ts';
