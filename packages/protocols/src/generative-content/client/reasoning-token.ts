import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';

/**
 * Marks a token that contains another vendor's reasoning block, for which this protocol has only one field. The token's
 * value also holds the block's id and kind, and a text that the vendor needs back but the client does not see. Vendors'
 * values are base64, which contains no colon.
 */
const PREFIX = 'reasoning:';

type PackedFields = [value: string, isSummary: boolean, redacted: boolean, id: string | null, text: string[]];

/** @param isHidden whether the text is hidden from the client. @returns undefined if the block has no token */
export function packReasoning(
  { opaqueToken, isSummary, redacted, id, text }: ReasoningBlock,
  isHidden: boolean,
): OpaqueToken | undefined {
  if (!opaqueToken) return undefined;
  const packed: PackedFields = [opaqueToken.value, isSummary, redacted ?? false, id ?? null, isHidden ? text : []];
  return { ...opaqueToken, value: PREFIX + JSON.stringify(packed) };
}

/** @returns undefined for a part's ordinary token */
export function unpackReasoning(opaqueToken: OpaqueToken): ReasoningBlock | undefined {
  // A client could write the prefix itself, but only tokens from this gateway's codec have an account.
  if (opaqueToken.account === undefined || !opaqueToken.value.startsWith(PREFIX)) return undefined;
  // The token's signature guarantees this type.
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
