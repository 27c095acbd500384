import type {
  BlockHead,
  ContentBlock,
  FinishReason,
  ReasoningBlock,
  OpaqueToken,
  ToolCallBlock,
} from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import {
  callArguments,
  calledName,
  encodeResponseMedia,
  encodeCitations,
  extraContent,
  type ResponseStyle,
} from './encode-blocks.ts';
import { encodeFinish } from '../wire/finish-reason.ts';
import { packReasoning, PARAGRAPH_BREAK } from '../wire/reasoning-carrier.ts';

export interface ChoiceChunks {
  /** The chunk with the role, sent once. */
  begin(): string;
  start(head: BlockHead): string;
  /** @param paragraph index, for reasoning */
  delta(text: string, paragraph: number): string;
  end(block: ContentBlock): string;
  finish(finish: FinishReason): string;
  /** True until the first block starts. */
  readonly isEmpty: boolean;
}

/**
 * A call whose first fragment is delayed: clients read its token there only, and the token arrives at the call's end.
 */
interface HeldCall {
  /** The first delta of its arguments. */
  chunk?: string;
}

/** @param chunk frames a delta that is already JSON */
export function createChoiceChunks(
  index: number,
  chunk: (index: number, delta: string, finish: string | null) => string,
  style: ResponseStyle,
  context: ResponseContext,
): ChoiceChunks {
  let hasBegun = false;
  let isEmpty = true;
  let hasRefusal = false;
  let calls = 0;
  let head: BlockHead | undefined;
  let held: HeldCall | undefined;
  /** Characters of the open block that were sent. */
  let sent = 0;
  let paragraph = 0;
  let hasThought = false;
  /** Reasoning that no call carries yet. */
  let carried: ReasoningBlock[] = [];
  let textToken: OpaqueToken | undefined;

  const write = (fields: object): string => chunk(index, JSON.stringify(fields), null);
  /** Hot path: one field, one text. */
  const writeText = (field: string, text: string): string => chunk(index, `{"${field}":${JSON.stringify(text)}}`, null);

  function begin(): string {
    if (hasBegun) return '';
    hasBegun = true;
    return chunk(index, '{"role":"assistant","content":""}', null);
  }

  /** The first fragment of a call: its id, its name, and the token of the reasoning before it. */
  function firstFragment(call: BlockHead & { type: 'tool-call' }, own: OpaqueToken | undefined): string {
    held = undefined;
    const name = calledName(call.name, context);
    if (style.isLegacy) return calls === 1 ? write({ function_call: { name, arguments: '' } }) : '';
    const pack = own ? undefined : packReasoning(carried);
    if (pack) carried = [];
    const seal = own ?? pack;
    const fields = call.kind === 'custom' ? { custom: { name, input: '' } } : { function: { name, arguments: '' } };
    const extra = seal ? { extra_content: extraContent(context.tokenCodec.wrap(seal)) } : {};
    return write({ tool_calls: [{ index: calls - 1, id: call.callId, type: call.kind, ...fields, ...extra }] });
  }

  function nextFragment(kind: ToolCallBlock['kind'], part: string): string {
    if (part === '') return '';
    const text = JSON.stringify(part);
    if (style.isLegacy) return calls === 1 ? chunk(index, `{"function_call":{"arguments":${text}}}`, null) : '';
    const field = kind === 'custom' ? `"custom":{"input":${text}}` : `"function":{"arguments":${text}}`;
    return chunk(index, `{"tool_calls":[{"index":${calls - 1},${field}}]}`, null);
  }

  function callDelta(call: BlockHead & { type: 'tool-call' }, text: string): string {
    if (!held) return nextFragment(call.kind, text);
    if (held.chunk === undefined) {
      held.chunk = text;
      return '';
    }
    const waiting = held.chunk;
    return firstFragment(call, undefined) + nextFragment(call.kind, waiting) + nextFragment(call.kind, text);
  }

  function reasoningDelta(text: string, at: number): string {
    if (!style.showsReasoning || text === '') return '';
    const isNew = at !== paragraph || (sent === 0 && hasThought);
    paragraph = at;
    hasThought = true;
    return writeText('reasoning_content', isNew ? PARAGRAPH_BREAK + text : text);
  }

  function delta(text: string, at: number): string {
    let written = '';
    switch (head?.type) {
      case 'text':
        if (text !== '') written = writeText('content', text);
        break;
      case 'refusal':
        if (text !== '') written = writeText('refusal', text);
        break;
      case 'reasoning':
        written = reasoningDelta(text, at);
        break;
      case 'tool-call':
        written = callDelta(head, text);
        break;
      case 'media':
      case 'foreign':
      case undefined:
        break;
    }
    sent += text.length;
    return written;
  }

  function end(block: ContentBlock): string {
    switch (block.type) {
      case 'text': {
        const whole = sent === 0 ? delta(block.text, 0) : '';
        textToken = block.seal ?? textToken;
        const sources = block.citations ?? [];
        return sources.length > 0 ? whole + write({ annotations: encodeCitations(sources, block.text.length) }) : whole;
      }
      case 'refusal':
        return sent === 0 ? delta(block.text, 0) : '';
      case 'reasoning': {
        carried.push(block);
        return sent === 0 ? block.text.map((text, at) => delta(text, at)).join('') : '';
      }
      case 'media': {
        const written = encodeResponseMedia(block, context);
        return written ? write(written) : '';
      }
      case 'tool-call':
        return endCall(block);
      case 'foreign':
      case 'tool-result':
        return '';
    }
  }

  function endCall(block: ToolCallBlock): string {
    const call = head?.type === 'tool-call' ? head : block;
    if (held) {
      const text = callArguments({ kind: block.kind, arguments: held.chunk ?? block.arguments });
      return firstFragment({ ...call, type: 'tool-call' }, block.seal) + nextFragment(block.kind, text);
    }
    // The arguments so far are blank, so `{}` makes them valid JSON.
    const missing = block.arguments.trim() === '' && block.kind === 'function' ? nextFragment(block.kind, '{}') : '';
    if (!block.seal || style.isLegacy) return missing;
    const seal = { index: calls - 1, extra_content: extraContent(context.tokenCodec.wrap(block.seal)) };
    return missing + write({ tool_calls: [{ ...seal, function: { arguments: '' } }] });
  }

  return {
    begin,
    start: (opened) => {
      isEmpty = false;
      head = opened;
      sent = 0;
      paragraph = 0;
      if (opened.type === 'refusal') hasRefusal = true;
      if (opened.type === 'tool-call') {
        calls++;
        held = {};
      }
      return begin();
    },
    delta,
    end: (block) => {
      const written = end(block);
      head = undefined;
      return written;
    },
    finish: (finish) => {
      const rest = textToken ?? packReasoning(carried);
      const seal = rest ? write({ extra_content: extraContent(context.tokenCodec.wrap(rest)) }) : '';
      const reason = encodeFinish(finish, { hasCalls: calls > 0, hasRefusal }, style.isLegacy);
      return begin() + seal + chunk(index, '{}', reason);
    },
    get isEmpty() {
      return isEmpty;
    },
  };
}
