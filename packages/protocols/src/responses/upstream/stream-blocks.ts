import type { ContentBlock, RefusalBlock, TextBlock, ToolCallBlock } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { type BlockLane, completeBlockEvents } from './block-row.ts';
import { decodeCallItem, decodeOutputPart, decodeReasoningItem } from './decode-output.ts';
import { missingText } from '../wire/missing-text.ts';
import type { JsonObject } from '../../json/values.ts';

const choice = 0;

/** Reads a part of a message while it is streamed. */
export interface PartReader {
  delta(text: string): void;
  annotation(annotation: unknown): void;
  /** The text as a whole: what the deltas have left out is made up for. */
  complete(text: string): void;
  /** @param part as it ended, where the upstream tells */
  end(part: JsonObject | undefined): void;
}

/** A reader that opens its block with the first text: parts that stay empty leave no trace. */
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

/** Reads a reasoning item while it is streamed. */
export interface ReasoningReader {
  delta(text: string, paragraph: number, isSummary: boolean): void;
  complete(text: string, paragraph: number, isSummary: boolean): void;
  /** @param item as it ended, where the upstream tells; it alone holds the seal */
  end(item: JsonObject | undefined): void;
}

/** A reader that opens its block with the first text, or at the end for a seal alone. */
export function createReasoningReader(
  lane: BlockLane,
  id: string | undefined,
  context: UpstreamResponseContext,
): ReasoningReader {
  const text: string[] = [];
  /** Where a paragraph of the upstream's stands in ours, which have no gaps. */
  const places = new Map<number, number>();
  /** Summary or thoughts: what came first is what the block holds. */
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

/** Reads a call while it is streamed. */
export interface CallReader {
  delta(text: string): void;
  complete(text: string): void;
  /** @param item as it ended, where the upstream tells */
  end(item: JsonObject | undefined): void;
}

/**
 * A reader of a call's arguments, which come in pieces, whole at the end of them, or only with the whole item.
 * @param added the item as it was announced; without a name the call is told when it is whole
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
