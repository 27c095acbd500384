import { type ReturnedOutput, type SubmitOutcome, UPSTREAM_MESSAGES } from '@sluice/canonical';

/** Maximum response size with one inline image, in bytes. */
export const INLINE_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Maximum size of one base64 image, in bytes (an incompressible 4K PNG). */
const IMAGE_BYTES = 48 * 1024 * 1024;
/** A longer response cannot be parsed as JSON, because V8 limits strings to slightly less than 512 MiB. */
const MAX_RESPONSE_BYTES = 480 * 1024 * 1024;

/** Maximum response size with `n` inline images, in bytes. Generous, because billed images must not be discarded. */
export function inlineResponseBytes(n: number | undefined): number {
  const bytes = Number.isFinite(n) ? IMAGE_BYTES * Number(n) : 0;
  return Math.min(Math.max(INLINE_RESPONSE_BYTES, bytes), MAX_RESPONSE_BYTES);
}

/**
 * Returns the file as bytes if the response contains base64 (plain or as a data URL), otherwise as a URL. Returns
 * undefined if there is neither.
 */
export function returnedFile({
  base64,
  url,
}: {
  base64?: string;
  url?: string;
}): Pick<ReturnedOutput, 'bytes' | 'url'> | undefined {
  const text = base64 ?? (url?.startsWith('data:') === true ? url : undefined);
  if (text === undefined) return url === undefined ? undefined : { url };
  const bytes = Buffer.from(text.replace(/^data:[^,]*,/, ''), 'base64');
  return bytes.byteLength === 0 ? undefined : { bytes };
}

/**
 * Returns the outcome of a synchronous response. One image is enough for success. If all images failed, the task fails
 * with the first reason.
 */
export function returnedOutcome(outputs: ReturnedOutput[]): SubmitOutcome {
  if (outputs.some(({ error }) => !error)) return { kind: 'returned', outputs };
  const { code = 'provider_error', message = UPSTREAM_MESSAGES.noContent } = outputs[0]?.error ?? {};
  return { kind: 'rejected', code, message };
}
