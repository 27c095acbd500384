import type { ContentBlock, Message, ReasoningBlock, OpaqueToken, TextBlock, ToolCallBlock } from '@sluice/canonical';
import type { TokenCodec } from '../../text/token-codec.ts';

/** Prefix of a {@link PlacedValue}. Vendors' values are base64, which has no colon. */
const PREFIX = 'block:';

/** The vendor's value and its block: a call, the text before it, or an empty text of its own. */
type PlacedValue = [value: string, place: { call: string } | 'text' | 'empty'];

export interface WrappedToken {
  type: 'redacted_thinking';
  data: string;
}

/**
 * Encodes the token of a call or text as a `redacted_thinking` block, because this protocol signs only thinking and Gemini
 * signs these. It follows its block, because a stream knows it only at the end.
 *
 * It never follows the last text: Claude Code 2.1.329 uses the last block as the result and would print nothing. Such a
 * token may be lost, because Google validates only the calls of the current turn
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
 * Restores the tokens of {@link wrapToken} onto their blocks. Calls are found by id, because clients reorder a turn or
 * send each block as its own message.
 * @returns new messages if there are such tokens, otherwise the same
 */
export function placeTokens(messages: Message[]): Message[] {
  if (!messages.some(({ content }) => content.some(placedToken))) return messages;
  const calls = new Map<string, ToolCallBlock>();
  /** Tokens that arrived before their call. */
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
    // The client dropped the text. As thinking without text, the token still returns to the vendor.
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
  // A client could write the prefix itself, but only a token of this gateway's codec has an account.
  if (opaqueToken?.account === undefined || !opaqueToken.value.startsWith(PREFIX)) return undefined;
  // The token's signature guarantees the shape.
  const [value, place] = JSON.parse(opaqueToken.value.slice(PREFIX.length)) as PlacedValue;
  return { opaqueToken: { ...opaqueToken, value }, place };
}
