import type { LossReport } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';
import type { JsonObject } from '../json/values.ts';

/** A part of a response that a decoder reads, but some client protocols cannot express. */
export type ResponsePart =
  | 'choices'
  | 'citations'
  | 'cited text'
  | 'citation range'
  | 'audio'
  | 'audio transcript'
  | 'image'
  | 'video'
  | 'document'
  | 'stop sequence'
  | 'stop details'
  | 'audio input tokens'
  | 'audio output tokens'
  | 'image input tokens';

/** Reports a part that the client's protocol cannot express: its name, or a foreign block's kind. */
export type ReportLost = (part: ResponsePart | { kind: string }) => void;

/** Reports the fields of an upstream's object that the decoder does not read. Empty values are not reported. */
export function reportUnread(
  fields: JsonObject,
  read: ReadonlySet<string>,
  path: string,
  report: LossReport | undefined,
): void {
  if (!report) return;
  for (const key in fields) {
    if (!read.has(key) && hasContent(fields[key])) report({ field: `response.${path}${key}`, how: 'dropped' });
  }
}

/** The name of an unknown type in a loss. Only strings are converted safely. */
export function kindName(type: unknown): string {
  return typeof type === 'string' ? type : 'unknown';
}

/** The nesting depth at which a value counts as content, because deep recursion overflows the stack. */
const MAX_DEPTH = 10;

/** Whether a value says anything. Vendors send null, zero, false, and empty values for features that are not in use. */
export function hasContent(value: unknown, depth = 0): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (!isRecord(value)) return Boolean(value);
  return depth >= MAX_DEPTH || Object.values(value).some((member) => hasContent(member, depth + 1));
}
