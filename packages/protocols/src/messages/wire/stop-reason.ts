import type { FinishReason } from '@sluice/canonical';
import { vendorMessage } from '../../errors/vendor-message.ts';
import { isRecord } from '../../json/is-record.ts';
import { asString } from '../../json/values.ts';

export interface Finish {
  finish: FinishReason;
  stopSequence?: string;
  detail?: string;
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
 * Reads `stop_reason`, `stop_sequence`, and `stop_details`.
 * @param calls whether the client has calls to run: then a plain stop means `tool_calls`, and `tool_use` without any
 * (our
 *   synthetic JSON tool) means a plain stop
 */
export function decodeFinish(from: Record<string, unknown>, calls: boolean): Finish {
  const reason = REASONS[asString(from['stop_reason']) ?? ''] ?? 'other';
  const sequence = asString(from['stop_sequence']);
  const details = from['stop_details'];
  const detail = isRecord(details) ? asString(details['explanation']) : undefined;
  return {
    finish: fitCalls(reason, calls),
    ...(sequence !== undefined && { stopSequence: sequence }),
    ...(detail !== undefined && { detail: vendorMessage(detail) }),
  };
}

function fitCalls(reason: FinishReason, calls: boolean): FinishReason {
  if (calls && (reason === 'stop' || reason === 'other')) return 'tool_calls';
  return !calls && reason === 'tool_calls' ? 'stop' : reason;
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

/** A stop at an unknown sequence becomes a plain end, because clients look the sequence up. */
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
