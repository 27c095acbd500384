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

// The path's model wins, as it does over that of OpenAI's body.
const oneContent = { ...embedContentProtocol, decode: (input: DirectInput) => decodeEmbedContent(input, 'any') };
const manyContents = {
  ...batchEmbedContentsProtocol,
  decode: (input: DirectInput) => decodeBatchEmbedContents(input, 'any'),
};

/**
 * The older path of OpenAI's embeddings, which gateways also take Google's bodies at: the body tells which protocol is
 * spoken, and the answer follows it. Errors are OpenAI's, as everywhere on paths of its.
 */
const enginesProtocol: DirectProtocol<'embedding'> = {
  ...embeddingsProtocol,
  decode: (input) => spokenIn(input.body).decode(input),
  encode: (response, context) => spokenIn(context.input.body).encode(response, context),
};

function spokenIn(body: unknown): DirectProtocol<'embedding'> {
  if (!isRecord(body) || 'input' in body) return embeddingsProtocol;
  if ('requests' in body) return manyContents;
  return 'content' in body ? oneContent : embeddingsProtocol;
}

/** The route of embeddings by engine. */
export const enginesEndpoints = defineEndpoints([
  {
    method: 'POST',
    path: '/v1/engines/:model/embeddings',
    operationId: 'createEngineEmbeddings',
    summary: 'Make texts into vectors, as OpenAI’s older clients and Google’s ask for it',
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
        description: 'The vectors, as the body asks for them',
        content: {
          'application/json': z.union([EmbeddingListSchema, ContentEmbeddingSchema, ContentEmbeddingsSchema]),
        },
      },
    },
    errors: GENERATION_ERRORS,
  },
]);
