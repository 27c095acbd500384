import type { ForeignFields } from './foreign-fields.ts';

/** A text, or an object such as `{text}`, `{image}` or one of fields of any name. */
export type RerankDocument = string | Readonly<Record<string, unknown>>;

/** Documents to be put in the order of how well they answer a query. */
export interface RerankParams {
  query: string;
  /** At least one. */
  documents: readonly RerankDocument[];
  /** How many of the best are wanted; absent or more than there are: all. */
  topN?: number;
  /** Whether the answer shall repeat the documents; no upstream needs to know. */
  returnDocuments: boolean;
  /** The fields of object documents that count, in this order. */
  rankFields?: readonly string[];
  foreign: ForeignFields;
}

/** What one document was found to be worth. */
export interface RankedDocument {
  /** Its place in the wish. */
  index: number;
  score: number;
}

/** The documents that are worth most, in any order. */
export interface Ranking {
  results: readonly RankedDocument[];
  /** What the vendor bills by, where it says so. */
  searchUnits?: number;
  /** Absent: not told. */
  inputTokens?: number;
}
