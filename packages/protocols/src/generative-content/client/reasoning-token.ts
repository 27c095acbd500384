import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';

/**
 * A reasoning block of another vendor has more to carry than its seal: its id, whether it is a summary, and its text where
 * the client did not ask to see it but the vendor wants it back unchanged. This protocol has one field for all of it, so
 * that the value of the seal carries them, marked as such. The mark also tells such a seal from one of the part that it
 * stands on; vendors' values are base64 and hold no colon.
 */
const MARK = 'reasoning:';

/**
 * The seal of a reasoning block with what its fellow fields say.
 * @param isHidden whether the text has to travel along
 * @returns undefined when the block has no seal
 */
export function packReasoning(
  { seal, isSummary, redacted, id, text }: ReasoningBlock,
  isHidden: boolean,
): OpaqueToken | undefined {
  if (!seal) return undefined;
  const packed = [seal.value, isSummary, redacted ?? false, id ?? null, isHidden ? text : []];
  return { ...seal, value: MARK + JSON.stringify(packed) };
}

/** What {@link packReasoning} was given; undefined when the seal is one of a part. */
export function unpackReasoning(seal: OpaqueToken): ReasoningBlock | undefined {
  // Only what our own sealer vouches for has an account; a client could write the mark itself.
  if (seal.account === undefined || !seal.value.startsWith(MARK)) return undefined;
  // The seal's signature vouches for the shape: we wrote it.
  const [value, isSummary, redacted, id, text] = JSON.parse(seal.value.slice(MARK.length)) as [
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
    seal: { ...seal, value },
    ...(redacted && { redacted }),
    ...(id !== null && { id }),
  };
}
