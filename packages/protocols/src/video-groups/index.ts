export * from './endpoints.ts';
export * from './inline-images.ts';
export { encodeGroup } from './response.ts';
export { GroupVideoSchema, VideoGroupPageSchema, VideoGroupSchema, VideoGroupWithVideosSchema } from './schema.ts';
