import type { ForeignFields } from './foreign-fields.ts';

/** One part of a content that is judged as a whole. */
export type ModerationPart =
  | { type: 'text'; text: string }
  /** An https or data URL; the upstream fetches it. */
  | { type: 'image_url'; image_url: { url: string } };

/** Contents to be judged: a text, several, or one made of parts. */
export interface ModerationParams {
  input: string | readonly string[] | readonly ModerationPart[];
  foreign: ForeignFields;
}

/** What was found in one content. */
export interface ModerationResult {
  flagged: boolean;
  /** By category, such as `violence/graphic`; null where the model does not judge it. */
  categories: Readonly<Record<string, boolean | null>>;
  /** From 0 to 1, by category. */
  scores: Readonly<Record<string, number | null>>;
  /** Which kinds of input a category was judged by; absent: not told. */
  appliedInputTypes?: Readonly<Record<string, readonly string[]>>;
}

/** The judgement of each content, in the order of the wish; one alone for parts. */
export interface Moderation {
  results: readonly ModerationResult[];
}
