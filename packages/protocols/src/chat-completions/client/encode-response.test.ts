import type { Choice, ContentBlock, Generation } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { JsonField } from '../../json/json-field.ts';
import { decodeAssistant } from './decode-assistant.ts';
import { decodeResponse } from '../upstream/decode-response.ts';
import { encodeResponse } from './encode-response.ts';
import { ChatCompletionSchema } from '../wire/schema.ts';

const tokenCodec = createTokenCodec('secret');
const opaqueToken = { protocol: 'messages', account: 'acc', model: 'claude', value: 'sig' } as const;

function encode(content: ContentBlock[], finish: Choice['finish'] = 'stop', body: Record<string, unknown> = {}) {
  const context: ResponseContext = {
    request: { protocol: 'chat-completions', model: 'client-model', stream: false, messages: [], tools: [] },
    body,
    createdAt: 7,
    newId: (prefix) => `${prefix}x`,
    tokenCodec,
  };
  const generation: Generation = {
    id: 'msg_1',
    model: 'claude',
    choices: [{ content, finish }],
    usage: { inputTokens: 1, outputTokens: 2 },
  };
  return ChatCompletionSchema.parse(encodeResponse(generation, context));
}
const call = (callId: string, text = '{}') =>
  ({ type: 'tool-call', callId, name: 'f', kind: 'function', arguments: text }) as const;
const wireCall = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });

describe('encodeResponse', () => {
  it('joins the texts and reports the model that the client requested', () => {
    expect(
      encode([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
    ).toEqual({
      id: 'chatcmpl-x',
      object: 'chat.completion',
      created: 7,
      model: 'client-model',
      choices: [{ index: 0, message: { role: 'assistant', content: 'ab' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
  });

  it('counts the ranges of citations in the joined text, and omits citations without a URL', () => {
    const citations = [{ url: 'https://a.example', start: 0, end: 2 }, { title: 'a file' }];
    const [choice] = encode([
      { type: 'text', text: 'abc' },
      { type: 'text', text: 'de', citations },
    ]).choices;
    const url_citation = { start_index: 3, end_index: 5, title: '', url: 'https://a.example' };
    expect(choice?.message).toEqual({
      role: 'assistant',
      content: 'abcde',
      annotations: [{ type: 'url_citation', url_citation }],
    });
  });

  it('writes null content next to calls and an empty object for missing arguments', () => {
    const [choice] = encode([call('a', ''), call('b')], 'stop').choices;
    expect(choice).toEqual({
      index: 0,
      message: { role: 'assistant', content: null, tool_calls: [wireCall('a'), wireCall('b')] },
      finish_reason: 'tool_calls',
    });
  });

  it('writes function_call for clients of functions', () => {
    expect(encode([call('a')], 'tool_calls', { functions: [{}] }).choices[0]).toEqual({
      index: 0,
      message: { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      finish_reason: 'function_call',
    });
  });

  it('preserves every block in a round trip, including opaque tokens', () => {
    const content: ContentBlock[] = [
      { type: 'reasoning', text: ['one', 'two'], isSummary: false, opaqueToken },
      {
        type: 'reasoning',
        text: [],
        isSummary: false,
        redacted: true,
        opaqueToken: { ...opaqueToken, value: 'hidden' },
      },
      { type: 'text', text: 'hm' },
      call('a'),
      { type: 'reasoning', text: ['three'], isSummary: false, opaqueToken: { ...opaqueToken, value: 'sig3' } },
      call('b'),
    ];
    const message = encode(content, 'tool_calls').choices[0]?.message ?? {};
    expect(decodeAssistant(new JsonField(message, 'messages[0]'), tokenCodec)).toEqual(content);
  });

  it('writes reasoning, refusals, images, and sources in separate fields', () => {
    const { message } =
      encode([
        { type: 'reasoning', text: ['a', 'b'], isSummary: true },
        { type: 'refusal', text: 'no' },
        { type: 'media', kind: 'image', source: { from: 'url', url: 'https://x.test/a.png' } },
        {
          type: 'media',
          kind: 'audio',
          source: { from: 'base64', mediaType: 'audio/wav', data: 'AA' },
          transcript: 'hi',
        },
      ]).choices[0] ?? {};
    expect(message).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'a\n\nb',
      refusal: 'no',
      images: [{ type: 'image_url', image_url: { url: 'https://x.test/a.png' } }],
      audio: { id: 'audio_x', data: 'AA', expires_at: 3607, transcript: 'hi' },
    });
  });

  it('reports length and filters, and an error for an empty response without a finish reason', () => {
    expect(encode([{ type: 'text', text: 'a' }], 'length').choices[0]?.finish_reason).toBe('length');
    expect(encode([], 'content_filter').choices[0]).toMatchObject({
      message: { content: '' },
      finish_reason: 'content_filter',
    });
    expect(() => encode([], 'other')).toThrow(expect.objectContaining({ code: 'provider_error' }));
  });

  it('decodes its own output', () => {
    const content: ContentBlock[] = [
      { type: 'reasoning', text: ['r'], isSummary: false },
      { type: 'text', text: 'a' },
      call('a'),
    ];
    const target = { upstream: 'u', account: 'a', protocol: 'chat-completions', model: 'm', quirks: {} } as const;
    const { choices, usage } = decodeResponse(encode(content, 'tool_calls'), { target, newId: (prefix) => prefix });
    expect(choices).toEqual([{ content, finish: 'tool_calls' }]);
    expect(usage).toEqual({ inputTokens: 1, outputTokens: 2 });
  });
});
