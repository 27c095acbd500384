import type { FinishReason } from '@sluice/canonical';
import { vendorMessage } from '../../errors/vendor-message.ts';
import { asString, type JsonObject, objectOrEmpty, ownMember } from '../../json/values.ts';

export interface Finish {
  finish: FinishReason;
  stopSequence?: string | undefined;
  detail?: string | undefined;
}

const REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  stop_sequence: 'stop_sequence',
  tool_use: 'tool_calls',
  pause_turn: 'pause',
  refusal: 'refusal',
  model_context_window_exceeded: 'context_window',
};

/**
 * Decodes `stop_reason`, `stop_sequence`, and `stop_details`.
 * @param hasCalls whether the client must run tools, not counting the gateway's JSON tool
 */
export function decodeFinish(fields: JsonObject, hasCalls: boolean): Finish {
  const reason = ownMember(REASONS, fields['stop_reason']) ?? 'other';
  const detail = asString(objectOrEmpty(fields['stop_details'])['explanation']);
  return {
    finish: adjustToCalls(reason, hasCalls),
    stopSequence: asString(fields['stop_sequence']),
    detail: detail === undefined ? undefined : vendorMessage(detail),
  };
}

function adjustToCalls(reason: FinishReason, hasCalls: boolean): FinishReason {
  if (hasCalls && (reason === 'stop' || reason === 'other')) return 'tool_calls';
  return !hasCalls && reason === 'tool_calls' ? 'stop' : reason;
}

export interface WireFinish {
  stop_reason:
    | 'end_turn'
    | 'max_tokens'
    | 'stop_sequence'
    | 'tool_use'
    | 'pause_turn'
    | 'refusal'
    | 'model_context_window_exceeded';
  stop_sequence: string | null;
  stop_details?: { type: 'refusal'; category: null; explanation: string | null };
}

/**
 * A stop at an unknown sequence becomes `end_turn`, because clients compare the reported sequence with the ones they
 * sent.
 */
export function encodeFinish({ finish, stopSequence, detail }: Finish): WireFinish {
  switch (finish) {
    case 'stop':
    case 'other':
      return { stop_reason: 'end_turn', stop_sequence: null };
    case 'stop_sequence':
      return stopSequence === undefined
        ? { stop_reason: 'end_turn', stop_sequence: null }
        : { stop_reason: 'stop_sequence', stop_sequence: stopSequence };
    case 'length':
      return { stop_reason: 'max_tokens', stop_sequence: null };
    case 'context_window':
      return { stop_reason: 'model_context_window_exceeded', stop_sequence: null };
    case 'tool_calls':
      return { stop_reason: 'tool_use', stop_sequence: null };
    case 'pause':
      return { stop_reason: 'pause_turn', stop_sequence: null };
    case 'content_filter':
    case 'refusal':
      return {
        stop_reason: 'refusal',
        stop_sequence: null,
        stop_details: { type: 'refusal', category: null, explanation: detail ?? null },
      };
  }
}
