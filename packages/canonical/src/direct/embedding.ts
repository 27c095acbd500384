import type { ForeignFields } from './foreign-fields.ts';

export type EmbeddingInput = string | readonly number[];

export interface EmbeddingParams {
  inputs: readonly EmbeddingInput[];
  dimensions?: number;
  /** The purpose of the vectors, under Google's names (e.g. `RETRIEVAL_QUERY`, `CLUSTERING`). */
  task?: string;
  titles?: readonly (string | undefined)[];
  /** Whether the client requested base64. If the upstream also returns base64, no conversion is needed. */
  prefersBase64: boolean;
  foreign: ForeignFields;
}

export type Vector = readonly number[] | string;

/** One vector per input, in the order of the request. */
export interface Embeddings {
  vectors: readonly Vector[];
  inputTokens?: number;
}
