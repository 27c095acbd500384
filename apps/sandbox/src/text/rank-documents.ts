import { stemsOf, weightOf } from './stems-of.ts';
import { withoutDirectives } from '../directives/text-directives.ts';

/** A document's place among others. */
export interface Rank {
  /** Where it stood in the request. */
  index: number;
  /** 0 to 1. */
  score: number;
}

/** How much of a score tells how little else a document holds; the rest tells how much of the query it holds. */
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

/** Ranks documents by the words that they share with a query, the best first; of equals, the first. */
export function rankDocuments(query: string, documents: readonly string[]): Rank[] {
  const wanted = new Set(stemsOf(withoutDirectives(query)));
  return documents
    .map((document, index) => ({ index, score: scoreOf(wanted, new Set(stemsOf(document))) }))
    .toSorted((one, other) => other.score - one.score);
}
