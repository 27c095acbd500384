import { describe, expect, it } from 'vitest';
import { decodeStream } from './decode-stream.ts';
import {
  source,
  decode,
  created,
  completed,
  added,
  done,
  textDelta,
  message,
  fn,
  blocksOf,
  expectWellFormed,
} from '../../../test/streams/decoded-responses-stream.ts';

describe('decodeStream', () => {
  it('reads the complete sequence of events', () => {
    const events = decode(
      created,
      { type: 'response.in_progress', response: created.response },
      added(0, { type: 'reasoning', id: 'rs_1', summary: [] }),
      { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 0, part: {} },
      { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'Hm' },
      { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index: 0, text: 'Hm' },
      { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 1, delta: 'So' },
      done(0, {
        type: 'reasoning',
        id: 'rs_1',
        summary: [
          { type: 'summary_text', text: 'Hm' },
          { type: 'summary_text', text: 'So' },
        ],
        encrypted_content: 'b3BhcXVl',
      }),
      added(1, message()),
      {
        type: 'response.content_part.added',
        output_index: 1,
        content_index: 0,
        part: { type: 'output_text', text: '' },
      },
      textDelta(1, 'Hel'),
      textDelta(1, 'lo'),
      { type: 'response.output_text.done', output_index: 1, content_index: 0, text: 'Hello' },
      {
        type: 'response.content_part.done',
        output_index: 1,
        content_index: 0,
        part: { type: 'output_text', text: 'Hello' },
      },
      done(1, message({ type: 'output_text', text: 'Hello' })),
      added(2, fn('')),
      { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"a":' },
      { type: 'response.function_call_arguments.delta', output_index: 2, delta: '5}' },
      { type: 'response.function_call_arguments.done', output_index: 2, arguments: '{"a":5}' },
      done(2, fn('{"a":5}')),
      completed,
    );
    expect(events).toEqual([
      { type: 'start', id: 'resp_1', model: 'gpt-5-2025' },
      { type: 'block-start', choice: 0, head: { type: 'reasoning', isSummary: true, id: 'rs_1' } },
      { type: 'delta', choice: 0, text: 'Hm', paragraph: 0 },
      { type: 'delta', choice: 0, text: 'So', paragraph: 1 },
      {
        type: 'block-end',
        choice: 0,
        block: {
          type: 'reasoning',
          text: ['Hm', 'So'],
          isSummary: true,
          id: 'rs_1',
          opaqueToken: { protocol: 'responses', account: 'acct', model: 'gpt-5', value: 'b3BhcXVl' },
        },
      },
      { type: 'block-start', choice: 0, head: { type: 'text' } },
      { type: 'delta', choice: 0, text: 'Hel' },
      { type: 'delta', choice: 0, text: 'lo' },
      { type: 'block-end', choice: 0, block: { type: 'text', text: 'Hello' } },
      { type: 'block-start', choice: 0, head: { type: 'tool-call', callId: 'call_1', name: 'f', kind: 'function' } },
      { type: 'delta', choice: 0, text: '{"a":' },
      { type: 'delta', choice: 0, text: '5}' },
      {
        type: 'block-end',
        choice: 0,
        block: { type: 'tool-call', callId: 'call_1', name: 'f', kind: 'function', arguments: '{"a":5}' },
      },
      { type: 'finish', choice: 0, finish: 'tool_calls' },
      { type: 'usage', usage: { inputTokens: 10, outputTokens: 4, cachedTokens: 8 } },
      { type: 'end' },
    ]);
  });

  it('forwards each delta immediately', () => {
    const decoder = decodeStream(source);
    decoder.push({ data: JSON.stringify(created) });
    decoder.push({ data: JSON.stringify(added(0, message())) });
    expect(decoder.push({ data: JSON.stringify(textDelta(0, 'a')) })).toHaveLength(2);
    expect(decoder.push({ data: JSON.stringify(textDelta(0, 'b')) })).toEqual([
      { type: 'delta', choice: 0, text: 'b' },
    ]);
  });

  it('reads arguments sent only in .done, once', () => {
    const events = decode(
      created,
      added(0, fn('')),
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"a":5}' },
      done(0, fn('{"a":5}')),
      completed,
    );
    expect(blocksOf(events)).toMatchObject([{ arguments: '{"a":5}' }]);
    expect(events.filter(({ type }) => type === 'delta')).toHaveLength(1);
  });

  it('reads items sent only in output_item.done', () => {
    const events = decode(created, done(0, message({ type: 'output_text', text: 'Hi' })), done(1, fn('{}')), completed);
    expectWellFormed(events);
    expect(blocksOf(events).map(({ type }) => type)).toEqual(['text', 'tool-call']);
  });

  it('reads items sent only in the complete response', () => {
    const output = [message({ type: 'output_text', text: 'Hi' }), fn('{}')];
    const events = decode(created, { type: 'response.completed', response: { ...completed.response, output } });
    expectWellFormed(events);
    expect(blocksOf(events)).toHaveLength(2);
  });

  it('does not repeat a streamed item from the final response', () => {
    const item = message({ type: 'output_text', text: 'Hi' });
    const output = [{ ...item, id: 'msg_other' }];
    const events = decode(created, added(0, item), textDelta(0, 'Hi'), done(0, item), {
      type: 'response.completed',
      response: { ...completed.response, output },
    });
    expect(blocksOf(events)).toEqual([{ type: 'text', text: 'Hi' }]);
  });

  it('preserves streamed content if the complete response has an empty output', () => {
    expect(blocksOf(decode(created, added(0, message()), textDelta(0, 'Hi'), completed))).toEqual([
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('adds missing deltas', () => {
    const events = decode(
      created,
      textDelta(0, 'Hel'),
      done(0, message({ type: 'output_text', text: 'Hello' })),
      completed,
    );
    expectWellFormed(events);
    expect(blocksOf(events)).toEqual([{ type: 'text', text: 'Hello' }]);
  });

  it('buffers interleaved items', () => {
    const second = { ...fn('{"b":1}'), id: 'fc_2', call_id: 'call_2' };
    const events = decode(
      created,
      added(0, fn('')),
      added(1, { ...second, arguments: '' }),
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"b":' },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"a":1}' },
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '1}' },
      done(1, second),
      done(0, fn('{"a":1}')),
      completed,
    );
    expectWellFormed(events);
    expect(blocksOf(events)).toMatchObject([{ callId: 'call_1' }, { callId: 'call_2', arguments: '{"b":1}' }]);
  });

  it('reads upstreams that identify items only by id', () => {
    const events = decode(
      created,
      { type: 'response.output_item.added', item: fn('') },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: '{}' },
      { type: 'response.output_item.done', item: fn('{}') },
      completed,
    );
    expect(blocksOf(events)).toMatchObject([{ callId: 'call_1', arguments: '{}' }]);
  });

  it('reads upstreams that number every item as the first', () => {
    const other = { ...fn('{"b":1}'), id: 'fc_2', call_id: 'call_2' };
    const events = decode(
      created,
      added(0, fn('')),
      done(0, fn('{}')),
      done(0, fn('{}')),
      added(0, other),
      done(0, other),
      {
        type: 'response.completed',
        response: { ...completed.response, output: [fn('{}'), other] },
      },
    );
    expectWellFormed(events);
    expect(blocksOf(events)).toMatchObject([{ callId: 'call_1' }, { callId: 'call_2' }]);
  });

  it('reads full reasoning, refusals, custom input, sources, and images', () => {
    const custom = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'exec', namespace: 'n' };
    const events = decode(
      created,
      { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, item_id: 'rs_1', delta: 'raw' },
      done(0, { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'raw' }] }),
      { type: 'response.refusal.delta', output_index: 1, content_index: 0, delta: 'No' },
      { type: 'response.refusal.done', output_index: 1, content_index: 0, refusal: 'No.' },
      done(1, message({ type: 'refusal', refusal: 'No.' })),
      added(2, { ...custom, input: '' }),
      { type: 'response.custom_tool_call_input.delta', output_index: 2, delta: 'l' },
      { type: 'response.custom_tool_call_input.done', output_index: 2, input: 'ls' },
      done(2, { ...custom, input: 'ls' }),
      textDelta(3, 'See'),
      {
        type: 'response.output_text.annotation.added',
        output_index: 3,
        content_index: 0,
        annotation: { type: 'url_citation', url: 'https://a.example/', title: 'A', start_index: 0, end_index: 3 },
      },
      { type: 'response.output_text.done', output_index: 3, content_index: 0, text: 'See' },
      done(3, { ...message(), id: 'msg_3', content: null }),
      done(4, { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'iVBORw0KGgo=' }),
      done(5, { type: 'web_search_call', id: 'ws_1', status: 'completed' }),
      completed,
    );
    expectWellFormed(events);
    expect(blocksOf(events)).toMatchObject([
      { type: 'reasoning', isSummary: false, text: ['raw'] },
      { type: 'refusal', text: 'No.' },
      { type: 'tool-call', kind: 'custom', name: 'n__exec', arguments: 'ls' },
      { type: 'text', text: 'See', citations: [{ url: 'https://a.example/', title: 'A', start: 0, end: 3 }] },
      { type: 'media', source: { mediaType: 'image/png' } },
      { type: 'foreign', kind: 'web_search_call' },
    ]);
  });

  it('reads an opaque token without text', () => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
    expect(blocksOf(decode(created, added(0, item), done(0, item), completed))).toMatchObject([
      { type: 'reasoning', text: [], opaqueToken: { value: 'x' } },
    ]);
  });
});
