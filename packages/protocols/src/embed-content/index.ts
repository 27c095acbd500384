export { batchEmbedContentsProtocol, embedContentEndpoints, embedContentProtocol } from './endpoints.ts';
export { decodeBatchEmbedContents, decodeEmbedContent } from './request.ts';
export {
  BatchEmbedContentsSchema,
  ContentEmbeddingSchema,
  ContentEmbeddingsSchema,
  EmbedContentSchema,
} from './schema.ts';
