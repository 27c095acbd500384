import type { Completion, Finish } from '../../text/completion.ts';
import { callArguments } from '../../text/call-arguments.ts';
import type { SecretStore } from '../../text/secret-store.ts';
import { chunksOf } from '../../text/word-tokens.ts';
import { REASONING, REDACTED } from './check-converse-request.ts';
import { exceptionEvent, jsonEvent } from './encode-event-stream.ts';

const STOP_REASON: Record<Finish, string> = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  refusal: 'content_filtered',
  filter: 'guardrail_intervened',
};

export interface ConverseHead {
  model: string;
  secretStore: SecretStore;
  newToolUseId: () => string;
  /** Whether the request contains Claude's field `stop_sequence`. */
  showsStopSequence: boolean;
  serviceTier: string | undefined;
}

type Block =
  | { text: string }
  | { toolUse: { toolUseId: string; name: string; input: object } }
  | { reasoningContent: { reasoningText: { text: string; signature: string } } }
  | { reasoningContent: { redactedContent: string } };

function blocksOf(response: Completion, { model, secretStore, newToolUseId }: ConverseHead): Block[] {
  const blocks: Block[] = [];
  const { reasoning: text } = response;
  if (text !== undefined && response.redacted) {
    blocks.push({ reasoningContent: { redactedContent: secretStore.encrypt(REDACTED, text) } });
  } else if (text !== undefined) {
    const signature = secretStore.sign(REASONING, model, text);
    blocks.push({ reasoningContent: { reasoningText: { text, signature } } });
  }
  if (response.text !== '') blocks.push({ text: response.text });
  for (const call of response.calls) {
    blocks.push({ toolUse: { toolUseId: newToolUseId(), name: call.name, input: callArguments(call) } });
  }
  return blocks;
}

function ending({ finish, stopSequence }: Completion, { showsStopSequence }: ConverseHead) {
  const additionalModelResponseFields =
    showsStopSequence && stopSequence !== undefined ? { stop_sequence: stopSequence } : undefined;
  return { stopReason: STOP_REASON[finish], additionalModelResponseFields };
}

function metadata({ tokens }: Completion, { serviceTier }: ConverseHead) {
  const { input, cached, output } = tokens;
  const usage = {
    inputTokens: input - cached,
    outputTokens: output,
    totalTokens: input + output,
    cacheReadInputTokens: cached,
    cacheWriteInputTokens: 0,
  };
  return { usage, metrics: { latencyMs: 1 }, serviceTier: serviceTier && { type: serviceTier } };
}

export function completeConversation(response: Completion, head: ConverseHead) {
  const message = { role: 'assistant', content: blocksOf(response, head) };
  return { output: { message }, ...ending(response, head), ...metadata(response, head) };
}

function deltasOf(block: Block): object[] {
  if ('text' in block) return chunksOf(block.text).map((text) => ({ text }));
  if ('toolUse' in block) {
    const json = JSON.stringify(block.toolUse.input);
    return chunksOf(json === '{}' ? '' : json).map((input) => ({ toolUse: { input } }));
  }
  const { reasoningContent: content } = block;
  if ('redactedContent' in content) return [{ reasoningContent: content }];
  const { text, signature } = content.reasoningText;
  return [...chunksOf(text).map((part) => ({ reasoningContent: { text: part } })), { reasoningContent: { signature } }];
}

/** Bedrock pads events, so that their lengths do not reveal the text. Only tool calls have a start event. */
export function* conversationEvents(response: Completion, head: ConverseHead): Generator<Buffer> {
  yield jsonEvent('messageStart', { p: 'abcdefg', role: 'assistant' });
  for (const [contentBlockIndex, block] of blocksOf(response, head).entries()) {
    if ('toolUse' in block) {
      const { toolUseId, name } = block.toolUse;
      yield jsonEvent('contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId, name } } });
    }
    for (const delta of deltasOf(block)) {
      yield jsonEvent('contentBlockDelta', { contentBlockIndex, delta, p: 'abcdefghijk' });
    }
    yield jsonEvent('contentBlockStop', { contentBlockIndex, p: 'abcd' });
  }
  yield jsonEvent('messageStop', ending(response, head));
  yield jsonEvent('metadata', { ...metadata(response, head), p: 'ab' });
}

export function conversationFailure(): Buffer {
  return exceptionEvent('serviceUnavailableException', 'Bedrock is unable to process your request.');
}
