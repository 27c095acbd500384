import type { ContentBlock, StreamEvent } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { type BlockBuffer, BlockQueue, completeBlockEvents } from '../../text/block-queue.ts';
import { decodeOutputItem } from './decode-output.ts';
import { reportAnnotation, reportItem } from './report-unread.ts';
import {
  createCallReader,
  createPartReader,
  createReasoningReader,
  type PartReader,
  type PartType,
  type TextReader,
} from './stream-blocks.ts';
import { asArray, asNumber, asObject, asString, type JsonObject } from '../../json/values.ts';

/** A streamed item: a message with parts, a reasoning item, a call, or an item that only its final event describes. */
interface StreamItem {
  /** A message's parts by `content_index`. */
  parts: Map<number, PartReader>;
  reasoning?: TextReader;
  call?: TextReader;
  id: string | undefined;
  isDone: boolean;
}

/** A text that is sent in `….delta` events and, complete, in a `….done` event. */
interface StreamText {
  owner: PartType | 'reasoning' | 'call';
  /** The field of the `….done` event that contains the complete text. */
  member: string;
  isSummary?: boolean;
}

const TEXTS: ReadonlyMap<string, StreamText> = new Map<string, StreamText>([
  ['response.output_text', { owner: 'text', member: 'text' }],
  ['response.refusal', { owner: 'refusal', member: 'refusal' }],
  ['response.reasoning_text', { owner: 'reasoning', member: 'text' }],
  ['response.reasoning_summary_text', { owner: 'reasoning', member: 'text', isSummary: true }],
  ['response.function_call_arguments', { owner: 'call', member: 'arguments' }],
  ['response.custom_tool_call_input', { owner: 'call', member: 'input' }],
]);

/**
 * The output items of a streamed response.
 *
 * An item is added by `output_item.added`, extended by deltas, and completed by `output_item.done`. Upstreams omit any
 * of the three. A text can start without an added event, arguments can arrive only in `….done`, and an item can appear
 * only when it is done or only in the final response. Each value is read from the first event that contains it. Later
 * events add only what is missing. A finished item stays finished, unless the upstream reuses its index for another id.
 */
export class StreamItems {
  readonly #context: UpstreamResponseContext;
  readonly #queue = new BlockQueue();
  readonly #items = new Map<number | string, StreamItem>();
  readonly #types = new Set<ContentBlock['type']>();
  #doneCount = 0;

  constructor(context: UpstreamResponseContext) {
    this.#context = context;
  }

  /** The types of all blocks that were decoded up to now. */
  get blockTypes(): ReadonlySet<ContentBlock['type']> {
    return this.#types;
  }

  /** Removes and returns the events that can be sent now. */
  take(): StreamEvent[] {
    return this.#queue.take();
  }

  /** @returns false if the event does not concern an item */
  read(type: string, fields: JsonObject): boolean {
    switch (type) {
      case 'response.output_text.annotation.added':
        reportAnnotation(asObject(fields['annotation']) ?? {}, this.#context.report);
        this.#part(fields, 'text').annotation(fields['annotation']);
        return true;
      case 'response.content_part.done':
        this.#endPart(fields, asObject(fields['part']));
        return true;
      case 'response.output_item.added':
        if (this.#items.get(keyOf(fields))?.isDone !== false) this.#add(keyOf(fields), asObject(fields['item']) ?? {});
        return true;
      case 'response.output_item.done':
        this.#end(keyOf(fields), asObject(fields['item']));
        return true;
      default:
        return this.#readText(type, fields);
    }
  }

  #readText(type: string, fields: JsonObject): boolean {
    const [, name = '', step] = /^(.+)\.(delta|done)$/.exec(type) ?? [];
    const text = TEXTS.get(name);
    if (!text) return false;
    const reader = this.#readerOf(text.owner, fields);
    const chunk = asString(fields[step === 'delta' ? 'delta' : text.member]) ?? '';
    const paragraph = Math.max(0, asNumber(fields['summary_index']) ?? asNumber(fields['content_index']) ?? 0);
    if (step === 'delta') reader?.delta(chunk, paragraph, text.isSummary === true);
    else reader?.complete(chunk, paragraph, text.isSummary === true);
    return true;
  }

  #readerOf(owner: StreamText['owner'], fields: JsonObject): TextReader | undefined {
    if (owner === 'reasoning') return this.#openItem(fields, 'reasoning').reasoning;
    return owner === 'call' ? this.#openItem(fields, 'function_call').call : this.#part(fields, owner);
  }

  /** Reads items that only the final response contains, and ends open items. */
  finish(output: readonly unknown[]): void {
    for (const [index, value] of output.entries()) {
      const item = asObject(value);
      const id = asString(item?.['id']) ?? '';
      const key = !this.#items.has(index) && this.#items.has(id) ? id : index;
      const known = this.#items.get(key);
      if (!item || known?.isDone === true || (!known && this.#doneCount >= output.length)) continue;
      this.#end(key, item);
    }
    for (const [key, { isDone }] of this.#items) if (!isDone) this.#end(key, undefined);
  }

  #add(key: number | string, fields: JsonObject): StreamItem {
    const item: StreamItem = { parts: new Map(), id: asString(fields['id']), isDone: false };
    this.#items.set(key, item);
    const type = fields['type'];
    if (type === 'reasoning') {
      item.reasoning = createReasoningReader(this.#addBlock('reasoning'), item.id, this.#context);
    } else if (type === 'function_call' || type === 'custom_tool_call') {
      item.call = createCallReader(this.#addBlock('tool-call'), fields);
    }
    return item;
  }

  #addBlock(type: ContentBlock['type']): BlockBuffer {
    this.#types.add(type);
    return this.#queue.add();
  }

  /** @param type type of an item that had no added event */
  #openItem(fields: JsonObject, type: string): StreamItem {
    const key = keyOf(fields);
    const item = this.#items.get(key);
    return item && !item.isDone ? item : this.#add(key, { type, id: fields['item_id'] });
  }

  #part(fields: JsonObject, type: PartType): PartReader {
    return this.#partAt(this.#openItem(fields, 'message'), asNumber(fields['content_index']) ?? 0, type);
  }

  #partAt({ parts }: StreamItem, index: number, type: PartType): PartReader {
    const known = parts.get(index);
    if (known) return known;
    const part = createPartReader(type, () => this.#addBlock(type));
    parts.set(index, part);
    return part;
  }

  #endPart(fields: JsonObject, part: JsonObject | undefined): void {
    if (part?.['type'] === 'output_text') this.#part(fields, 'text').end(part);
    else if (part?.['type'] === 'refusal') this.#part(fields, 'refusal').end(part);
  }

  /** @param fields the item's final fields, if the upstream sends them */
  #end(key: number | string, fields: JsonObject | undefined): void {
    const known = this.#items.get(key);
    const id = asString(fields?.['id']);
    // The event is a duplicate. A different id means a new item from an upstream that reuses indexes.
    if (known?.isDone === true && (id === undefined || id === known.id)) return;
    const item = known && !known.isDone ? known : this.#add(key, fields ?? {});
    item.isDone = true;
    if (fields) reportItem(fields, this.#context.report);
    this.#doneCount++;
    const reader = item.reasoning ?? item.call;
    if (reader) reader.end(fields);
    else if (fields && fields['type'] !== 'message' && item.parts.size === 0) this.#addComplete(fields);
    else this.#endMessage(item, fields);
  }

  #addComplete(fields: JsonObject): void {
    for (const block of decodeOutputItem(fields, this.#context)) {
      const buffer = this.#addBlock(block.type);
      buffer.push(...completeBlockEvents(block));
      buffer.close();
    }
  }

  #endMessage(message: StreamItem, fields: JsonObject | undefined): void {
    for (const [index, value] of asArray(fields?.['content']).entries()) {
      const part = asObject(value);
      this.#partAt(message, index, part?.['type'] === 'refusal' ? 'refusal' : 'text').end(part);
    }
    for (const part of message.parts.values()) part.end(undefined);
  }
}

/** Identifies an item by its index, or by its id because some upstreams omit the index. */
function keyOf(fields: JsonObject): number | string {
  return (
    asNumber(fields['output_index']) ?? asString(fields['item_id']) ?? asString(asObject(fields['item'])?.['id']) ?? 0
  );
}
