import type { OpaqueToken } from '@sluice/canonical';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';
import { asArray, asObject, asString } from '../../json/values.ts';

/**
 * The content of `encrypted_content` in a reasoning item, the only field that clients return. It holds the opaque token
 * and data that the item has no field for.
 */
export interface WrappedToken {
  /** Absent if no vendor created a token. */
  seal?: OpaqueToken;
  /** Text that the vendor needs back but the client does not return. */
  text?: string[];
  /** {@link ReasoningBlock.redacted} */
  redacted?: boolean;
  /** The token belongs to a call (Gemini's thought signature on a function call). */
  callId?: string;
  /** The token belongs to the text before it (`text`), or to an empty text part (`empty`). */
  textPart?: 'text' | 'empty';
}

/** Vendors' tokens are base64, which has no colon. */
const EXTENDED = 'sluice:';

/** Used without a vendor's token; real tokens are never empty. */
const NO_TOKEN: OpaqueToken = { protocol: 'responses', value: '' };

export function wrapToken(tokenCodec: TokenCodec, { seal = NO_TOKEN, ...extras }: WrappedToken): string {
  if (Object.keys(extras).length === 0) return tokenCodec.wrap(seal);
  return tokenCodec.wrap({ ...seal, value: EXTENDED + JSON.stringify({ ...extras, value: seal.value }) });
}

/** Reads `encrypted_content`: one of ours, or a vendor's own. */
export function readWrappedToken(tokenCodec: TokenCodec, encrypted: string): WrappedToken {
  const seal = readToken(tokenCodec, 'responses', encrypted);
  if (!seal.value.startsWith(EXTENDED)) return { seal };
  const extended = asObject(parse(seal.value.slice(EXTENDED.length)));
  const value = asString(extended?.['value']);
  if (!extended || value === undefined) return { seal };
  const { text, redacted, callId, textPart } = extended;
  return {
    ...(value !== '' && { seal: { ...seal, value } }),
    ...(Array.isArray(text) && { text: asArray(text).filter((one) => typeof one === 'string') }),
    ...(redacted === true && { redacted }),
    ...(typeof callId === 'string' && { callId }),
    ...((textPart === 'text' || textPart === 'empty') && { textPart }),
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
