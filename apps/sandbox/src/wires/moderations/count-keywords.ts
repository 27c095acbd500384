import { stemsOf } from '../../text/stems-of.ts';
import { CATEGORIES, MODERATION_KEYWORDS, type ModerationCategory } from './moderation-keywords.ts';

const PHRASES = CATEGORIES.map((category) => ({
  category,
  phrases: MODERATION_KEYWORDS[category].map((phrase) => stemsOf(phrase)),
}));

export function countKeywords(text: string): Map<ModerationCategory, number> {
  const stems = stemsOf(text);
  const holds = (phrase: readonly string[], from: number) => phrase.every((stem, at) => stems[from + at] === stem);
  return new Map(
    PHRASES.map(({ category, phrases }) => {
      const hits = phrases.map((phrase) => stems.filter((_, at) => holds(phrase, at)).length);
      return [category, hits.reduce((sum, count) => sum + count, 0)];
    }),
  );
}
