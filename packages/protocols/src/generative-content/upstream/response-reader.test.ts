import type { StreamEvent } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createResponseReader } from './response-reader.ts';

const target = {
  upstream: 'google',
  account: 'a1',
  protocol: 'generative-content',
  model: 'gemini-3-pro',
  quirks: {},
} as const;

function read(...responses: Record<string, unknown>[]): StreamEvent[] {
  const reader = createResponseReader({ target, newId: (prefix) => `${prefix}1` });
  return [...responses.flatMap((response) => reader.read(response)), ...reader.end(false)];
}

const textResponse = (text: string, more = {}) => ({ candidates: [{ content: { parts: [{ text }] }, ...more }] });

const one = (index: number, text: string, finishReason?: string) => ({
  candidates: [{ index, content: { parts: [{ text }] }, ...(finishReason !== undefined && { finishReason }) }],
});

describe('createResponseReader', () => {
  it('reports the finish once, with the last reason and usage', () => {
    const events = read(
      { ...textResponse('a', { finishReason: 'STOP' }), usageMetadata: { promptTokenCount: 3, totalTokenCount: 4 } },
      textResponse('b', { finishReason: 'MAX_TOKENS', finishMessage: 'full' }),
      { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 } },
    );
    expect(events[0]).toMatchObject({ type: 'start', usage: { inputTokens: 3 } });
    expect(events.slice(-3)).toEqual([
      { type: 'finish', choice: 0, finish: 'length', detail: 'full' },
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 2 } },
      { type: 'end' },
    ]);
  });

  it("forwards the vendor's finish message as one short line", () => {
    const long = 'full\n'.repeat(500);
    const [ended] = read(textResponse('a', { finishReason: 'SAFETY', finishMessage: long })).slice(-2);
    const [blocked] = read({ promptFeedback: { blockReason: long } }).slice(-2);
    for (const event of [ended, blocked]) {
      expect(event).toMatchObject({ type: 'finish', detail: expect.stringMatching(/full full [^\n]{400,470}…$/) });
    }
  });

  it('separates candidates', () => {
    const events = read(one(0, 'a'), one(1, 'b'), one(0, 'c', 'STOP'), one(1, 'd', 'STOP'));
    const ends = events.filter((event) => event.type === 'block-end').map((event) => [event.choice, event.block]);
    expect(ends).toEqual([
      [0, { type: 'text', text: 'ac' }],
      [1, { type: 'text', text: 'bd' }],
    ]);
    expect(events.filter((event) => event.type === 'finish')).toHaveLength(2);
  });

  it('converts a blocked prompt to an empty response', () => {
    expect(read({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 3 } })).toEqual([
      { type: 'start', id: 'resp_1', model: 'gemini-3-pro', usage: { inputTokens: 3, outputTokens: 0 } },
      {
        type: 'finish',
        choice: 0,
        finish: 'content_filter',
        detail: "The upstream's content policy blocked the request: SAFETY.",
      },
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 0 } },
      { type: 'end' },
    ]);
  });

  it.each([[[textResponse('a')]], [[]], [[{ usageMetadata: { promptTokenCount: 1 } }]]])(
    'never completes a truncated response: %j',
    (responses) => {
      const events = read(...responses);
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider_error', retryable: true } });
      expect(events.some((event) => event.type === 'finish')).toBe(false);
    },
  );

  it('reports an invalid call as an error, with and without content before it', () => {
    const invalid = { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] };
    for (const events of [read(invalid), read(textResponse('a'), invalid)]) {
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider_error', retryable: true } });
      expect(events.some(({ type }) => type === 'finish')).toBe(false);
    }
  });

  it('ends with an error inside the stream as the last event', () => {
    const events = read(
      textResponse('a'),
      { error: { code: 503, status: 'UNAVAILABLE' } },
      textResponse('b', { finishReason: 'STOP' }),
    );
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider_overloaded' } });
    expect(JSON.stringify(events)).not.toContain('"b"');
  });

  it('reports that the vendor expects a continuation', () => {
    expect(read(textResponse('a', { finishReason: 'CONTINUATION' }))).toContainEqual({
      type: 'finish',
      choice: 0,
      finish: 'pause',
    });
  });
});
