import { FAILED_CALLS, hasTextDirective, TEXT_DIRECTIVES } from '../directives/text-directives.ts';

export type TextFault = 'unauthorized' | 'throttled' | 'broken' | 'overloaded' | 'context';

export interface TextFaults {
  /** The fault to inject now, if any. */
  next(wire: string, text: string): TextFault | undefined;
}

const MAX_TEXTS = 10_000;

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
