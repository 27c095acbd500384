import { withoutDirectives } from '../../directives/text-directives.ts';
import { countKeywords } from './count-keywords.ts';
import { CATEGORIES, type ModerationCategory } from './moderation-keywords.ts';

export interface ModerationInput {
  texts: string[];
  /** Images are represented by the last part of their URL's path; they are not fetched. */
  images: string[];
}

export interface Moderation {
  flagged: boolean;
  categories: Record<ModerationCategory, boolean>;
  category_scores: Record<ModerationCategory, number>;
  category_applied_input_types: Record<ModerationCategory, ('text' | 'image')[]>;
}

/** openai 7.55.0, `CategoryAppliedInputTypes`. */
const OF_IMAGES: ReadonlySet<ModerationCategory> = new Set([
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'sexual',
  'violence',
  'violence/graphic',
]);

const FLAGGED = 0.5;
/** Remaining share of innocence per keyword. */
const EACH_WORD = 0.1;
const INNOCENT = 0.0001;

function score(hits: number): number {
  return hits === 0 ? INNOCENT : Number((1 - EACH_WORD ** hits).toFixed(6));
}

function each<T>(value: (category: ModerationCategory) => T): Record<ModerationCategory, T> {
  // Every key is present, and no other.
  return Object.fromEntries(CATEGORIES.map((category) => [category, value(category)])) as Record<ModerationCategory, T>;
}

/** Judges texts by keywords, images by keywords in their names. */
export function moderateInput({ texts, images }: ModerationInput): Moderation {
  const inTexts = countKeywords(texts.map(withoutDirectives).join('\n'));
  const inImages = countKeywords(images.join('\n'));
  const own = (category: ModerationCategory) =>
    (inTexts.get(category) ?? 0) + (OF_IMAGES.has(category) ? (inImages.get(category) ?? 0) : 0);
  const scores = each((category) => {
    const inner = CATEGORIES.filter((other) => other.startsWith(`${category}/`));
    return score([category, ...inner].reduce((sum, one) => sum + own(one), 0));
  });
  const categories = each((category) => scores[category] >= FLAGGED);
  return {
    flagged: CATEGORIES.some((category) => categories[category]),
    categories,
    category_scores: scores,
    category_applied_input_types: each((category) => [
      ...(texts.length > 0 ? (['text'] as const) : []),
      ...(images.length > 0 && OF_IMAGES.has(category) ? (['image'] as const) : []),
    ]),
  };
}
