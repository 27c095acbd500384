import { FAILED_CALLS, hasTextDirective } from '../directives/text-directives.ts';

export type TextFault = 'unauthorized' | 'throttled' | 'broken' | 'overloaded' | 'context';

const MAX_TEXTS = 10_000;

export function createTextFaults() {
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
    next(wire: string, text: string): TextFault | undefined {
      const always = (['unauthorized', 'context', 'overloaded'] as const).find((name) => hasTextDirective(text, name));
      const isFirst = (name: TextFault) => first(JSON.stringify([wire, name, text]));
      const limited = ['throttled', 'broken'] as const;
      return always ?? limited.find((name) => hasTextDirective(text, name) && isFirst(name));
    },
  };
}

export type TextFaults = ReturnType<typeof createTextFaults>;
