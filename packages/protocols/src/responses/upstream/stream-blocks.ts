import type { ContentBlock, RefusalBlock, TextBlock, ToolCallBlock } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { type BlockLane, completeBlockEvents } from './block-row.ts';
import { decodeCallItem, decodeOutputPart, decodeReasoningItem } from './decode-output.ts';
import { missingText } from '../wire/missing-text.ts';
import type { JsonObject } from '../../json/values.ts';

const choice = 0;

/** Decodes a streamed part of a message. */
export interface PartReader {
  delta(text: string): void;
  annotation(annotation: unknown): void;
  /** Adds the text that the deltas lack. @param text the complete text */
  complete(text: string): void;
  /** @param part in its final state, if the upstream sends it */
  end(part: JsonObject | undefined): void;
}

/** The block starts with the first text, so that an empty part leaves no block. */
export function createPartReader(type: 'text' | 'refusal', openLane: () => BlockLane): PartReader {
  let lane: BlockLane | undefined;
  let text = '';
  let isEnded = false;
  const annotations: unknown[] = [];

  function delta(chunk: string): void {
    if (chunk === '' || isEnded) return;
    if (!lane) {
      lane = openLane();
      lane.push({ type: 'block-start', choice, head: { type } });
    }
    text += chunk;
    lane.push({ type: 'delta', choice, text: chunk });
  }

  return {
    delta,
    annotation: (annotation) => annotations.push(annotation),
    complete: (whole) => delta(missingText(text, whole)),
    end: (part) => {
      if (isEnded) return;
      const told = decodeOutputPart(part);
      if (told?.type === type) delta(missingText(text, told.text));
      isEnded = true;
      if (!lane) return;
      lane.push({ type: 'block-end', choice, block: partBlock(type, text, told, annotations) });
      lane.close();
    },
  };
}

function partBlock(
  type: 'text' | 'refusal',
  text: string,
  told: TextBlock | RefusalBlock | undefined,
  annotations: readonly unknown[],
): ContentBlock {
  if (type === 'refusal') return { type, text };
  if (told?.type === 'text' && told.citations) return { ...told, text };
  const cited = decodeOutputPart({ type: 'output_text', text, annotations });
  return cited ?? { type, text };
}

/** Decodes a streamed reasoning item. */
export interface ReasoningReader {
  delta(text: string, paragraph: number, isSummary: boolean): void;
  complete(text: string, paragraph: number, isSummary: boolean): void;
  /** @param item in its final state, if the upstream sends it; only this has the token */
  end(item: JsonObject | undefined): void;
}

/** The block starts with the first text, or at the end if there is only a token. */
export function createReasoningReader(
  lane: BlockLane,
  id: string | undefined,
  context: UpstreamResponseContext,
): ReasoningReader {
  const text: string[] = [];
  /** The upstream's paragraph indexes may have gaps; ours do not. */
  const places = new Map<number, number>();
  /** The block holds either a summary or raw reasoning, whichever comes first. */
  let isShownSummary: boolean | undefined;

  function open(isSummary: boolean): void {
    isShownSummary = isSummary;
    lane.push({ type: 'block-start', choice, head: { type: 'reasoning', isSummary, ...(id !== undefined && { id }) } });
  }

  function delta(chunk: string, paragraph: number, isSummary: boolean): void {
    if (chunk === '') return;
    if (isShownSummary === undefined) open(isSummary);
    if (isShownSummary !== isSummary) return;
    const place = places.get(paragraph) ?? text.push('') - 1;
    places.set(paragraph, place);
    text[place] += chunk;
    lane.push({ type: 'delta', choice, text: chunk, paragraph: place });
  }

  function complete(whole: string, paragraph: number, isSummary: boolean): void {
    delta(missingText(text[places.get(paragraph) ?? -1] ?? '', whole), paragraph, isSummary);
  }

  return {
    delta,
    complete,
    end: (item) => {
      const told = decodeReasoningItem(item ?? {}, context.target);
      for (const [paragraph, whole] of told.text.entries()) complete(whole, paragraph, told.isSummary);
      if (isShownSummary === undefined && told.seal) open(true);
      if (isShownSummary !== undefined) {
        const { seal } = told;
        const block = { type: 'reasoning' as const, text, isSummary: isShownSummary };
        lane.push({
          type: 'block-end',
          choice,
          block: { ...block, ...((told.id ?? id) !== undefined && { id: told.id ?? id ?? '' }), ...(seal && { seal }) },
        });
      }
      lane.close();
    },
  };
}

/** Decodes a streamed call. */
export interface CallReader {
  delta(text: string): void;
  complete(text: string): void;
  /** @param item in its final state, if the upstream sends it */
  end(item: JsonObject | undefined): void;
}

/**
 * Arguments come as deltas, complete at their end, or only with the finished item.
 * @param added the announced item; without a name, the call waits for the finished item
 */
export function createCallReader(lane: BlockLane, added: JsonObject): CallReader {
  const head: ToolCallBlock | undefined = decodeCallItem(added);
  let text = '';
  if (head) {
    const { callId, name, kind } = head;
    lane.push({ type: 'block-start', choice, head: { type: 'tool-call', callId, name, kind } });
  }

  function delta(chunk: string): void {
    if (chunk === '') return;
    text += chunk;
    if (head) lane.push({ type: 'delta', choice, text: chunk });
  }

  const complete = (whole: string): void => delta(missingText(text, whole));

  return {
    delta,
    complete,
    end: (item) => {
      const told = item && decodeCallItem(item);
      complete(told?.arguments ?? '');
      if (head) lane.push({ type: 'block-end', choice, block: { ...head, arguments: text } });
      else if (told) lane.pushAll(completeBlockEvents({ ...told, arguments: text }));
      lane.close();
    },
  };
}
