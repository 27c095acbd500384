import type { ContentBlock, FinishReason, StreamEvent, ToolCallBlock } from '@sluice/canonical';
import OpenAI from 'openai';
import type { Response as SdkResponse, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { expect } from 'vitest';
import { createTokenCodec } from '../../src/text/token-codec.ts';
import { createSseParser } from '../../src/stream/sse.ts';
import type { ResponseContext } from '../../src/contracts/text-protocol.ts';
import { completeBlockEvents } from '../../src/text/block-queue.ts';
import { encodeStream } from '../../src/responses/client/encode-stream.ts';
import type { JsonObject } from '../../src/json/values.ts';

export const tokenCodec = createTokenCodec('secret');

export function contextOf(body: JsonObject = {}, request: Partial<ResponseContext['request']> = {}): ResponseContext {
  return {
    request: {
      protocol: 'responses',
      model: 'my-model',
      stream: true,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      tools: [],
      ...request,
    },
    body: { model: 'my-model', input: 'hi', stream: true, ...body },
    responseId: 'resp_00000000000000000000000000000001',
    createdAt: 1_790_000_000,
    newId: (prefix) => `${prefix}${'0'.repeat(32)}`,
    tokenCodec,
  };
}

/** Creates the events of a response with these blocks. */
export function eventsOf(blocks: readonly ContentBlock[], finish: FinishReason = 'stop'): StreamEvent[] {
  return [
    { type: 'start', id: 'chatcmpl-1', model: 'upstream-model' },
    ...blocks.flatMap(completeBlockEvents),
    { type: 'finish', choice: 0, finish },
    { type: 'usage', usage: { inputTokens: 7, outputTokens: 3, reasoningTokens: 1 } },
    { type: 'end' },
  ];
}

export function encode(events: readonly StreamEvent[], context: ResponseContext = contextOf()): string {
  const encoder = encodeStream(context);
  return events.map((event) => encoder.push(event)).join('');
}

/** Returns `completed_at` of each event that contains a complete response. */
export function completions(finish: FinishReason, context: ResponseContext): unknown[] {
  const frames = framesOf(encode(eventsOf([{ type: 'text', text: 'Hi' }], finish), context));
  return frames.flatMap(({ response }) => (response ? [(response as SdkResponse & JsonObject)['completed_at']] : []));
}

/** Parses text into events. */
export function framesOf(text: string): (ResponseStreamEvent & JsonObject)[] {
  const parser = createSseParser();
  return [...parser.push(Buffer.from(text)), ...parser.end()].map(({ event, data }) => {
    // The cast is safe because the tests check the type.
    const frame = JSON.parse(data) as ResponseStreamEvent & JsonObject;
    expect(frame.type).toBe(event);
    return frame;
  });
}

/** Reads the text with the published client, without network access. */
export async function readBySdk(text: string): Promise<{ final: SdkResponse; types: string[] }> {
  const client = new OpenAI({
    apiKey: 'k',
    baseURL: 'http://127.0.0.1:9/v1',
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(text, { headers: { 'content-type': 'text/event-stream' } })),
  });
  const stream = client.responses.stream({ model: 'my-model', input: 'hi' });
  const types: string[] = [];
  stream.on('event', ({ type }) => types.push(type));
  return { final: await stream.finalResponse(), types };
}

/** A reasoning block. */
export const thought: ContentBlock = { type: 'reasoning', text: ['First.', 'Second.'], isSummary: true };
export const call: ToolCallBlock = {
  type: 'tool-call',
  callId: 'call_1',
  name: 'get_weather',
  kind: 'function',
  arguments: '{"city":"Köln 你好"}',
};
