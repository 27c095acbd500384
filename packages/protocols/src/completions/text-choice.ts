import { isRecord } from '../json/is-record.ts';
import { asArray, asNumber, asString, type JsonObject, objectOrEmpty } from '../json/values.ts';

export interface TextChoice {
  text: string;
  index: number;
  logprobs: null;
  finish_reason: 'stop' | 'length' | 'content_filter' | null;
}

/** Returns the choices of a chat completion or chunk, with their indexes. */
export function chatChoices(response: unknown): { index: number; choice: JsonObject }[] {
  return asArray(objectOrEmpty(response)['choices']).flatMap((choice, position) =>
    isRecord(choice) ? [{ index: asNumber(choice['index']) ?? position, choice }] : [],
  );
}

/** Returns the text of a chat message or delta, including the text of a refusal. */
export function chatText(message: unknown): string {
  const { content, refusal } = objectOrEmpty(message);
  return (asString(content) ?? '') + (asString(refusal) ?? '');
}

/** Maps to one of the three finish reasons of text completions. */
export function textFinish(reason: unknown): TextChoice['finish_reason'] {
  if (reason === undefined || reason === null) return null;
  return reason === 'length' || reason === 'content_filter' ? reason : 'stop';
}

/** Sums usage objects and their details. Returns undefined if there are none. */
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
