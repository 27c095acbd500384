import { isRecord } from '../../json/is-record.ts';
import { asNonEmptyString, type JsonObject } from '../../json/values.ts';

/** Gemini's field for thought signatures. Clients return opaque tokens in it. */
export interface ExtraContent {
  google: { thought_signature: string };
}

export function encodeExtraContent(value: string): ExtraContent {
  return { google: { thought_signature: value } };
}

/** @param holder a message, a delta, or a call */
export function thoughtSignatureOf(holder: JsonObject): string | undefined {
  const extra = holder['extra_content'];
  const google = isRecord(extra) ? extra['google'] : undefined;
  return isRecord(google) ? asNonEmptyString(google['thought_signature']) : undefined;
}
