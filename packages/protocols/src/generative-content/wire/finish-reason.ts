import type { FinishReason } from '@sluice/canonical';
import { ownMember } from '../../json/values.ts';

/**
 * Finish reasons that mean an error, even after content, because the response is incomplete or contains an invalid
 * call.
 */
const FAILURES: Readonly<Record<string, string>> = {
  MALFORMED_FUNCTION_CALL: 'The model wrote an invalid tool call.',
  MALFORMED_RESPONSE: 'The model wrote an invalid response.',
  UNEXPECTED_TOOL_CALL: 'The model called a tool that is not available.',
  TOO_MANY_TOOL_CALLS: 'The model called too many tools in a row.',
  OTHER: 'The model stopped for an unknown reason.',
};

/** Returns the error message for a finish reason that means an error. */
export function failureOf(reason: string): string | undefined {
  return ownMember(FAILURES, reason);
}

/** @param hasCalls needed because the vendor also sends `STOP` after calls */
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
    // The content is in a language that the vendor does not support.
    case 'LANGUAGE':
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

/** Never returns `CONTINUATION`, because SDKs would resend the request. */
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
