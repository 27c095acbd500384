import type { BlockHead, ContentBlock, MediaBlock } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { type WrappedToken, wrapToken } from './wrapped-token.ts';
import { createOutputItems, type EventSink, type OutputItems } from './output-items.ts';
import { type CallWriter, createCallWriter } from './write-call.ts';
import { createMessageWriter, type MessageWriter } from './write-message.ts';
import { createReasoningWriter, type ReasoningWriter } from './write-reasoning.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Encodes blocks as output items and, in a stream, their events. Call `open`, deltas, and `close` for each block. A
 * complete block needs no deltas. Consecutive texts and refusals share a message, which ends when any other block
 * begins.
 */
export class OutputWriter {
  readonly #context: ResponseContext;
  readonly #items: OutputItems;
  readonly #message: MessageWriter;
  #reasoning: ReasoningWriter | undefined;
  #call: CallWriter | undefined;

  constructor(context: ResponseContext, responseId: string, sink: EventSink) {
    this.#context = context;
    this.#items = createOutputItems(responseId, sink);
    this.#message = createMessageWriter(this.#items, context.lost);
  }

  /** The finished items. */
  get items(): readonly JsonObject[] {
    return this.#items.finished;
  }

  open(head: BlockHead): void {
    const { request, tokenCodec } = this.#context;
    if (head.type === 'text' || head.type === 'refusal') return this.#message.open(head.type);
    this.#message.end('completed');
    if (head.type === 'reasoning') {
      this.#reasoning = createReasoningWriter(this.#items, head, tokenCodec, request.reasoning?.visible);
    } else if (head.type === 'tool-call') this.#call = createCallWriter(this.#items, head, request.tools);
  }

  delta(text: string, paragraph: number): void {
    if (this.#reasoning) this.#reasoning.delta(text, paragraph);
    else if (this.#call) this.#call.delta(text);
    else this.#message.delta(text);
  }

  close(block: ContentBlock): void {
    switch (block.type) {
      case 'text':
        this.#message.close(block);
        if (block.opaqueToken) {
          this.#addToken({ opaqueToken: block.opaqueToken, textPart: block.text === '' ? 'empty' : 'text' });
        }
        break;
      case 'refusal':
        this.#message.close(block);
        break;
      case 'reasoning':
        this.#reasoning?.close(block);
        this.#reasoning = undefined;
        break;
      case 'tool-call':
        this.#call?.close(block);
        this.#call = undefined;
        if (block.opaqueToken) this.#addToken({ opaqueToken: block.opaqueToken, callId: block.callId });
        break;
      case 'media':
        this.#addMedia(block);
        break;
      case 'foreign':
        if (block.protocol === 'responses' && isRecord(block.raw)) this.#items.addComplete(block.raw, block.raw);
        else this.#context.lost?.(block);
        break;
      case 'tool-result':
        break;
    }
  }

  /** @returns all items of the response */
  end(isIncomplete: boolean): readonly JsonObject[] {
    this.#message.end(isIncomplete ? 'incomplete' : 'completed');
    return this.items;
  }

  /** Sends the token of a text or call in a separate reasoning item after the block. */
  #addToken(token: WrappedToken): void {
    this.#message.end('completed');
    const item = { id: this.#items.nextId('reasoning'), type: 'reasoning', summary: [] };
    this.#items.addComplete(item, { ...item, encrypted_content: wrapToken(this.#context.tokenCodec, token) });
  }

  #addMedia({ kind, source, transcript }: MediaBlock): void {
    if (kind === 'image' && source.from === 'base64') {
      const item = { id: this.#items.nextId('image_generation_call'), type: 'image_generation_call' };
      this.#items.addComplete(
        { ...item, status: 'in_progress', result: null },
        { ...item, status: 'completed', result: source.data, output_format: source.mediaType.replace(/^image\//, '') },
        ['in_progress', 'generating', 'completed'].map((step) => `response.image_generation_call.${step}`),
      );
      return;
    }
    this.#context.lost?.(kind);
    const text = transcript ?? (source.from === 'url' ? source.url : undefined);
    if (text === undefined) return;
    this.#message.open('text');
    this.#message.close({ type: 'text', text });
  }
}
