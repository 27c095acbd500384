import type { StreamEvent, TextTarget } from '@sluice/canonical';
import { expect } from 'vitest';
import { createSseParser, sseEvent } from '../../src/stream/sse.ts';
import { decodeStream } from '../../src/messages/upstream/decode-stream.ts';

const target: TextTarget = {
  upstream: 'a',
  account: 'acc',
  protocol: 'messages',
  model: 'claude-sonnet-4-5',
  quirks: {},
};
export const START = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'claude-x', usage: { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 1 } },
};
export const ENDING = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

/** Encodes frames with `event:` lines, as the vendor sends them. */
export function wire(events: readonly { type: string }[]): Uint8Array {
  return new TextEncoder().encode(events.map((event) => sseEvent(event.type, event)).join(''));
}

export function decode(bytes: Uint8Array, size = bytes.length): StreamEvent[] {
  const parser = createSseParser();
  const decoder = decodeStream({ target, newId: (prefix) => `${prefix}new` });
  const events: StreamEvent[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const frame of parser.push(bytes.subarray(at, at + size))) events.push(...decoder.push(frame));
  }
  for (const frame of parser.end()) events.push(...decoder.push(frame));
  return [...events, ...decoder.end()];
}

export function block(index: number, start: object, deltas: readonly object[]): { type: string }[] {
  return [
    { type: 'content_block_start', index, content_block: start } as { type: string },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index } as { type: string },
  ];
}

export const callBlock = (index: number) =>
  block(index, { type: 'tool_use', id: `t${index}`, name: 'n', input: {} }, []);
export const textDelta = (text: string) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
});
export const jsonDelta = (index: number, partial_json: string) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
});

export const blocksOf = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []));

/** Checks the event order that every encoder relies on. */
export function expectWellFormed(events: readonly StreamEvent[]): void {
  const kinds = events.map(({ type }) => type).filter((type) => type !== 'ping');
  const last = kinds.at(-1);
  expect(kinds.filter((type) => type === 'end' || type === 'error')).toEqual([last]);
  if (last === 'end') expect(kinds.join(' ')).toMatch(/^start( block-start( delta)* block-end)* finish( usage)? end$/);
  let text = '';
  for (const event of events) {
    if (event.type === 'block-start') text = '';
    if (event.type === 'delta') text += event.text;
    if (event.type === 'block-end') {
      const { block: complete } = event;
      if (complete.type === 'text') expect(text).toBe(complete.text);
      if (complete.type === 'tool-call') expect(text).toBe(complete.arguments);
      if (complete.type === 'reasoning') expect(text).toBe(complete.text.join(''));
    }
  }
}
