import { describe, expect, it } from 'vitest';
import { decodeStream } from './decode-stream.ts';
import {
  context,
  chunkOf,
  delta,
  finish,
  callChunk,
  begin,
  more,
  decode,
  blocks,
  call,
  last,
} from '../../../test/streams/decoded-chat-stream.ts';

const cite = (start_index: number, end_index: number) =>
  delta({ annotations: [{ url_citation: { url: 'https://x.test', start_index, end_index } }] });

describe('decodeStream', () => {
  it('passes text through between start and finish', () => {
    expect(
      decode(
        delta({ role: 'assistant', content: '' }),
        delta({ content: 'He' }),
        delta({ content: 'llo' }),
        finish('stop'),
      ),
    ).toEqual([
      { type: 'start', id: 'chatcmpl-1', model: 'm-1' },
      { type: 'block-start', choice: 0, head: { type: 'text' } },
      { type: 'delta', choice: 0, text: 'He' },
      { type: 'delta', choice: 0, text: 'llo' },
      { type: 'block-end', choice: 0, block: { type: 'text', text: 'Hello' } },
      { type: 'finish', choice: 0, finish: 'stop' },
      { type: 'end' },
    ]);
  });

  it.each(['reasoning_content', 'reasoning'])('ends the reasoning in %s at the beginning of the text', (field) => {
    const events = decode(delta({ role: 'assistant', [field]: 'A' }), delta({ content: 'B' }), finish('stop'));
    expect(blocks(events)).toEqual([
      { type: 'reasoning', text: ['A'], isSummary: false },
      { type: 'text', text: 'B' },
    ]);
  });

  it('reads reasoning parts of the content', () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'A' }] },
      { type: 'text', text: 'B' },
    ];
    expect(blocks(decode(delta({ content: parts }), finish('stop'))).map(({ type }) => type)).toEqual([
      'reasoning',
      'text',
    ]);
  });

  it('ignores an empty list of tool calls', () => {
    expect(blocks(decode(delta({ content: 'Hi', tool_calls: [] }), finish('stop')))).toEqual([
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('reads arguments in the last chunk of the text', () => {
    const events = decode(delta({ content: 'x' }), begin(0, 'c1', 'Bash', '{"command":"ls"}'), finish('tool_calls'));
    expect(blocks(events)).toEqual([{ type: 'text', text: 'x' }, call('c1', 'Bash', '{"command":"ls"}')]);
  });

  it('creates no empty text block before a tool call', () => {
    const events = decode(delta({ role: 'assistant', content: null }), begin(0, 'c1', 'f', '{}'), finish('tool_calls'));
    expect(events[1]).toEqual({
      type: 'block-start',
      choice: 0,
      head: { type: 'tool-call', callId: 'c1', name: 'f', kind: 'function' },
    });
  });

  it('buffers an interleaved second call and sends sequential calls immediately', () => {
    const events = decode(
      begin(0, 'a', 'f'),
      begin(1, 'b', 'g'),
      more(1, '{"y":'),
      more(0, '{"x":'),
      more(0, '1}'),
      more(1, '2}'),
      finish('tool_calls'),
    );
    expect(blocks(events)).toEqual([call('a', 'f', '{"x":1}'), call('b', 'g', '{"y":2}')]);

    const inTurn = [begin(0, 'a', 'f'), more(0, '{}'), begin(1, 'b', 'g')];
    const decoder = decodeStream(context());
    const early = inTurn.flatMap((chunk) => decoder.push({ data: JSON.stringify(chunk) }));
    expect(early.filter(({ type }) => type === 'block-start')).toHaveLength(2);
  });

  it('separates calls that all have index 0 or no index', () => {
    const expected = [call('a', 'f', '{"x":1}'), call('b', 'f', '{"y":2}')];
    const same = [begin(0, 'a', 'f', '{"x":1}'), begin(0, 'b', 'f', '{"y":2}')];
    expect(blocks(decode(...same, finish('stop')))).toEqual(expected);
    const none = ['a', 'b'].map((id, at) =>
      delta({ tool_calls: [{ id, function: { name: 'f', arguments: expected[at]?.arguments } }] }),
    );
    expect(blocks(decode(...none, finish('stop')))).toEqual(expected);
    // The cast is safe because the input is an object.
    const nameless = same.map((chunk) => JSON.parse(JSON.stringify(chunk).replace(/"id":"[ab]",/, '')) as object);
    expect(blocks(decode(...nameless, finish('stop')))).toMatchObject([
      { arguments: '{"x":1}' },
      { arguments: '{"y":2}' },
    ]);
  });

  it('waits for the name of a call, reads a repeated one once, and generates a missing id', () => {
    const events = decode(
      callChunk(0, { id: 'a', function: { arguments: '' } }),
      callChunk(0, { function: { name: 'f', arguments: '{' } }),
      callChunk(0, { id: 'a', function: { name: 'f', arguments: '}' } }),
      finish('tool_calls'),
    );
    expect(blocks(events)).toEqual([call('a', 'f', '{}')]);
    expect(blocks(decode(callChunk(0, { function: { name: 'f', arguments: '{}' } }), finish('stop')))).toEqual([
      call('call_0', 'f', '{}'),
    ]);
    expect(last(decode(callChunk(0, { id: 'a', function: { arguments: '{}' } }), finish('stop')))).toMatchObject({
      type: 'error',
    });
  });

  it('buffers text inside an unfinished call', () => {
    const events = decode(begin(0, 'a', 'f', '{"x":'), delta({ content: 'hm' }), more(0, '1}'), finish('tool_calls'));
    expect(blocks(events)).toEqual([call('a', 'f', '{"x":1}'), { type: 'text', text: 'hm' }]);
  });

  it('reports tool_calls if and only if a tool was called', () => {
    expect(decode(begin(0, 'a', 'f', '{}'), delta({ content: '' }), finish('stop'))).toContainEqual({
      type: 'finish',
      choice: 0,
      finish: 'tool_calls',
    });
    expect(decode(delta({ content: 'a' }), finish('tool_calls'))).toContainEqual({
      type: 'finish',
      choice: 0,
      finish: 'stop',
    });
  });

  it('reads function_call, custom calls, refusals, images, audio, and sources', () => {
    expect(
      blocks(
        decode(
          delta({ function_call: { name: 'f', arguments: '' } }),
          delta({ function_call: { arguments: '{}' } }),
          finish('function_call'),
        ),
      ),
    ).toEqual([call('call_0', 'f', '{}')]);
    expect(
      blocks(
        decode(
          callChunk(0, { id: 'a', type: 'custom', custom: { name: 'exec', input: 'l' } }),
          callChunk(0, { custom: { input: 's' } }),
          finish('tool_calls'),
        ),
      ),
    ).toEqual([{ type: 'tool-call', callId: 'a', name: 'exec', kind: 'custom', arguments: 'ls' }]);
    const refused = decode(delta({ refusal: 'no' }), finish('stop'));
    expect(refused).toContainEqual({ type: 'finish', choice: 0, finish: 'refusal' });
    const media = decode(
      delta({
        images: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          { image_url: 'broken' },
        ],
      }),
      delta({ audio: { id: 'a', data: Buffer.from([1]).toString('base64'), transcript: 'h' } }),
      delta({ audio: { data: Buffer.from([2, 3]).toString('base64'), transcript: 'i' } }),
      finish('stop'),
    );
    expect(blocks(media)).toEqual([
      { type: 'media', kind: 'image', source: { from: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } },
      {
        type: 'media',
        kind: 'audio',
        transcript: 'hi',
        source: { from: 'base64', mediaType: 'audio/pcm', data: 'AQID' },
      },
    ]);
    const cited = { url_citation: { url: 'https://x.test', title: 't', start_index: 0, end_index: 1 } };
    expect(blocks(decode(delta({ content: 'a' }), delta({ annotations: [cited] }), finish('stop')))).toEqual([
      { type: 'text', text: 'a', citations: [{ url: 'https://x.test', title: 't', start: 0, end: 1 }] },
    ]);
  });

  it('counts the range of a citation from the start of its block', () => {
    const text = [delta({ content: 'Hello ' }), delta({ reasoning_content: 'hm' }), delta({ content: 'world' })];
    expect(blocks(decode(...text, cite(6, 11), finish('stop')))).toMatchObject([
      { text: 'Hello ' },
      { text: ['hm'] },
      { text: 'world', citations: [{ url: 'https://x.test', start: 0, end: 5 }] },
    ]);
    const [, , ended] = blocks(decode(...text, cite(0, 5), finish('stop')));
    expect(ended).toEqual({ type: 'text', text: 'world', citations: [{ url: 'https://x.test' }] });
  });

  it('records the origin of opaque tokens', () => {
    const extra = { extra_content: { google: { thought_signature: 's' } } };
    const opaqueToken = { protocol: 'chat-completions', account: 'acc', model: 'm', value: 's' };
    const events = decode(
      callChunk(0, { id: 'a', function: { name: 'f', arguments: '{}' }, ...extra }),
      finish('stop'),
    );
    expect(blocks(events)).toEqual([{ ...call('a', 'f', '{}'), opaqueToken }]);
    expect(blocks(decode(delta({ content: 'a' }), delta(extra), finish('stop')))).toEqual([
      { type: 'text', text: 'a', opaqueToken },
    ]);
  });

  it('merges usage of the finish chunk, of a later one, and of a choice', () => {
    const early = { ...finish('stop'), usage: { prompt_tokens: 100, completion_tokens: 5 } };
    const late = {
      ...chunkOf(),
      usage: { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 80 } },
    };
    const usage = { inputTokens: 100, outputTokens: 5, cachedTokens: 80 };
    expect(decode(delta({ content: 'a' }), early, late, { ...chunkOf(), usage: null }).at(-2)).toEqual({
      type: 'usage',
      usage,
    });
    const inside = chunkOf({
      index: 0,
      delta: {},
      finish_reason: 'stop',
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    });
    expect(decode(inside).at(-2)).toEqual({ type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } });
  });

  it('separates choices by index and finishes each, in order', () => {
    const events = decode(
      delta({ content: 'b' }, 1),
      delta({ content: 'a' }, 0),
      delta({ content: 'B' }, 1),
      finish('length', 1),
      finish('stop', 0),
    );
    expect(events.filter(({ type }) => type === 'finish')).toEqual([
      { type: 'finish', choice: 0, finish: 'stop' },
      { type: 'finish', choice: 1, finish: 'length' },
    ]);
    expect(blocks(events).map((block) => block.type === 'text' && block.text)).toEqual(['a', 'bB']);
  });

  it('reports the matched stop sequence if the vendor does', () => {
    const met = chunkOf({ index: 0, delta: {}, finish_reason: 'stop', stop_reason: 'END' });
    expect(decode(met)).toContainEqual({ type: 'finish', choice: 0, finish: 'stop_sequence', stopSequence: 'END' });
  });

  it('ignores an initial chunk with neither choices nor an id', () => {
    const events = decode(
      { id: '', model: '', choices: [], prompt_filter_results: [] },
      delta({ content: 'a' }),
      finish('stop'),
    );
    expect(events[0]).toEqual({ type: 'start', id: 'chatcmpl-1', model: 'm-1' });
  });
});
