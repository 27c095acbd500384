import type { StreamEvent } from '@sluice/canonical';
import { expect } from 'vitest';
import { createSseParser, sseData, type SseFrame } from '../../src/stream/sse.ts';
import type { UpstreamResponseContext } from '../../src/contracts/text-protocol.ts';
import { decodeStream } from '../../src/chat-completions/upstream/decode-stream.ts';

/** Creates a context that numbers new ids consecutively. */
export function context(): UpstreamResponseContext {
  let ids = 0;
  return {
    target: { upstream: 'u', account: 'acc', protocol: 'chat-completions', model: 'm', quirks: {} },
    newId: (prefix) => `${prefix}${ids++}`,
  };
}

/** Feeds bytes to the production parser in chunks of this size. */
export function decodeBytes(bytes: Uint8Array, size: number): StreamEvent[] {
  const parser = createSseParser();
  const decoder = decodeStream(context());
  const events: StreamEvent[] = [];
  const take = (frames: SseFrame[]) => frames.forEach((frame) => events.push(...decoder.push(frame)));
  for (let at = 0; at < bytes.length; at += size) take(parser.push(bytes.subarray(at, at + size)));
  take(parser.end());
  events.push(...decoder.end());
  return events;
}

export const chunkOf = (...choices: object[]) => ({
  id: 'chatcmpl-1',
  model: 'm-1',
  object: 'chat.completion.chunk',
  choices,
});
/** Creates a chunk with a delta for one choice. */
export const delta = (fields: object, index = 0) => chunkOf({ index, delta: fields, finish_reason: null });
/** Creates a chunk that ends a choice. */
export const finish = (reason: string, index = 0) => chunkOf({ index, delta: {}, finish_reason: reason });
/** Creates a chunk with a call delta. */
export const callChunk = (index: number, fields: object) => delta({ tool_calls: [{ index, ...fields }] });
/** Creates a chunk with a call's first delta. */
export const begin = (index: number, id: string, name: string, text = '') =>
  callChunk(index, { id, type: 'function', function: { name, arguments: text } });
/** Creates a chunk with a later delta of a call. */
export const more = (index: number, text: string) => callChunk(index, { function: { arguments: text } });

/** Decodes chunks and checks the event order. */
export function decode(...chunks: object[]): StreamEvent[] {
  const text = `${chunks.map((chunk) => sseData(chunk)).join('')}data: [DONE]\n\n`;
  const events = decodeBytes(new TextEncoder().encode(text), 1e6);
  expect(disorder(events)).toBeUndefined();
  return events;
}

/** Like {@link decode}, for a stream that ends without `[DONE]`. */
export function decodeCut(...chunks: object[]): StreamEvent[] {
  const events = decodeBytes(new TextEncoder().encode(chunks.map((chunk) => sseData(chunk)).join('')), 1e6);
  expect(disorder(events)).toBeUndefined();
  return events;
}

/** Describes how events violate the order that `StreamEvent` defines. Returns undefined if the order is valid. */
export function disorder(events: readonly StreamEvent[]): string | undefined {
  const open = new Map<number, { type: string; text: string }>();
  const finished = new Set<number>();
  let phase: 'before' | 'running' | 'usage' | 'ended' = 'before';
  for (const [at, event] of events.entries()) {
    const violation = (rule: string) => `event ${at} (${event.type}): ${rule}`;
    if (phase === 'ended') return violation('after the end');
    if (event.type === 'ping') continue;
    if (event.type === 'error') {
      phase = 'ended';
      continue;
    }
    if ((event.type === 'start') !== (phase === 'before')) return violation('start must be first, and once');
    if (phase === 'usage' && event.type !== 'end') return violation('only the end follows usage');
    switch (event.type) {
      case 'start':
        phase = 'running';
        break;
      case 'block-start':
        if (open.has(event.choice)) return violation('another block is open');
        if (finished.size > 0) return violation('a choice has finished');
        open.set(event.choice, { type: event.head.type, text: '' });
        break;
      case 'delta': {
        const block = open.get(event.choice);
        if (!block) return violation('no block is open');
        block.text += event.text;
        break;
      }
      case 'block-end': {
        const block = open.get(event.choice);
        if (block?.type !== event.block.type) return violation('another block is open');
        if (block.text !== textIn(event) && block.type !== 'media') return violation('the deltas do not add up');
        open.delete(event.choice);
        break;
      }
      case 'finish':
        if (open.size > 0) return violation('a block is open');
        if (finished.has(event.choice)) return violation('finished twice');
        finished.add(event.choice);
        break;
      case 'service-tier':
        if (finished.size > 0) return violation('service-tier after a finish');
        break;
      case 'usage':
        phase = 'usage';
        break;
      case 'end':
        if (finished.size === 0) return violation('nothing has finished');
        phase = 'ended';
        break;
    }
  }
  return phase === 'ended' ? undefined : 'no end';
}

function textIn({ block }: StreamEvent & { type: 'block-end' }): string {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return block.text;
    case 'reasoning':
      return block.text.join('');
    case 'tool-call':
      return block.arguments;
    case 'media':
    case 'foreign':
    case 'tool-result':
      return '';
  }
}

/** Returns the completed blocks. */
export const blocks = (events: StreamEvent[]) =>
  events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []));
export const call = (callId: string, name: string, text: string) => ({
  type: 'tool-call',
  callId,
  name,
  kind: 'function',
  arguments: text,
});
export const last = (events: StreamEvent[]) => events.at(-1);
