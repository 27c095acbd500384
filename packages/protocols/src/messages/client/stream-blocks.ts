import type { BlockHead, Citation, ContentBlock } from '@sluice/canonical';
import { sseEvent } from '../../stream/sse.ts';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { functionArguments } from '../../text/tool-arguments.ts';
import { wrapThinking } from '../wire/reasoning-token.ts';
import { encodeCitations } from './encode-citations.ts';
import { encodeResponseBlock, toolUseHead } from './encode-response-block.ts';
import { showsThinking } from './shows-thinking.ts';
import { type WrappedToken, wrapToken } from './wrapped-token.ts';

const EMPTY_TEXT = { type: 'text', text: '', citations: null };
const EMPTY_THINKING = { type: 'thinking', thinking: '', signature: '' };

/**
 * Encodes a streamed message's blocks, one open block at a time, with indexes from 0. A block starts with its first
 * delta, so that empty texts are not sent (litellm#29286). A tool call starts immediately.
 */
export class StreamBlocks {
  readonly #context: ResponseContext;
  readonly #showsThinking: boolean;
  #index = 0;
  #head: BlockHead | undefined;
  #isOpen = false;
  #hasDeltas = false;
  #paragraph = 0;
  /** Text tokens, held back until the next block, because clients use the last block as the result. */
  readonly #tokens: WrappedToken[] = [];

  constructor(context: ResponseContext) {
    this.#context = context;
    this.#showsThinking = showsThinking(context.request);
  }

  get count(): number {
    return this.#index;
  }

  start(head: BlockHead): string {
    this.#head = head.type === 'reasoning' && !this.#showsThinking ? undefined : head;
    this.#hasDeltas = false;
    this.#paragraph = 0;
    return head.type === 'tool-call' ? this.#open(toolUseHead(head, this.#context)) : '';
  }

  delta(text: string, paragraph = 0): string {
    if (text === '' || !this.#head) return '';
    const isFirst = !this.#hasDeltas;
    this.#hasDeltas = true;
    switch (this.#head.type) {
      case 'text':
      case 'refusal':
        return this.#openOnce(EMPTY_TEXT) + this.#delta({ type: 'text_delta', text });
      case 'reasoning': {
        const gap = paragraph > this.#paragraph && !isFirst ? '\n\n' : '';
        this.#paragraph = paragraph;
        return this.#openOnce(EMPTY_THINKING) + this.#delta({ type: 'thinking_delta', thinking: gap + text });
      }
      case 'tool-call':
        // A custom tool's input is text, so it is sent as one JSON object when the block ends.
        return this.#head.kind === 'custom' ? '' : this.#delta({ type: 'input_json_delta', partial_json: text });
      case 'media':
      case 'foreign':
        return '';
    }
  }

  end(block: ContentBlock): string {
    if (!this.#showsThinking) return block.type === 'reasoning' ? '' : this.#endBlock(block);
    const frames = this.#endBlock(block);
    const token = wrapToken(this.#context.tokenCodec, block);
    if (!token) return frames;
    if (block.type === 'tool-call') return frames + this.#complete(token);
    this.#tokens.push(token);
    return frames;
  }

  #endBlock(block: ContentBlock): string {
    switch (block.type) {
      case 'text':
        return this.#endText(block.text, block.citations);
      case 'refusal':
        return this.#endText(block.text);
      case 'reasoning': {
        const thinking = wrapThinking(this.#context.tokenCodec, block);
        if (thinking?.type === 'thinking') return this.#endThinking(block.text.join('\n\n'), thinking.signature);
        return thinking ? this.#complete(thinking) : '';
      }
      case 'tool-call': {
        const missing = this.#hasDeltas ? '' : block.arguments;
        const json = block.kind === 'custom' ? functionArguments(block) : missing;
        return (json === '' ? '' : this.#delta({ type: 'input_json_delta', partial_json: json })) + this.#stop();
      }
      case 'media':
      case 'foreign':
      case 'tool-result':
        return this.#endOther(block);
    }
  }

  #endText(text: string, citations?: readonly Citation[]): string {
    const frames = this.#hasDeltas ? '' : this.delta(text);
    if (!this.#isOpen) {
      if (citations) this.#context.lost?.('citations');
      return frames;
    }
    const encoded = encodeCitations(citations, text, this.#context) ?? [];
    const cited = encoded.map((citation) => this.#delta({ type: 'citations_delta', citation }));
    return frames + cited.join('') + this.#stop();
  }

  #endThinking(text: string, signature: string): string {
    const frames = (this.#hasDeltas ? '' : this.delta(text)) + this.#openOnce(EMPTY_THINKING);
    return frames + this.#delta({ type: 'signature_delta', signature }) + this.#stop();
  }

  #endOther(block: ContentBlock): string {
    const encoded = encodeResponseBlock(block, this.#context);
    if (encoded?.type !== 'text') return encoded ? this.#complete(encoded) : '';
    this.#head = { type: 'text' };
    return this.#endText('text' in encoded ? String(encoded.text) : '');
  }

  #complete(block: unknown): string {
    return this.#open(block) + this.#stop();
  }

  #openOnce(block: unknown): string {
    return this.#isOpen ? '' : this.#open(block);
  }

  #open(block: unknown): string {
    const tokens = this.#tokens.splice(0).map((token) => this.#complete(token));
    this.#isOpen = true;
    return tokens.join('') + this.#event('content_block_start', { content_block: block });
  }

  #delta(delta: unknown): string {
    return this.#event('content_block_delta', { delta });
  }

  #stop(): string {
    this.#isOpen = false;
    const frame = this.#event('content_block_stop', {});
    this.#index += 1;
    return frame;
  }

  #event(type: string, fields: object): string {
    return sseEvent(type, { type, index: this.#index, ...fields });
  }
}
