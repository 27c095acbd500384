import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';

/**
 * Marks the value of a `redacted_thinking` block, because other clients have one field for all signatures. Signatures are
 * base64, which has no colon.
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

export function restoreThinking(block: ReasoningBlock, opaqueToken: OpaqueToken): WireThinking {
  const { value } = opaqueToken;
  if (value.startsWith(REDACTED)) return { type: 'redacted_thinking', data: value.slice(REDACTED.length) };
  return { type: 'thinking', thinking: block.text.join('\n\n'), signature: value };
}

/**
 * @param value `signature` or `data`
 * @param redacted whether it was in a `redacted_thinking` block
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
    // Unsigned thinking is wrapped with an empty value.
    opaqueToken: token.value === '' ? undefined : opaqueToken,
  };
}

/**
 * Encodes thinking, which the client sends back. It always has a signature, because an unsigned block breaks every later
 * turn (OmniRoute#12105). Thinking of other vendors without text becomes redacted.
 * @returns undefined without text and token
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
