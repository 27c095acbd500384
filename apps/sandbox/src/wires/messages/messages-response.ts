import type { Completion, Finish } from '../../text/completion.ts';
import { callArguments } from '../../text/call-arguments.ts';
import type { SecretStore } from '../../text/secret-store.ts';
import { chunksOf } from '../../text/word-tokens.ts';
import { REDACTED, THINKING } from './check-turns.ts';

const STOP_REASON: Record<Finish, string> = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  refusal: 'refusal',
  filter: 'refusal',
};

export interface MessagesHead {
  id: string;
  model: string;
  /** Whether to return thinking blocks without their text. */
  omitThinking: boolean;
  secretStore: SecretStore;
  newToolUseId: () => string;
}

type Block =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'text'; text: string; citations: null }
  | { type: 'tool_use'; id: string; name: string; input: object; caller: { type: 'direct' } };

function blocksOf(response: Completion, { model, omitThinking, secretStore, newToolUseId }: MessagesHead): Block[] {
  const blocks: Block[] = [];
  if (response.reasoning !== undefined) {
    const thinking = omitThinking ? '' : response.reasoning;
    const signature = secretStore.sign(THINKING, model, thinking);
    if (response.redacted)
      blocks.push({ type: 'redacted_thinking', data: secretStore.encrypt(REDACTED, response.reasoning) });
    else blocks.push({ type: 'thinking', thinking, signature });
  }
  if (response.text !== '') blocks.push({ type: 'text', text: response.text, citations: null });
  for (const call of response.calls) {
    const input = callArguments(call);
    blocks.push({ type: 'tool_use', id: newToolUseId(), name: call.name, input, caller: { type: 'direct' } });
  }
  return blocks;
}

function inputUsage({ tokens }: Completion) {
  return {
    input_tokens: tokens.input - tokens.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: tokens.cached,
  };
}

function usageOf(response: Completion) {
  const { output, reasoning } = response.tokens;
  return {
    ...inputUsage(response),
    output_tokens: output,
    output_tokens_details: { thinking_tokens: reasoning },
  };
}

function ending(response: Completion) {
  const refused = response.finish === 'refusal' || response.finish === 'filter';
  const explanation = 'This request was declined by the sandbox.';
  return {
    stop_reason: STOP_REASON[response.finish],
    stop_sequence: response.stopSequence ?? null,
    stop_details: refused ? { type: 'refusal', category: null, explanation } : undefined,
  };
}

function message(head: MessagesHead, content: Block[], end: object, usage: object) {
  const { id, model } = head;
  const details = { cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 } };
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content,
    ...end,
    usage: { ...usage, ...details, service_tier: 'standard' },
  };
}

export function completeMessage(response: Completion, head: MessagesHead) {
  return message(head, blocksOf(response, head), ending(response), usageOf(response));
}

function event(type: string, fields: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function startedBlock(block: Block): object {
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'text':
      return { ...block, text: '' };
    case 'tool_use':
      return { ...block, input: {} };
    case 'redacted_thinking':
      return block;
  }
}

function deltasOf(block: Block): object[] {
  switch (block.type) {
    case 'thinking':
      return [
        ...chunksOf(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'text':
      return chunksOf(block.text).map((text) => ({ type: 'text_delta', text }));
    case 'tool_use': {
      const json = JSON.stringify(block.input);
      return ['', ...chunksOf(json === '{}' ? '' : json)].map((part) => ({
        type: 'input_json_delta',
        partial_json: part,
      }));
    }
    case 'redacted_thinking':
      return [];
  }
}

export function* messageEvents(response: Completion, head: MessagesHead): Generator<string> {
  const start = { ...inputUsage(response), output_tokens: 1 };
  yield event('message_start', { message: message(head, [], { stop_reason: null, stop_sequence: null }, start) });
  for (const [index, block] of blocksOf(response, head).entries()) {
    yield event('content_block_start', { index, content_block: startedBlock(block) });
    if (index === 0) yield event('ping');
    for (const delta of deltasOf(block)) yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
  }
  yield event('message_delta', { delta: ending(response), usage: usageOf(response) });
  yield event('message_stop');
}

export function messagesFailure(): string {
  return event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
}
