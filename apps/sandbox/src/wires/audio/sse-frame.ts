import type { WireError } from '../../http/wire-error.ts';

export function sseFrame(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

export function sseFailure(error: WireError): string {
  return sseFrame(Object(error.body('')));
}
