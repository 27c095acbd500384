import type { FinishReason } from '@sluice/canonical';
import { asString, type JsonObject, objectOrEmpty, ownMember } from '../../json/values.ts';

interface Finish {
  finish: FinishReason;
  stopSequence?: string | undefined;
}

/** `StopReason` of the SDK. The reasons of malformed output have no equivalent. */
const REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  stop_sequence: 'stop_sequence',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
  model_context_window_exceeded: 'context_window',
};

/** The field of Claude's response that names the stop sequence, which Converse itself does not report. */
export const STOP_SEQUENCE = 'stop_sequence';

/**
 * Decodes the stop reason of a response or of `messageStop`.
 * @param hasCalls whether the client must run tools
 */
export function decodeFinish(fields: JsonObject, hasCalls: boolean): Finish {
  const reason = ownMember(REASONS, fields['stopReason']) ?? 'other';
  const stopSequence = asString(objectOrEmpty(fields['additionalModelResponseFields'])[STOP_SEQUENCE]);
  return { finish: adjustToCalls(reason, hasCalls), stopSequence };
}

/** Models of some vendors report `end_turn` after a call, or `tool_use` without one. */
function adjustToCalls(reason: FinishReason, hasCalls: boolean): FinishReason {
  if (hasCalls && (reason === 'stop' || reason === 'other')) return 'tool_calls';
  return !hasCalls && reason === 'tool_calls' ? 'stop' : reason;
}
