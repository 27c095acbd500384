import { outputItemId } from './item-id.ts';
import type { JsonObject } from '../../json/values.ts';

/** Receives the events of a stream. */
export interface EventSink {
  event(type: string, fields: JsonObject): void;
  /**
   * A delta, the hot path.
   * @param where the other members, as JSON without braces
   */
  delta(type: string, where: string, text: string): void;
}

/** For responses that are not streamed. */
export const NO_EVENTS: EventSink = { event: () => {}, delta: () => {} };

/** The output items of a response, in order. */
export interface OutputRow {
  readonly sink: EventSink;
  readonly items: readonly JsonObject[];
  /** The id of the next item, unless it derives from a call. */
  nextId(type: string): string;
  /** Sends the item as added. @returns its `output_index` */
  begin(item: JsonObject): number;
  /** Sends the item as done. */
  finish(index: number, item: JsonObject): void;
  /** Adds an item that is already complete. @param steps event types between added and done */
  addComplete(begun: JsonObject, whole: JsonObject, steps?: readonly string[]): void;
}

/** @param responseId the seed of item ids */
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
