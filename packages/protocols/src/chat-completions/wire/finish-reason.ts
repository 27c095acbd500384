import type { FinishReason } from '@sluice/canonical';
import { ownMember } from '../../json/values.ts';

const KNOWN: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  // Values that compatible vendors send (e.g. Mistral and Moonshot).
  model_length: 'context_window',
  max_tokens: 'length',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
};

/** The response content that affects the finish reason. */
export interface ResponseTraits {
  hasCalls: boolean;
  hasRefusal: boolean;
}

/**
 * Decodes `finish_reason`. Some vendors send `stop` after tool calls, or `tool_calls` without a tool call, so the
 * response's content takes precedence.
 * @param reason may be missing in a complete response
 */
export function decodeFinish(reason: string | undefined, { hasCalls, hasRefusal }: ResponseTraits): FinishReason {
  const finish = reason === undefined ? 'stop' : (ownMember(KNOWN, reason) ?? 'other');
  if (finish === 'stop' && hasCalls) return 'tool_calls';
  if (finish === 'tool_calls' && !hasCalls) return 'stop';
  return finish === 'stop' && hasRefusal ? 'refusal' : finish;
}

/** @param isLegacy whether the client uses `functions` */
export function encodeFinish(finish: FinishReason, traits: ResponseTraits, isLegacy: boolean): string {
  const calls = isLegacy ? 'function_call' : 'tool_calls';
  switch (finish) {
    case 'length':
    case 'context_window':
      return 'length';
    case 'content_filter':
      return 'content_filter';
    case 'refusal':
      // A refusal has a separate field for its text. Without that text, `content_filter` is the closest known reason.
      return traits.hasRefusal ? 'stop' : 'content_filter';
    case 'tool_calls':
    case 'stop':
    case 'stop_sequence':
    case 'pause':
    case 'other':
      return traits.hasCalls ? calls : 'stop';
  }
}
