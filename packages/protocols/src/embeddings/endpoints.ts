import { GENERATION_ERRORS } from '../errors/call-errors.ts';
import type { DirectProtocol } from '../contracts/direct-protocol.ts';
import { defineEndpoints } from '../contracts/endpoint.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import { decodeEmbedding } from './request.ts';
import { encodeEmbeddings } from './response.ts';
import { EmbeddingListSchema, EmbeddingsSchema } from './schema.ts';

export const embeddingsProtocol: DirectProtocol<'embedding'> = {
  name: 'embeddings',
  decode: decodeEmbedding,
  encode: encodeEmbeddings,
  encodeError: encodeOpenAiError,
  errorSchema: OpenAiErrorSchema,
};

export const embeddingsEndpoints = defineEndpoints([
  {
    method: 'POST',
    path: '/v1/embeddings',
    operationId: 'createEmbeddings',
    summary: 'Create embeddings',
    action: 'embedding.create',
    kind: 'embedding',
    credentials: ['bearer'],
    protocol: embeddingsProtocol,
    body: {
      content: { 'application/json': EmbeddingsSchema.required({ model: true }).meta({ id: 'CreateEmbeddings' }) },
      fileFields: [],
      isText: true,
    },
    responses: {
      200: { description: 'The embedding of each text', content: { 'application/json': EmbeddingListSchema } },
    },
    errors: GENERATION_ERRORS,
  },
]);
