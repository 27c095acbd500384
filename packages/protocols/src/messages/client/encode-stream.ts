import { type BlockHead, type ContentBlock, GatewayError, type StreamEvent, type Usage } from '@sluice/canonical';
import { sseEvent } from '../../stream/sse.ts';
import type { ResponseContext, StreamEncoder } from '../../contracts/text-protocol.ts';
import { functionArguments } from '../../text/tool-arguments.ts';
import { type WrappedToken, wrapToken } from './wrapped-token.ts';
import { encodeResponseBlock, toolUseHead } from './encode-response-block.ts';
import { messageId, emptyResponse } from './encode-response.ts';
import { encodeError } from '../wire/errors.ts';
import { wrapThinking } from '../wire/reasoning-token.ts';
import { encodeFinish, type Finish } from '../wire/stop-reason.ts';
import { encodeUsage } from '../wire/usage.ts';

const NO_THOUGHT = { type: 'thinking', thinking: '', signature: '' };
const PING = sseEvent('ping', { type: 'ping' });

/**
 * Writes a stream to a client: `message_start`, blocks with indices from 0 without a gap and one open at a time,
 * `message_delta` with the usage, `message_stop`. A block is begun on the wire when its first piece comes, so that a text
 * without a character leaves no trace (litellm#29286); a call is begun at once. Finish and usage are held back until the
 * end, since usage may come last. After an error nothing follows.
 */
export function encodeStream(context: ResponseContext): StreamEncoder {
  let isOver = false;
  let index = 0;
  let head: BlockHead | undefined;
  /** Whether the block has begun on the wire. */
  let isOpen = false;
  let hasSaid = false;
  let paragraph = 0;
  let finish: Finish | undefined;
  let usage: Usage | undefined;
  /** Seals of texts, which go out before the next block alone: clients take the last block for the answer. */
  const seals: WrappedToken[] = [];

  const delta = (value: unknown) =>
    sseEvent('content_block_delta', { type: 'content_block_delta', index, delta: value });
  const openWith = (block: unknown): string => {
    const before = seals.splice(0).map(whole).join('');
    isOpen = true;
    return before + sseEvent('content_block_start', { type: 'content_block_start', index, content_block: block });
  };
  const stop = () => {
    isOpen = false;
    const frame = sseEvent('content_block_stop', { type: 'content_block_stop', index });
    index += 1;
    return frame;
  };
  const whole = (block: unknown): string => openWith(block) + stop();

  function fail(error: GatewayError): string {
    if (isOver) return '';
    isOver = true;
    return sseEvent('error', encodeError(error));
  }

  function start({ id, usage: known }: Extract<StreamEvent, { type: 'start' }>): string {
    const message = {
      id: messageId(id, context),
      type: 'message',
      role: 'assistant',
      model: context.request.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      // Clients overwrite these, or add them to those of message_delta: the output is therefore told at the end alone.
      usage: { ...encodeUsage(known), output_tokens: 0 },
    };
    return sseEvent('message_start', { type: 'message_start', message });
  }

  function begin(begun: BlockHead): string {
    head = begun;
    hasSaid = false;
    paragraph = 0;
    return begun.type === 'tool-call' ? openWith(toolUseHead(begun, context)) : '';
  }

  function grow(chunk: string, at = 0): string {
    if (chunk === '' || !head) return '';
    const isNew = !hasSaid;
    hasSaid = true;
    switch (head.type) {
      case 'text':
      case 'refusal':
        return openOnce({ type: 'text', text: '', citations: null }) + delta({ type: 'text_delta', text: chunk });
      case 'reasoning': {
        const gap = at > paragraph && !isNew ? '\n\n' : '';
        paragraph = at;
        const opening = openOnce(NO_THOUGHT);
        return opening + delta({ type: 'thinking_delta', thinking: gap + chunk });
      }
      case 'tool-call':
        // Free text is no piece of JSON: it goes out whole at the end.
        return head.kind === 'custom' ? '' : delta({ type: 'input_json_delta', partial_json: chunk });
      case 'media':
      case 'foreign':
        return '';
    }
  }

  function openOnce(block: unknown): string {
    return isOpen ? '' : openWith(block);
  }

  function close(block: ContentBlock): string {
    const rest = closeOpen(block);
    const seal = wrapToken(context.tokenCodec, block);
    if (!seal) return rest;
    if (block.type === 'tool-call') return rest + whole(seal);
    seals.push(seal);
    return rest;
  }

  function closeOpen(block: ContentBlock): string {
    const unsaid = hasSaid ? '' : unsaidText(block);
    switch (block.type) {
      case 'text':
      case 'refusal': {
        const rest = grow(unsaid);
        return rest + (isOpen ? stop() : '');
      }
      case 'reasoning': {
        const thoughts = wrapThinking(context.tokenCodec, block);
        if (thoughts?.type !== 'thinking') break;
        const rest = grow(unsaid) + openOnce(NO_THOUGHT);
        return rest + delta({ type: 'signature_delta', signature: thoughts.signature }) + stop();
      }
      case 'tool-call': {
        const args = block.kind === 'custom' ? functionArguments(block) : unsaid;
        const rest = args === '' ? '' : delta({ type: 'input_json_delta', partial_json: args });
        return rest + stop();
      }
      case 'media':
      case 'foreign':
      case 'tool-result':
    }
    const encoded = encodeResponseBlock(block, context);
    if (encoded?.type === 'text' && 'text' in encoded) {
      head = { type: 'text' };
      return grow(String(encoded.text)) + (isOpen ? stop() : '');
    }
    return encoded ? whole(encoded) : '';
  }

  function end(): string {
    if (!finish) return fail(brokenOff());
    const nothing = emptyResponse(finish, index);
    if (nothing) return fail(nothing);
    isOver = true;
    const { stop_reason, stop_sequence, stop_details } = encodeFinish(finish);
    const told = { stop_reason, stop_sequence, ...(stop_details && { stop_details }) };
    return (
      sseEvent('message_delta', { type: 'message_delta', delta: told, usage: encodeUsage(usage) }) +
      sseEvent('message_stop', { type: 'message_stop' })
    );
  }

  function write(event: StreamEvent): string {
    switch (event.type) {
      case 'start':
        usage = event.usage;
        return start(event);
      case 'ping':
        return PING;
      case 'usage':
        usage = event.usage;
        return '';
      case 'error':
        return fail(event.error);
      case 'end':
        return end();
      case 'block-start':
        return event.choice === 0 ? begin(event.head) : '';
      case 'delta':
        return event.choice === 0 ? grow(event.text, event.paragraph) : '';
      case 'block-end':
        return event.choice === 0 ? close(event.block) : '';
      case 'finish':
        if (event.choice === 0) finish = event;
        return '';
    }
  }

  return {
    push: (event) => (isOver ? '' : write(event)),
    fail,
    keepAlive: () => (isOver ? '' : PING),
  };
}

function brokenOff(): GatewayError {
  return new GatewayError('provider_error', 'The upstream broke off before the answer was complete.');
}

/** What deltas would have said of a block that came whole. */
function unsaidText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return block.text;
    case 'reasoning':
      return block.text.join('\n\n');
    case 'tool-call':
      return block.arguments;
    case 'media':
    case 'foreign':
    case 'tool-result':
      return '';
  }
}
