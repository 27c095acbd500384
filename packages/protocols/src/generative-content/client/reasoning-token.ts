import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';

/**
 * Another vendor's reasoning block has more to carry than its token: its id, whether it is a summary, and its text if
 * the
 * client does not see it but the vendor needs it back. This protocol has one field for all of it, so the token's value
 * holds
 * them behind this mark. Vendors' values are base64 and hold no colon.
 */
const MARK = 'reasoning:';

/**
 * Packs the token of a reasoning block with its other fields.
 * @param isHidden whether the text has to be carried too
 * @returns undefined when the block has no token
 */
export function packReasoning(
  { opaqueToken, isSummary, redacted, id, text }: ReasoningBlock,
  isHidden: boolean,
): OpaqueToken | undefined {
  if (!opaqueToken) return undefined;
  const packed = [opaqueToken.value, isSummary, redacted ?? false, id ?? null, isHidden ? text : []];
  return { ...opaqueToken, value: MARK + JSON.stringify(packed) };
}

/** Restores the block of {@link packReasoning}. Returns undefined for the token of a part. */
export function unpackReasoning(opaqueToken: OpaqueToken): ReasoningBlock | undefined {
  // A client could write the mark itself, but only a token of this gateway's codec has an account.
  if (opaqueToken.account === undefined || !opaqueToken.value.startsWith(MARK)) return undefined;
  // the token's signature vouches for the shape
  const [value, isSummary, redacted, id, text] = JSON.parse(opaqueToken.value.slice(MARK.length)) as [
    string,
    boolean,
    boolean,
    string | null,
    string[],
  ];
  return {
    type: 'reasoning',
    text,
    isSummary,
    opaqueToken: { ...opaqueToken, value },
    ...(redacted && { redacted }),
    ...(id !== null && { id }),
  };
}
