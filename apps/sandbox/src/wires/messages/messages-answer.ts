import type { Answer, Finish } from '../../text/answer.ts';
import { callArguments } from '../../text/call-arguments.ts';
import type { Vault } from '../../text/vault.ts';
import { piecesOf } from '../../text/word-tokens.ts';
import { REDACTED, THINKING } from './check-turns.ts';

const STOP_REASON: Record<Finish, string> = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  refusal: 'refusal',
  filter: 'refusal',
};

/** What one answer needs to be spelled. */
export interface MessagesHead {
  id: string;
  model: string;
  /** Whether thinking is to be shown without its text. */
  omitThinking: boolean;
  vault: Vault;
  newToolUseId: () => string;
}

type Block =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'text'; text: string; citations: null }
  | { type: 'tool_use'; id: string; name: string; input: object; caller: { type: 'direct' } };

function blocksOf(answer: Answer, { model, omitThinking, vault, newToolUseId }: MessagesHead): Block[] {
  const blocks: Block[] = [];
  if (answer.reasoning !== undefined) {
    const thinking = omitThinking ? '' : answer.reasoning;
    const signature = vault.sign(THINKING, model, thinking);
    if (answer.redacted) blocks.push({ type: 'redacted_thinking', data: vault.seal(REDACTED, answer.reasoning) });
    else blocks.push({ type: 'thinking', thinking, signature });
  }
  if (answer.text !== '') blocks.push({ type: 'text', text: answer.text, citations: null });
  for (const call of answer.calls) {
    const input = callArguments(call);
    blocks.push({ type: 'tool_use', id: newToolUseId(), name: call.name, input, caller: { type: 'direct' } });
  }
  return blocks;
}

function inputUsage({ tokens }: Answer) {
  return {
    input_tokens: tokens.input - tokens.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: tokens.cached,
  };
}

function outputUsage({ tokens }: Answer) {
  return { output_tokens: tokens.output, output_tokens_details: { thinking_tokens: tokens.reasoning } };
}

function ending(answer: Answer) {
  const refused = answer.finish === 'refusal' || answer.finish === 'filter';
  const explanation = 'This request was declined by the sandbox.';
  return {
    stop_reason: STOP_REASON[answer.finish],
    stop_sequence: answer.stopSequence ?? null,
    ...(refused && { stop_details: { type: 'refusal', category: null, explanation } }),
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

/** The answer as one message. */
export function wholeMessage(answer: Answer, head: MessagesHead) {
  return message(head, blocksOf(answer, head), ending(answer), { ...inputUsage(answer), ...outputUsage(answer) });
}

function event(type: string, fields: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/** How a block begins, before its deltas. */
function opened(block: Block): object {
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
        ...piecesOf(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'text':
      return piecesOf(block.text).map((text) => ({ type: 'text_delta', text }));
    case 'tool_use': {
      const json = JSON.stringify(block.input);
      return ['', ...piecesOf(json === '{}' ? '' : json)].map((part) => ({
        type: 'input_json_delta',
        partial_json: part,
      }));
    }
    case 'redacted_thinking':
      return [];
  }
}

/** The answer as events, `message_start` to `message_stop`. */
export function* messageEvents(answer: Answer, head: MessagesHead): Generator<string> {
  const start = { ...inputUsage(answer), output_tokens: 1 };
  yield event('message_start', { message: message(head, [], { stop_reason: null, stop_sequence: null }, start) });
  for (const [index, block] of blocksOf(answer, head).entries()) {
    yield event('content_block_start', { index, content_block: opened(block) });
    if (index === 0) yield event('ping');
    for (const delta of deltasOf(block)) yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
  }
  yield event('message_delta', { delta: ending(answer), usage: { ...inputUsage(answer), ...outputUsage(answer) } });
  yield event('message_stop');
}

/** The event that breaks a stream off. */
export function messagesFailure(): string {
  return event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
}
