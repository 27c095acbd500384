import type { ForeignFields } from './foreign-fields.ts';

/** One part of an input that is moderated together with the others. */
export type ModerationPart =
  | { type: 'text'; text: string }
  /** An https or data URL; the upstream fetches it. */
  | { type: 'image_url'; image_url: { url: string } };

/** One text, several texts, or one input made of parts. */
export interface ModerationParams {
  input: string | readonly string[] | readonly ModerationPart[];
  foreign: ForeignFields;
}

/** The result for one input. */
export interface ModerationResult {
  flagged: boolean;
  /** By category, such as `violence/graphic`; null if the model does not check it. */
  categories: Readonly<Record<string, boolean | null>>;
  /** From 0 to 1, by category. */
  scores: Readonly<Record<string, number | null>>;
  /** Input types that each category was applied to; absent: not reported. */
  appliedInputTypes?: Readonly<Record<string, readonly string[]>>;
}

/** One result per input, in the order of the request. An input of parts has one result. */
export interface Moderation {
  results: readonly ModerationResult[];
}
