import { isRecord } from '../json/is-record.ts';

/** A JSON object whose members nobody has looked at yet. */
export type JsonObject = Record<string, unknown>;

/** One choice of a text completion. */
export interface TextChoice {
  text: string;
  index: number;
  logprobs: null;
  finish_reason: 'stop' | 'length' | 'content_filter' | null;
}

/** The choices of a chat completion or of one of its chunks, with their place in it. */
export function chatChoices(response: unknown): { at: number; choice: JsonObject }[] {
  const choices: unknown = isRecord(response) ? response['choices'] : undefined;
  if (!Array.isArray(choices)) return [];
  return choices.flatMap((choice: unknown, at) =>
    isRecord(choice) ? [{ at: typeof choice['index'] === 'number' ? choice['index'] : at, choice }] : [],
  );
}

/** The text of a chat message or delta; a refusal is told as text, since there is no other place. */
export function chatText(message: unknown): string {
  if (!isRecord(message)) return '';
  const { content, refusal } = message;
  return (typeof content === 'string' ? content : '') + (typeof refusal === 'string' ? refusal : '');
}

/** Text completions know three endings. */
export function textFinish(reason: unknown): TextChoice['finish_reason'] {
  if (reason === undefined || reason === null) return null;
  return reason === 'length' || reason === 'content_filter' ? reason : 'stop';
}

/** Adds up usage objects, their details too; undefined when there is none. */
export function sumUsage(usages: readonly unknown[]): JsonObject | undefined {
  const known = usages.filter((usage) => isRecord(usage));
  if (known.length === 0) return undefined;
  const sum: JsonObject = {};
  for (const [name, value] of known.flatMap((usage) => Object.entries(usage))) {
    const before = sum[name];
    if (typeof value === 'number') sum[name] = (typeof before === 'number' ? before : 0) + value;
    else if (isRecord(value)) sum[name] = sumUsage([before, value]) ?? {};
  }
  return sum;
}
