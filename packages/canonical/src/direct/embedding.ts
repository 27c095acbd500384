import type { ForeignFields } from './foreign-fields.ts';

/** A text, or a text that the client has already tokenized. */
export type EmbeddingInput = string | readonly number[];

export interface EmbeddingParams {
  /** At least one. */
  inputs: readonly EmbeddingInput[];
  /** Length of each vector; absent: the model's default. */
  dimensions?: number;
  /** Purpose of the vectors, as Google names it: `RETRIEVAL_QUERY`, `CLUSTERING` … */
  task?: string;
  /** Titles of the texts, in the order of `inputs`. */
  titles?: readonly (string | undefined)[];
  /** Whether the client wants base64 vectors. An upstream that returns base64 then saves both conversions. */
  prefersBase64: boolean;
  foreign: ForeignFields;
}

/** The numbers, or their base64 encoding as little-endian float32. */
export type Vector = readonly number[] | string;

/** One vector per input, in the order of the request. */
export interface Embeddings {
  vectors: readonly Vector[];
  /** Absent: not reported. */
  inputTokens?: number;
}
