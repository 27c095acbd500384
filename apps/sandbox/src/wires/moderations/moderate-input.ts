import { stemsOf } from '../../text/stems-of.ts';
import { withoutDirectives } from '../../directives/text-directives.ts';
import { names } from '../../schema/names.ts';
import { CATEGORIES, MODERATION_KEYWORDS, type ModerationCategory } from './moderation-keywords.ts';

export interface ModerationInput {
  texts: string[];
  /** An image is represented by the last path segment of its URL and is never fetched. */
  images: string[];
}

/** Source: openai 7.55.0, `CategoryAppliedInputTypes`. */
const OF_IMAGES: ReadonlySet<ModerationCategory> = new Set(
  names('self-harm self-harm/intent self-harm/instructions sexual violence violence/graphic'),
);

const FLAGGED = 0.5;
const DOUBT_PER_KEYWORD = 0.1;
const MIN_SCORE = 0.0001;

const PHRASES = CATEGORIES.map((category) => ({ category, phrases: MODERATION_KEYWORDS[category].map(stemsOf) }));

function countKeywords(text: string): Map<ModerationCategory, number> {
  const stems = stemsOf(text);
  const startsAt = (phrase: readonly string[], from: number) => phrase.every((stem, at) => stems[from + at] === stem);
  return new Map(
    PHRASES.map(({ category, phrases }) => {
      const hits = phrases.map((phrase) => stems.filter((_, at) => startsAt(phrase, at)).length);
      return [category, hits.reduce((sum, count) => sum + count, 0)];
    }),
  );
}

function score(hits: number): number {
  return hits === 0 ? MIN_SCORE : Number((1 - DOUBT_PER_KEYWORD ** hits).toFixed(6));
}

function each<T>(value: (category: ModerationCategory) => T): Record<ModerationCategory, T> {
  // The cast is safe because the object has exactly these keys.
  return Object.fromEntries(CATEGORIES.map((category) => [category, value(category)])) as Record<ModerationCategory, T>;
}

/** Scores texts by keywords, and images by keywords in their file names. */
export function moderateInput({ texts, images }: ModerationInput) {
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
