import { describe, expect, it } from 'vitest';
import { CENSOR, isSecretField, redactText, redactUrl, redactValue } from './redact.ts';

describe('isSecretField', () => {
  it.each([
    'authorization',
    'Authorization',
    'api_key',
    'apiKey',
    'API-KEY',
    'key',
    'access_key',
    'secret_key',
    'secretKey',
    'cookie',
    'set-cookie',
    'x-api-key',
    'x-gen-api-key',
    'x-goog-api-key',
    'token',
    'prompt',
    'negativePrompt',
    'body',
  ])('masks %s', (name) => {
    expect(isSecretField(name)).toBe(true);
  });

  it.each(['keyName', 'model', 'taskId', 'tokens', 'status'])('does not mask %s', (name) => {
    expect(isSecretField(name)).toBe(false);
  });
});

describe('redactUrl', () => {
  it.each([
    ['/v1beta/models/m:generateContent?key=abc', `/v1beta/models/m:generateContent?key=${CENSOR}`],
    ['/x?alt=sse&KEY=abc&a=1', `/x?alt=sse&KEY=${CENSOR}&a=1`],
    ['/x?%6bey=abc', `/x?%6bey=${CENSOR}`],
    ['/callback?code=a&state=b&iss=c', `/callback?code=${CENSOR}&state=${CENSOR}&iss=c`],
    ['https://user:pa@ss@host:1/p?q=1#frag', 'https://host:1/p?q=1'],
    ['redis://:secret@127.0.0.1:6379/0', 'redis://127.0.0.1:6379/0'],
    ['/plain', '/plain'],
    ['/at@path?x', '/at@path?x'],
  ])('turns %s into %s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
  });
});

describe('redactText', () => {
  it('masks the configured secrets, longest first', () => {
    expect(redactText('got abcd and abcdef', ['abcd', 'abcdef'])).toBe(`got ${CENSOR} and ${CENSOR}`);
  });

  it('does not mask secrets that are short enough to be words', () => {
    expect(redactText('a cat sat', ['a', ''])).toBe('a cat sat');
  });

  it.each([
    ['Incorrect API key provided: sk-proj-abc_DEF-123.', `Incorrect API key provided: ${CENSOR}.`],
    ['sent Authorization: Bearer eyabc.def.ghi now', `sent Authorization: Bearer ${CENSOR} now`],
    ['{"Authorization": "Basic dXNlcjpwYXNz"}', `{"Authorization": "Basic ${CENSOR}"}`],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJhIn0.c2ln end', `jwt ${CENSOR} end`],
    ['signed with whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La/+w= now', `signed with ${CENSOR} now`],
    ['key AIzaSyA1234567890abcdefghijklmnop bad', `key ${CENSOR} bad`],
    ['GET https://u:p@h/p?key=abc&x=1 failed', `GET https://h/p?key=${CENSOR}&x=1 failed`],
  ])('masks credentials in: %s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it('does not change a sentence without credentials', () => {
    const text = 'The video task-runner took 12 s; basic risk-free fallback to model sora-2.';
    expect(redactText(text)).toBe(text);
  });
});

describe('redactValue', () => {
  it('masks secret fields at any depth, also in lists', () => {
    const value = { a: [{ headers: { Authorization: 'x', accept: 'y' } }], prompt: 'a cat', model: 'm' };
    expect(redactValue(value)).toEqual({
      a: [{ headers: { Authorization: CENSOR, accept: 'y' } }],
      prompt: CENSOR,
      model: 'm',
    });
  });

  it("keeps an error's message, code, and cause, and drops the request attached to it", () => {
    const cause = Object.assign(new Error('ECONNRESET to https://u:p@h/'), { code: 'ECONNRESET' });
    const error = Object.assign(new TypeError('refused hunter22', { cause }), {
      request: { body: 'a cat' },
      response: { data: 'a dog' },
      status: 502,
    });
    const redacted = redactValue(error, ['hunter22']);
    expect(redacted).toMatchObject({
      type: 'TypeError',
      message: `refused ${CENSOR}`,
      status: 502,
      cause: { type: 'Error', code: 'ECONNRESET', message: 'ECONNRESET to https://h/' },
    });
    expect(JSON.stringify(redacted)).not.toMatch(/hunter22|a cat|a dog|u:p@/);
  });

  it('shows bytes by their count and requests by method and URL', () => {
    class Request {
      method = 'GET';
      url = '/x?key=abc';
      headers = { authorization: 'Bearer abcdef' };
    }
    expect(redactValue({ bytes: new Uint8Array(3), req: new Request() })).toEqual({
      bytes: '[3 bytes]',
      req: { method: 'GET', url: `/x?key=${CENSOR}` },
    });
  });

  it('stops at cycles and at the depth limit', () => {
    const ring: Record<string, unknown> = { name: 'ring' };
    ring['self'] = ring;
    expect(redactValue(ring)).toEqual({ name: 'ring', self: '[circular]' });
    expect(JSON.stringify(redactValue({ a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }))).toContain('[deep]');
  });
});
