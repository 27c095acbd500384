import type { ContentBlock, GenerationRequest, StreamEvent } from '@sluice/canonical';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { createTokenCodec } from '../../src/text/token-codec.ts';
import { createSseParser } from '../../src/stream/sse.ts';
import type { ResponseContext } from '../../src/contracts/text-protocol.ts';
import { encodeStream } from '../../src/messages/client/encode-stream.ts';

export const tokenCodec = createTokenCodec('secret');
const request: GenerationRequest = {
  protocol: 'messages',
  model: 'requested-model',
  stream: true,
  messages: [],
  tools: [],
  reasoning: { adaptive: true },
};
export const context: ResponseContext = {
  request,
  body: {},
  createdAt: 0,
  newId: (prefix) => `${prefix}new`,
  tokenCodec,
};
export const START = { type: 'start', id: 'chatcmpl-1', model: 'gpt-x' } as const satisfies StreamEvent;
export const STOP: StreamEvent[] = [{ type: 'finish', choice: 0, finish: 'stop' }, { type: 'end' }];

/** Parses text into events. */
export function framesOf(text: string) {
  const parser = createSseParser();
  return [...parser.push(new TextEncoder().encode(text)), ...parser.end()];
}

/** Encodes events and parses the output. */
export function encode(
  events: readonly StreamEvent[],
  reasoning: GenerationRequest['reasoning'] = request.reasoning,
): { event: string | undefined; data: RawMessageStreamEvent }[] {
  const encoder = encodeStream({ ...context, request: { ...request, reasoning } });
  const text = events.map((event) => encoder.push(event)).join('');
  // The encoder under test writes every frame, and assertions check the types.
  return framesOf(text).map(({ event, data }) => ({ event, data: JSON.parse(data) as RawMessageStreamEvent }));
}

/** Returns the data of the encoded events. */
export const datas = (events: readonly StreamEvent[]) => encode(events).map(({ data }) => data);

/** Returns the type and index of each started block. */
export const kinds = (events: readonly StreamEvent[]) =>
  datas([START, ...events, ...STOP]).flatMap((event) =>
    event.type === 'content_block_start' ? [[event.index, event.content_block.type]] : [],
  );

/** Creates a block's events as decoders do. */
export function streamed(block: ContentBlock, chunks: readonly string[]): StreamEvent[] {
  const heads = {
    text: { type: 'text' },
    refusal: { type: 'refusal' },
    media: { type: 'media' },
    foreign: { type: 'foreign' },
    reasoning: { type: 'reasoning', isSummary: false },
  } as const;
  if (block.type === 'tool-result') throw new Error('a response contains no results');
  const head = block.type === 'tool-call' ? { ...block } : heads[block.type];
  return [
    { type: 'block-start', choice: 0, head },
    ...chunks.map((text) => ({ type: 'delta', choice: 0, text }) as const),
    { type: 'block-end', choice: 0, block },
  ];
}

export const text = (value: string): ContentBlock => ({ type: 'text', text: value });

/** Creates a block that only clients of one protocol can read. */
export const foreign = (protocol: 'messages' | 'responses'): ContentBlock => ({
  type: 'foreign',
  protocol,
  kind: 'server_tool_use',
  raw: { type: 'server_tool_use', id: 's' },
});
