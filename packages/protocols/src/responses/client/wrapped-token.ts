import type { OpaqueToken } from '@sluice/canonical';
import { readToken, type TokenCodec } from '../../text/token-codec.ts';
import { asArray, asObject, asString } from '../../json/values.ts';

/**
 * What travels in the `encrypted_content` of a reasoning item: the one field that clients of this protocol carry back.
 * Beside the seal itself it tells what the item has no place for.
 */
export interface WrappedToken {
  /** Absent: nobody sealed what goes along. */
  seal?: OpaqueToken;
  /** Text that the client does not send back, but that the vendor wants back. */
  text?: string[];
  /** {@link ReasoningBlock.redacted} */
  redacted?: boolean;
  /** The seal is that of a call (Gemini's thought signature on a function call). */
  callId?: string;
  /** The seal is that of the text before it (`text`), or of an empty text part of its own (`empty`). */
  textPart?: 'text' | 'empty';
}

/** No vendor's value holds a colon: they are base64. */
const EXTENDED = 'sluice:';

/** Stands where no vendor sealed anything; none has an empty value. */
const NO_TOKEN: OpaqueToken = { protocol: 'responses', value: '' };

/** Wraps a seal, with what goes along with it, for a client. */
export function wrapToken(tokenCodec: TokenCodec, { seal = NO_TOKEN, ...extras }: WrappedToken): string {
  if (Object.keys(extras).length === 0) return tokenCodec.wrap(seal);
  return tokenCodec.wrap({ ...seal, value: EXTENDED + JSON.stringify({ ...extras, value: seal.value }) });
}

/** Reads `encrypted_content` as a client sent it: one of ours, or its vendor's own. */
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
