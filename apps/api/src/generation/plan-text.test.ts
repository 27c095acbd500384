import { generativeContentProtocol, messagesProtocol, type TextEndpoint } from '@sluice/protocols';
import { describe, expect, it } from 'vitest';
import { bodyOf, expectVersion, pathOf } from './plan-text.ts';
import type { TextCall } from './generation-deps.ts';

/** A call as far as its path and body go. */
function call(verb: string | undefined, rest: string, body?: unknown): TextCall {
  const endpoint = { protocol: generativeContentProtocol, ...(verb !== undefined && { verb }) } as TextEndpoint; // all that is read
  return { endpoint, request: { params: { '*': rest }, body } } as unknown as TextCall; // the same
}

describe('a path', () => {
  it('names the model before its last colon, and whether to stream', () => {
    expect(pathOf(call('generateContent', 'a/b:c:generateContent'))).toEqual({ model: 'a/b:c', stream: false });
    expect(pathOf(call('streamGenerateContent', 'models/a:streamGenerateContent'))).toEqual({
      model: 'a',
      stream: true,
    });
  });

  it('says nothing for protocols that have the model in the body', () => {
    expect(pathOf(call(undefined, ''))).toBeUndefined();
  });

  it('without a model leads nowhere', () => {
    expect(() => pathOf(call('generateContent', ':generateContent'))).toThrow('The path does not name a model.');
  });
});

describe('a body', () => {
  it('is what came, byte by byte', () => {
    const bytes = Buffer.from('{"a": 1.0}');
    expect(bodyOf(call(undefined, '', bytes))).toBe(bytes);
  });

  it('that is none counts as an empty object', () => {
    for (const body of [undefined, null, Buffer.alloc(0)]) {
      expect(Buffer.from(bodyOf(call(undefined, '', body))).toString()).toBe('{}');
    }
  });
});

describe('the version of the messages protocol', () => {
  it('is taken in either spelling, whichever it is', () => {
    expect(() => expectVersion(messagesProtocol, { 'messages-version': '1' })).not.toThrow();
    expect(() => expectVersion(messagesProtocol, { 'anthropic-version': '2023-06-01' })).not.toThrow();
    expect(() => expectVersion(messagesProtocol, {})).toThrow(/anthropic-version.*is required/);
  });

  it('is asked of nobody else', () => {
    expect(() => expectVersion(generativeContentProtocol, {})).not.toThrow();
  });
});
