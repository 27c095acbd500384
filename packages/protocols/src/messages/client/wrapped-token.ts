import type { ContentBlock, Message, ReasoningBlock, OpaqueToken, TextBlock, ToolCallBlock } from '@sluice/canonical';
import type { TokenCodec } from '../../text/token-codec.ts';

/**
 * Marks the value of a seal that belongs to another block, which {@link PlacedValue} names. Vendors' values are base64 and
 * hold no colon.
 */
const MARK = 'block:';

/** The vendor's value, then where it belongs: a call, the text before it, or an empty text of its own. */
type PlacedValue = [value: string, place: { call: string } | 'text' | 'empty'];

/** A block that carries a seal. */
export interface WrappedToken {
  type: 'redacted_thinking';
  data: string;
}

/**
 * What carries the seal of a call or a text through a client. Gemini signs these, while this protocol signs thoughts alone:
 * the seal travels in a `redacted_thinking` block behind its block, since a stream knows it at the block's end. Behind the
 * last text it may not stand: Claude Code 2.1.329 takes an answer's last block for its result and would print nothing. There
 * it can be done without, since Google checks the calls of the turn under way alone
 * (https://ai.google.dev/gemini-api/docs/thought-signatures).
 * @returns undefined for blocks without a seal, and for thoughts, which carry their own
 */
export function wrapToken(tokenCodec: TokenCodec, block: ContentBlock): WrappedToken | undefined {
  if ((block.type !== 'tool-call' && block.type !== 'text') || !block.seal) return undefined;
  const text = block.type === 'text' && block.text === '' ? 'empty' : 'text';
  const place = block.type === 'tool-call' ? { call: block.callId } : text;
  const packed: PlacedValue = [block.seal.value, place];
  return { type: 'redacted_thinking', data: tokenCodec.wrap({ ...block.seal, value: MARK + JSON.stringify(packed) }) };
}

/**
 * Puts the seals of {@link wrapToken} back onto their blocks. Clients reorder a turn, or tell each of its blocks as a message
 * of its own: a call is found by its id wherever it stands.
 * @returns new messages where there are such seals, else the same
 */
export function placeTokens(messages: Message[]): Message[] {
  if (!messages.some(({ content }) => content.some(placedToken))) return messages;
  /** The latest call of each id. */
  const calls = new Map<string, ToolCallBlock>();
  /** Seals that came before their call. */
  const early = new Map<string, OpaqueToken>();
  let text: TextBlock | undefined;

  function place({ seal, place: where }: PlacedToken): ContentBlock[] {
    if (typeof where === 'object') {
      const call = calls.get(where.call);
      if (call && !call.seal) call.seal = seal;
      else early.set(where.call, seal);
      return [];
    }
    if (where === 'empty') return [{ type: 'text', text: '', seal }];
    if (text && !text.seal) {
      text.seal = seal;
      return [];
    }
    // Its text is gone. As a thought without words it still goes back, on what comes next.
    return [{ type: 'reasoning', text: [], isSummary: false, seal }];
  }

  function copy(block: ContentBlock): ContentBlock {
    if (block.type === 'text') return (text = { ...block });
    if (block.type !== 'tool-call') return block;
    const seal = early.get(block.callId);
    early.delete(block.callId);
    const call = { ...block, ...(seal && { seal }) };
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
  seal: OpaqueToken;
  place: PlacedValue[1];
}

/** What {@link wrapToken} packed; undefined for every other block. */
function placedToken(block: ContentBlock): PlacedToken | undefined {
  const { seal }: Partial<ReasoningBlock> = block.type === 'reasoning' ? block : {};
  // Only what our own sealer vouches for has an account; a client could write the mark itself.
  if (seal?.account === undefined || !seal.value.startsWith(MARK)) return undefined;
  // The seal's signature vouches for the shape: we wrote it.
  const [value, place] = JSON.parse(seal.value.slice(MARK.length)) as PlacedValue;
  return { seal: { ...seal, value }, place };
}
