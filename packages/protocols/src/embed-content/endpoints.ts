import { GENERATION_ERRORS } from '../errors/call-errors.ts';
import type { DirectProtocol } from '../contracts/direct-protocol.ts';
import { type Credential, defineEndpoints } from '../contracts/endpoint.ts';
import { generativeContentProtocol } from '../generative-content/index.ts';
import { decodeBatchEmbedContents, decodeEmbedContent } from './request.ts';
import { encodeContentEmbedding, encodeContentEmbeddings } from './response.ts';
import {
  BatchEmbedContentsSchema,
  ContentEmbeddingSchema,
  ContentEmbeddingsSchema,
  EmbedContentSchema,
} from './schema.ts';

const { name, encodeError, errorSchema } = generativeContentProtocol;

export const embedContentProtocol: DirectProtocol<'embedding'> = {
  name,
  decode: (input) => decodeEmbedContent(input),
  encode: encodeContentEmbedding,
  encodeError,
  errorSchema,
};

/** Google's `batchEmbedContents`. Google's SDKs call it even for a single text. */
export const batchEmbedContentsProtocol: DirectProtocol<'embedding'> = {
  name,
  decode: (input) => decodeBatchEmbedContents(input),
  encode: encodeContentEmbeddings,
  encodeError,
  errorSchema,
};

const credentials: readonly Credential[] = ['x-gen-api-key', 'key-query'];
const one = {
  method: 'POST',
  verb: 'embedContent',
  summary: 'Create the embedding of a text',
  action: 'embedding.create',
  kind: 'embedding',
  credentials,
  protocol: embedContentProtocol,
  body: { content: { 'application/json': EmbedContentSchema }, fileFields: [] },
  responses: { 200: { description: 'The embedding', content: { 'application/json': ContentEmbeddingSchema } } },
  errors: GENERATION_ERRORS,
} as const;
const batch = {
  ...one,
  verb: 'batchEmbedContents',
  summary: 'Create embeddings of texts',
  protocol: batchEmbedContentsProtocol,
  body: { content: { 'application/json': BatchEmbedContentsSchema }, fileFields: [] },
  responses: {
    200: { description: 'The embedding of each text', content: { 'application/json': ContentEmbeddingsSchema } },
  },
} as const;

/** Google's embeddings endpoints, under the path prefixes of older and newer SDKs. */
export const embedContentEndpoints = defineEndpoints([
  { ...one, path: '/v1beta/models/*model', operationId: 'embedContent' },
  { ...batch, path: '/v1beta/models/*model', operationId: 'batchEmbedContents' },
  { ...one, path: '/v1/models/*model', operationId: 'embedContentV1' },
  { ...batch, path: '/v1/models/*model', operationId: 'batchEmbedContentsV1' },
]);
