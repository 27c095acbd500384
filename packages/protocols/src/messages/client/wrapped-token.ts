import type { ContentBlock, Message, ReasoningBlock, OpaqueToken, TextBlock, ToolCallBlock } from '@sluice/canonical';
import type { TokenCodec } from '../../text/token-codec.ts';

/** Prefix of a {@link PlacedValue}. Vendors' values are base64, which contains no colon. */
const PREFIX = 'block:';

/** The vendor's value and where it belongs: to a call, to the preceding text, or to a separate empty text. */
type PlacedValue = [value: string, place: { call: string } | 'text' | 'empty'];

export interface WrappedToken {
  type: 'redacted_thinking';
  data: string;
}

/**
 * Encodes the token of a call or text as a `redacted_thinking` block. This protocol signs only thinking, but Gemini
 * also signs calls and texts. The token follows its block, because a stream receives it only at the end.
 *
 * A token never follows the last text, because Claude Code 2.1.329 uses the last block as the result and would print
 * nothing. Losing it is acceptable, because Google validates only the calls of the current turn
 * (https://ai.google.dev/gemini-api/docs/thought-signatures).
 * @returns undefined for blocks without a token and for thinking, which has its own signature
 */
export function wrapToken(tokenCodec: TokenCodec, block: ContentBlock): WrappedToken | undefined {
  if ((block.type !== 'tool-call' && block.type !== 'text') || !block.opaqueToken) return undefined;
  const text = block.type === 'text' && block.text === '' ? 'empty' : 'text';
  const place = block.type === 'tool-call' ? { call: block.callId } : text;
  const packed: PlacedValue = [block.opaqueToken.value, place];
  return {
    type: 'redacted_thinking',
    data: tokenCodec.wrap({ ...block.opaqueToken, value: PREFIX + JSON.stringify(packed) }),
  };
}

/**
 * Attaches the tokens of {@link wrapToken} to their blocks again. Calls are matched by id, because clients reorder a
 * turn or send each block as a separate message.
 * @returns new messages if there are such tokens, otherwise the same messages
 */
export function placeTokens(messages: Message[]): Message[] {
  if (!messages.some(({ content }) => content.some(placedToken))) return messages;
  const calls = new Map<string, ToolCallBlock>();
  /** Tokens that precede their call. */
  const early = new Map<string, OpaqueToken>();
  let text: TextBlock | undefined;

  function place({ opaqueToken, place: where }: PlacedToken): ContentBlock[] {
    if (typeof where === 'object') {
      const call = calls.get(where.call);
      if (call && !call.opaqueToken) call.opaqueToken = opaqueToken;
      else early.set(where.call, opaqueToken);
      return [];
    }
    if (where === 'empty') return [{ type: 'text', text: '', opaqueToken }];
    if (text && !text.opaqueToken) {
      text.opaqueToken = opaqueToken;
      return [];
    }
    // The client dropped the text. An empty thinking block still returns the token to the vendor.
    return [{ type: 'reasoning', text: [], isSummary: false, opaqueToken }];
  }

  function copy(block: ContentBlock): ContentBlock {
    if (block.type === 'text') return (text = { ...block });
    if (block.type !== 'tool-call') return block;
    const opaqueToken = early.get(block.callId);
    early.delete(block.callId);
    const call = { ...block, opaqueToken: opaqueToken ?? block.opaqueToken };
    calls.set(call.callId, call);
    return call;
  }

  return messages.flatMap((message) => {
    if (message.role !== 'assistant') {
      text = undefined;
      return [message];
    }
    const content = message.content.flatMap((block) => {
      const placed = placedToken(block);
      return placed ? place(placed) : [copy(block)];
    });
    return content.length === 0 && message.content.length > 0 ? [] : [{ ...message, content }];
  });
}

interface PlacedToken {
  opaqueToken: OpaqueToken;
  place: PlacedValue[1];
}

function placedToken(block: ContentBlock): PlacedToken | undefined {
  const { opaqueToken }: Partial<ReasoningBlock> = block.type === 'reasoning' ? block : {};
  // A client could write the prefix itself, but only tokens from this gateway's codec have an account.
  if (opaqueToken?.account === undefined || !opaqueToken.value.startsWith(PREFIX)) return undefined;
  // The token's signature guarantees this type.
  const [value, place] = JSON.parse(opaqueToken.value.slice(PREFIX.length)) as PlacedValue;
  return { opaqueToken: { ...opaqueToken, value }, place };
}
