import type { ForeignFields } from './foreign-fields.ts';

export type ModerationPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface ModerationParams {
  input: string | readonly string[] | readonly ModerationPart[];
  foreign: ForeignFields;
}

export interface ModerationResult {
  flagged: boolean;
  /** Results by category (e.g. `violence/graphic`). Null means that the model does not support the category. */
  categories: Readonly<Record<string, boolean | null>>;
  scores: Readonly<Record<string, number | null>>;
  appliedInputTypes?: Readonly<Record<string, readonly string[]>>;
}

/** One result per input, in the order of the request. An input with several parts has one result. */
export interface Moderation {
  results: readonly ModerationResult[];
}
