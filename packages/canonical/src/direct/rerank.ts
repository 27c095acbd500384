import type { ForeignFields } from './foreign-fields.ts';

export type RerankDocument = string | Readonly<Record<string, unknown>>;

export interface RerankParams {
  query: string;
  documents: readonly RerankDocument[];
  topN?: number;
  /** Not sent to upstreams, because the gateway itself adds the documents to the response. */
  returnDocuments: boolean;
  /** The fields of object documents that are used for ranking, in this order. */
  rankFields?: readonly string[];
  foreign: ForeignFields;
}

export interface RankedDocument {
  index: number;
  score: number;
}

export interface Ranking {
  /** The results, in any order. */
  results: readonly RankedDocument[];
  searchUnits?: number;
  inputTokens?: number;
}
