import type { OpaqueToken } from '@sluice/canonical';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';
import { asArray, asString, parseObject } from '../../json/values.ts';

/**
 * The content of `encrypted_content` in a reasoning item, which is the only field that clients return. It holds the
 * opaque token and any data that has no other field.
 */
export interface WrappedToken {
  /** Omitted if no vendor created a token. */
  opaqueToken?: OpaqueToken;
  /** Text that the vendor needs back but that the client does not return. */
  text?: string[];
  redacted?: boolean;
  /** Id of the call that the token belongs to (Gemini's thought signature on a function call). */
  callId?: string;
  /** Whether the token belongs to the preceding text (`text`) or to an empty text part (`empty`). */
  textPart?: 'text' | 'empty';
}

/** Prefix of extended values. Vendors' tokens are base64, which contains no colon. */
const EXTENDED = 'sluice:';

/** Used if no vendor created a token. Real tokens are never empty. */
const NO_TOKEN: OpaqueToken = { protocol: 'responses', value: '' };

export function wrapToken(tokenCodec: TokenCodec, { opaqueToken = NO_TOKEN, ...extras }: WrappedToken): string {
  if (Object.values(extras).every((extra) => extra === undefined)) return tokenCodec.wrap(opaqueToken);
  return tokenCodec.wrap({ ...opaqueToken, value: EXTENDED + JSON.stringify({ ...extras, value: opaqueToken.value }) });
}

export function readWrappedToken(tokenCodec: TokenCodec, encrypted: string): WrappedToken {
  const opaqueToken = readToken(tokenCodec, 'responses', encrypted);
  if (!opaqueToken.value.startsWith(EXTENDED)) return { opaqueToken };
  const extended = parseObject(opaqueToken.value.slice(EXTENDED.length));
  const value = asString(extended?.['value']);
  if (!extended || value === undefined) return { opaqueToken };
  const { text, redacted, callId, textPart } = extended;
  return {
    opaqueToken: value === '' ? undefined : { ...opaqueToken, value },
    text: Array.isArray(text) ? asArray(text).filter((paragraph) => typeof paragraph === 'string') : undefined,
    redacted: redacted === true ? true : undefined,
    callId: asString(callId),
    textPart: textPart === 'text' || textPart === 'empty' ? textPart : undefined,
  };
}
