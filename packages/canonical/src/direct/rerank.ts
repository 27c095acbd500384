import type { ForeignFields } from './foreign-fields.ts';

/** A text, or an object such as `{text}`, `{image}`, or one with arbitrary fields. */
export type RerankDocument = string | Readonly<Record<string, unknown>>;

/** Documents to rank by relevance to a query. */
export interface RerankParams {
  query: string;
  /** At least one. */
  documents: readonly RerankDocument[];
  /** Maximum number of results; absent: all. */
  topN?: number;
  /** Whether the response repeats the documents. Upstreams do not need this. */
  returnDocuments: boolean;
  /** Fields of object documents to rank by, in this order. */
  rankFields?: readonly string[];
  foreign: ForeignFields;
}

/** The relevance of one document. */
export interface RankedDocument {
  /** Index of the document in the request. */
  index: number;
  score: number;
}

/** The most relevant documents, in any order. */
export interface Ranking {
  results: readonly RankedDocument[];
  /** Billed units, if the vendor reports them. */
  searchUnits?: number;
  /** Absent: not reported. */
  inputTokens?: number;
}
