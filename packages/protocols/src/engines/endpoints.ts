import { z } from 'zod';
import { GENERATION_ERRORS } from '../errors/call-errors.ts';
import type { DirectInput, DirectProtocol } from '../contracts/direct-protocol.ts';
import {
  BatchEmbedContentsSchema,
  batchEmbedContentsProtocol,
  ContentEmbeddingSchema,
  ContentEmbeddingsSchema,
  decodeBatchEmbedContents,
  decodeEmbedContent,
  EmbedContentSchema,
  embedContentProtocol,
} from '../embed-content/index.ts';
import { EmbeddingListSchema, EmbeddingsSchema, embeddingsProtocol } from '../embeddings/index.ts';
import { defineEndpoints } from '../contracts/endpoint.ts';
import { isRecord } from '../json/is-record.ts';

// The path's model wins, as for OpenAI's body.
const oneContent = { ...embedContentProtocol, decode: (input: DirectInput) => decodeEmbedContent(input, 'any') };
const manyContents = {
  ...batchEmbedContentsProtocol,
  decode: (input: DirectInput) => decodeBatchEmbedContents(input, 'any'),
};

/**
 * The older path of OpenAI's embeddings. Some gateways also accept Google's bodies there: the body selects the protocol
 * of the response. Errors are OpenAI's.
 */
const enginesProtocol: DirectProtocol<'embedding'> = {
  ...embeddingsProtocol,
  decode: (input) => protocolOf(input.body).decode(input),
  encode: (response, context) => protocolOf(context.input.body).encode(response, context),
};

function protocolOf(body: unknown): DirectProtocol<'embedding'> {
  if (!isRecord(body) || 'input' in body) return embeddingsProtocol;
  if ('requests' in body) return manyContents;
  return 'content' in body ? oneContent : embeddingsProtocol;
}

export const enginesEndpoints = defineEndpoints([
  {
    method: 'POST',
    path: '/v1/engines/:model/embeddings',
    operationId: 'createEngineEmbeddings',
    summary: "Create embeddings; accepts the bodies of OpenAI's older clients and of Google's",
    action: 'embedding.create',
    kind: 'embedding',
    credentials: ['bearer'],
    protocol: enginesProtocol,
    body: {
      content: { 'application/json': z.union([EmbeddingsSchema, EmbedContentSchema, BatchEmbedContentsSchema]) },
      fileFields: [],
    },
    responses: {
      200: {
        description: 'The embeddings, in the protocol of the body',
        content: {
          'application/json': z.union([EmbeddingListSchema, ContentEmbeddingSchema, ContentEmbeddingsSchema]),
        },
      },
    },
    errors: GENERATION_ERRORS,
  },
]);
