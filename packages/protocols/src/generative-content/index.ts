export * from './endpoints.ts';
export * from './model-path.ts';
