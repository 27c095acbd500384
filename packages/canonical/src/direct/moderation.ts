import type { ForeignFields } from './foreign-fields.ts';

export type ModerationPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface ModerationParams {
  input: string | readonly string[] | readonly ModerationPart[];
  foreign: ForeignFields;
}

export interface ModerationResult {
  flagged: boolean;
  /** By category, such as `violence/graphic`. Null: the model does not check it. */
  categories: Readonly<Record<string, boolean | null>>;
  scores: Readonly<Record<string, number | null>>;
  appliedInputTypes?: Readonly<Record<string, readonly string[]>>;
}

/** One result per input, in the order of the request. An input of parts has one result. */
export interface Moderation {
  results: readonly ModerationResult[];
}
