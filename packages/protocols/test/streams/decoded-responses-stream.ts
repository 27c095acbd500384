import type { ContentBlock, StreamEvent, TextTarget } from '@sluice/canonical';
import { expect } from 'vitest';
import { createSseParser, sseEvent } from '../../src/stream/sse.ts';
import { decodeStream } from '../../src/responses/upstream/decode-stream.ts';
import type { JsonObject } from '../../src/json/values.ts';

const target: TextTarget = {
  upstream: 'openai',
  account: 'acct',
  protocol: 'responses',
  model: 'gpt-5',
  quirks: {},
};
export const source = { target, newId: (prefix: string) => `${prefix}new` };

/** Feeds bytes to the production parser in chunks of this size. */
export function decodeBytes(bytes: Uint8Array, size = bytes.length): StreamEvent[] {
  const parser = createSseParser();
  const decoder = decodeStream(source);
  const events: StreamEvent[] = [];
  for (let at = 0; at < bytes.length; at += Math.max(1, size)) {
    for (const frame of parser.push(bytes.subarray(at, at + size))) events.push(...decoder.push(frame));
  }
  for (const frame of parser.end()) events.push(...decoder.push(frame));
  return [...events, ...decoder.end()];
}

/** Decodes events in the format that an upstream sends. */
export function decode(...frames: (JsonObject & { type: string })[]): StreamEvent[] {
  return decodeBytes(Buffer.from(frames.map((frame) => sseEvent(frame.type, frame)).join('')));
}

/** A stream's first event. */
export const created = {
  type: 'response.created',
  response: { id: 'resp_1', model: 'gpt-5-2025', status: 'in_progress' },
};
/** A response's usage. */
export const usage = { input_tokens: 10, output_tokens: 4, input_tokens_details: { cached_tokens: 8 } };
/** A stream's last event. */
export const completed = {
  type: 'response.completed',
  response: { id: 'resp_1', status: 'completed', output: [], usage },
};
/** Creates the event for a new item. */
export const added = (output_index: number, item: JsonObject) => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
/** Creates the event for a finished item. */
export const done = (output_index: number, item: JsonObject) => ({
  type: 'response.output_item.done',
  output_index,
  item,
});
export const textDelta = (output_index: number, delta: string, content_index = 0) => ({
  type: 'response.output_text.delta',
  output_index,
  content_index,
  delta,
});
export const message = (...content: JsonObject[]) => ({ type: 'message', id: 'msg_1', role: 'assistant', content });
export const fn = (args: string) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'f',
  arguments: args,
});

/** Returns the completed blocks. */
export function blocksOf(events: readonly StreamEvent[]): ContentBlock[] {
  return events.flatMap((event) => (event.type === 'block-end' ? event.block : []));
}

/** Checks the order that `StreamEvent` defines, and that deltas add up to their block. */
export function expectWellFormed(events: readonly StreamEvent[]): void {
  const [first] = events;
  if (first?.type === 'error') return expect(events).toHaveLength(1);
  expect(first?.type).toBe('start');
  let open: { head: string; text: string; paragraphs: string[] } | undefined;
  let isFinished = false;
  let hasEnded = false;
  for (const event of events.slice(1)) {
    expect(hasEnded).toBe(false);
    switch (event.type) {
      case 'block-start':
        expect(open).toBeUndefined();
        expect(isFinished).toBe(false);
        open = { head: event.head.type, text: '', paragraphs: [] };
        break;
      case 'delta': {
        if (!open) throw new Error('a delta without a block');
        const paragraph = event.paragraph ?? 0;
        open.text += event.text;
        open.paragraphs[paragraph] = (open.paragraphs[paragraph] ?? '') + event.text;
        break;
      }
      case 'block-end':
        expect(open?.head).toBe(event.block.type);
        if (event.block.type === 'reasoning') expect(open?.paragraphs).toEqual(event.block.text);
        else if (event.block.type === 'tool-call') expect(open?.text).toBe(event.block.arguments);
        else if ('text' in event.block) expect(open?.text).toBe(event.block.text);
        open = undefined;
        break;
      case 'finish':
        expect(open).toBeUndefined();
        expect(isFinished).toBe(false);
        isFinished = true;
        break;
      case 'service-tier':
        expect(isFinished).toBe(false);
        break;
      case 'usage':
        expect(isFinished).toBe(true);
        break;
      case 'start':
        throw new Error('a second start');
      case 'ping':
        break;
      case 'error':
        hasEnded = true;
        break;
      case 'end':
        expect(isFinished).toBe(true);
        hasEnded = true;
        break;
    }
  }
  expect(hasEnded).toBe(true);
}
