import type { ReturnedOutput, SubmitOutcome } from '@sluice/canonical';

/** Max response size with one inline image, in bytes. */
export const INLINE_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Size of the largest image in base64: an incompressible 4K PNG. */
const IMAGE_BYTES = 48 * 1024 * 1024;
/** Longer text cannot be parsed as JSON. V8 limits strings to slightly less than 512 MiB. */
const MAX_RESPONSE_BYTES = 480 * 1024 * 1024;

/** Max response size with `n` inline images, in bytes. Billed images must not be discarded. */
export function inlineResponseBytes(n: number | undefined): number {
  const bytes = Number.isFinite(n) ? IMAGE_BYTES * Number(n) : 0;
  return Math.min(Math.max(INLINE_RESPONSE_BYTES, bytes), MAX_RESPONSE_BYTES);
}

/** Returns the file: its base64 as bytes (plain or a data URL), or else its URL. Undefined if there is neither. */
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

/** Returns a synchronous response's outcome. One image is enough. If all failed, the first reason is the task's. */
export function returnedOutcome(outputs: ReturnedOutput[]): SubmitOutcome {
  if (outputs.some(({ error }) => !error)) return { kind: 'returned', outputs };
  const { code = 'provider_error', message = 'The upstream responded without an image.' } = outputs[0]?.error ?? {};
  return { kind: 'rejected', code, message };
}
