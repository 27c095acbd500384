import type {
  BlockHead,
  ContentBlock,
  FinishReason,
  ReasoningBlock,
  OpaqueToken,
  TextBlock,
  ToolCallBlock,
} from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import {
  callArguments,
  calledName,
  encodeResponseMedia,
  encodeCitations,
  reportFinish,
  type FinishDetails,
  type ResponseStyle,
} from './encode-blocks.ts';
import { encodeExtraContent, type ExtraContent } from '../wire/extra-content.ts';
import { encodeFinish } from '../wire/finish-reason.ts';
import { packReasoning, PARAGRAPH_BREAK } from '../wire/reasoning-pack.ts';

/** Encodes a chunk. @param delta JSON text */
export type ChunkFrame = (index: number, delta: string, finish: string | null) => string;

type CallHead = BlockHead & { type: 'tool-call' };

/**
 * Encodes one choice's blocks as chunks, one open block at a time: role → (start → delta* → end)* → finish.
 *
 * A call's token arrives when the call ends, but clients read tokens only from a call's first fragment. The first
 * fragment is therefore delayed until the second delta or the end of the call. A token that arrives later is sent in a
 * separate fragment. The protocol has no field for reasoning tokens, so they are packed into the next call's token, or
 * into an extra chunk before the final one.
 */
export class ChoiceChunks {
  readonly #index: number;
  readonly #frame: ChunkFrame;
  readonly #style: ResponseStyle;
  readonly #context: ResponseContext;
  #hasBegun = false;
  #isEmpty = true;
  #hasRefusal = false;
  #callCount = 0;
  /** Length of the text blocks that have ended. */
  #textLength = 0;
  #head: BlockHead | undefined;
  /** A call whose first fragment is not sent yet, with the first delta of its arguments. */
  #pendingCall: { delta?: string } | undefined;
  /** Number of characters sent for the open block. */
  #sentLength = 0;
  #paragraph = 0;
  #hasReasoningText = false;
  /** Reasoning blocks that are not packed into a token yet. */
  #reasoning: ReasoningBlock[] = [];
  #textToken: OpaqueToken | undefined;

  constructor(index: number, frame: ChunkFrame, style: ResponseStyle, context: ResponseContext) {
    this.#index = index;
    this.#frame = frame;
    this.#style = style;
    this.#context = context;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Returns the chunk with the role on the first call, and an empty string afterwards. */
  begin(): string {
    if (this.#hasBegun) return '';
    this.#hasBegun = true;
    return this.#write('{"role":"assistant","content":""}');
  }

  start(head: BlockHead): string {
    this.#isEmpty = false;
    this.#head = head;
    this.#sentLength = 0;
    this.#paragraph = 0;
    if (head.type === 'refusal') this.#hasRefusal = true;
    if (head.type === 'tool-call') {
      this.#callCount++;
      this.#pendingCall = {};
    }
    return this.begin();
  }

  /** @param paragraph paragraph index, for reasoning */
  delta(text: string, paragraph: number): string {
    const chunk = this.#delta(text, paragraph);
    this.#sentLength += text.length;
    return chunk;
  }

  end(block: ContentBlock): string {
    const chunks = this.#end(block);
    this.#head = undefined;
    return chunks;
  }

  finish(finish: FinishReason, details: FinishDetails): string {
    reportFinish(details, this.#context);
    const token = this.#textToken ?? packReasoning(this.#reasoning);
    const tokenChunk = token ? this.#writeFields({ extra_content: this.#encodeToken(token) }) : '';
    const traits = { hasCalls: this.#callCount > 0, hasRefusal: this.#hasRefusal };
    return (
      this.begin() + tokenChunk + this.#frame(this.#index, '{}', encodeFinish(finish, traits, this.#style.isLegacy))
    );
  }

  #write(delta: string): string {
    return this.#frame(this.#index, delta, null);
  }

  #writeFields(delta: object): string {
    return this.#write(JSON.stringify(delta));
  }

  /** Hot path: encodes a single text field. */
  #writeText(field: string, text: string): string {
    return this.#write(`{"${field}":${JSON.stringify(text)}}`);
  }

  #delta(text: string, paragraph: number): string {
    switch (this.#head?.type) {
      case 'text':
        return text === '' ? '' : this.#writeText('content', text);
      case 'refusal':
        return text === '' ? '' : this.#writeText('refusal', text);
      case 'reasoning':
        return this.#reasoningDelta(text, paragraph);
      case 'tool-call':
        return this.#callDelta(this.#head, text);
      case 'media':
      case 'foreign':
      case undefined:
        return '';
    }
  }

  #reasoningDelta(text: string, paragraph: number): string {
    if (!this.#style.showsReasoning || text === '') return '';
    const isNew = paragraph !== this.#paragraph || (this.#sentLength === 0 && this.#hasReasoningText);
    this.#paragraph = paragraph;
    this.#hasReasoningText = true;
    return this.#writeText('reasoning_content', isNew ? PARAGRAPH_BREAK + text : text);
  }

  #callDelta(call: CallHead, text: string): string {
    if (!this.#pendingCall) return this.#nextFragment(call.kind, text);
    const { delta } = this.#pendingCall;
    if (delta === undefined) {
      this.#pendingCall.delta = text;
      return '';
    }
    return (
      this.#firstFragment(call, undefined) + this.#nextFragment(call.kind, delta) + this.#nextFragment(call.kind, text)
    );
  }

  /** Encodes a call's first fragment: its id, its name, and the token of the reasoning before it. */
  #firstFragment(call: CallHead, ownToken: OpaqueToken | undefined): string {
    this.#pendingCall = undefined;
    const name = calledName(call.name, this.#context);
    if (this.#style.isLegacy) {
      return this.#callCount === 1 ? this.#writeFields({ function_call: { name, arguments: '' } }) : '';
    }
    const token = ownToken ?? packReasoning(this.#reasoning);
    if (token && !ownToken) this.#reasoning = [];
    const fields = call.kind === 'custom' ? { custom: { name, input: '' } } : { function: { name, arguments: '' } };
    const extra = token && this.#encodeToken(token);
    return this.#writeFields({
      tool_calls: [{ index: this.#callCount - 1, id: call.callId, type: call.kind, ...fields, extra_content: extra }],
    });
  }

  #nextFragment(kind: ToolCallBlock['kind'], part: string): string {
    if (part === '') return '';
    const text = JSON.stringify(part);
    if (this.#style.isLegacy) {
      return this.#callCount === 1 ? this.#write(`{"function_call":{"arguments":${text}}}`) : '';
    }
    const field = kind === 'custom' ? `"custom":{"input":${text}}` : `"function":{"arguments":${text}}`;
    return this.#write(`{"tool_calls":[{"index":${this.#callCount - 1},${field}}]}`);
  }

  #end(block: ContentBlock): string {
    switch (block.type) {
      case 'text':
        return this.#endText(block);
      case 'refusal':
        return this.#sentLength === 0 ? this.delta(block.text, 0) : '';
      case 'reasoning':
        this.#reasoning.push(block);
        return this.#sentLength === 0 ? block.text.map((text, index) => this.delta(text, index)).join('') : '';
      case 'media': {
        const media = encodeResponseMedia(block, this.#context);
        return media ? this.#writeFields(media) : '';
      }
      case 'tool-call':
        return this.#endCall(block);
      case 'foreign':
        this.#context.lost?.(block);
        return '';
      case 'tool-result':
        return '';
    }
  }

  #endText({ text, opaqueToken, citations = [] }: TextBlock): string {
    const unsent = this.#sentLength === 0 ? this.delta(text, 0) : '';
    this.#textToken = opaqueToken ?? this.#textToken;
    const annotations = encodeCitations(citations, text.length, this.#textLength, this.#context);
    this.#textLength += text.length;
    return annotations.length === 0 ? unsent : unsent + this.#writeFields({ annotations });
  }

  #endCall(block: ToolCallBlock): string {
    const { kind, opaqueToken } = block;
    if (this.#pendingCall) {
      const call = this.#head?.type === 'tool-call' ? this.#head : block;
      const text = callArguments({ kind, arguments: this.#pendingCall.delta ?? block.arguments });
      return this.#firstFragment({ ...call, type: 'tool-call' }, opaqueToken) + this.#nextFragment(kind, text);
    }
    // Clients parse the arguments as JSON, so blank arguments become `{}`.
    const missing = block.arguments.trim() === '' && kind === 'function' ? this.#nextFragment(kind, '{}') : '';
    if (!opaqueToken || this.#style.isLegacy) return missing;
    const extra = this.#encodeToken(opaqueToken);
    const fragment = { index: this.#callCount - 1, extra_content: extra, function: { arguments: '' } };
    return missing + this.#writeFields({ tool_calls: [fragment] });
  }

  #encodeToken(token: OpaqueToken): ExtraContent {
    return encodeExtraContent(this.#context.tokenCodec.wrap(token));
  }
}
