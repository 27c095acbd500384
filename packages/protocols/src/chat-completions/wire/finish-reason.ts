import type { FinishReason } from '@sluice/canonical';

const KNOWN: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  // Compatible vendors' own words: Mistral, Moonshot and several servers.
  model_length: 'context_window',
  max_tokens: 'length',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
};

/** What an answer held, where it decides what its end is called. */
export interface ResponseTraits {
  hasCalls: boolean;
  hasRefusal: boolean;
}

/**
 * Reads `finish_reason`. Vendors say `stop` after tool calls, and `tool_calls` without any; what the answer holds counts.
 * @param reason as sent; of a whole answer it may be missing
 */
export function decodeFinish(reason: string | undefined, { hasCalls, hasRefusal }: ResponseTraits): FinishReason {
  const finish = reason === undefined ? 'stop' : (KNOWN[reason] ?? 'other');
  if (finish === 'stop' && hasCalls) return 'tool_calls';
  if (finish === 'tool_calls' && !hasCalls) return 'stop';
  return finish === 'stop' && hasRefusal ? 'refusal' : finish;
}

/**
 * Writes `finish_reason`.
 * @param isLegacy whether the client speaks of `functions`, the old name of tools
 */
export function encodeFinish(finish: FinishReason, traits: ResponseTraits, isLegacy: boolean): string {
  const calls = isLegacy ? 'function_call' : 'tool_calls';
  switch (finish) {
    case 'length':
    case 'context_window':
      return 'length';
    case 'content_filter':
      return 'content_filter';
    case 'refusal':
      // The words of a refusal have a field; without any, the filter is the nearest that clients understand.
      return traits.hasRefusal ? 'stop' : 'content_filter';
    case 'tool_calls':
    case 'stop':
    case 'stop_sequence':
    case 'pause':
    case 'other':
      return traits.hasCalls ? calls : 'stop';
  }
}
