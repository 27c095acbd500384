import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';

/**
 * Marks the value of a `redacted_thinking` block, so that it comes back as one also through clients that know a single
 * field for such values. Signatures are base64 and never hold a colon.
 */
const REDACTED = 'redacted_thinking:';

/** Stands for the signature of thoughts that have none. */
const UNSIGNED: OpaqueToken = { protocol: 'messages', value: '' };

/** A thinking block as the wire has it. */
export type WireThinking =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

/** The seal's value of a block that the vendor hides. */
export function redactedValue(data: string): string {
  return REDACTED + data;
}

/** Restores what the vendor made, from a seal that is known to be its own. */
export function restoreThinking(block: ReasoningBlock, seal: OpaqueToken): WireThinking {
  if (seal.value.startsWith(REDACTED)) return { type: 'redacted_thinking', data: seal.value.slice(REDACTED.length) };
  return { type: 'thinking', thinking: block.text.join('\n\n'), signature: seal.value };
}

/**
 * Reads what a client carried back: `signature` or `data`.
 * @param redacted whether it came in a `redacted_thinking` block
 */
export function readThinking(tokenCodec: TokenCodec, value: string, text: string, redacted: boolean): ReasoningBlock {
  const carried = readToken(tokenCodec, 'messages', value);
  const hidden = redacted && carried.protocol === 'messages';
  const seal: OpaqueToken = hidden ? { ...carried, value: redactedValue(carried.value) } : carried;
  return {
    type: 'reasoning',
    text: text === '' ? [] : [text],
    isSummary: false,
    ...(hidden && { redacted: true }),
    // An empty value is what unsigned thoughts are wrapped with: it binds nothing.
    ...(carried.value !== '' && { seal }),
  };
}

/**
 * Writes thoughts for a client, which carries them back. They always bear a signature: an unsigned thinking block bricks
 * every later turn (OmniRoute#12105). Thoughts of other vendors without a text to show are told as redacted; Anthropic's
 * own keep their kind.
 * @returns undefined when there is neither text nor seal
 */
export function wrapThinking(tokenCodec: TokenCodec, block: ReasoningBlock): WireThinking | undefined {
  const { seal } = block;
  const thinking = block.text.join('\n\n');
  if (seal?.protocol === 'messages') {
    const restored = restoreThinking(block, seal);
    if (restored.type === 'thinking') return { ...restored, signature: tokenCodec.wrap(seal) };
    return { type: 'redacted_thinking', data: tokenCodec.wrap({ ...seal, value: restored.data }) };
  }
  if (thinking !== '') return { type: 'thinking', thinking, signature: tokenCodec.wrap(seal ?? UNSIGNED) };
  return seal && { type: 'redacted_thinking', data: tokenCodec.wrap(seal) };
}
