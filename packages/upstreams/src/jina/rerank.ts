import type { Ranking, RerankDocument, RerankParams } from '@sluice/canonical';
import { z } from 'zod';
import type { DirectWire } from '../direct/create-direct-upstream.ts';
import { documentText } from '../direct/document-text.ts';
import { knownFields } from '../direct/known-fields.ts';
import { readRanking } from '../direct/read-ranking.ts';
import { Tokens } from '../media/lenient.ts';
import { jinaRefusal } from './refusal.ts';

const KNOWN = ['truncation', 'max_doc_length', 'max_query_length'];

const WireRanking = z.looseObject({
  results: z.array(z.looseObject({ index: z.int(), relevance_score: z.number() })),
  usage: z.looseObject({ total_tokens: Tokens }).nullish().catch(undefined),
});

/** `POST /v1/rerank` (api.jina.ai/redoc). */
export const jinaRerank: DirectWire<RerankParams, Ranking> = {
  request: ({ query, documents, topN, rankFields, foreign }, { model, report }) => ({
    path: '/v1/rerank',
    json: {
      ...knownFields(foreign, KNOWN, report),
      model,
      query,
      documents: documents.map(
        (document, index) => imageOf(document, rankFields) ?? documentText(document, rankFields, `documents[${index}]`),
      ),
      ...(topN !== undefined && { top_n: Math.min(topN, documents.length) }),
      // By default, Jina returns the documents. Here, the gateway adds them to the response.
      return_documents: false,
    },
  }),
  read: (body, params) => {
    const { data } = WireRanking.safeParse(body);
    const ranked = data?.results.map(({ index, relevance_score: score }) => ({ index, score }));
    const results = ranked && readRanking(ranked, params);
    const inputTokens = data?.usage?.total_tokens;
    return results && { results, ...(inputTokens !== undefined && { inputTokens }) };
  },
  refusal: jinaRefusal,
};

/** Returns an image document for Jina's multimodal models, or undefined if the document is not an image. */
function imageOf(document: RerankDocument, rankFields: RerankParams['rankFields']): { image: string } | undefined {
  if (typeof document === 'string' || rankFields !== undefined) return undefined;
  const { text, image } = document;
  return typeof image === 'string' && typeof text !== 'string' ? { image } : undefined;
}
