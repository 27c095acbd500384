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

// The path's model takes precedence, as it does for OpenAI's bodies.
const singleContent = { ...embedContentProtocol, decode: (input: DirectInput) => decodeEmbedContent(input, 'any') };
const batchedContents = {
  ...batchEmbedContentsProtocol,
  decode: (input: DirectInput) => decodeBatchEmbedContents(input, 'any'),
};

/**
 * OpenAI's older embeddings path. Some gateways also accept Google's bodies here, so the body determines the response
 * format. Errors use OpenAI's format.
 */
const enginesProtocol: DirectProtocol<'embedding'> = {
  ...embeddingsProtocol,
  decode: (input) => protocolOf(input.body).decode(input),
  encode: (response, context) => protocolOf(context.input.body).encode(response, context),
};

function protocolOf(body: unknown): DirectProtocol<'embedding'> {
  if (!isRecord(body) || 'input' in body) return embeddingsProtocol;
  if ('requests' in body) return batchedContents;
  return 'content' in body ? singleContent : embeddingsProtocol;
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
