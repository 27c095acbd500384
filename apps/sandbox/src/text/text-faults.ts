import { FAILED_CALLS, hasTextWord, TEXT_WORDS } from './text-words.ts';

/** A failure before the first byte of an answer. */
export type TextFault = 'unauthorized' | 'throttled' | 'broken' | 'overloaded' | 'context';

/** Remembers how often a text has failed. */
export interface TextFaults {
  /** The failure that a text asks for now; undefined: it is to be answered. */
  next(wire: string, text: string): TextFault | undefined;
}

/** The most texts whose failures are remembered; the oldest are forgotten first. */
const MOST_TEXTS = 10_000;

/** Counts failures in memory, by wire and text. */
export function createTextFaults(): TextFaults {
  const counts = new Map<string, number>();
  function first(key: string): boolean {
    const count = counts.get(key) ?? 0;
    if (count >= FAILED_CALLS) return false;
    counts.set(key, count + 1);
    const [oldest] = counts.keys();
    if (counts.size > MOST_TEXTS && oldest !== undefined) counts.delete(oldest);
    return true;
  }
  return {
    next(wire, text) {
      if (hasTextWord(text, 'unauthorized')) return 'unauthorized';
      if (hasTextWord(text, 'context')) return 'context';
      if (hasTextWord(text, 'overloaded')) return 'overloaded';
      if (hasTextWord(text, 'throttled') && first(JSON.stringify([wire, TEXT_WORDS.throttled.word, text])))
        return 'throttled';
      if (hasTextWord(text, 'broken') && first(JSON.stringify([wire, TEXT_WORDS.broken.word, text]))) return 'broken';
      return undefined;
    },
  };
}
