import { describe, expect, it } from 'vitest';
import { decodeMessageRequest, generativeLineDecoder, generativeRequestDecoder } from './inline-requests.ts';

const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const url = '/v1beta/models/m:generateContent';
const inline = generativeRequestDecoder('m', url);
const line = generativeLineDecoder('m', url);
const refusal = (message: string, param?: string) => expect.objectContaining({ message, ...(param && { param }) });

describe('decodeMessageRequest', () => {
  it('returns a line with the same bytes of the body', () => {
    const text = '{\r\n "params": {"model":"m",\n"n":1.0, "big":12345678901234567890,"text":"a\\nb"},"custom_id":"a" }';
    expect(decodeMessageRequest(bytes(text), 1)).toEqual({
      customId: 'a',
      model: 'm',
      line:
        '{"custom_id":"a","method":"POST","url":"/v1/messages",' +
        '"body":{"model":"m", "n":1.0, "big":12345678901234567890,"text":"a\\nb"}}',
    });
  });

  it.each<[string, unknown, string]>([
    ['custom_id is missing', { params: { model: 'm' } }, 'requests[2]: custom_id is required.'],
    ['custom_id is a number', { custom_id: 1, params: { model: 'm' } }, 'requests[2]: custom_id must be a string.'],
    [
      'custom_id is too long',
      { custom_id: 'a'.repeat(65), params: { model: 'm' } },
      'requests[2]: custom_id must have 1 to 64 letters, digits, hyphens, or underscores.',
    ],
    ['params is missing', { custom_id: 'a' }, 'requests[2]: params is required.'],
    ['the model is missing', { custom_id: 'a', params: {} }, 'requests[2]: params[model] is required.'],
    [
      'it is streamed',
      { custom_id: 'a', params: { model: 'm', stream: true } },
      'requests[2]: params[stream] must be false in a batch.',
    ],
    ['it is no object', 5, 'requests[2]: The request must be an object.'],
    ['it is no JSON', '{} {}', 'requests[2]: The body is not valid JSON.'],
  ])('rejects a request if %s', (_title, request, message) => {
    expect(() => decodeMessageRequest(bytes(request), 3)).toThrow(refusal(message, 'requests[2]'));
  });
});

describe('requests in Google’s format', () => {
  const contents = [{ parts: [{ text: 'hi' }] }];

  it('have an id by their position, and keep their metadata', () => {
    const request = { request: { contents, model: 'models/m' }, metadata: { key: 'first' } };
    expect(JSON.parse(inline(bytes(request), 2).line)).toEqual({
      custom_id: 'request-2',
      method: 'POST',
      url,
      metadata: { key: 'first' },
      body: request.request,
    });
  });

  it('can have the system instruction beside the request', () => {
    const systemInstruction = { parts: [{ text: 'Be brief.' }] };
    const { line: text } = inline(bytes({ request: { contents }, systemInstruction }), 1);
    expect(JSON.parse(text)).toMatchObject({ body: { contents, systemInstruction } });
  });

  it('have a key in a file', () => {
    const { customId, line: text } = line(bytes({ key: 'größe 1', request: { contents } }), 1);
    expect([customId, JSON.parse(text)]).toEqual([
      'größe 1',
      { custom_id: 'größe 1', method: 'POST', url, body: { contents } },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['the request is missing', {}, 'request is required.'],
    ['the request is a list', { request: [] }, 'request must be an object.'],
    [
      'it names another model',
      { request: { model: 'models/x' } },
      'request[model] must be `models/m`, as in the path.',
    ],
    ['the metadata is a text', { request: {}, metadata: 'a' }, 'metadata must be an object.'],
  ])('are rejected if %s', (_title, request, message) => {
    const path = 'batch[inputConfig][requests][requests][0]';
    expect(() => inline(bytes(request), 1)).toThrow(refusal(`${path}: ${message}`, path));
    const keyed = typeof request === 'object' ? { key: 'a', ...request } : request;
    expect(() => line(bytes(keyed), 7)).toThrow(refusal(`Line 7: ${message}`));
  });

  it('need a key in a file', () => {
    expect(() => line(bytes({ request: {} }), 1)).toThrow(refusal('Line 1: key is required.', 'key'));
  });
});
