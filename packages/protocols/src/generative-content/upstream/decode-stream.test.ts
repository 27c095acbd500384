import type { StreamEvent } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser } from '../../stream/sse.ts';
import { decodeStream } from './decode-stream.ts';

const target = {
  upstream: 'google',
  account: 'a1',
  protocol: 'generative-content',
  model: 'gemini-3-pro',
  quirks: {},
} as const;

function decode(wire: string, size = 65_536): StreamEvent[] {
  let idCount = 0;
  const decoder = decodeStream({ target, newId: (prefix) => `${prefix}${(idCount += 1)}` });
  const parser = createSseParser();
  const bytes = new TextEncoder().encode(wire);
  const events: StreamEvent[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const frame of parser.push(bytes.subarray(at, at + size))) events.push(...decoder.push(frame));
  }
  for (const frame of parser.end()) events.push(...decoder.push(frame));
  return [...events, ...decoder.end()];
}

const frames = (responses: unknown[]) => responses.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`).join('');
const chunk = (part: unknown, more = {}) => ({ candidates: [{ content: { role: 'model', parts: [part] }, ...more }] });

const part = fc.oneof(
  fc.record({ text: fc.string({ unit: 'grapheme' }) }),
  fc.record({ text: fc.constantFrom('', '你好', '🌊'), thought: fc.constant(true) }),
  fc.record({ text: fc.constantFrom('', 'x'), thoughtSignature: fc.constantFrom('', 'AA==') }),
  fc.record({ functionCall: fc.record({ name: fc.constantFrom('f', 'g'), args: fc.record({ a: fc.string() }) }) }),
  fc.constant({ inlineData: { mimeType: 'image/png', data: 'AAAA' } }),
  fc.constant({ executableCode: { code: '1' } }),
);
const stream = fc
  .tuple(
    fc.array(fc.record({ index: fc.constantFrom(0, 1), parts: fc.array(part, { maxLength: 3 }) }), { minLength: 1 }),
    fc.constantFrom('STOP', 'MAX_TOKENS', 'SAFETY', undefined),
  )
  .map(([list, finishReason]) => {
    const contents = list.map(({ index, parts }) => ({ candidates: [{ index, content: { role: 'model', parts } }] }));
    const ended = {
      candidates: [0, 1].map((index) => (finishReason === undefined ? { index } : { index, finishReason })),
    };
    return [contents, ended, { usageMetadata: { promptTokenCount: 1, totalTokenCount: 2 } }].flat();
  });

describe('decodeStream', () => {
  it('reports tool_calls despite STOP in a later chunk, without an empty delta', () => {
    const events = decode(
      frames([chunk({ functionCall: { name: 'f', args: {} } }), chunk({ text: '' }, { finishReason: 'STOP' })]),
    );
    expect(events).toContainEqual({ type: 'finish', choice: 0, finish: 'tool_calls' });
    expect(events.filter((event) => event.type === 'delta')).toEqual([{ type: 'delta', choice: 0, text: '{}' }]);
  });

  it('does not depend on how the bytes are split', () => {
    fc.assert(
      fc.property(stream, (responses) => {
        const wire = frames(responses);
        const complete = decode(wire);
        for (const size of [1, 3, 7]) expect(decode(wire, size)).toEqual(complete);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the order of events', () => {
    fc.assert(
      fc.property(stream, (responses) => expectWellFormed(decode(frames(responses)))),
      { numRuns: 100 },
    );
  });

  it('reports an error once as the last event', () => {
    for (const bad of ['{"candidates":', '[]', '"x"', '{"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}']) {
      const events = decode(`data: ${bad}\n\n${frames([chunk({ text: 'later' }, { finishReason: 'STOP' })])}`);
      expect(events.filter((event) => event.type === 'error')).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider_error' } });
    }
  });

  it('reads an error inside the stream', () => {
    const error = { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '2s' }] };
    expect(decode(frames([chunk({ text: 'a' }), { error }])).at(-1)).toMatchObject({
      error: { code: 'rate_limited', retryAfterMs: 2000 },
    });
  });

  it('ignores the [DONE] of other protocols', () => {
    const events = decode(`${frames([chunk({ text: 'a' }, { finishReason: 'STOP' })])}data: [DONE]\n\n`);
    expect(events.at(-1)).toEqual({ type: 'end' });
  });
});

/**
 * Expects `start`, one block at a time with matching deltas, one finish per choice, usage, and `end`, or an error as
 * the last event.
 */
function expectWellFormed(events: StreamEvent[]): void {
  const open = new Map<number, string>();
  const finished = new Set<number>();
  expect(events[0]?.type).toBe('start');
  expect(['end', 'error']).toContain(events.at(-1)?.type);
  for (const event of events) {
    if (event.type === 'block-start') {
      expect(open.has(event.choice) || finished.size > 0).toBe(false);
      open.set(event.choice, '');
    }
    if (event.type === 'delta') {
      expect(event.text).not.toBe('');
      open.set(event.choice, `${open.get(event.choice) ?? 'no block'}${event.text}`);
    }
    if (event.type === 'block-end') {
      expect(open.get(event.choice)).toBe(textOf(event.block));
      open.delete(event.choice);
    }
    if (event.type === 'finish') {
      expect(finished.has(event.choice) || open.size > 0).toBe(false);
      finished.add(event.choice);
    }
  }
  if (events.at(-1)?.type === 'end') expect(finished.size).toBeGreaterThan(0);
  else expect(finished.size).toBe(0);
  expect(events.filter(({ type }) => type === 'start' || type === 'end' || type === 'error')).toHaveLength(2);
}

function textOf(block: Extract<StreamEvent, { type: 'block-end' }>['block']): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'reasoning') return block.text.join('');
  return block.type === 'tool-call' ? block.arguments : '';
}
