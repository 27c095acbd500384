import type { StreamEvent, TextTarget } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseParser, sseEvent } from '../../stream/sse.ts';
import { decodeStream } from './decode-stream.ts';

const target: TextTarget = {
  upstream: 'a',
  account: 'acc',
  protocol: 'messages',
  model: 'claude-sonnet-4-5',
  quirks: {},
};
const START = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'claude-x', usage: { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 1 } },
};
const ENDING = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

/** Encodes frames with `event:` lines, as the vendor sends them. */
function wire(events: readonly { type: string }[]): Uint8Array {
  return new TextEncoder().encode(events.map((event) => sseEvent(event.type, event)).join(''));
}

function decode(bytes: Uint8Array, size = bytes.length): StreamEvent[] {
  const parser = createSseParser();
  const decoder = decodeStream({ target, newId: (prefix) => `${prefix}new` });
  const events: StreamEvent[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const frame of parser.push(bytes.subarray(at, at + size))) events.push(...decoder.push(frame));
  }
  for (const frame of parser.end()) events.push(...decoder.push(frame));
  return [...events, ...decoder.end()];
}

function block(index: number, start: object, deltas: readonly object[]): { type: string }[] {
  return [
    { type: 'content_block_start', index, content_block: start } as { type: string },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index } as { type: string },
  ];
}

const callBlock = (index: number) => block(index, { type: 'tool_use', id: `t${index}`, name: 'n', input: {} }, []);
const textDelta = (text: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
const jsonDelta = (index: number, partial_json: string) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
});

const blocksOf = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.type === 'block-end' ? [event.block] : []));

/** Checks the event order that every encoder relies on. */
function expectWellFormed(events: readonly StreamEvent[]): void {
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

describe('decodeStream', () => {
  it('reads a complete response', () => {
    const events = decode(
      wire([
        START,
        ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
          { type: 'thinking_delta', thinking: 'Hm' },
          { type: 'signature_delta', signature: 'sig' },
        ]),
        { type: 'ping' },
        ...block(1, { type: 'text', text: '' }, [
          { type: 'text_delta', text: 'Hel' },
          { type: 'text_delta', text: 'lo' },
        ]),
        ...ENDING,
      ]),
    );
    expect(events).toEqual([
      {
        type: 'start',
        id: 'msg_1',
        model: 'claude-x',
        usage: { inputTokens: 12, cachedTokens: 7, outputTokens: 1 },
      },
      { type: 'block-start', choice: 0, head: { type: 'reasoning', isSummary: false } },
      { type: 'delta', choice: 0, text: 'Hm' },
      {
        type: 'block-end',
        choice: 0,
        block: {
          type: 'reasoning',
          text: ['Hm'],
          isSummary: false,
          opaqueToken: { protocol: 'messages', account: 'acc', model: 'claude-sonnet-4-5', value: 'sig' },
        },
      },
      { type: 'ping' },
      { type: 'block-start', choice: 0, head: { type: 'text' } },
      { type: 'delta', choice: 0, text: 'Hel' },
      { type: 'delta', choice: 0, text: 'lo' },
      { type: 'block-end', choice: 0, block: { type: 'text', text: 'Hello' } },
      { type: 'finish', choice: 0, finish: 'stop' },
      { type: 'usage', usage: { inputTokens: 12, cachedTokens: 7, outputTokens: 9 } },
      { type: 'end' },
    ]);
  });

  it('reads arguments in the block start', () => {
    const events = decode(
      wire([START, ...block(0, { type: 'tool_use', id: 't1', name: 'read', input: { path: '/x' } }, []), ...ENDING]),
    );
    expect(blocksOf(events)).toEqual([
      { type: 'tool-call', callId: 't1', name: 'read', kind: 'function', arguments: '{"path":"/x"}' },
    ]);
    expectWellFormed(events);
  });

  it('reads a call without arguments as an empty object', () => {
    const start = { type: 'tool_use', id: 't1', name: 'now', input: {} };
    const events = decode(
      wire([START, ...block(0, start, [{ type: 'input_json_delta', partial_json: '' }]), ...ENDING]),
    );
    expect(blocksOf(events)).toMatchObject([{ arguments: '{}' }]);
    expectWellFormed(events);
  });

  it('reports tool_calls for a call although the upstream reported a plain stop', () => {
    const events = decode(
      wire([START, ...block(0, { type: 'tool_use', id: 't', name: 'n', input: {} }, []), ...ENDING]),
    );
    expect(events).toContainEqual({ type: 'finish', choice: 0, finish: 'tool_calls' });
  });

  it("reads the synthetic JSON tool's call as text", () => {
    const start = { type: 'tool_use', id: 't', name: 'sluice_json_answer', input: {} };
    const deltas = ['{"a"', ':1}'].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    const [delta] = ENDING;
    const events = decode(
      wire([
        START,
        ...block(0, start, deltas),
        { ...delta, type: 'message_delta', delta: { stop_reason: 'tool_use' } } as never,
        { type: 'message_stop' },
      ]),
    );
    expect(blocksOf(events)).toEqual([{ type: 'text', text: '{"a":1}' }]);
    expect(events.filter(({ type }) => type === 'delta')).toHaveLength(2);
    expect(events).toContainEqual({ type: 'finish', choice: 0, finish: 'stop' });
    expectWellFormed(events);
  });

  it("reads redacted thinking, the vendor's tools, and unknown blocks", () => {
    const events = decode(
      wire([
        START,
        ...block(0, { type: 'redacted_thinking', data: 'xyz' }, []),
        ...block(1, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, [
          { type: 'input_json_delta', partial_json: '{"query"' },
          { type: 'input_json_delta', partial_json: ':"q"}' },
        ]),
        ...block(2, { type: 'web_search_tool_result', tool_use_id: 's', content: [] }, []),
        ...block(3, { type: 'compaction', content: null }, [{ type: 'compaction_delta', content: 'sum' }]),
        ...ENDING,
      ]),
    );
    expect(blocksOf(events)).toEqual([
      {
        type: 'reasoning',
        text: [],
        isSummary: false,
        redacted: true,
        opaqueToken: {
          protocol: 'messages',
          account: 'acc',
          model: 'claude-sonnet-4-5',
          value: 'redacted_thinking:xyz',
        },
      },
      {
        type: 'foreign',
        protocol: 'messages',
        kind: 'server_tool_use',
        raw: { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
      },
      expect.objectContaining({ type: 'foreign', kind: 'web_search_tool_result' }),
      expect.objectContaining({ type: 'foreign', kind: 'compaction', raw: { type: 'compaction', content: 'sum' } }),
    ]);
    expectWellFormed(events);
  });

  it('collects citations on their text', () => {
    const citation = { type: 'web_search_result_location', url: 'https://a', title: 'A', cited_text: 'x' };
    const events = decode(
      wire([
        START,
        ...block(0, { type: 'text', text: '' }, [
          { type: 'citations_delta', citation },
          { type: 'text_delta', text: 'abc' },
        ]),
        ...ENDING,
      ]),
    );
    expect(blocksOf(events)).toEqual([
      { type: 'text', text: 'abc', citations: [{ url: 'https://a', title: 'A', text: 'x', start: 0, end: 3 }] },
    ]);
  });

  it.each([
    ['overloaded_error', 'provider_overloaded'],
    ['rate_limit_error', 'rate_limited'],
    ['api_error', 'provider_error'],
  ])("ends with the vendor's %s as %s, and nothing after it", (type, code) => {
    const events = decode(
      wire([START, { type: 'error', error: { type, message: 'Busy' } } as { type: string }, ...ENDING]),
    );
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code, message: 'Busy' } });
    expectWellFormed(events);
  });

  it('ends a truncated stream with an error, never with a finish', () => {
    const events = decode(wire([START, ...block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'a' }])]));
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider_error' } });
    expect(events.filter(({ type }) => type === 'finish')).toEqual([]);
    expect(decode(new Uint8Array())).toMatchObject([{ type: 'error' }]);
  });

  it('treats a stream as complete after its stop reason', () => {
    const events = decode(wire([START, ...ENDING.slice(0, 1)]));
    expect(events.map(({ type }) => type)).toEqual(['start', 'finish', 'usage', 'end']);
  });

  it.each(['{"type":', '[]', 'hello'])('ends with an error on a frame that holds %s', (data) => {
    const events = decode(new TextEncoder().encode(`data: ${data}\n\n`));
    expect(events).toMatchObject([{ type: 'error', error: { code: 'provider_error' } }]);
  });

  it('ends with an error on a delta of a block that is not open', () => {
    const unknownBlockDelta = { type: 'content_block_delta', index: 3, delta: { type: 'text_delta', text: 'x' } };
    const open = block(0, { type: 'text', text: '' }, []).slice(0, 1);
    for (const events of [
      decode(wire([START, unknownBlockDelta, ...ENDING])),
      decode(wire([START, ...open, unknownBlockDelta, ...ENDING])),
    ]) {
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider_error' } });
    }
  });

  it('closes a block that the upstream did not close', () => {
    const events = decode(wire([START, ...block(0, { type: 'text', text: 'a' }, []).slice(0, 1), ...ENDING]));
    expect(blocksOf(events)).toEqual([{ type: 'text', text: 'a' }]);
    expectWellFormed(events);
  });

  it('keeps the arguments of interleaved calls', () => {
    const [startA, stopA] = callBlock(0);
    const [startB, stopB] = callBlock(1);
    const events = decode(
      wire(
        [
          START,
          startA,
          startB,
          jsonDelta(0, '{"a"'),
          jsonDelta(1, '{"b"'),
          jsonDelta(0, ':1}'),
          stopB,
          jsonDelta(0, ' '),
          stopA,
          ...ENDING,
        ].filter((event) => event !== undefined),
      ),
    );
    expect(blocksOf(events)).toMatchObject([
      { callId: 't0', arguments: '{"a":1} ' },
      { callId: 't1', arguments: '{"b"' },
    ]);
    expectWellFormed(events);
  });

  it('continues a text after the start of another block', () => {
    const [open, stop] = block(0, { type: 'text', text: 'a' }, []);
    const [call, end] = block(1, { type: 'tool_use', id: 't', name: 'n', input: { x: 1 } }, []);
    const events = decode(
      wire(
        [START, open, call, textDelta('b'), textDelta('c'), stop, end, ...ENDING].filter(
          (event) => event !== undefined,
        ),
      ),
    );
    expect(blocksOf(events)).toMatchObject([{ text: 'a' }, { arguments: '{"x":1}' }, { text: 'bc' }]);
    expectWellFormed(events);
  });

  it('forwards a text immediately although the upstream does not stop the previous block', () => {
    const [thinking] = block(0, { type: 'thinking', thinking: 'Hm', signature: '' }, []);
    const [text] = block(1, { type: 'text', text: 'Hi' }, []);
    const events = decode(wire([START, thinking, text].filter((event) => event !== undefined)));
    expect(events).toContainEqual({ type: 'delta', choice: 0, text: 'Hi' });
  });

  it('ignores unknown events and a second start', () => {
    const events = decode(wire([START, START, { type: 'news' }, ...ENDING]));
    expect(events.map(({ type }) => type)).toEqual(['start', 'finish', 'usage', 'end']);
  });

  it('does not depend on how the bytes are split, and keeps the order', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    const any = fc.oneof(
      text.map((value) => [{ type: 'text', text: '' }, [{ type: 'text_delta', text: value }]] as const),
      text.map(
        (value) =>
          [
            { type: 'thinking', thinking: '', signature: '' },
            [
              { type: 'thinking_delta', thinking: value },
              { type: 'signature_delta', signature: 's' },
            ],
          ] as const,
      ),
      text.map((value) => {
        const json = JSON.stringify({ value });
        const half = Math.floor(json.length / 2);
        const parts = [json.slice(0, half), json.slice(half)];
        return [
          { type: 'tool_use', id: 't', name: 'n', input: {} },
          parts.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        ] as const;
      }),
      fc.constant([{ type: 'redacted_thinking', data: '你好' }, []] as const),
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 4 }), fc.boolean(), (blocks, isComplete) => {
        const middle = blocks.flatMap(([start, deltas], index) => block(index, start, deltas));
        const bytes = wire([START, ...middle, ...(isComplete ? ENDING : [])]);
        const events = decode(bytes);
        expectWellFormed(events);
        const plain = JSON.stringify(events);
        for (const size of [1, 3, 7]) expect(JSON.stringify(decode(bytes, size))).toBe(plain);
      }),
      { numRuns: 60 },
    );
  });
});
