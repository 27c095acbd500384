/** Fields that identify a state transition of a task. */
export interface SentMove {
  to?: string;
  claim?: unknown;
  enter?: boolean;
  due?: number;
  set: Record<string, string>;
}

/** Parses the transition of a command; undefined: another command. */
export function sentMove(args: readonly unknown[]): SentMove | undefined {
  const last = args.at(-1);
  return typeof last === 'string' && last.startsWith('{"') && last.includes('"retentionMs":')
    ? (JSON.parse(last) as SentMove) // only the task store writes it
    : undefined;
}
