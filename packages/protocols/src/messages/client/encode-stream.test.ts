import { type ContentBlock, GatewayError, type StreamEvent, type Usage } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeStream } from '../upstream/decode-stream.ts';
import { encodeStream } from './encode-stream.ts';
import {
  tokenCodec,
  context,
  START,
  STOP,
  framesOf,
  encode,
  datas,
  kinds,
  streamed,
  text,
  foreign,
} from '../../../test/streams/encoded-messages-stream.ts';

describe('encodeStream', () => {
  it('writes the event sequence that the SDK expects, with event lines', () => {
    const frames = encode([
      START,
      ...streamed({ type: 'reasoning', text: ['A'], isSummary: false }, ['A']),
      ...streamed(text('B'), ['B']),
      { type: 'finish', choice: 0, finish: 'stop' },
      { type: 'usage', usage: { inputTokens: 100, cachedTokens: 80, outputTokens: 5 } },
      { type: 'end' },
    ]);
    expect(frames.map(({ event, data }) => [event, data.type])).toEqual(
      [
        'message_start',
        'content_block_start',
        'content_block_delta',
        'content_block_delta',
        'content_block_stop',
        'content_block_start',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ].map((name) => [name, name]),
    );
    expect(frames.map(({ data }) => data)).toMatchObject([
      {
        message: {
          id: 'msg_new',
          type: 'message',
          role: 'assistant',
          model: 'requested-model',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 0, output_tokens: 0 },
        },
      },
      { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { index: 0, delta: { type: 'thinking_delta', thinking: 'A' } },
      { index: 0, delta: { type: 'signature_delta', signature: expect.stringMatching(/^R1cx/) } },
      { index: 0 },
      { index: 1, content_block: { type: 'text', text: '' } },
      { index: 1, delta: { type: 'text_delta', text: 'B' } },
      { index: 1 },
      {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { input_tokens: 20, cache_read_input_tokens: 80, cache_creation_input_tokens: 0, output_tokens: 5 },
      },
      {},
    ]);
  });

  it('starts with a tool call when there is no text, without an empty block', () => {
    const call: ContentBlock = {
      type: 'tool-call',
      callId: 'c1',
      name: 'Bash',
      kind: 'function',
      arguments: '{"a":1}',
    };
    const events = datas([START, ...streamed(text(''), []), ...streamed(call, ['{"a"', ':1}']), ...STOP]);
    expect(events[1]).toMatchObject({
      index: 0,
      content_block: { type: 'tool_use', id: 'c1', name: 'Bash', input: {} },
    });
    expect(JSON.stringify(events)).not.toContain('"type":"text"');
    const json = events.flatMap((event) =>
      event.type === 'content_block_delta' && event.delta.type === 'input_json_delta' ? [event.delta.partial_json] : [],
    );
    expect(json.join('')).toBe('{"a":1}');
  });

  it('writes a call sent in one chunk after text', () => {
    const call: ContentBlock = {
      type: 'tool-call',
      callId: 'c1',
      name: 'Bash',
      kind: 'function',
      arguments: '{"a":1}',
    };
    const events = datas([START, ...streamed(text('x'), ['x']), ...streamed(call, []), ...STOP]);
    expect(events).toContainEqual({
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"a":1}' },
    });
  });

  it('writes blocks that came without deltas', () => {
    const events = datas([
      START,
      ...streamed({ type: 'reasoning', text: ['A', 'B'], isSummary: true }, []),
      ...streamed({ type: 'refusal', text: 'No.' }, []),
      ...STOP,
    ]);
    expect(events).toMatchObject([
      {},
      {},
      { delta: { thinking: 'A\n\nB' } },
      { delta: { type: 'signature_delta' } },
      {},
      { content_block: { type: 'text' } },
      { delta: { text: 'No.' } },
      {},
      {},
      {},
    ]);
  });

  it('separates the paragraphs of a summary', () => {
    const events = datas([
      START,
      { type: 'block-start', choice: 0, head: { type: 'reasoning', isSummary: true } },
      { type: 'delta', choice: 0, text: 'A', paragraph: 0 },
      { type: 'delta', choice: 0, text: 'B', paragraph: 1 },
      { type: 'block-end', choice: 0, block: { type: 'reasoning', text: ['A', 'B'], isSummary: true } },
      ...STOP,
    ]);
    const thoughts = events.flatMap((event) =>
      event.type === 'content_block_delta' && event.delta.type === 'thinking_delta' ? [event.delta.thinking] : [],
    );
    expect(thoughts.join('')).toBe('A\n\nB');
  });

  it('writes thinking without text as redacted_thinking', () => {
    const opaqueToken = { protocol: 'responses', account: 'o', model: 'gpt-x', value: 'enc' } as const;
    const events = datas([
      START,
      ...streamed({ type: 'reasoning', text: [], isSummary: true, opaqueToken }, []),
      ...STOP,
    ]);
    expect(events[1]).toMatchObject({ content_block: { type: 'redacted_thinking' } });
    const [, start] = events;
    const block = start?.type === 'content_block_start' ? start.content_block : undefined;
    expect(block?.type === 'redacted_thinking' && tokenCodec.unwrap(block.data)).toEqual(opaqueToken);
  });

  it('puts the token of a call in a redacted_thinking block right after it', () => {
    const opaqueToken = { protocol: 'generative-content', account: 'g', model: 'gemini-3', value: 'sig' } as const;
    const call: ContentBlock = {
      type: 'tool-call',
      callId: 'c1',
      name: 'Bash',
      kind: 'function',
      arguments: '{"a":1}',
      opaqueToken,
    };
    const events = datas([START, ...streamed(call, ['{"a":1}']), ...streamed({ ...call, callId: 'c2' }, []), ...STOP]);
    const starts = events.flatMap((event) => (event.type === 'content_block_start' ? [event] : []));
    expect(starts).toMatchObject([
      { index: 0, content_block: { type: 'tool_use', id: 'c1' } },
      { index: 1, content_block: { type: 'redacted_thinking', data: expect.stringMatching(/^R1cx/) } },
      { index: 2, content_block: { type: 'tool_use', id: 'c2' } },
      { index: 3, content_block: { type: 'redacted_thinking', data: expect.stringMatching(/^R1cx/) } },
    ]);
  });

  it('puts the token of a text before the next block, and never ends with one', () => {
    const opaqueToken = { protocol: 'generative-content', account: 'g', model: 'gemini-3', value: 'sig' } as const;
    const withToken = (value: string): ContentBlock => ({ type: 'text', text: value, opaqueToken });
    const call: ContentBlock = { type: 'tool-call', callId: 'c1', name: 'f', kind: 'function', arguments: '{}' };
    const signed = streamed(withToken('a'), ['a']);
    expect(kinds([...signed, ...streamed(withToken(''), []), ...streamed(call, ['{}'])])).toEqual([
      [0, 'text'],
      [1, 'redacted_thinking'],
      [2, 'redacted_thinking'],
      [3, 'tool_use'],
    ]);
    expect(kinds([...signed, ...streamed(text(''), [])])).toEqual([[0, 'text']]);
    expect(kinds(streamed(withToken(''), []))).toEqual([]);
  });

  it('omits thinking and tokens for a client that disabled thinking', () => {
    const opaqueToken = { protocol: 'responses', account: 'acc', model: 'gpt-5', value: 'ENC' } as const;
    const events: StreamEvent[] = [
      START,
      ...streamed({ type: 'reasoning', text: ['A'], isSummary: true, opaqueToken }, ['A']),
      ...streamed({ type: 'text', text: 'B', opaqueToken }, ['B']),
      ...streamed({ type: 'reasoning', text: [], isSummary: true, opaqueToken }, []),
      ...STOP,
    ];
    const frames = encode(events, { enabled: false }).filter(({ event }) => event?.startsWith('content_block'));
    expect(frames.map(({ data }) => data)).toMatchObject([
      { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
      { type: 'content_block_delta', index: 0, delta: { text: 'B' } },
      { type: 'content_block_stop', index: 0 },
    ]);
  });

  it('omits thinking that has neither text nor token', () => {
    const events = datas([START, ...streamed({ type: 'reasoning', text: [], isSummary: true }, []), ...STOP]);
    expect(events.map(({ type }) => type)).toEqual(['message_start', 'message_delta', 'message_stop']);
  });

  it('writes the text input of a custom tool as JSON', () => {
    const call: ContentBlock = { type: 'tool-call', callId: 'c', name: 'exec', kind: 'custom', arguments: 'ls "a"' };
    const events = datas([START, ...streamed(call, ['ls ', '"a"']), ...STOP]);
    expect(events[2]).toMatchObject({ delta: { partial_json: '{"input":"ls \\"a\\""}' } });
    expect(events[3]).toMatchObject({ type: 'content_block_stop' });
  });

  it('fails with a single error event, before and after the start', () => {
    for (const before of [[], [START, ...streamed(text('a'), ['a']).slice(0, 2)]]) {
      const encoder = encodeStream(context);
      for (const event of before) encoder.push(event);
      const failed = encoder.push({ type: 'error', error: new GatewayError('provider_overloaded', 'Busy.') });
      expect(failed.startsWith('event: error\n')).toBe(true);
      expect(framesOf(failed)).toHaveLength(1);
      expect(JSON.parse(framesOf(failed)[0]?.data ?? '')).toMatchObject({
        type: 'error',
        error: { type: 'overloaded_error', message: 'Busy.' },
      });
      expect(encoder.push(START) + encoder.push({ type: 'end' }) + encoder.keepAlive()).toBe('');
      expect(encoder.fail(new GatewayError('internal_error', 'x'))).toBe('');
    }
  });

  it('never ends a message without a finish reason', () => {
    expect(encode([START, { type: 'end' }]).map(({ event }) => event)).toEqual(['message_start', 'error']);
    const unknownFinish: StreamEvent[] = [{ type: 'finish', choice: 0, finish: 'other' }, { type: 'end' }];
    expect(encode([START, ...unknownFinish]).at(-1)?.event).toBe('error');
    expect(encode([START, ...streamed(text('a'), ['a']), ...unknownFinish]).at(-1)?.event).toBe('message_stop');
  });

  it('sends a ping at any time', () => {
    expect(encodeStream(context).keepAlive()).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  });

  it('reports usage that only the start contained', () => {
    const usage: Usage = { inputTokens: 3, outputTokens: 0 };
    expect(datas([{ ...START, usage }, ...STOP]).at(-2)).toMatchObject({ usage: { input_tokens: 3 } });
  });

  it('writes only the first choice', () => {
    const other = streamed(text('two'), ['two']).map((event) => Object.assign(event, { choice: 1 }));
    expect(JSON.stringify(datas([START, ...other, ...STOP]))).not.toContain('two');
  });

  it('writes only complete foreign blocks of the same protocol', () => {
    const events = datas([START, ...streamed(foreign('messages'), []), ...streamed(foreign('responses'), []), ...STOP]);
    expect(events.filter(({ type }) => type === 'content_block_start')).toMatchObject([
      { index: 0, content_block: { type: 'server_tool_use', id: 's' } },
    ]);
  });

  it('decodes to the events that were encoded', () => {
    const target = { upstream: 'u', account: 'a', protocol: 'messages', model: 'claude-x', quirks: {} } as const;
    const word = fc.string({ minLength: 1, maxLength: 10 });
    const blocks = fc.oneof(
      word.map((value) => text(value)),
      fc.record({ value: fc.dictionary(word, word), id: fc.uuid() }).map(({ value, id }): ContentBlock => ({
        type: 'tool-call',
        callId: id,
        name: 'f',
        kind: 'function',
        arguments: JSON.stringify(value),
      })),
    );
    fc.assert(
      fc.property(fc.array(blocks, { maxLength: 5 }), fc.boolean(), (list, isComplete) => {
        const events = list.flatMap((block) =>
          streamed(
            block,
            isComplete ? [] : [block.type === 'text' ? block.text : (block as { arguments: string }).arguments],
          ),
        );
        const decoder = decodeStream({ target, newId: (prefix) => prefix });
        const encoder = encodeStream(context);
        const wire = [START, ...events, ...STOP].map((event) => encoder.push(event)).join('');
        const read = [...framesOf(wire).flatMap((frame) => decoder.push(frame)), ...decoder.end()];
        expect(read.flatMap((event) => (event.type === 'block-end' ? [event.block] : []))).toEqual(list);
        expect(read.at(-1)).toEqual({ type: 'end' });
      }),
    );
  });
});
