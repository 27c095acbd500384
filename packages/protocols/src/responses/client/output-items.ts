import { outputItemId } from './item-id.ts';
import type { JsonObject } from '../../json/values.ts';

export interface EventSink {
  event(type: string, fields: JsonObject): void;
  /** Hot path: sends a delta event. @param members the other fields, as JSON without braces */
  delta(type: string, members: string, text: string): void;
}

/** Used for buffered responses, which have no events. */
export const NO_EVENTS: EventSink = { event: () => {}, delta: () => {} };

export interface OutputItems {
  readonly sink: EventSink;
  readonly finished: readonly JsonObject[];
  /** Returns the id of the next item. Call items do not use it, because their ids derive from the call ids. */
  nextId(type: string): string;
  /** Sends the event for an added item. @returns the item's `output_index` */
  begin(item: JsonObject): number;
  /** Sends the event for a finished item. */
  finish(index: number, item: JsonObject): void;
  /** Adds an item that is already complete. @param steps event types between added and done */
  addComplete(added: JsonObject, done: JsonObject, steps?: readonly string[]): void;
}

export function createOutputItems(responseId: string, sink: EventSink): OutputItems {
  const finished: JsonObject[] = [];
  let count = 0;

  function begin(item: JsonObject): number {
    const index = count++;
    sink.event('response.output_item.added', { output_index: index, item });
    return index;
  }

  function finish(index: number, item: JsonObject): void {
    finished.push(item);
    sink.event('response.output_item.done', { output_index: index, item });
  }

  return {
    sink,
    finished,
    nextId: (type) => outputItemId(type, responseId, count),
    begin,
    finish,
    addComplete: (added, done, steps = []) => {
      const index = begin(added);
      for (const type of steps) sink.event(type, { output_index: index, item_id: added['id'] });
      finish(index, done);
    },
  };
}

/** Serializes an object as JSON without its braces. */
export function jsonMembers(fields: JsonObject): string {
  return JSON.stringify(fields).slice(1, -1);
}
