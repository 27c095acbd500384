import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  START,
  ENDING,
  wire,
  decode,
  block,
  callBlock,
  textDelta,
  jsonDelta,
  blocksOf,
  expectWellFormed,
} from '../../../test/streams/decoded-messages-stream.ts';

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
