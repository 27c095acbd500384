import { type ContentBlock, type FinishReason, GatewayError, type StreamEvent } from '@sluice/canonical';
import fc from 'fast-check';
import OpenAI from 'openai';
import type { Response as SdkResponse, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { createSealer } from '../sealer.ts';
import { createSseParser } from '../sse.ts';
import type { AnswerContext } from '../text-protocol.ts';
import { wholeBlockEvents } from './block-row.ts';
import { encodeResponse, outputItems } from './encode-response.ts';
import { encodeStream } from './encode-stream.ts';
import { ResponseSchema } from './schema.ts';
import type { Fields } from './wire-value.ts';

const sealer = createSealer('secret');

function contextOf(body: Fields = {}, request: Partial<AnswerContext['request']> = {}): AnswerContext {
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
    answerId: 'resp_00000000000000000000000000000001',
    createdAt: 1_790_000_000,
    newId: (prefix) => `${prefix}${'0'.repeat(32)}`,
    sealer,
  };
}

function eventsOf(blocks: readonly ContentBlock[], finish: FinishReason = 'stop'): StreamEvent[] {
  return [
    { type: 'start', id: 'chatcmpl-1', model: 'upstream-model' },
    ...blocks.flatMap(wholeBlockEvents),
    { type: 'finish', choice: 0, finish },
    { type: 'usage', usage: { inputTokens: 7, outputTokens: 3, reasoningTokens: 1 } },
    { type: 'end' },
  ];
}

function encode(events: readonly StreamEvent[], context: AnswerContext = contextOf()): string {
  const encoder = encodeStream(context);
  return events.map((event) => encoder.push(event)).join('');
}

function framesOf(text: string): (ResponseStreamEvent & Fields)[] {
  const parser = createSseParser();
  return [...parser.push(Buffer.from(text)), ...parser.end()].map(({ event, data }) => {
    const frame = JSON.parse(data) as ResponseStreamEvent & Fields; // what the assertions below look at
    expect(frame.type).toBe(event);
    return frame;
  });
}

/** What the published client makes of the bytes; nothing leaves the process. */
async function readBySdk(text: string): Promise<{ final: SdkResponse; types: string[] }> {
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

const thought: ContentBlock = { type: 'reasoning', text: ['First.', 'Second.'], isSummary: true };
const call: ContentBlock = {
  type: 'tool-call',
  callId: 'call_1',
  name: 'get_weather',
  kind: 'function',
  arguments: '{"city":"Köln 你好"}',
};

describe('encodeStream', () => {
  it('writes the full ladder of events, numbered from 0 without a gap', () => {
    const frames = framesOf(encode(eventsOf([thought, { type: 'text', text: 'Hello' }, call], 'tool_calls')));
    expect(frames.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(frames.map(({ sequence_number: number }) => number)).toEqual(frames.map((_frame, index) => index));
  });

  it('is read by the published client, and holds what was streamed', async () => {
    const { final, types } = await readBySdk(
      encode(eventsOf([thought, { type: 'text', text: 'Hello' }, call], 'tool_calls')),
    );
    expect(final.output_text).toBe('Hello');
    expect(final.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    expect(final.usage?.total_tokens).toBe(10);
    expect(types.at(-1)).toBe('response.completed');
  });
});
