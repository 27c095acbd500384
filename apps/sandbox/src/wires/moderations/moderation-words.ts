import { stemsOf } from '../../text/stems-of.ts';

/** The words that flag a text, by category. A category after a slash flags the one before it, too. */
export const MODERATION_WORDS = {
  harassment: ['idiot', 'loser', 'stupid'],
  'harassment/threatening': ['threaten', 'hurt you'],
  hate: ['hate', 'inferior'],
  'hate/threatening': ['exterminate'],
  illicit: ['steal', 'hack', 'counterfeit'],
  'illicit/violent': ['bomb', 'grenade'],
  'self-harm': ['suicide', 'self-harm'],
  'self-harm/intent': ['end my life'],
  'self-harm/instructions': ['overdose'],
  sexual: ['nude', 'erotic'],
  'sexual/minors': ['underage'],
  violence: ['kill', 'murder', 'stab'],
  'violence/graphic': ['gore', 'dismember'],
} as const satisfies Record<string, readonly string[]>;

/** A category of OpenAI's moderation. */
export type ModerationCategory = keyof typeof MODERATION_WORDS;

/** All categories, in the vendor's order. */
// Object.keys forgets that the object has these keys alone.
export const CATEGORIES = Object.keys(MODERATION_WORDS) as ModerationCategory[];

const PHRASES = CATEGORIES.map((category) => ({
  category,
  phrases: MODERATION_WORDS[category].map((phrase) => stemsOf(phrase)),
}));

/** How many words of each category a text holds, in any form that has the same stem. */
export function countHits(text: string): Map<ModerationCategory, number> {
  const stems = stemsOf(text);
  const holds = (phrase: readonly string[], from: number) => phrase.every((stem, at) => stems[from + at] === stem);
  return new Map(
    PHRASES.map(({ category, phrases }) => {
      const hits = phrases.map((phrase) => stems.filter((_, at) => holds(phrase, at)).length);
      return [category, hits.reduce((sum, count) => sum + count, 0)];
    }),
  );
}
