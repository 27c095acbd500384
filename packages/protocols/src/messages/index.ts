export * from './endpoints.ts';
export * from './protocol.ts';
