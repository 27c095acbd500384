import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';

/**
 * A reasoning block inside an opaque token. Chat clients return reasoning as one text, with one token per tool call
 * (`extra_content.google.thought_signature`). The token therefore holds a list of all blocks of other protocols.
 */
interface PackedBlock {
  value?: string;
  id?: string;
  isSummary?: true;
  redacted?: true;
  /** Paragraph lengths, which locate the block's text in `reasoning_content`. */
  lengths: number[];
}

/** Separates paragraphs in `reasoning_content`. */
export const PARAGRAPH_BREAK = '\n\n';

/** Packs reasoning blocks into one token. Returns undefined if no block has a token. */
export function packReasoning(blocks: readonly ReasoningBlock[]): OpaqueToken | undefined {
  const opaqueToken = blocks.find((block) => block.opaqueToken)?.opaqueToken;
  if (!opaqueToken) return undefined;
  const packed = blocks.map(({ text, isSummary, redacted, id, opaqueToken: own }): PackedBlock => ({
    value: own?.value,
    id,
    isSummary: isSummary || undefined,
    redacted: redacted || undefined,
    lengths: text.map((paragraph) => paragraph.length),
  }));
  return { ...opaqueToken, value: JSON.stringify(packed) };
}

/** Vendors' tokens are base64 and never start with `[{`. */
export function isReasoningPack(opaqueToken: OpaqueToken): boolean {
  return opaqueToken.account !== undefined && opaqueToken.value.startsWith('[{');
}

/**
 * @param packs packs in message order
 * @param text the message's `reasoning_content`, if the client returned it
 * @returns the blocks of each pack, or undefined if the text differs from the packed text
 */
export function unpackReasoning(
  packs: readonly OpaqueToken[],
  text: string | undefined,
): ReasoningBlock[][] | undefined {
  const blocksByPack = packs.map((pack) => readPack(pack));
  const lengths = blocksByPack.flat().flatMap((block) => block.lengths);
  const packedLength = lengths.reduce((sum, length) => sum + length, 0) + PARAGRAPH_BREAK.length * (lengths.length - 1);
  // Without text, a block keeps its token, because vendors sometimes hide the text themselves.
  if (text !== undefined && (lengths.length === 0 || packedLength !== text.length)) return undefined;
  let from = 0;
  const take = (length: number) => {
    const paragraph = (text ?? '').slice(from, from + length);
    from += length + PARAGRAPH_BREAK.length;
    return paragraph;
  };
  return blocksByPack.map((blocks, at) =>
    blocks.map(({ value, id, isSummary, redacted, lengths: own }): ReasoningBlock => {
      const pack = packs[at];
      return {
        type: 'reasoning',
        text: text === undefined ? [] : own.map((length) => take(length)),
        isSummary: isSummary === true,
        redacted,
        id,
        opaqueToken: pack && value !== undefined ? { ...pack, value } : undefined,
      };
    }),
  );
}

function readPack({ value }: OpaqueToken): PackedBlock[] {
  try {
    const blocks: unknown = JSON.parse(value);
    // Only packs that this gateway signed reach this function.
    return Array.isArray(blocks) ? blocks.filter((item): item is PackedBlock => isRecord(item)) : [];
  } catch {
    return [];
  }
}
