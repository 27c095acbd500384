import { describe, expect, it } from 'vitest';
import { tokenCounting } from './token-counting.ts';

const contents = [{ parts: [{ text: 'Hi' }] }];
const target = {
  upstream: 'google',
  account: 'a1',
  protocol: 'generative-content',
  model: 'gemini-3-pro',
  quirks: {},
} as const;

describe('tokenCounting', () => {
  it('accepts both request formats', () => {
    expect(tokenCounting.decodeRequest({ contents })).toEqual({ contents });
    expect(tokenCounting.decodeRequest({ generateContentRequest: { model: 'models/x', contents } })).toEqual({
      model: 'models/x',
      contents,
    });
    expect(tokenCounting.decodeRequest({ generate_content_request: { contents } })).toEqual({ contents });
    expect(() => tokenCounting.decodeRequest({ generateContentRequest: 'x' })).toThrow(
      expect.objectContaining({ param: 'generateContentRequest' }),
    );
  });

  it('sends the complete request, which the short form rejects', () => {
    const body = { contents, tools: [] };
    expect(tokenCounting.encodeRequest(body, target)).toEqual({
      generateContentRequest: { model: 'models/gemini-3-pro', ...body },
    });
  });

  it('reads only its own response', () => {
    expect(tokenCounting.decodeCount(tokenCounting.encodeCount(7))).toBe(7);
    expect(tokenCounting.decodeCount({ tokens: 7 })).toBeUndefined();
    expect(tokenCounting.decodeCount('7')).toBeUndefined();
  });
});
