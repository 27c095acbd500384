import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';

/**
 * Marks the value of a `redacted_thinking` block, because other protocols use one field for all signatures. Signatures
 * are base64, which contains no colon.
 */
const REDACTED = 'redacted_thinking:';

/** The token for thinking without a signature. */
const UNSIGNED: OpaqueToken = { protocol: 'messages', value: '' };

export type WireThinking =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

export function redactedValue(data: string): string {
  return REDACTED + data;
}

export function restoreThinking(block: ReasoningBlock, opaqueToken: OpaqueToken): WireThinking {
  const { value } = opaqueToken;
  if (value.startsWith(REDACTED)) return { type: 'redacted_thinking', data: value.slice(REDACTED.length) };
  return { type: 'thinking', thinking: block.text.join('\n\n'), signature: value };
}

/**
 * @param value value of `signature` or `data`
 * @param redacted whether the value is from a `redacted_thinking` block
 */
export function readThinking(tokenCodec: TokenCodec, value: string, text: string, redacted: boolean): ReasoningBlock {
  const token = readToken(tokenCodec, 'messages', value);
  const hidden = redacted && token.protocol === 'messages';
  const opaqueToken: OpaqueToken = hidden ? { ...token, value: redactedValue(token.value) } : token;
  return {
    type: 'reasoning',
    text: text === '' ? [] : [text],
    isSummary: false,
    redacted: hidden || undefined,
    // An empty value represents unsigned thinking.
    opaqueToken: token.value === '' ? undefined : opaqueToken,
  };
}

/**
 * Encodes thinking, which the client returns in later turns. The block always has a signature, because an unsigned
 * block breaks every later turn (OmniRoute#12105). Another vendor's thinking without text becomes a redacted block.
 * @returns undefined if the block has neither text nor a token
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
