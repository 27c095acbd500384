import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '@sluice/canonical';
import { orderError } from '../../../test/streams/stream-order.ts';
import { createTarget } from '../../../test/text-exchange.ts';
import { decodeResponse } from './decode-response.ts';
import { decodeStream } from './decode-stream.ts';

const context = () => ({ target: createTarget('converse'), newId: (prefix: string) => `${prefix}1` });

function decode(...frames: (readonly [event: string, data: unknown])[]): StreamEvent[] {
  const decoder = decodeStream(context());
  const events = frames.flatMap(([event, data]) => decoder.push({ event, data: JSON.stringify(data) }));
  return [...events, ...decoder.end()];
}

const delta = (fields: object, contentBlockIndex = 0) =>
  ['contentBlockDelta', { contentBlockIndex, delta: fields }] as const;
const stopped = ['messageStop', { stopReason: 'end_turn' }] as const;

describe('a stream', () => {
  it('opens texts without a start event, and closes blocks that have no end', () => {
    const events = decode(['messageStart', {}], delta({ text: 'a' }), delta({ text: 'b' }, 1), stopped);
    expect(events.filter(({ type }) => type === 'block-end')).toMatchObject([
      { block: { type: 'text', text: 'a' } },
      { block: { type: 'text', text: 'b' } },
    ]);
    expect(events.at(-1)).toEqual({ type: 'end' });
  });

  it('joins the parts of redacted reasoning as bytes', () => {
    const parts = ['AA==', 'AQI='].map((redactedContent) => delta({ reasoningContent: { redactedContent } }));
    expect(decode(...parts, stopped)).toContainEqual({
      type: 'block-end',
      choice: 0,
      block: expect.objectContaining({
        redacted: true,
        opaqueToken: expect.objectContaining({ value: 'redacted:AAEC' }),
      }),
    });
  });

  it('waits for the usage, which follows the stop reason', () => {
    const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5, cacheReadInputTokens: 4 };
    expect(decode(stopped, ['metadata', { usage, serviceTier: { type: 'flex' } }])).toEqual([
      { type: 'start', id: 'msg_1', model: createTarget('converse').model },
      { type: 'service-tier', serviceTier: 'flex' },
      { type: 'finish', choice: 0, finish: 'stop', stopSequence: undefined },
      {
        type: 'usage',
        usage: expect.objectContaining({ inputTokens: 7, outputTokens: 2, cachedTokens: 4, serviceTier: 'flex' }),
      },
      { type: 'end' },
    ]);
  });

  it.each([
    ['throttlingException', { message: 'Slow down.' }, 'rate_limited'],
    ['modelStreamErrorException', { originalMessage: 'x' }, 'provider_error'],
    ['serviceUnavailableException', {}, 'provider_overloaded'],
    ['validationException', { message: 'Input is too long for requested model.' }, 'context_length_exceeded'],
  ])('ends with the exception %s', (event, data, code) => {
    const events = decode(delta({ text: 'a' }), [event, data], delta({ text: 'b' }));
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code } });
  });

  it('fails if the stop reason is missing, or if an event is invalid', () => {
    expect(decode(delta({ text: 'a' })).at(-1)).toMatchObject({ error: { code: 'provider_error', retryable: true } });
    expect(decode(delta({ toolUse: { input: '{' } })).at(-1)).toMatchObject({ type: 'error' });
    expect(decodeStream(context()).push({ event: 'metadata', data: '[1' })).toMatchObject([{ type: 'error' }]);
  });

  it('yields events in order for any input', () => {
    const event = fc.oneof(
      fc
        .constantFrom('messageStart', 'contentBlockStop', 'messageStop', 'metadata', 'x')
        .map((name) => [name, {}] as const),
      fc
        .tuple(
          fc.constantFrom<object>(
            { text: 'a' },
            { toolUse: { input: '1' } },
            { reasoningContent: { text: 'r' } },
            { reasoningContent: { redactedContent: 'AA==' } },
            { citation: { title: 't' } },
            { image: { source: { bytes: 'AA==' } } },
            { novel: 1 },
          ),
          fc.nat(2),
        )
        .map(([fields, index]) => delta(fields, index)),
      fc
        .tuple(fc.constantFrom<object>({ toolUse: { name: 'f', toolUseId: 'i' } }, { image: {} }, {}), fc.nat(2))
        .map(([start, contentBlockIndex]) => ['contentBlockStart', { contentBlockIndex, start }] as const),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (frames) => {
        const events = decode(...frames);
        const started = events.some(({ type }) => type === 'start');
        expect(orderError(started ? events : [{ type: 'start', id: '', model: '' }, ...events])).toBeUndefined();
      }),
    );
  });
});

describe('a response', () => {
  it('is invalid without an output', () => {
    expect(() => decodeResponse({}, context())).toThrow(expect.objectContaining({ code: 'provider_error' }));
    const body = { __type: 'com.amazon#ThrottlingException', message: 'Slow down.' };
    expect(() => decodeResponse(body, context())).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  });

  it.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['guardrail_intervened', 'content_filter'],
    ['model_context_window_exceeded', 'context_window'],
    ['malformed_tool_use', 'other'],
    ['toString', 'other'],
  ])('that stops with %s ends with %s', (stopReason, finish) => {
    const output = { message: { role: 'assistant', content: [{ text: 'a' }] } };
    expect(decodeResponse({ output, stopReason }, context()).choices).toMatchObject([{ finish }]);
  });
});
