import type { MadeOutput, SubmitOutcome } from '@sluice/canonical';

/** Longest answer that is read where images come in it, bytes. */
export const MADE_ANSWER_BYTES = 64 * 1024 * 1024;

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
