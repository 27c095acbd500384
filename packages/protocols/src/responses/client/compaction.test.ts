import { GatewayError } from '@sluice/canonical';
import OpenAI from 'openai';
import type { CompactedResponse } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { createSseParser } from '../../stream/sse.ts';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { compactedResponse, compactionItem, compactionResponse, compactionStream } from './compaction.ts';
import { CompactedResponseSchema, ResponseSchema } from '../wire/schema.ts';

const context: ResponseContext = {
  request: { protocol: 'responses', model: 'm', stream: true, messages: [], tools: [] },
  body: {},
  responseId: 'resp_1',
  createdAt: 1,
  newId: (prefix) => `${prefix}0`,
  tokenCodec: createTokenCodec('s'),
};
const compaction = { encryptedContent: 'R1cxabc', usage: { inputTokens: 9, outputTokens: 2 } };
const framesOf = (text: string) =>
  createSseParser()
    .push(Buffer.from(text))
    // The cast is safe because the encoder under test wrote these events.
    .map(({ data }) => JSON.parse(data) as { type: string; response?: unknown });

describe('compactionStream', () => {
  it('contains exactly one item, a compaction', async () => {
    const stream = compactionStream(context);
    const text = stream.start() + stream.keepAlive() + stream.finish(compaction);
    expect(framesOf(text).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.compaction.compacting',
      'response.output_item.done',
      'response.completed',
    ]);
    const client = new OpenAI({
      apiKey: 'k',
      baseURL: 'http://127.0.0.1:9/v1',
      fetch: () => Promise.resolve(new Response(text, { headers: { 'content-type': 'text/event-stream' } })),
    });
    const final = await client.responses.stream({ model: 'm', input: 'x' }).finalResponse();
    expect(final.output).toEqual([compactionItem('R1cxabc', 'resp_1')]);
    expect(final.usage?.total_tokens).toBe(11);
  });

  it('equals the buffered response', () => {
    const stream = compactionStream(context);
    const complete = compactionResponse(compaction, context);
    expect(framesOf(stream.finish(compaction)).at(-1)?.response).toEqual(complete);
    expect(ResponseSchema.parse(complete)).toEqual(complete);
  });

  it('fails with a complete response, even before any output, and then ends', () => {
    const stream = compactionStream(context);
    const frames = framesOf(stream.fail(new GatewayError('provider_error', 'No summary.')));
    expect(frames.at(-1)).toMatchObject({ type: 'response.failed', response: { error: { message: 'No summary.' } } });
    expect(stream.finish(compaction) + stream.keepAlive()).toBe('');
  });
});

describe('compactedResponse', () => {
  it('has the format that the published client reads', () => {
    const output = [compactionItem('x', 'resp_2')];
    const response = compactedResponse({ id: 'resp_2', createdAt: 5, output, usage: compaction.usage });
    expect(response).toMatchObject({
      id: 'resp_2',
      object: 'response.compaction',
      created_at: 5,
    } satisfies Partial<CompactedResponse>);
    expect(response.output).toEqual([
      { id: expect.stringMatching(/^cmp_/), type: 'compaction', encrypted_content: 'x' },
    ]);
    expect(CompactedResponseSchema.parse(response)).toEqual(response);
  });
});
