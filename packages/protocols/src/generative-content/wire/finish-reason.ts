import type { FinishReason } from '@sluice/canonical';

/** Reasons that mean an error unless content came before. */
const UNUSABLE = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
]);

export function isUnusable(reason: string): boolean {
  return UNUSABLE.has(reason);
}

/** @param hasCalls because the vendor reports `STOP` for calls */
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

/** `CONTINUATION` is never written, because SDKs would resend the request. */
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
