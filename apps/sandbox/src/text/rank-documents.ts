import { stemsOf, weightOf } from './stems-of.ts';
import { withoutDirectives } from '../directives/text-directives.ts';

export interface Rank {
  index: number;
  score: number;
}

/** Weight of brevity in a score. Coverage of the query has the remaining weight. */
const BREVITY = 0.1;

function weigh(words: Iterable<string>): number {
  let sum = 0;
  for (const word of words) sum += weightOf(word);
  return sum;
}

function scoreOf(query: ReadonlySet<string>, document: ReadonlySet<string>): number {
  const shared = weigh([...query].filter((word) => document.has(word)));
  if (shared === 0) return 0;
  const all = weigh(query) + weigh(document) - shared;
  return Number(((1 - BREVITY) * (shared / weigh(query)) + BREVITY * (shared / all)).toFixed(7));
}

/** Ranks documents by the words they share with the query, best first. Ties keep their order. */
export function rankDocuments(query: string, documents: readonly string[]): Rank[] {
  const queryStems = new Set(stemsOf(withoutDirectives(query)));
  return documents
    .map((document, index) => ({ index, score: scoreOf(queryStems, new Set(stemsOf(document))) }))
    .toSorted((one, other) => other.score - one.score);
}
