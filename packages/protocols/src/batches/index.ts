export { batchesEndpoints } from './endpoints.ts';
export type { BatchEstimate } from './estimate.ts';
export { decodeGenerativeBatchOptions } from './generative-format.ts';
export {
  type DecodeInlineRequest,
  decodeMessageRequest,
  GENERATIVE_REQUESTS_PATH,
  generativeLineDecoder,
  generativeRequestDecoder,
  MESSAGE_REQUESTS_PATH,
} from './inline-requests.ts';
export { generativeEndpoint, MESSAGES_ENDPOINT, modelOfEndpoint, textProtocolOf } from './line-endpoints.ts';
export { decodeMessageBatchOptions } from './messages-format.ts';
export { MAX_REQUESTS } from './messages-schema.ts';
export { decodeBatch, decodeBatchChange, decodeEstimatedBatch, encodeBatch } from './openai-format.ts';
export { BatchPageSchema, BatchSchema, DEFAULT_WINDOW_MS } from './schema.ts';
export { BodySplitter } from './split-body.ts';
