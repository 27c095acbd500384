import type { ForeignFields } from './foreign-fields.ts';

/** A text, or one that the client has made into a model's tokens itself. */
export type EmbeddingInput = string | readonly number[];

/** Texts to be made into vectors. */
export interface EmbeddingParams {
  /** At least one. */
  inputs: readonly EmbeddingInput[];
  /** How many numbers a vector shall have; absent: as many as the model makes. */
  dimensions?: number;
  /** What the vectors are for, in Google's words: `RETRIEVAL_QUERY`, `CLUSTERING` … */
  task?: string;
  /** The titles of the texts, where they have one, in the order of `inputs`. */
  titles?: readonly (string | undefined)[];
  /** Whether the client wants vectors as base64: an upstream that has it saves both conversions. */
  prefersBase64: boolean;
  foreign: ForeignFields;
}

/** A vector: its numbers, or the base64 of these as little-endian float32. */
export type Vector = readonly number[] | string;

/** The vector of each input, in the order of the wish. */
export interface Embeddings {
  vectors: readonly Vector[];
  /** Absent: not told. */
  inputTokens?: number;
}
