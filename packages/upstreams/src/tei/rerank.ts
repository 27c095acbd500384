import type { Ranking, RerankParams } from '@sluice/canonical';
import { z } from 'zod';
import { chunksOf } from '../direct/send-parts.ts';
import type { DirectWire, ParamsSplit } from '../direct/create-direct-upstream.ts';
import { documentTexts } from '../direct/document-text.ts';
import { knownFields } from '../direct/known-fields.ts';
import { readRanking } from '../direct/read-ranking.ts';
import { teiRefusal } from './refusal.ts';

/** The default of the server's `--max-client-batch-size`. */
const MAX_TEXTS = 32;
const KNOWN = ['truncate', 'truncation_direction'];

const WireRanking = z.array(z.looseObject({ index: z.int(), score: z.number() }));

/** The server scores each document separately, so scores from several calls can be compared. */
const split: ParamsSplit<RerankParams, Ranking> = {
  // Convert documents before splitting the request, so that errors contain the document's original index.
  parts: (params) =>
    chunksOf(documentTexts(params), MAX_TEXTS).map((documents) => Object.assign({ ...params, documents })),
  join: (responses, parts) => {
    let before = 0;
    const results = responses.flatMap((response, at) => {
      const start = before;
      before += parts[at]?.documents.length ?? 0;
      return response.results.map(({ index, score }) => ({ index: index + start, score }));
    });
    return { results };
  },
};

/** `POST /rerank` (text-embeddings-inference 1.8, OpenAPI document). The server has one model, so no name is sent. */
export const teiRerank: DirectWire<RerankParams, Ranking> = {
  request: (params, { report }) => ({
    path: '/rerank',
    json: { ...knownFields(params.foreign, KNOWN, report), query: params.query, texts: documentTexts(params) },
  }),
  read: (body, params) => {
    const { data } = WireRanking.safeParse(body);
    const results =
      data &&
      readRanking(
        data.map(({ index, score }) => ({ index, score })),
        params,
      );
    return results && { results };
  },
  refusal: teiRefusal,
  split,
};
