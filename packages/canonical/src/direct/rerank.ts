import type { ForeignFields } from './foreign-fields.ts';

export type RerankDocument = string | Readonly<Record<string, unknown>>;

export interface RerankParams {
  query: string;
  documents: readonly RerankDocument[];
  topN?: number;
  /** Not sent to upstreams. */
  returnDocuments: boolean;
  /** Fields of object documents, in this order. */
  rankFields?: readonly string[];
  foreign: ForeignFields;
}

export interface RankedDocument {
  index: number;
  score: number;
}

export interface Ranking {
  /** In any order. */
  results: readonly RankedDocument[];
  searchUnits?: number;
  inputTokens?: number;
}
