import type { FinishReason } from '@sluice/canonical';

/** The vendor's words for an answer that its model spoiled: there is nothing to show unless something came before. */
const SPOILED = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
]);

/** Whether an answer ended because the model could not write a call that makes sense. */
export function isSpoiled(reason: string): boolean {
  return SPOILED.has(reason);
}

/** @param hasCalls whether the answer holds calls: the vendor has no reason of its own for them and says `STOP` */
export function decodeFinish(reason: string, hasCalls: boolean): FinishReason {
  switch (reason) {
    case 'STOP':
      return hasCalls ? 'tool_calls' : 'stop';
    case 'MAX_TOKENS':
      return 'length';
    case 'SAFETY':
    case 'RECITATION':
    case 'BLOCKLIST':
    case 'PROHIBITED_CONTENT':
    case 'SPII':
    case 'IMAGE_SAFETY':
    case 'IMAGE_PROHIBITED_CONTENT':
    case 'IMAGE_RECITATION':
      return 'content_filter';
    case 'CONTINUATION':
      return 'pause';
    default:
      return hasCalls ? 'tool_calls' : 'other';
  }
}

/** `CONTINUATION` is never written: SDKs would send the request again by themselves. */
export function encodeFinish(finish: FinishReason): string {
  switch (finish) {
    case 'stop':
    case 'stop_sequence':
    case 'tool_calls':
    case 'pause':
      return 'STOP';
    case 'length':
    case 'context_window':
      return 'MAX_TOKENS';
    case 'content_filter':
    case 'refusal':
      return 'SAFETY';
    case 'other':
      return 'OTHER';
  }
}
