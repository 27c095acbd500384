import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatCompletionsProtocol } from '../chat-completions/index.ts';
import { generativeContentProtocol } from '../generative-content/index.ts';
import { messagesProtocol } from '../messages/index.ts';
import { responsesProtocol } from '../responses/index.ts';
import { createTokenCodec } from '../text/token-codec.ts';
import type { ResponseContext, TextProtocol } from '../contracts/text-protocol.ts';
import { relayStream } from './relay-stream.ts';

function context(protocol: TextProtocol, framing: 'sse' | 'json-array' = 'sse'): ResponseContext {
  return {
    request: { protocol: protocol.name, model: 'client-model', stream: true, messages: [], tools: [] },
    body: {},
    createdAt: 0,
    newId: (prefix) => `${prefix}1`,
    tokenCodec: createTokenCodec('a secret of the test'),
    framing,
  };
}

function relayAll(
  protocol: TextProtocol,
  stream: string,
  options: { withhold?: boolean; cut?: number; array?: true } = {},
) {
  const framing = options.array ? 'json-array' : 'sse';
  const writer = relayStream({
    protocol,
    model: 'client-model',
    framing,
    context: () => context(protocol, framing),
    withholdUsage: options.withhold ?? false,
    scrub: (text) => text.replaceAll('sk-vendor-key', '[hidden]'),
  });
  const bytes = Buffer.from(stream);
  const cut = options.cut ?? bytes.length;
  let out = '';
  for (let at = 0; at < bytes.length; at += cut) out += writer.push(bytes.subarray(at, at + cut));
  out += writer.end();
  return { text: Buffer.from(out, writer.encoding).toString(), progress: writer.progress, writer };
}

const chunk = (rest: string) =>
  `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"upstream-model-2025",${rest}}\n\n`;
const CHAT =
  chunk('"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"new":1.0') +
  ': a comment\n\n' +
  chunk('"choices":[{"index":0,"delta":{"content":"你好 \\"model\\":\\"x\\""},"finish_reason":null}]') +
  chunk('"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]') +
  chunk('"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}') +
  'data: [DONE]\n\n';
const MESSAGES =
  'event: message_start\ndata: {"type":"message_start","message":{"id":"m1","model":"upstream-model","content":[],"usage":{"input_tokens":5,"output_tokens":1}}}\n\n' +
  'event: unheard_of\ndata: {"type":"unheard_of","model":"stays"}\n\n' +
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}\n\n' +
  'event: message_stop\ndata: {"type":"message_stop"}\n\n';
const RESPONSES =
  'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_9","model":"upstream-model","usage":null}}\n\n' +
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"hi"}\n\n' +
  'event: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_9","model":"upstream-model","usage":{"input_tokens":2,"output_tokens":1,"total_tokens":3}}}\n\n';
const GEMINI =
  'data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}],"modelVersion":"upstream-model"}\r\n\r\n' +
  'data: {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":2,"candidatesTokenCount":1,"totalTokenCount":3},"modelVersion":"upstream-model"}\r\n\r\n';

describe('relayStream', () => {
  it('changes only the model’s name in a chat stream', () => {
    const { text, progress } = relayAll(chatCompletionsProtocol, CHAT);
    expect(text).toBe(CHAT.replaceAll('upstream-model-2025', 'client-model'));
    expect(progress).toMatchObject({ isFinished: true, usage: { inputTokens: 7, outputTokens: 3 } });
    expect(progress.failed).toBeUndefined();
  });

  it('relays data on several lines', () => {
    const spread = CHAT.replaceAll(',"choices"', ',\ndata: "choices"');
    const { text, progress } = relayAll(chatCompletionsProtocol, spread);
    expect(text).toBe(CHAT.replaceAll('upstream-model-2025', 'client-model').replaceAll(',"choices"', ', "choices"'));
    expect(progress).toMatchObject({ isFinished: true, usage: { inputTokens: 7 } });
  });

  it.each([
    ['chat completions', chatCompletionsProtocol, CHAT],
    ['messages', messagesProtocol, MESSAGES],
    ['responses', responsesProtocol, RESPONSES],
    ['generative content', generativeContentProtocol, GEMINI],
  ])('relays a stream of %s whose lines end with carriage returns', (_, protocol, stream) => {
    const returned = stream.replaceAll('\r\n', '\n').replaceAll('\n', '\r');
    const plain = relayAll(protocol, stream.replaceAll('\r\n', '\n'));
    for (const cut of [1, 5, returned.length]) {
      const { text, progress } = relayAll(protocol, `\uFEFF${returned}`, { cut });
      expect(text).toBe(plain.text);
      expect(progress).toEqual(plain.progress);
    }
  });

  it('withholds the usage chunk from a client that did not request it', () => {
    const { text, progress } = relayAll(chatCompletionsProtocol, CHAT, { withhold: true });
    expect(text).not.toContain('"choices":[]');
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    expect(progress.usage).toMatchObject({ inputTokens: 7 });
  });

  it('records everything on which a price can depend', () => {
    const paid = '"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}';
    const chat = CHAT.replace(paid, `${paid},"service_tier":"priority"`);
    expect(relayAll(chatCompletionsProtocol, chat).progress.usage?.serviceTier).toBe('priority');
    const ended = '"usage":{"input_tokens":2,"output_tokens":1,"total_tokens":3}';
    const searched = '"service_tier":"flex","tool_usage":{"web_search":{"num_requests":4}}';
    const responses = RESPONSES.replace(ended, `${searched},${ended}`);
    expect(relayAll(responsesProtocol, responses).progress.usage).toMatchObject({ searches: 4, serviceTier: 'flex' });
    const written = '"cache_creation_input_tokens":8,"cache_creation":{"ephemeral_1h_input_tokens":6}';
    const messages = MESSAGES.replace('"input_tokens":5', `"input_tokens":5,${written}`).replace(
      '"output_tokens":9',
      '"output_tokens":9,"server_tool_use":{"web_search_requests":1}',
    );
    expect(relayAll(messagesProtocol, messages).progress.usage).toMatchObject({
      inputTokens: 13,
      cacheWriteTokens: 8,
      cacheWrite1hTokens: 6,
      searches: 1,
    });
  });

  it('forwards unknown events and sums the usage of messages', () => {
    const { text, progress } = relayAll(messagesProtocol, MESSAGES);
    expect(text).toBe(MESSAGES.replace('"upstream-model"', '"client-model"'));
    expect(progress).toMatchObject({ isFinished: true, usage: { inputTokens: 5, outputTokens: 9 } });
  });

  it('records the id of a response and writes its usage under both sets of field names', () => {
    const { text, progress } = relayAll(responsesProtocol, RESPONSES);
    expect(progress).toMatchObject({ isFinished: true, responseId: 'resp_9', usage: { inputTokens: 2 } });
    expect(text.replaceAll('"client-model"', '"upstream-model"')).toBe(
      RESPONSES.replace('"total_tokens":3}', '"total_tokens":3,"prompt_tokens":2,"completion_tokens":1}'),
    );
  });

  it('writes Gemini’s frames as an array for clients that requested one', () => {
    const { text, progress } = relayAll(generativeContentProtocol, GEMINI, { array: true });
    expect(JSON.parse(text)).toMatchObject([
      { modelVersion: 'client-model' },
      { candidates: [{ finishReason: 'STOP' }] },
    ]);
    expect(progress.usage).toMatchObject({ inputTokens: 2, outputTokens: 1 });
  });

  it.each([
    ['chat-completions', chatCompletionsProtocol, CHAT],
    ['messages', messagesProtocol, MESSAGES],
    ['responses', responsesProtocol, RESPONSES],
    ['generative-content', generativeContentProtocol, GEMINI],
  ])('writes the same for %s, independent of chunk boundaries', (_name, protocol, stream) => {
    const unsplit = relayAll(protocol, stream).text;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), (cut) => {
        expect(relayAll(protocol, stream, { cut }).text).toBe(unsplit);
      }),
    );
  });

  it.each([
    ['chat-completions', chatCompletionsProtocol, CHAT.slice(0, CHAT.indexOf('"finish_reason":"stop"') - 40)],
    ['messages', messagesProtocol, MESSAGES.slice(0, MESSAGES.indexOf('event: message_stop'))],
    ['responses', responsesProtocol, RESPONSES.slice(0, RESPONSES.indexOf('event: response.completed'))],
    ['generative-content', generativeContentProtocol, GEMINI.slice(0, GEMINI.indexOf('\r\n\r\n') + 4)],
  ])('treats a stream of %s without a final event as broken', (_name, protocol, stream) => {
    const { progress } = relayAll(protocol, stream);
    expect(progress.isFinished).toBe(false);
    expect(progress.failed).toMatchObject({ code: 'provider_error' });
  });

  it.each([
    ['chat-completions', chatCompletionsProtocol, 'data: {"error":{"message":"busy","code":503}}\n\n'],
    ['chat-completions', chatCompletionsProtocol, 'data: {"choices":[],"error":{"message":"busy","code":502}}\n\n'],
    [
      'messages',
      messagesProtocol,
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n',
    ],
    [
      'responses',
      responsesProtocol,
      'event: response.failed\ndata: {"type":"response.failed","response":{"id":"resp_1","error":{"code":"server_error","message":"busy"}}}\n\n',
    ],
    [
      'generative-content',
      generativeContentProtocol,
      'data: {"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}\r\n\r\n',
    ],
  ])('reports an error frame of %s that the client already has', (_name, protocol, stream) => {
    const { text, progress } = relayAll(protocol, stream);
    expect(text).toContain('busy');
    expect(progress).toMatchObject({ isFinished: false, isReported: true });
    expect(progress.failed?.code).toMatch(/^provider_(?:error|overloaded)$/);
  });

  it('fails the response that started, not another one', () => {
    const started = RESPONSES.slice(0, RESPONSES.indexOf('event: response.completed')).replace(
      '"type":"response.output_text.delta"',
      '"type":"response.output_text.delta","sequence_number":4',
    );
    const { writer, progress } = relayAll(responsesProtocol, started);
    if (!progress.failed) throw new Error('The stream must fail.');
    const text = Buffer.from(writer.fail(progress.failed), 'latin1').toString();
    expect(text.match(/^event:/gm)).toHaveLength(1);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({
      type: 'response.failed',
      sequence_number: 5,
      response: { id: 'resp_9', model: 'client-model', status: 'failed' },
    });
  });

  it('scrubs secrets from an error', () => {
    const { text } = relayAll(chatCompletionsProtocol, 'data: {"error":{"message":"bad key sk-vendor-key"}}\n\n');
    expect(text).toBe('data: {"error":{"message":"bad key [hidden]"}}\n\n');
  });

  it('reports when the response is complete', () => {
    expect(relayAll(chatCompletionsProtocol, CHAT).progress.isEnded).toBe(true);
    expect(relayAll(chatCompletionsProtocol, CHAT.replace('data: [DONE]\n\n', '')).progress.isEnded).toBeUndefined();
    expect(relayAll(messagesProtocol, MESSAGES).progress.isEnded).toBe(true);
  });

  it('closes a truncated array so that it is valid JSON', () => {
    const { text, writer, progress } = relayAll(
      generativeContentProtocol,
      GEMINI.slice(0, GEMINI.indexOf('\r\n\r\n') + 4),
      {
        array: true,
      },
    );
    if (!progress.failed) throw new Error('The stream must fail.');
    const array: unknown = JSON.parse(text + Buffer.from(writer.fail(progress.failed), 'latin1').toString());
    expect(array).toMatchObject([{ modelVersion: 'client-model' }, { error: { code: 502 } }]);
  });
});
