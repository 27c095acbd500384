import { asArray, asNonEmptyString } from '../../json/values.ts';
import { isRecord } from '../../json/is-record.ts';

/** Joins Mistral's reasoning, which is a string or an array of text parts. */
export function thinkingText(value: unknown): string {
  if (typeof value === 'string') return value;
  return asArray(value)
    .map((part) => (isRecord(part) ? (asNonEmptyString(part['text']) ?? '') : ''))
    .join('');
}
