import { FAILED_CALLS, hasTextDirective, TEXT_DIRECTIVES } from '../directives/text-directives.ts';

/** A failure before the first byte of an answer. */
export type TextFault = 'unauthorized' | 'throttled' | 'broken' | 'overloaded' | 'context';

/** Remembers how often a text has failed. */
export interface TextFaults {
  /** The failure that a text asks for now; undefined: it is to be answered. */
  next(wire: string, text: string): TextFault | undefined;
}

/** The most texts whose failures are remembered; the oldest are forgotten first. */
const MAX_TEXTS = 10_000;

/** Counts failures in memory, by wire and text. */
export function createTextFaults(): TextFaults {
  const counts = new Map<string, number>();
  function first(key: string): boolean {
    const count = counts.get(key) ?? 0;
    if (count >= FAILED_CALLS) return false;
    counts.set(key, count + 1);
    const [oldest] = counts.keys();
    if (counts.size > MAX_TEXTS && oldest !== undefined) counts.delete(oldest);
    return true;
  }
  return {
    next(wire, text) {
      if (hasTextDirective(text, 'unauthorized')) return 'unauthorized';
      if (hasTextDirective(text, 'context')) return 'context';
      if (hasTextDirective(text, 'overloaded')) return 'overloaded';
      if (hasTextDirective(text, 'throttled') && first(JSON.stringify([wire, TEXT_DIRECTIVES.throttled.word, text])))
        return 'throttled';
      if (hasTextDirective(text, 'broken') && first(JSON.stringify([wire, TEXT_DIRECTIVES.broken.word, text])))
        return 'broken';
      return undefined;
    },
  };
}
