export { batchEmbedContentsProtocol, embedContentEndpoints, embedContentProtocol } from './endpoints.ts';
export {
  BatchEmbedContentsSchema,
  ContentEmbeddingSchema,
  ContentEmbeddingsSchema,
  EmbedContentSchema,
} from './schema.ts';
