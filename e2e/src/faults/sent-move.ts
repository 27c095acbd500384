/** The fields of a task's state transition that the tests use. */
export interface SentMove {
  to?: string;
  claim?: unknown;
  enter?: boolean;
  due?: number;
  set: Record<string, string>;
}

/** Parses the state transition in a command's arguments. Returns undefined for other commands. */
export function sentMove(args: readonly unknown[]): SentMove | undefined {
  const last = args.at(-1);
  return typeof last === 'string' && last.startsWith('{"') && last.includes('"retentionMs":')
    ? (JSON.parse(last) as SentMove) // The cast is safe because only the task store writes this argument.
    : undefined;
}

/** Whether a command records a poll after which the vendor's job is still running. */
export function isRunningPoll(args: readonly unknown[]): boolean {
  const last = args.at(-1);
  return typeof last === 'string' && last.startsWith('{"') && last.includes('"hasProgressed":');
}
