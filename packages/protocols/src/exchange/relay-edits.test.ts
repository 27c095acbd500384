import type { Loss, TextProtocolName, TextQuirks } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { chatCompletionsProtocol } from '../chat-completions/index.ts';
import { messagesProtocol } from '../messages/index.ts';
import { createTokenCodec } from '../text/token-codec.ts';
import type { TextProtocol } from '../contracts/text-protocol.ts';
import { editObject, relayedRequest } from './relay-edits.ts';
import { readTextRequest } from './text-request.ts';

const tokenCodec = createTokenCodec('a secret of the test');

function relay(protocol: TextProtocol, body: string, quirks: TextQuirks = {}): { text: string; losses: Loss[] } {
  const losses: Loss[] = [];
  const target = { upstream: 'u', account: 'mine', protocol: protocol.name, model: 'upstream-model', quirks };
  const request = readTextRequest(protocol, Buffer.from(body));
  const report = (loss: Loss) => losses.push(loss);
  const sent = relayedRequest(request, { target, tokenCodec, report });
  return { text: Buffer.concat(Array.isArray(sent) ? sent : [sent]).toString(), losses };
}

const chat = (rest: string) =>
  `{ "messages" : [{"role":"user","content":"你 \\u4f60"}] ,"model": "client-model"${rest} }`;
const relayed = (rest: string) => chat(rest).replace('"client-model"', '"upstream-model"');

describe('relayedRequest', () => {
  it('relays a thread only to an upstream that stores threads', () => {
    const body = '{"model":"client-model","max_tokens":1,"messages":[],"thread":{"type":"create"}}';
    expect(relay(messagesProtocol, body, { threads: true }).text).toBe(body.replace('client-model', 'upstream-model'));
    const refusal = expect.objectContaining({ code: 'thread_unsupported_request', param: 'thread' });
    expect(() => relay(messagesProtocol, body)).toThrow(refusal);
    expect(relay(messagesProtocol, body.replace('{"type":"create"}', 'null')).text).toContain('"thread":null');
  });

  it('changes only the model’s name', () => {
    expect(relay(chatCompletionsProtocol, chat(',"big":12345678901234567890,"x":[1.0, 2]')).text).toBe(
      relayed(',"big":12345678901234567890,"x":[1.0, 2]'),
    );
  });

  it('changes only the name in a body with an image of a megabyte, sent in several chunks', () => {
    const url = `data:image/png;base64,${'A'.repeat(1024 * 1024)}`;
    const body = {
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
      model: 'client-model',
    };
    const { text } = relay(chatCompletionsProtocol, JSON.stringify({ ...body, stream: true }));
    const expected = { ...body, model: 'upstream-model', stream: true, stream_options: { include_usage: true } };
    expect(text === JSON.stringify(expected)).toBe(true);
  });

  it('requests usage in a chat stream, with any other stream options', () => {
    const plain = relay(chatCompletionsProtocol, chat(',"stream":true')).text;
    expect(plain).toBe(relayed(',"stream":true ,"stream_options":{"include_usage":true}').replace('} }', '}}'));
    const more = relay(chatCompletionsProtocol, chat(',"stream":true,"stream_options":{"a":1,"include_usage":false}'));
    expect(JSON.parse(more.text)).toMatchObject({ stream_options: { a: 1, include_usage: true } });
    const none = relay(chatCompletionsProtocol, chat(',"stream":true,"stream_options":null'));
    expect(JSON.parse(none.text)).toMatchObject({ stream_options: { include_usage: true } });
  });

  it('does not request usage if the operator configured that the upstream rejects it', () => {
    const { text } = relay(chatCompletionsProtocol, chat(',"stream":true'), { stream_usage: false });
    expect(text).toBe(relayed(',"stream":true'));
  });

  it('changes only the model of a messages request', () => {
    const body =
      '{"model":"client-model","max_tokens":5,"stream":true,"messages":[{"role":"user","content":"hi"}],"new":{"a":1}}';
    expect(relay(messagesProtocol, body).text).toBe(body.replace('"client-model"', '"upstream-model"'));
  });

  it('replaces the model by the version for an upstream that receives the model in the path', () => {
    const body =
      '{ "max_tokens" : 5 , "model" : "client-model" ,"messages":[{"role":"user","content":"\\u4f60 你"}],"x":[1.0]}';
    const quirks = { version_in_body: 'vertex-2023-10-16' };
    const sent = relay(messagesProtocol, body, quirks);
    expect(sent.text).toBe(body.replace('"model" : "client-model"', '"anthropic_version":"vertex-2023-10-16"'));
    const escaped = relay(messagesProtocol, body.replace('"model"', '"\\u006dodel"'), quirks);
    expect(escaped.text).toBe(sent.text);
    const own = relay(messagesProtocol, body.replace('{', '{"anthropic_version":"other",'), quirks);
    expect(JSON.parse(own.text)).toEqual(JSON.parse(sent.text));
    expect(sent.losses).toEqual([]);
  });

  it('keeps all digits of large integers in a body that is serialized again', () => {
    const big = ',"seed":9223372036854775807,"x":[-12345678901234567890,1e40,{"y":9007199254740993}]';
    const configured = relay(chatCompletionsProtocol, chat(`${big},"top_p":1`), { sampling: false });
    expect(configured.text).toContain(big.replace('1e40', '1e+40'));
    const signature = tokenCodec.wrap({
      protocol: 'messages',
      account: 'mine',
      model: 'upstream-model',
      value: 'native',
    });
    const thinking = JSON.stringify([
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature }] },
    ]);
    const restored = relay(messagesProtocol, `{"model":"client-model","max_tokens":9,"messages":${thinking}${big}}`);
    expect(restored.text).toContain(big.replace('1e40', '1e+40'));
    expect(restored.text).toContain('"signature":"native"');
  });

  it('applies configured quirks and reports their losses', () => {
    const { text, losses } = relay(chatCompletionsProtocol, chat(',"temperature":1,"max_tokens":5'), {
      sampling: false,
      max_tokens_field: 'max_completion_tokens',
    });
    expect(JSON.parse(text)).toEqual({
      messages: [{ role: 'user', content: '你 你' }],
      model: 'upstream-model',
      max_completion_tokens: 5,
    });
    expect(losses).toEqual([{ field: 'temperature', how: 'dropped' }]);
  });
});

describe('editObject', () => {
  it.each<[TextProtocolName, string, string]>([
    ['chat-completions', '{"id":"1","model":"upstream-model","x":1.0}', '{"id":"1","model":"client-model","x":1.0}'],
    [
      'messages',
      '{"model":"upstream-model","usage":{"input_tokens":1}}',
      '{"model":"client-model","usage":{"input_tokens":1}}',
    ],
    ['generative-content', '{"modelVersion":"upstream-model-001"}', '{"modelVersion":"client-model"}'],
    ['chat-completions', '{"choices":[{"model":"inner"}]}', '{"choices":[{"model":"inner"}]}'],
    ['messages', 'no json', 'no json'],
  ])('restores the client’s model name in %s: %s', (protocol, text, expected) => {
    expect(editObject(protocol, text, 'client-model')).toBe(expected);
  });

  it('writes the usage of responses under both sets of field names', () => {
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: 6,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 16,
    };
    const text = editObject(
      'responses',
      JSON.stringify({ model: 'upstream-model', usage, tail: true }),
      'client-model',
    );
    expect(JSON.parse(text)).toEqual({
      model: 'client-model',
      tail: true,
      usage: {
        ...usage,
        prompt_tokens: 10,
        completion_tokens: 6,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    });
  });
});
