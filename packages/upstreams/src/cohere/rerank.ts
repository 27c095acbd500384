import type { LossReport, Ranking, RerankParams } from '@sluice/canonical';
import { z } from 'zod';
import type { DirectWire } from '../direct/create-direct-upstream.ts';
import { documentTexts } from '../direct/document-text.ts';
import { readRanking } from '../direct/read-ranking.ts';
import { Numeric, Tokens } from '../media/lenient.ts';
import { cohereRefusal } from './refusal.ts';

/** Version 2 does not support this field (cohere-ai 8.1, `V2RerankRequest`). */
const OF_VERSION_1 = 'max_chunks_per_doc';

const WireRanking = z.looseObject({
  results: z.array(z.looseObject({ index: z.int(), relevance_score: z.number() })),
  meta: z
    .looseObject({
      billed_units: z.looseObject({ search_units: Numeric }).nullish(),
      tokens: z.looseObject({ input_tokens: Tokens }).nullish(),
    })
    .nullish()
    .catch(undefined),
});

export const cohereRerank: DirectWire<RerankParams, Ranking> = {
  request: (params, { model, report }) => {
    const { query, documents, topN } = params;
    return {
      path: '/v2/rerank',
      json: {
        ...ofVersion2(params, report),
        model,
        query,
        documents: documentTexts(params),
        ...(topN !== undefined && { top_n: Math.min(topN, documents.length) }),
      },
    };
  },
  read: (body, params) => {
    const { data } = WireRanking.safeParse(body);
    const ranked = data?.results.map(({ index, relevance_score: score }) => ({ index, score }));
    const results = ranked && readRanking(ranked, params);
    if (!results) return undefined;
    const searchUnits = data?.meta?.billed_units?.search_units;
    const inputTokens = data?.meta?.tokens?.input_tokens;
    return {
      results,
      ...(searchUnits !== undefined && { searchUnits }),
      ...(inputTokens !== undefined && { inputTokens }),
    };
  },
  refusal: cohereRefusal,
};

function ofVersion2({ foreign }: RerankParams, report: LossReport): Record<string, unknown> {
  const { [OF_VERSION_1]: older, ...fields } = foreign.fields;
  if (older !== undefined) report({ field: OF_VERSION_1, how: 'dropped' });
  return fields;
}
