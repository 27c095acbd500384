import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { chatCompletionsProtocol } from '../chat-completions/index.ts';
import { generativeContentProtocol } from '../generative-content/index.ts';
import { parseBody } from '../json/parse-json.ts';
import { readTextRequest, withBody } from './text-request.ts';

const messages = [{ role: 'user', content: 'hi' }];

function read(body: unknown) {
  return readTextRequest(chatCompletionsProtocol, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
}

/** Returns the error that the reader throws for a body. */
function refusal(body: unknown): GatewayError {
  try {
    read(body);
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new Error('The body must be rejected.');
}

describe('readTextRequest', () => {
  it('reads model and stream, and preserves the bytes', () => {
    const bytes = Buffer.from(' {"model":"m", "stream" :true,"messages":[{"role":"user","content":"你"}],"x":1.0}');
    const request = readTextRequest(chatCompletionsProtocol, bytes);
    expect(request).toMatchObject({ model: 'm', stream: true });
    expect(request.bytes).toBe(bytes);
    expect(request.member('x')).toBe(1);
    expect(request.member('y')).toBeUndefined();
  });

  it('reads model and stream from the path if the protocol defines them there', () => {
    const bytes = Buffer.from(JSON.stringify({ contents: [{ parts: [{ text: 'hi' }] }] }));
    const request = readTextRequest(generativeContentProtocol, bytes, { model: 'g', stream: true });
    expect(request).toMatchObject({ model: 'g', stream: true });
  });

  it.each(['', '{', '[]', 'null', '"a"', '{"model":"m",}', 'model=m'])('rejects the body %s', (body) => {
    expect(refusal(body).code).toBe('invalid_request');
  });

  it.each([
    [{ messages }, 'model'],
    [{ model: 1, messages }, 'model'],
    [{ model: 'm' }, 'messages'],
    [{ model: 'm', messages: 'hi' }, 'messages'],
    [{ model: 'm', messages, temperature: 2.01 }, 'temperature'],
    [{ model: 'm', messages, temperature: -0.01 }, 'temperature'],
    [{ model: 'm', messages, top_p: 1.01 }, 'top_p'],
    [{ model: 'm', messages, n: 0 }, 'n'],
    [{ model: 'm', messages, presence_penalty: 2.01 }, 'presence_penalty'],
    [{ model: 'm', messages, frequency_penalty: -2.01 }, 'frequency_penalty'],
    [{ model: 'm', messages, stream: 'yes' }, 'stream'],
  ])('names the invalid member in %j', (body, param) => {
    expect(refusal(body)).toMatchObject({ code: 'invalid_request', param });
  });

  it.each([
    { temperature: 0 },
    { temperature: 2 },
    { top_p: 0 },
    { top_p: 1 },
    { n: 1 },
    { presence_penalty: -2 },
    { presence_penalty: 2 },
    { frequency_penalty: -2 },
    { frequency_penalty: 2 },
    { temperature: null },
    { anything: { unknown: true } },
  ])('accepts %j', (extra) => {
    expect(read({ model: 'm', messages, ...extra }).model).toBe('m');
  });

  it('checks the top level of a large body without parsing it', () => {
    const image = 'a'.repeat(200_000);
    const large = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] }];
    expect(read({ model: 'm', messages: large }).model).toBe('m');
    expect(refusal({ model: 'm', messages: large, temperature: 3 }).param).toBe('temperature');
    expect(refusal({ model: 'm', messages: image }).param).toBe('messages');
    expect(refusal({ messages: large }).param).toBe('model');
  });

  it('rejects a truncated large body', () => {
    const text = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'a'.repeat(100_000) }] });
    expect(refusal(text.slice(0, -2)).code).toBe('invalid_request');
  });
});

describe('withBody', () => {
  it('changes only the body', () => {
    const request = withBody(read({ model: 'm', stream: true, messages }), { messages: [] });
    expect(request).toMatchObject({ model: 'm', stream: true });
    expect(request.body()).toEqual({ messages: [] });
    expect(parseBody(request.bytes)).toEqual({ messages: [] });
  });
});

describe('mentions', () => {
  it('finds keys and values, with and without escapes', () => {
    for (const key of [
      'file_id',
      String.raw`\u0066ile_id`,
      String.raw`file\u005Fid`,
      String.raw`caf\u00e9":1,"file\u005fid`,
    ]) {
      const text = `{"model":"m","messages":[{}],"a":{"${key}":"b"}}`;
      expect(read(text).mentions('file_id'), key).toBe(true);
    }
    expect(read({ model: 'm', messages, type: 'file_id' }).mentions('file_id')).toBe(true);
  });

  it('ignores occurrences inside a text', () => {
    const request = read({ model: 'm', messages: [{ role: 'user', content: 'the file_id \u00e9' }] });
    expect(request.mentions('file_id')).toBe(false);
  });
});
