import type { ReasoningBlock, OpaqueToken } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';

/**
 * Chat clients carry one opaque token per tool call (`extra_content.google.thought_signature`) and the reasoning as one
 * text. Reasoning of other protocols travels as a list in that token: the data of each block, and the lengths of its
 * paragraphs, which locate its text in `reasoning_content`.
 */
interface CarriedBlock {
  value?: string;
  id?: string;
  isSummary?: true;
  redacted?: true;
  lengths: number[];
}

/** Separates paragraphs in `reasoning_content`. */
export const PARAGRAPH_BREAK = '\n\n';

/**
 * Packs reasoning blocks into one token; undefined if no block has a token, because such reasoning needs no carrier.
 */
export function packReasoning(blocks: readonly ReasoningBlock[]): OpaqueToken | undefined {
  const opaqueToken = blocks.find((block) => block.opaqueToken)?.opaqueToken;
  if (!opaqueToken) return undefined;
  const carried = blocks.map(({ text, isSummary, redacted, id, opaqueToken: own }): CarriedBlock => ({
    ...(own && { value: own.value }),
    ...(id !== undefined && { id }),
    ...(isSummary && { isSummary: true }),
    ...(redacted && { redacted: true }),
    lengths: text.map((paragraph) => paragraph.length),
  }));
  return { ...opaqueToken, value: JSON.stringify(carried) };
}

/** Vendors' own tokens are base64 and start differently. */
export function isReasoningPack(opaqueToken: OpaqueToken): boolean {
  return opaqueToken.account !== undefined && opaqueToken.value.startsWith('[{');
}

/**
 * @param packs in the order of the message
 * @param text the message's `reasoning_content`, if the client sent it back
 * @returns the blocks of each pack; undefined if the text is not the packed one
 */
export function unpackReasoning(
  packs: readonly OpaqueToken[],
  text: string | undefined,
): ReasoningBlock[][] | undefined {
  const carried = packs.map((pack) => readPack(pack));
  const lengths = carried.flat().flatMap((block) => block.lengths);
  const shown = lengths.reduce((sum, length) => sum + length, 0) + PARAGRAPH_BREAK.length * (lengths.length - 1);
  // A block keeps its token without its text: vendors sometimes hide the text themselves.
  if (text !== undefined && lengths.length > 0 && shown !== text.length) return undefined;
  if (text !== undefined && lengths.length === 0) return undefined;
  let from = 0;
  const take = (length: number) => {
    const paragraph = (text ?? '').slice(from, from + length);
    from += length + PARAGRAPH_BREAK.length;
    return paragraph;
  };
  return carried.map((blocks, at) =>
    blocks.map(({ value, id, isSummary, redacted, lengths: own }): ReasoningBlock => {
      const { protocol, account, model } = packs[at] ?? {};
      return {
        type: 'reasoning',
        text: text === undefined ? [] : own.map((length) => take(length)),
        isSummary: isSummary === true,
        ...(redacted && { redacted: true }),
        ...(id !== undefined && { id }),
        ...(value !== undefined &&
          protocol && {
            opaqueToken: {
              protocol,
              value,
              ...(account !== undefined && { account }),
              ...(model !== undefined && { model }),
            },
          }),
      };
    }),
  );
}

function readPack({ value }: OpaqueToken): CarriedBlock[] {
  try {
    const carried: unknown = JSON.parse(value);
    // Only packs that this gateway signed arrive here.
    return Array.isArray(carried) ? carried.filter((item): item is CarriedBlock => isRecord(item)) : [];
  } catch {
    return [];
  }
}
