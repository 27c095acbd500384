export { embeddingsEndpoints, embeddingsProtocol } from './endpoints.ts';
export { EmbeddingListSchema, EmbeddingsSchema } from './schema.ts';
