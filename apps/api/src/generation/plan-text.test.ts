import { generativeContentProtocol, messagesProtocol, type TextEndpoint } from '@sluice/protocols';
import { describe, expect, it } from 'vitest';
import { bodyOf, expectVersion, pathOf } from './plan-text.ts';
import type { TextCall } from './generation-deps.ts';

/** Creates a call with only a path and a body. */
function call(verb: string | undefined, rest: string, body?: unknown): TextCall {
  // The cast is safe because the code under test reads only these fields.
  const endpoint = { protocol: generativeContentProtocol, ...(verb !== undefined && { verb }) } as TextEndpoint;
  // The cast is safe because the code under test reads only these fields.
  return { endpoint, request: { params: { '*': rest }, body } } as unknown as TextCall;
}

describe('pathOf', () => {
  it('returns the model before the last colon, and the stream mode', () => {
    expect(pathOf(call('generateContent', 'a/b:c:generateContent'))).toEqual({ model: 'a/b:c', stream: false });
    expect(pathOf(call('streamGenerateContent', 'models/a:streamGenerateContent'))).toEqual({
      model: 'a',
      stream: true,
    });
  });

  it('returns nothing for protocols with the model in the body', () => {
    expect(pathOf(call(undefined, ''))).toBeUndefined();
  });

  it('rejects a path without a model', () => {
    expect(() => pathOf(call('generateContent', ':generateContent'))).toThrow('The path does not name a model.');
  });
});

describe('bodyOf', () => {
  it('returns the exact bytes', () => {
    const bytes = Buffer.from('{"a": 1.0}');
    expect(bodyOf(call(undefined, '', bytes))).toBe(bytes);
  });

  it('returns an empty object for a missing body', () => {
    for (const body of [undefined, null, Buffer.alloc(0)]) {
      expect(Buffer.from(bodyOf(call(undefined, '', body))).toString()).toBe('{}');
    }
  });
});

describe('expectVersion', () => {
  it('accepts either header name with any value', () => {
    expect(() => expectVersion(messagesProtocol, { 'messages-version': '1' })).not.toThrow();
    expect(() => expectVersion(messagesProtocol, { 'anthropic-version': '2023-06-01' })).not.toThrow();
    expect(() => expectVersion(messagesProtocol, {})).toThrow(/anthropic-version.*is required/);
  });

  it('applies to the messages protocol only', () => {
    expect(() => expectVersion(generativeContentProtocol, {})).not.toThrow();
  });
});
