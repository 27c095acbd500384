import { GENERATION_ERRORS } from '../errors/call-errors.ts';
import type { DirectProtocol } from '../contracts/direct-protocol.ts';
import { defineEndpoints } from '../contracts/endpoint.ts';
import { encodeRerankError, RerankErrorSchema } from './errors.ts';
import { decodeRerank } from './request.ts';
import { encodeRanking } from './response.ts';
import { RankingSchema, RerankSchema } from './schema.ts';

const rerankProtocol: DirectProtocol<'rerank'> = {
  name: 'rerank',
  decode: decodeRerank,
  encode: encodeRanking,
  encodeError: encodeRerankError,
  errorSchema: RerankErrorSchema,
};

const shared = {
  method: 'POST',
  summary: 'Rank documents by their relevance to a query',
  action: 'rerank.create',
  kind: 'rerank',
  credentials: ['bearer'],
  protocol: rerankProtocol,
  body: {
    content: { 'application/json': RerankSchema.required({ model: true }).meta({ id: 'CreateRerank' }) },
    fileFields: [],
    isText: true,
  },
  responses: {
    200: { description: 'The best documents, best first', content: { 'application/json': RankingSchema } },
  },
  errors: GENERATION_ERRORS,
} as const;

/** Rerank endpoints, under the paths of both versions of Cohere's clients. */
export const rerankEndpoints = defineEndpoints([
  { ...shared, path: '/v1/rerank', operationId: 'createRerank' },
  { ...shared, path: '/v2/rerank', operationId: 'createRerankV2' },
]);
