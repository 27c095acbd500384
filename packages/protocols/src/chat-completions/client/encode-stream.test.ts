import { GatewayError, type ContentBlock } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { JsonField } from '../../json/json-field.ts';
import { decodeAssistant } from './decode-assistant.ts';
import { encodeStream } from './encode-stream.ts';
import { ChatCompletionChunkSchema } from '../wire/schema.ts';
import {
  tokenCodec,
  opaqueToken,
  context,
  encode,
  start,
  finish,
  end,
  usage,
  block,
  text,
  call,
  deltas,
  callChunks,
  thought,
} from '../../../test/streams/encoded-chat-stream.ts';

describe('encodeStream', () => {
  it('writes role, texts, finish, and [DONE], all with one id, time, and model', () => {
    const { text: written, chunks } = encode([start, ...text('He', 'llo'), finish(), usage, end]);
    expect(deltas(chunks)).toEqual([{ role: 'assistant', content: '' }, { content: 'He' }, { content: 'llo' }, {}]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, null, 'stop']);
    for (const chunk of chunks) {
      expect(ChatCompletionChunkSchema.parse(chunk)).toEqual(chunk);
      expect(chunk).toMatchObject({
        id: 'chatcmpl-0',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model: 'requested-model',
      });
    }
    expect(written.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(written).not.toContain('event:');
  });

  it('writes the role once, in the first delta of each choice', () => {
    const { chunks } = encode([
      start,
      ...text('a'),
      ...block({ type: 'text' }, { type: 'text', text: 'b' }, ['b'], 1),
      finish('stop', 0),
      finish('stop', 1),
      end,
    ]);
    for (const index of [0, 1]) {
      const own = chunks.flatMap(({ choices }) => choices.filter((choice) => choice.index === index));
      expect(own.map(({ delta }) => delta.role)).toEqual(['assistant', ...own.slice(1).map(() => undefined)]);
    }
  });

  it('sends usage only on request, as one chunk without choices before [DONE]', () => {
    expect(encode([start, finish(), usage, end]).chunks.filter(({ choices }) => choices.length === 0)).toEqual([]);
    const { chunks, text: written } = encode(
      [start, ...text('a'), finish(), usage, end],
      context({ stream_options: { include_usage: true } }),
    );
    expect(chunks.filter(({ choices }) => choices.length === 0)).toHaveLength(1);
    expect(chunks.at(-1)?.usage).toEqual({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    expect(written.endsWith(']\n\n')).toBe(true);
  });

  it('numbers calls from 0, each with its own id, and names them once', () => {
    const { chunks } = encode([
      start,
      ...call('a', 'f', ['{"x"', ':1', '}']),
      ...call('b', 'f', ['{}']),
      finish('tool_calls'),
      end,
    ]);
    const parts = callChunks(chunks);
    expect(parts.filter(({ id }) => id)).toEqual([
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 1, id: 'b', type: 'function', function: { name: 'f', arguments: '' } },
    ]);
    const joined = (index: number) =>
      parts
        .filter((one) => one.index === index)
        .map((one) => one.function?.arguments)
        .join('');
    expect([joined(0), joined(1)]).toEqual(['{"x":1}', '{}']);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it.each([[['']], [[]], [[' ', ' ']], [['', ' ', '']]])(
    'writes an empty object for a call without arguments (%j)',
    (parts) => {
      const { chunks } = encode([start, ...call('a', 'f', parts), finish('tool_calls'), end]);
      const joined = callChunks(chunks)
        .map((one) => one.function?.arguments)
        .join('');
      expect(JSON.parse(joined)).toEqual({});
    },
  );

  it('reads arguments from the end of a call without deltas', () => {
    const head = { type: 'tool-call', callId: 'a', name: 'f', kind: 'function' } as const;
    const { chunks } = encode([
      start,
      ...block(head, { ...head, arguments: '{"path":"/x"}' }, []),
      finish('tool_calls'),
      end,
    ]);
    expect(
      callChunks(chunks)
        .map((one) => one.function?.arguments)
        .join(''),
    ).toBe('{"path":"/x"}');
    const withoutDeltas = encode([start, ...block({ type: 'text' }, { type: 'text', text: 'all' }, []), finish(), end]);
    expect(deltas(withoutDeltas.chunks)).toContainEqual({ content: 'all' });
  });

  it('writes custom calls and the client’s own name of a tool', () => {
    const head = { type: 'tool-call', callId: 'a', name: 'e_1', kind: 'custom' } as const;
    const tools = [{ kind: 'custom', name: 'e_1', clientName: { name: 'e.1' } }] as const;
    const { chunks } = encode(
      [start, ...block(head, { ...head, arguments: 'ls' }, ['ls']), finish('tool_calls'), end],
      context({}, { tools: [...tools] }),
    );
    expect(callChunks(chunks)).toEqual([
      { index: 0, id: 'a', type: 'custom', custom: { name: 'e.1', input: '' } },
      { index: 0, custom: { input: 'ls' } },
    ]);
  });

  it('writes a complete call’s opaque token in its first fragment', () => {
    const gemini = { ...opaqueToken, protocol: 'generative-content' } as const;
    const { chunks } = encode([
      start,
      ...call('a', 'f', ['{}'], { opaqueToken: gemini }),
      ...call('b', 'f', ['{}']),
      finish('tool_calls'),
      end,
    ]);
    const [first, ...rest] = callChunks(chunks);
    expect(tokenCodec.unwrap(first?.extra_content?.google.thought_signature ?? '')).toEqual(gemini);
    expect(rest.some((part) => 'extra_content' in part)).toBe(false);
    const late = callChunks(
      encode([start, ...call('a', 'f', ['{', '}'], { opaqueToken: gemini }), finish('tool_calls'), end]).chunks,
    );
    expect(late.at(-1)).toMatchObject({ index: 0, extra_content: { google: {} } });
  });

  it('packs reasoning into the next call’s token, so that clients return it', () => {
    const reasoning: ContentBlock = {
      type: 'reasoning',
      text: ['one', 'two'],
      isSummary: true,
      id: 'rs_1',
      opaqueToken,
    };
    const { chunks } = encode([
      start,
      { type: 'block-start', choice: 0, head: { type: 'reasoning', isSummary: true, id: 'rs_1' } },
      { type: 'delta', choice: 0, text: 'on', paragraph: 0 },
      { type: 'delta', choice: 0, text: 'e', paragraph: 0 },
      { type: 'delta', choice: 0, text: 'two', paragraph: 1 },
      { type: 'block-end', choice: 0, block: reasoning },
      ...call('a', 'f', ['{}']),
      finish('tool_calls'),
      end,
    ]);
    const reasoning_content = deltas(chunks)
      .map((delta) => delta.reasoning_content ?? '')
      .join('');
    expect(reasoning_content).toBe('one\n\ntwo');
    const [first] = callChunks(chunks);
    const tool_calls = [{ ...first, function: { name: 'f', arguments: '{}' } }];
    expect(decodeAssistant(new JsonField({ reasoning_content, tool_calls }, 'messages[0]'), tokenCodec)[0]).toEqual(
      reasoning,
    );
  });

  it('separates consecutive reasoning blocks and hides them on request', () => {
    const events = [start, ...thought('a'), ...text('x'), ...thought('b'), finish(), end];
    expect(
      deltas(encode(events).chunks)
        .map((delta) => delta.reasoning_content ?? '')
        .join(''),
    ).toBe('a\n\nb');
    const hidden = encode(events, context({}, { reasoning: { visible: 'none' } }));
    expect(hidden.text).not.toContain('reasoning_content');
  });

  it('sends the token of a trailing empty text without the text', () => {
    const { chunks } = encode([
      start,
      ...text('hi'),
      ...block({ type: 'text' }, { type: 'text', text: '', opaqueToken }, []),
      finish(),
      end,
    ]);
    expect(deltas(chunks).filter(({ content }) => content !== undefined)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'hi' },
    ]);
    expect(deltas(chunks).find((delta) => delta.extra_content)).toMatchObject({ extra_content: { google: {} } });
  });

  it('writes function_call for clients of functions', () => {
    const { chunks } = encode(
      [start, ...call('a', 'f', ['{}']), ...call('b', 'g', ['{}']), finish('tool_calls'), end],
      context({ functions: [{ name: 'f' }] }),
    );
    expect(deltas(chunks).flatMap((delta) => delta.function_call ?? [])).toEqual([
      { name: 'f', arguments: '' },
      { arguments: '{}' },
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('function_call');
  });

  it('writes refusals, images, and sources', () => {
    const image: ContentBlock = {
      type: 'media',
      kind: 'image',
      source: { from: 'base64', mediaType: 'image/png', data: 'AA' },
    };
    const cited: ContentBlock = { type: 'text', text: 'ab', citations: [{ url: 'https://x.test', title: 't' }] };
    const { chunks } = encode([
      start,
      ...block({ type: 'refusal' }, { type: 'refusal', text: 'no' }, ['no']),
      ...block({ type: 'media' }, image, []),
      ...block({ type: 'text' }, cited, ['ab']),
      finish('refusal'),
      end,
    ]);
    expect(deltas(chunks).slice(1)).toEqual([
      { refusal: 'no' },
      { images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] },
      { content: 'ab' },
      {
        annotations: [
          { type: 'url_citation', url_citation: { start_index: 0, end_index: 2, title: 't', url: 'https://x.test' } },
        ],
      },
      {},
    ]);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
  });

  it('ends a broken stream with an error frame only, without finish and [DONE]', () => {
    const error = new GatewayError('provider_error', 'It broke.');
    const { text: written, chunks } = encode([
      start,
      ...text('a'),
      { type: 'error', error },
      ...text('b'),
      finish(),
      end,
    ]);
    expect(chunks.at(-1)).toEqual({
      error: { message: 'It broke.', type: 'server_error', param: null, code: 'provider_error' },
    });
    expect(written).not.toContain('[DONE]');
    const fresh = encodeStream(context());
    expect(fresh.fail(error)).toContain('"error"');
    expect(fresh.fail(error)).toBe('');
  });

  it('reports an error for an empty response without a finish reason', () => {
    expect(encode([start, finish('other'), end]).text).toContain('"error"');
    expect(encode([start, ...text('a'), finish('other'), end]).text).toContain('"finish_reason":"stop"');
  });

  it('keeps the connection alive with comments', () => {
    expect(encodeStream(context()).keepAlive()).toBe(': keep-alive\n\n');
    expect(encode([{ type: 'ping' }]).text).toBe(': keep-alive\n\n');
  });
});
