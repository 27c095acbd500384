import type { ForeignFields } from './foreign-fields.ts';

export type EmbeddingInput = string | readonly number[];

export interface EmbeddingParams {
  inputs: readonly EmbeddingInput[];
  dimensions?: number;
  /** Purpose of the vectors, as Google names it: `RETRIEVAL_QUERY`, `CLUSTERING` … */
  task?: string;
  titles?: readonly (string | undefined)[];
  /** An upstream that returns base64 then saves both conversions. */
  prefersBase64: boolean;
  foreign: ForeignFields;
}

export type Vector = readonly number[] | string;

/** One vector per input, in the order of the request. */
export interface Embeddings {
  vectors: readonly Vector[];
  inputTokens?: number;
}
