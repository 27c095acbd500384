/** The part of a move that the fault tests need to identify it. */
export interface SentMove {
  to?: string;
  claim?: unknown;
  enter?: boolean;
  due?: number;
  set: Record<string, string>;
}

/** Reads the move out of a command's words; undefined when it is another command. */
export function sentMove(words: readonly unknown[]): SentMove | undefined {
  const last = words.at(-1);
  return typeof last === 'string' && last.startsWith('{"') && last.includes('"retentionMs":')
    ? (JSON.parse(last) as SentMove) // written by the task store alone
    : undefined;
}
