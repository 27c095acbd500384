export * from './endpoints.ts';
export * from './inline-images.ts';
