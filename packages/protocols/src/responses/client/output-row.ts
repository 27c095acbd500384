import { outputItemId } from './item-id.ts';
import type { JsonObject } from '../../json/values.ts';

/** Where events go while items are written; nowhere for an answer in one piece. */
export interface EventSink {
  event(type: string, fields: JsonObject): void;
  /**
   * An event that carries a piece of text; there are many of them.
   * @param where its other members, as JSON without braces
   */
  delta(type: string, where: string, text: string): void;
}

/** A sink for answers that are not streamed. */
export const NO_EVENTS: EventSink = { event: () => {}, delta: () => {} };

/** The items of an answer, in their order. */
export interface OutputRow {
  readonly sink: EventSink;
  readonly items: readonly JsonObject[];
  /** The id for the next item, where it is not made of something else. */
  nextId(type: string): string;
  /** Announces an item as it is when it begins. @returns its `output_index` */
  begin(item: JsonObject): number;
  /** Tells an item as it is when it is whole. */
  finish(index: number, item: JsonObject): void;
  /** An item that comes whole. @param steps events between beginning and end, without more to tell than their type */
  addComplete(begun: JsonObject, whole: JsonObject, steps?: readonly string[]): void;
}

/** An empty row. @param responseId ids of items are made of it */
export function createOutputRow(responseId: string, sink: EventSink): OutputRow {
  const items: JsonObject[] = [];
  let begun = 0;

  function begin(item: JsonObject): number {
    const index = begun++;
    sink.event('response.output_item.added', { output_index: index, item });
    return index;
  }

  function finish(index: number, item: JsonObject): void {
    items.push(item);
    sink.event('response.output_item.done', { output_index: index, item });
  }

  return {
    sink,
    items,
    nextId: (type) => outputItemId(type, responseId, begun),
    begin,
    finish,
    addComplete: (first, whole, steps = []) => {
      const index = begin(first);
      for (const type of steps) sink.event(type, { output_index: index, item_id: first['id'] });
      finish(index, whole);
    },
  };
}

/** Members of an event as JSON without braces. */
export function whereOf(fields: JsonObject): string {
  return JSON.stringify(fields).slice(1, -1);
}
