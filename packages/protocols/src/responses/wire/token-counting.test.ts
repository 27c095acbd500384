import type { InputTokenCountResponse } from 'openai/resources/responses/input-tokens';
import { describe, expect, it } from 'vitest';
import { tokenCounting } from './token-counting.ts';

const target = { upstream: 'u', account: 'a', protocol: 'responses' as const, model: 'm', quirks: {} };

describe('token counting', () => {
  it('sends only the counted fields', () => {
    const body = { model: 'm', input: [], tools: [], store: false, stream: false, include: [], temperature: 1 };
    expect(tokenCounting.encodeRequest(body, target)).toEqual({ model: 'm', input: [], tools: [] });
  });

  it('reads a counting body as a request', () => {
    expect(tokenCounting.decodeRequest({ model: 'm', input: 'x', personality: 'friendly' })).toEqual({
      model: 'm',
      input: 'x',
    });
  });

  it('writes and reads the result as the published client does', () => {
    const response = { object: 'response.input_tokens', input_tokens: 7 } satisfies InputTokenCountResponse;
    expect(tokenCounting.encodeCount(7)).toEqual(response);
    expect(tokenCounting.decodeCount(response)).toBe(7);
    expect(tokenCounting.decodeCount('x')).toBeUndefined();
  });
});
