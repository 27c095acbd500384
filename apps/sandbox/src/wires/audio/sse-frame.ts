import type { WireError } from '../../http/wire-error.ts';

/** An event of a sound, or of what it says: its name stands inside alone. */
export function sseFrame(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** The frame that breaks a stream of events off. */
export function sseFailure(error: WireError): string {
  return sseFrame(Object(error.body('')));
}
