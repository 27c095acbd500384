import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';

/**
 * Marks the value of a `redacted_thinking` block, so that it keeps its type through clients that have one field for all
 * signatures. Signatures are base64 and hold no colon.
 */
const REDACTED = 'redacted_thinking:';

/** The signature of thinking without one. */
const UNSIGNED: OpaqueToken = { protocol: 'messages', value: '' };

export type WireThinking =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

export function redactedValue(data: string): string {
  return REDACTED + data;
}

/** Restores the vendor's block from the vendor's own token. */
export function restoreThinking(block: ReasoningBlock, opaqueToken: OpaqueToken): WireThinking {
  if (opaqueToken.value.startsWith(REDACTED))
    return { type: 'redacted_thinking', data: opaqueToken.value.slice(REDACTED.length) };
  return { type: 'thinking', thinking: block.text.join('\n\n'), signature: opaqueToken.value };
}

/**
 * Reads thinking that a client returned.
 * @param value `signature` or `data`
 * @param redacted whether it was in a `redacted_thinking` block
 */
export function readThinking(tokenCodec: TokenCodec, value: string, text: string, redacted: boolean): ReasoningBlock {
  const carried = readToken(tokenCodec, 'messages', value);
  const hidden = redacted && carried.protocol === 'messages';
  const opaqueToken: OpaqueToken = hidden ? { ...carried, value: redactedValue(carried.value) } : carried;
  return {
    type: 'reasoning',
    text: text === '' ? [] : [text],
    isSummary: false,
    ...(hidden && { redacted: true }),
    // Unsigned thinking is wrapped with an empty value.
    ...(carried.value !== '' && { opaqueToken }),
  };
}

/**
 * Writes thinking for a client, which returns it. It always has a signature: an unsigned block breaks every later turn
 * (OmniRoute#12105). Thinking of other vendors without visible text becomes redacted; Anthropic's own keeps its type.
 * @returns undefined when there is neither text nor token
 */
export function wrapThinking(tokenCodec: TokenCodec, block: ReasoningBlock): WireThinking | undefined {
  const { opaqueToken } = block;
  const thinking = block.text.join('\n\n');
  if (opaqueToken?.protocol === 'messages') {
    const restored = restoreThinking(block, opaqueToken);
    if (restored.type === 'thinking') return { ...restored, signature: tokenCodec.wrap(opaqueToken) };
    return { type: 'redacted_thinking', data: tokenCodec.wrap({ ...opaqueToken, value: restored.data }) };
  }
  if (thinking !== '') return { type: 'thinking', thinking, signature: tokenCodec.wrap(opaqueToken ?? UNSIGNED) };
  return opaqueToken && { type: 'redacted_thinking', data: tokenCodec.wrap(opaqueToken) };
}
