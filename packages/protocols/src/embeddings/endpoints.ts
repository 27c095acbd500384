import { GENERATION_ERRORS } from '../errors/call-errors.ts';
import type { DirectProtocol } from '../contracts/direct-protocol.ts';
import { defineEndpoints } from '../contracts/endpoint.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import { decodeEmbedding } from './request.ts';
import { encodeEmbeddings } from './response.ts';
import { EmbeddingListSchema, EmbeddingsSchema } from './schema.ts';

/** OpenAI's embeddings. */
export const embeddingsProtocol: DirectProtocol<'embedding'> = {
  name: 'embeddings',
  decode: decodeEmbedding,
  encode: encodeEmbeddings,
  encodeError: encodeOpenAiError,
  errorSchema: OpenAiErrorSchema,
};

/** The route of the embeddings protocol. */
export const embeddingsEndpoints = defineEndpoints([
  {
    method: 'POST',
    path: '/v1/embeddings',
    operationId: 'createEmbeddings',
    summary: 'Make texts into vectors',
    action: 'embedding.create',
    kind: 'embedding',
    credentials: ['bearer'],
    protocol: embeddingsProtocol,
    body: { content: { 'application/json': EmbeddingsSchema }, fileFields: [] },
    responses: {
      200: { description: 'The vector of each text', content: { 'application/json': EmbeddingListSchema } },
    },
    errors: GENERATION_ERRORS,
  },
]);
