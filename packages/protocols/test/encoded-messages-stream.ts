import type { ContentBlock, GenerationRequest, StreamEvent } from '@sluice/canonical';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { createTokenCodec } from '../src/text/token-codec.ts';
import { createSseParser } from '../src/stream/sse.ts';
import type { ResponseContext } from '../src/contracts/text-protocol.ts';
import { encodeStream } from '../src/messages/client/encode-stream.ts';

/** Seals what clients carry. */
export const tokenCodec = createTokenCodec('secret');
const request: GenerationRequest = { protocol: 'messages', model: 'asked', stream: true, messages: [], tools: [] };
/** What the encoder is told of the request. */
export const context: ResponseContext = {
  request,
  body: {},
  createdAt: 0,
  newId: (prefix) => `${prefix}new`,
  tokenCodec,
};
/** How an answer begins. */
export const START = { type: 'start', id: 'chatcmpl-1', model: 'gpt-x' } as const satisfies StreamEvent;
/** How it ends. */
export const STOP: StreamEvent[] = [{ type: 'finish', choice: 0, finish: 'stop' }, { type: 'end' }];

/** The events of a text. */
export function framesOf(text: string) {
  const parser = createSseParser();
  return [...parser.push(new TextEncoder().encode(text)), ...parser.end()];
}

/** Writes events, and reads what was written. */
export function encode(events: readonly StreamEvent[]): { event: string | undefined; data: RawMessageStreamEvent }[] {
  const encoder = encodeStream(context);
  const text = events.map((event) => encoder.push(event)).join('');
  // Every frame is written by the encoder under test; its shape is what the expectations look at.
  return framesOf(text).map(({ event, data }) => ({ event, data: JSON.parse(data) as RawMessageStreamEvent }));
}

/** What the written events hold. */
export const datas = (events: readonly StreamEvent[]) => encode(events).map(({ data }) => data);

/** The types of the blocks that are begun, with their index. */
export const kinds = (events: readonly StreamEvent[]) =>
  datas([START, ...events, ...STOP]).flatMap((event) =>
    event.type === 'content_block_start' ? [[event.index, event.content_block.type]] : [],
  );

/** A block as decoders give it. */
export function streamed(block: ContentBlock, chunks: readonly string[]): StreamEvent[] {
  const heads = {
    text: { type: 'text' },
    refusal: { type: 'refusal' },
    media: { type: 'media' },
    foreign: { type: 'foreign' },
    reasoning: { type: 'reasoning', isSummary: false },
  } as const;
  if (block.type === 'tool-result') throw new Error('no answer holds results');
  const head = block.type === 'tool-call' ? { ...block } : heads[block.type];
  return [
    { type: 'block-start', choice: 0, head },
    ...chunks.map((text) => ({ type: 'delta', choice: 0, text }) as const),
    { type: 'block-end', choice: 0, block },
  ];
}

/** A text. */
export const text = (value: string): ContentBlock => ({ type: 'text', text: value });

/** What only one protocol's clients can read. */
export const foreign = (protocol: 'messages' | 'responses'): ContentBlock => ({
  type: 'foreign',
  protocol,
  kind: 'server_tool_use',
  raw: { type: 'server_tool_use', id: 's' },
});
