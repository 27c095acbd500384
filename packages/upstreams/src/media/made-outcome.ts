import type { MadeOutput, SubmitOutcome } from '@sluice/canonical';

/** Longest answer that is read where one image comes in it, bytes. */
export const MADE_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Of the largest image that is made, a PNG of 4K that will not compress, in base64. */
const IMAGE_BYTES = 48 * 1024 * 1024;
/** A text that is longer could not be read as JSON: 512 MiB less a few is the longest that V8 has. */
const MAX_RESPONSE_BYTES = 480 * 1024 * 1024;

/** Longest answer that is read where so many images come in it, bytes: what has been paid for is not given up. */
export function madeResponseBytes(n: number | undefined): number {
  const wanted = Number.isFinite(n) ? IMAGE_BYTES * Number(n) : 0;
  return Math.min(Math.max(MADE_RESPONSE_BYTES, wanted), MAX_RESPONSE_BYTES);
}

/**
 * The file that an answer holds: its bytes from base64, bare or as a data URL, else its URL.
 * @returns nothing when there is neither
 */
export function madeFile(told: {
  base64?: string | undefined;
  url?: string | undefined;
}): Pick<MadeOutput, 'bytes' | 'url'> | undefined {
  const { base64, url } = told;
  const text = base64 ?? (url?.startsWith('data:') === true ? url : undefined);
  if (text === undefined) return url === undefined ? undefined : { url };
  const bytes = Buffer.from(text.replace(/^data:[^,]*,/, ''), 'base64');
  return bytes.byteLength === 0 ? undefined : { bytes };
}

/**
 * What an answer means that a synchronous upstream has given as a success. One image that is there is enough; where
 * all have failed, the first one's reason is the task's.
 */
export function madeOutcome(outputs: MadeOutput[]): SubmitOutcome {
  if (outputs.some(({ error }) => !error)) return { kind: 'made', outputs };
  const error = outputs[0]?.error;
  const { code = 'provider_error', message = 'The upstream answered without an image' } = error ?? {};
  return { kind: 'rejected', code, message };
}
