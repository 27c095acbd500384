import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';

/**
 * This protocol has one field for another vendor's reasoning block. With this prefix, the token's value also holds the
 * block's id, its kind, and a text that the client does not see but the vendor needs back. Vendors' values are base64,
 * which has no colon.
 */
const PREFIX = 'reasoning:';

type PackedFields = [value: string, isSummary: boolean, redacted: boolean, id: string | null, text: string[]];

/** @param isHidden whether the client does not see the text. @returns undefined if the block has no token */
export function packReasoning(
  { opaqueToken, isSummary, redacted, id, text }: ReasoningBlock,
  isHidden: boolean,
): OpaqueToken | undefined {
  if (!opaqueToken) return undefined;
  const packed: PackedFields = [opaqueToken.value, isSummary, redacted ?? false, id ?? null, isHidden ? text : []];
  return { ...opaqueToken, value: PREFIX + JSON.stringify(packed) };
}

/** @returns undefined for the token of a part */
export function unpackReasoning(opaqueToken: OpaqueToken): ReasoningBlock | undefined {
  // A client could write the prefix itself, but only a token of this gateway's codec has an account.
  if (opaqueToken.account === undefined || !opaqueToken.value.startsWith(PREFIX)) return undefined;
  // The token's signature guarantees the shape.
  const [value, isSummary, redacted, id, text] = JSON.parse(opaqueToken.value.slice(PREFIX.length)) as PackedFields;
  return {
    type: 'reasoning',
    text,
    isSummary,
    opaqueToken: { ...opaqueToken, value },
    redacted: redacted ? true : undefined,
    id: id ?? undefined,
  };
}
